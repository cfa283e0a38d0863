// oracle: embedded C
// what: tracked arrays and scalars; enumerators, and data that is never written
// verdict: holds
// states: 157
// matched: 132
// transitions: 289
// atomic: 0
// errors: 0
c_decl {
\#include <stdio.h>
  enum { EMPTY, FULL = 5, MORE };
  int a[3] = { 1, FULL };
  unsigned char level = 250;
  short table[] = { 3, 1, 2 };
  int step = 2;
}
c_track "a" "3 * sizeof(int)" "Matched"
c_track "&level" "sizeof(unsigned char)"
active [2] proctype P() {
  byte i;
  do
  :: i < 3 ->
     c_code { a[table[PP->i] - 1] += step; level += MORE; printf("%d\n", level); }
     i++
  :: else -> break
  od;
  assert(c_expr { a[0] + a[1] + a[2] <= 18 })
}
