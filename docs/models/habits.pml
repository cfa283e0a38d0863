/* What people write who know other languages. */
int x;
proctype P() { skip }

init {
  if (x == 0) { x = 1 }
}

init {
  while (x < 3) { x++ }
}

init {
  P()
}

init {
  assert(x = 3)
}
