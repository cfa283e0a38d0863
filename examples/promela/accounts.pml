/*
 * Clerks move money between accounts, each of which has a lock of its own.
 *
 * Learn: who takes both locks, always the lower one first, can do all of the work before anybody
 *     else has to be looked at, since every access to an account happens under its lock:
 *     `everypath check accounts.pml --reduce transactions --only assertions` needs a small part of the states.
 * Try: give the lower lock back before the money has arrived; a sum is then wrong.
 */
// expect: holds
// states: 44101

#define CLERKS 4
#define MONEY  8

bit  lock[CLERKS];
byte balance[CLERKS] = 2;

inline acquire(i) { atomic { lock[i] == 0 -> lock[i] = 1 } }
inline release(i) { lock[i] = 0 }

active [CLERKS] proctype Clerk()
{
	byte low  = (_pid == CLERKS - 1 -> 0 : _pid);
	byte high = (_pid == CLERKS - 1 -> _pid : _pid + 1);
	byte sum, moved;

	do
	:: acquire(low);
	   acquire(high);
	   sum = balance[low] + balance[high];
	   moved = 0;
	   do
	   :: moved < 2 && balance[low] > 0 ->
	      balance[low]--;
	      moved++;
	      balance[high]++
	   :: break
	   od;
	   assert(balance[low] + balance[high] == sum && sum <= MONEY);
	   moved = 0;
	   sum = 0;
	   release(high);
	   release(low)
	od
}
