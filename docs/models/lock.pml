/* A lock that is tested and taken in two steps. */
bool lock;
byte inside;

active [2] proctype P()
{
  do
  :: lock == 0 ->
     lock = 1;
     inside++;
     assert(inside == 1);
     inside--;
     lock = 0
  od
}
