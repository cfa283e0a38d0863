/* Dining philosophers whose forks are processes. A fork is raised and put down in rendezvous with
 * whoever does it. Everybody raises the left fork first, so they may starve; but a fork that is up is not raised. */
#define N 3

chan up[N]   = [0] of { bit };
chan down[N] = [0] of { bit };

active [N] proctype Fork()
{
end:	do
	:: up[_pid]?_ -> down[_pid]?_
	od
}

active [N] proctype Philosopher()
{
	byte left = _pid - N, right = (_pid - N + 1) % N;

	do
	:: up[left]!1;
	   up[right]!1;
start:	   printf("%d eats\n", left);
stop:	   skip;
	   down[left]!1;
	   down[right]!1
	:: break
	od
}
