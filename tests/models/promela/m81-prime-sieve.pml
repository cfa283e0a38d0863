// oracle: M81
// what: prime sieve, dynamic processes and channels
// verdict: holds
// states: 1631
// matched: 2720
// transitions: 4351
// atomic: 0
// errors: 0
mtype = { num, eof };  proctype F(chan in; byte p) {  chan out = [1] of { mtype, byte };  byte n; bool made;  do  :: in?num(n) ->  if
:: n % p == 0 -> skip  :: n % p != 0 && !made -> made = true; run F(out, n)  :: n % p != 0 && made -> out!num(n)  fi
:: in?eof(n) -> if :: made -> out!eof(0) :: else fi; break  od  }  init {  chan c = [1] of { mtype, byte };  byte i = 3;  run F(c, 2);
do :: i < 12 -> c!num(i); i++ :: else -> break od;  c!eof(0)  }
