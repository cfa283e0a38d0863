// oracle: embedded C
// what: integers of C wrap at their own widths
// verdict: holds
// states: 44
// matched: 0
// transitions: 44
// atomic: 0
// errors: 0
c_state "char c" "Global" "126"
c_state "unsigned char u" "Global" "254"
c_state "short s" "Global" "32766"
c_state "unsigned short us" "Global" "0xfffe"
c_state "unsigned int ui" "Global" "4294967294u"
c_state "signed char a[2]" "Global"
bit b; bool flags[2]; unsigned w : 5; byte y; short z;
active proctype P() {
  byte i;
  do
  :: i < 5 -> i++;
     c_code { now.c++; now.u++; now.s++; now.us++; now.ui++; now.a[now.u & 1] -= 100; };
     c_code { now.b = now.u; now.flags[1] = now.c; now.w += 7; now.y -= 3; now.z = now.us * 3; };
     if
     :: c_expr { now.c < 0 } -> assert(c_expr { now.c <= -124 && now.u < 4 && now.s < 0 && now.us < 4 })
     :: c_expr { now.c >= 0 } -> assert(c_expr { now.u == 255 && now.ui == -1 && now.ui > 5 })
     fi;
     assert(c_expr { (now.ui < 10) == (now.c < 0) });
     assert(c_expr { now.a[1] != 156 && (char) 200 == -56 && (uchar) (now.s + 1) == ((now.s + 1) & 0xff) })
  :: else -> break
  od;
  assert(c_expr { ~now.ui + 1 == -now.ui && 'a' == 0141 && '\n' == 10 && -7 / 2 == -3 && -7 % 2 == -1 })
}
