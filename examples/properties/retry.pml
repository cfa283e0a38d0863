mtype = { REQ, ACK, NAK };
chan req = [1] of { mtype };
chan rsp = [1] of { mtype };
bool waiting = false;

active proctype Client() {
  do
  :: waiting = true;
     req ! REQ;
     if
     :: rsp ? ACK; waiting = false
     :: rsp ? NAK
     fi
  od
}

active proctype Server() {
  do
  :: req ? REQ;
     if
     :: rsp ! ACK
     :: rsp ! NAK
     fi
  od
}

ltl answered { [] (waiting -> <> !waiting) }
ltl weaker { [] (waiting -> <> (!waiting || len(rsp) > 0)) }
