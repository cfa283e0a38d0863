/* Everyone draws a card without looking, then all are compared: few levels with very many states. */
#define N 6
byte card[N];
byte done;

active [N] proctype Player() {
    if
    :: card[_pid] = 1
    :: card[_pid] = 2
    :: card[_pid] = 3
    :: card[_pid] = 4
    :: card[_pid] = 5
    :: card[_pid] = 6
    fi;
    done++
}

active proctype Dealer() {
    byte k, best;
    done == N;
    d_step {
        for (k : 0 .. N - 1) {
            if
            :: card[k] > best -> best = card[k]
            :: else
            fi
        };
        k = 0
    };
    assert(best > 0 && best <= 6)
}
