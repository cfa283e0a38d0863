/*
 * A leader election in the style of Raft.
 *
 * Learn: time is cut into terms. A node that hears nothing starts a new term, votes for itself
 *     and asks the others; a node votes once per term, and a majority makes a leader. Two
 *     majorities overlap in a voter, hence at most one leader per term.
 * Try: forget the vote (drop `voted_for == NOBODY &&` in the RequestVote part); two leaders
 *     can then share a term and the assertion fails.
 */
// expect: holds
// states: 21670

#define N         3
#define TERMS     2
#define NOBODY    N
#define MAJORITY  (N / 2 + 1)

mtype = { RequestVote, Vote };
mtype = { Follower, Candidate, Leader };

chan inbox[N] = [4] of { mtype, byte, byte };  /* kind, term, sender */
byte leaders[TERMS + 1];                       /* leaders[t]: leaders seen in term t */

inline enter_term(t)
{
    term = t;
    role = Follower;
    voted_for = NOBODY;
    votes = 0
}

proctype Node(byte me)
{
    mtype kind, role = Follower;
    byte term, votes, from, message_term;
    byte voted_for = NOBODY;

end:
    do
    :: atomic {
           term < TERMS && role != Leader ->  /* election timeout */
           enter_term(term + 1);
           role = Candidate;
           voted_for = me;
           votes = 1;
           inbox[(me + 1) % N]!RequestVote(term, me);
           inbox[(me + 2) % N]!RequestVote(term, me)
       }
    :: atomic {
           inbox[me]?kind(message_term, from) ->
           if
           :: message_term > term -> enter_term(message_term)
           :: else
           fi;
           if
           :: message_term < term  /* too late: ignore it */
           :: message_term == term && kind == RequestVote ->
               if
               :: voted_for == NOBODY && role == Follower ->
                   voted_for = from;
                   inbox[from]!Vote(term, me)
               :: else
               fi
           :: message_term == term && kind == Vote ->
               votes++;
               if
               :: role == Candidate && votes >= MAJORITY ->
                   role = Leader;
                   leaders[term]++;
                   assert(leaders[term] == 1)
               :: else
               fi
           fi;
           kind = 0;
           message_term = 0;
           from = 0
       }
    od
}

init
{
    byte i;

    atomic {
        for (i : 0 .. N - 1) {
            run Node(i)
        }
    }
}
