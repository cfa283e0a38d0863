mtype = { ask, yes, no, stop };
chan desk = [1] of { mtype, chan };
byte served, refused;

active [2] proctype Client()
{
  chan reply = [0] of { mtype };
  desk!ask(reply);
  if
  :: reply?yes
  :: reply?no
  fi
}

active proctype Desk()
{
  chan client;
  do
  :: desk?ask(client) -> run Clerk(client)
  :: desk?stop(client) -> break
  od
}

proctype Clerk(chan customer)
{
  served++;
  customer!yes(served)
}
