/* A sender that stops after LIMIT messages. */
#ifndef LIMIT
#define LIMIT 3
#endif

chan line = [1] of { byte };
byte sent;

active proctype Sender()
{
    do
    :: sent < LIMIT -> line!sent; sent++
    :: sent > LIMIT -> printf("too many\n")
    :: else -> break
    od
}

active proctype Receiver()
{
    byte got;

end:
    do
    :: line?got -> assert(got < 3)
    od
}
