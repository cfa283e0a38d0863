// oracle: embedded C
// what: variables of the model seen from C: structures, bits, parameters, init
// verdict: holds
// states: 37
// matched: 17
// transitions: 54
// atomic: 1
// errors: 0
typedef T { byte f; short g[2]; bit b };
T t; T ts[2]; byte count;
proctype Q(byte me; int by) {
  T own;
  c_code { now.ts[PQ->me].g[1] -= PQ->by; PQ->own.f = now.ts[PQ->me].g[1]; PQ->own.b = 3; }
  c_code { now.t.f = PQ->own.f + PQ->own.b; now.count++; }
}
init {
  byte z;
  atomic { run Q(0, 300); run Q(1, 40000) };
  c_expr { now.count == 2 };
  c_code { Pinit->z = now.t.f ? now.t.f : 77; now.t.b = !now.t.b; };
  assert(z == 213 || z == 193)
}
