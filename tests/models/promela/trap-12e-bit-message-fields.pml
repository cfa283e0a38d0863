// oracle: trap 12
// what: bit and bool fields of a message with several fields hold one bit
// verdict: holds
// states: 5
// matched: 0
// transitions: 5
// atomic: 0
// errors: 0
chan q = [2] of { bit, byte, bool };
byte x, y, z;
init { q!2,300,3; q?x,y,z; assert(x == 0 && y == 44 && z == 1) }
