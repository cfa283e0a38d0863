/* Two clerks pay into one account. */
int balance = 100;
byte done;

proctype Clerk(int amount)
{
    int seen;
    seen = balance;
    balance = seen + amount;
    done++
}

init
{
    atomic { run Clerk(10); run Clerk(50) }
    done == 2;
    assert(balance == 160)
}
