/* A transfer takes the locks of both accounts. */
mtype = { FREE, TAKEN };
mtype lock[2] = FREE;

inline take(i) { atomic { lock[i] == FREE; lock[i] = TAKEN } }
inline give(i) { lock[i] = FREE }

proctype Transfer(byte from; byte to)
{
    take(from);
    take(to);
    /* move the money */
    give(to);
    give(from)
}

init { atomic { run Transfer(0, 1); run Transfer(1, 0) } }
