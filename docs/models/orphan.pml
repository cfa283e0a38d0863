/* A reader that waits for more messages than are sent. */
chan q = [2] of { byte };

active proctype Writer()
{
  q!1
}

active proctype Reader()
{
  byte x;
  q?x;
  q?x
}
