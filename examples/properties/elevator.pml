// An elevator between three floors. Both formulas hold, but one of them says nothing: the door is never
// open while the elevator moves, so that nothing has to follow from it.
mtype = { up, down, still };
mtype going = still;
byte floor = 0;
bool open = false;

active proctype Elevator() {
  do
  :: going == still && !open -> open = true
  :: going == still && open -> open = false
  :: going == still && !open && floor < 2 -> going = up
  :: going == still && !open && floor > 0 -> going = down
  :: going == up -> atomic { floor++; going = still }
  :: going == down -> atomic { floor--; going = still }
  od
}

ltl arrives { [] (going == up -> <> (going == still)) }
ltl alarm { [] (open && going != still -> <> (floor == 0)) }
