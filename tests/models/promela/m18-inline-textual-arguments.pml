// oracle: M18
// what: inline: textual arguments, own label and local scope
// verdict: holds
// states: 14
// matched: 0
// transitions: 14
// atomic: 0
// errors: 0
byte x, y;  inline twice(v, e) { byte t; t = e * 2; v = t; if :: v > 4 -> goto L :: else fi; v = 9; L: skip }
init { twice(x, 1 + 2); twice(y, 1); assert(x == 5 && y == 9) }
