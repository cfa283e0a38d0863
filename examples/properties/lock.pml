// A lock that is looked at and taken in two steps: two workers can have it at once.
// everypath check examples/properties/lock.pml --fsa examples/properties/lock.fsa
bool locked = false;

active [2] proctype Worker() {
  do
  :: !locked;
take:
     locked = true;
check:
     assert(locked);
give:
     locked = false
  :: break
  od
}
// To try: make the first two statements atomic.
