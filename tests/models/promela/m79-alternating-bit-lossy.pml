// oracle: M79
// what: alternating bit, lossy
// verdict: violated
// kinds: deadlock
// states: 947
// matched: 1015
// transitions: 1962
// atomic: 0
// errors: 2
mtype = { msg, ack };  chan s2r = [2] of { mtype, bit };  chan r2s = [2] of { mtype, bit };  byte sent, got;  active proctype S() {  bit b, x;  do
:: sent < 3 ->  do  :: s2r!msg(b)  :: r2s?ack(x); if :: x == b -> b = 1 - b; sent++; break :: else fi  od  :: else -> break  od  }
active proctype R() {  bit e, x;  end:  do  :: s2r?msg(x) -> r2s!ack(x); if :: x == e -> e = 1 - e; got++; assert(got <= sent + 1) :: else fi
:: s2r?_,_                       /* lose */  od  }
