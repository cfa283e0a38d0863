//! Ranges of values.

use everypath_machine::Field;
use everypath_machine::code::{Binary, Unary};

/// All values from one to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interval {
    pub lo: i32,
    pub hi: i32,
}

impl Interval {
    pub const ANY: Interval = Interval { lo: i32::MIN, hi: i32::MAX };
    pub const TRUTH: Interval = Interval { lo: 0, hi: 1 };

    pub fn one(value: i32) -> Interval {
        Interval { lo: value, hi: value }
    }

    /// What a field can hold.
    pub fn of(field: Field) -> Interval {
        match (field.width, field.signed) {
            (32.., _) => Interval::ANY,
            (width, true) => Interval { lo: -(1 << (width - 1)), hi: (1i32 << (width - 1)) - 1 },
            (31, false) => Interval { lo: 0, hi: i32::MAX },
            (width, false) => Interval { lo: 0, hi: (1i32 << width) - 1 },
        }
    }

    pub fn known(self) -> Option<i32> {
        (self.lo == self.hi).then_some(self.lo)
    }

    pub fn contains(self, value: i32) -> bool {
        self.lo <= value && value <= self.hi
    }

    pub fn join(self, other: Interval) -> Interval {
        Interval { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    pub fn meet(self, other: Interval) -> Option<Interval> {
        let both = Interval { lo: self.lo.max(other.lo), hi: self.hi.min(other.hi) };
        (both.lo <= both.hi).then_some(both)
    }

    /// What is read back after it was written to a field.
    pub fn stored(self, field: Field) -> Interval {
        let all = Interval::of(field);
        match self.known() {
            Some(value) => Interval::one(field.truncate(value)),
            None if all.lo <= self.lo && self.hi <= all.hi => self,
            None => all,
        }
    }

    fn wide(lo: i64, hi: i64) -> Interval {
        match (i32::try_from(lo), i32::try_from(hi)) {
            (Ok(lo), Ok(hi)) => Interval { lo, hi },
            _ => Interval::ANY,
        }
    }

    pub fn unary(op: Unary, a: Interval) -> Interval {
        if let Some(a) = a.known() {
            return Interval::one(op.apply(a));
        }
        match op {
            Unary::Neg => Interval::wide(-i64::from(a.hi), -i64::from(a.lo)),
            Unary::Complement => Interval { lo: !a.hi, hi: !a.lo },
            Unary::Not if !a.contains(0) => Interval::one(0),
            Unary::Truth if !a.contains(0) => Interval::one(1),
            Unary::Not | Unary::Truth => Interval::TRUTH,
        }
    }

    pub fn binary(op: Binary, a: Interval, b: Interval) -> Interval {
        let divides = matches!(op, Binary::Div | Binary::Rem);
        if let (Some(x), Some(y)) = (a.known(), b.known()) {
            return if divides && y == 0 { Interval::ANY } else { Interval::one(op.apply(x, y)) };
        }
        let [al, ah, bl, bh] = [a.lo, a.hi, b.lo, b.hi].map(i64::from);
        let decided = |yes: bool, no: bool| match (yes, no) {
            (true, _) => Interval::one(1),
            (_, true) => Interval::one(0),
            _ => Interval::TRUTH,
        };
        let apart = a.meet(b).is_none();
        let natural = a.lo >= 0 && b.lo >= 0;
        match op {
            Binary::Add => Interval::wide(al + bl, ah + bh),
            Binary::Sub => Interval::wide(al - bh, ah - bl),
            Binary::Mul => {
                let all: [i64; 4] = [al * bl, al * bh, ah * bl, ah * bh];
                let lo = all.iter().copied().fold(i64::MAX, i64::min);
                Interval::wide(lo, all.iter().copied().fold(i64::MIN, i64::max))
            }
            Binary::Div => match b.known() {
                Some(by) if by > 0 => Interval { lo: a.lo / by, hi: a.hi / by },
                _ => Interval::ANY,
            },
            Binary::Rem => match b.known() {
                Some(by) if by != 0 => {
                    let most = (i64::from(by).abs() - 1).min(i64::from(i32::MAX)) as i32;
                    let lo = if a.lo >= 0 { 0 } else { -most };
                    Interval { lo, hi: if a.lo >= 0 { most.min(a.hi) } else { most } }
                }
                _ => Interval::ANY,
            },
            Binary::Lt => decided(a.hi < b.lo, a.lo >= b.hi),
            Binary::Le => decided(a.hi <= b.lo, a.lo > b.hi),
            Binary::Gt => decided(a.lo > b.hi, a.hi <= b.lo),
            Binary::Ge => decided(a.lo >= b.hi, a.hi < b.lo),
            Binary::Eq => decided(false, apart),
            Binary::Ne => decided(apart, false),
            Binary::And if natural => Interval { lo: 0, hi: a.hi.min(b.hi) },
            Binary::And if b.lo >= 0 => Interval { lo: 0, hi: b.hi },
            Binary::And if a.lo >= 0 => Interval { lo: 0, hi: a.hi },
            Binary::Or | Binary::Xor if natural => {
                let most = a.hi.max(b.hi);
                Interval { lo: 0, hi: (u32::MAX >> most.leading_zeros()) as i32 }
            }
            Binary::Shr if a.lo >= 0 => Interval { lo: 0, hi: a.hi },
            Binary::And | Binary::Or | Binary::Xor | Binary::Shl | Binary::Shr => Interval::ANY,
        }
    }

    /// The part of it for which a comparison with some value of another range can be true.
    pub fn such_that(self, op: Binary, with: Interval) -> Option<Interval> {
        let below = |hi: i64| {
            let hi = i32::try_from(hi).ok()?;
            self.meet(Interval { lo: i32::MIN, hi })
        };
        let above = |lo: i64| {
            let lo = i32::try_from(lo).ok()?;
            self.meet(Interval { lo, hi: i32::MAX })
        };
        match op {
            Binary::Lt => below(i64::from(with.hi) - 1),
            Binary::Le => below(i64::from(with.hi)),
            Binary::Gt => above(i64::from(with.lo) + 1),
            Binary::Ge => above(i64::from(with.lo)),
            Binary::Eq => self.meet(with),
            Binary::Ne => match with.known() {
                Some(value) if self == Interval::one(value) => None,
                Some(value) if value == self.lo => Some(Interval { lo: self.lo + 1, ..self }),
                Some(value) if value == self.hi => Some(Interval { hi: self.hi - 1, ..self }),
                _ => Some(self),
            },
            _ => Some(self),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every operator on all pairs of small ranges covers what it gives for their members.
    #[test]
    fn ranges_cover_the_values() {
        let ends = [i32::MIN, -7, -1, 0, 1, 2, 5, 31, 33, i32::MAX];
        let mut ranges = Vec::new();
        for (i, &lo) in ends.iter().enumerate() {
            ranges.extend(ends[i..].iter().map(|&hi| Interval { lo, hi }));
        }
        let members = |r: Interval| ends.into_iter().filter(move |&v| r.contains(v));
        let ops = [
            Binary::Mul,
            Binary::Div,
            Binary::Rem,
            Binary::Add,
            Binary::Sub,
            Binary::Shl,
            Binary::Shr,
            Binary::Lt,
            Binary::Le,
            Binary::Gt,
            Binary::Ge,
            Binary::Eq,
            Binary::Ne,
            Binary::And,
            Binary::Xor,
            Binary::Or,
        ];
        for &a in &ranges {
            for op in [Unary::Neg, Unary::Not, Unary::Complement, Unary::Truth] {
                let all = Interval::unary(op, a);
                assert!(members(a).all(|x| all.contains(op.apply(x))), "{op:?} {a:?} {all:?}");
            }
            for &b in &ranges {
                for op in ops {
                    let all = Interval::binary(op, a, b);
                    let part = a.such_that(op, b);
                    for x in members(a) {
                        for y in members(b) {
                            if y == 0 && matches!(op, Binary::Div | Binary::Rem) {
                                continue;
                            }
                            let value = op.apply(x, y);
                            assert!(all.contains(value), "{x} {op:?} {y}: {a:?} {b:?} {all:?}");
                            let compares = [0, 1].contains(&value);
                            if compares && value == 1 {
                                assert!(part.is_some_and(|p| p.contains(x)), "{x} {op:?} {y}");
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn fields_cut_ranges() {
        let byte = Field { bit: 0, width: 8, signed: false };
        let short = Field { bit: 0, width: 16, signed: true };
        assert_eq!(Interval::of(byte), Interval { lo: 0, hi: 255 });
        assert_eq!(Interval::of(short), Interval { lo: -32768, hi: 32767 });
        assert_eq!(Interval::one(256).stored(byte), Interval::one(0));
        assert_eq!(Interval { lo: 3, hi: 300 }.stored(byte), Interval { lo: 0, hi: 255 });
        assert_eq!(Interval { lo: 3, hi: 30 }.stored(byte), Interval { lo: 3, hi: 30 });
    }
}
