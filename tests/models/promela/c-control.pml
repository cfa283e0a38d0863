// oracle: embedded C
// what: branches, loops and local variables of a fragment; the locals do not split states
// verdict: holds
// states: 13
// matched: 6
// transitions: 19
// atomic: 0
// errors: 0
c_state "int sum" "Global"
c_state "int a[4]" "Global"
active [2] proctype P() {
  int limit = 3;
  c_code {
    int i, j = 2; /* one step */
    for (i = 0; i < 4; i++) {
      int square = i * i;
      if (square > PP->limit) { now.a[i] += square; break; }
      else if (square == 1) now.a[i]--;
      else ;
    }
    while (j > 0) { now.sum += j; j--; }
    do { int i = 5; now.sum += i; ++j; } while (j < 2);
    for (int k = 0, m = 3; k < m; k++, m--) now.sum ^= k << m;
  };
  skip
}
