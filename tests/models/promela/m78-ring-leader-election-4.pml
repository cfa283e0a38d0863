// oracle: M78
// what: ring leader election, 4
// verdict: holds
// states: 528
// matched: 899
// transitions: 1427
// atomic: 14
// errors: 0
#define N 4
chan c[N] = [N] of { byte };  byte leaders;  proctype node(byte me; byte id) {  byte m;  c[(me+1)%N]!id;  end:  do  :: c[me]?m ->  if
:: m > id -> c[(me+1)%N]!m  :: m == id -> leaders++; assert(leaders == 1)  :: else -> skip  fi  od  }
init { byte i; atomic { do :: i < N -> run node(i, (i*7+3) % 11); i++ :: else -> break od } }
