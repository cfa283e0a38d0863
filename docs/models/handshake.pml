/* A client and a server that wait for each other. */
mtype = { REQ, ACK };
chan q = [1] of { mtype };
chan r = [0] of { mtype };

active proctype Client()
{
  q!REQ;
  q??ACK;
  r!REQ
}

active proctype Server()
{
  q?REQ;
  r?REQ;
  q!ACK
}
