// A buyer orders and pays; the seller sends the parcel. It is sent before it is paid for.
mtype = { ORDER, PAY, PARCEL };
chan desk = [1] of { mtype };
chan door = [1] of { mtype };

active proctype Buyer() {
end:
  do
  :: desk ! ORDER;
     desk ! PAY;
     door ? PARCEL
  od
}

active proctype Seller() {
end:
  do
  :: desk ? ORDER; door ! PARCEL; desk ? PAY
  od
}

// To try: receive PAY before the parcel is sent.
trace { end: do :: desk ! ORDER; desk ! PAY; door ! PARCEL od }
