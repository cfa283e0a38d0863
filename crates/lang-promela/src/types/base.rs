//! Types of values that are no channels, and which of them fits into which.

use crate::ast::{Model, MtypeId, Type};
use crate::flow::values;

/// A type without structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// `bool`
    Bool,
    /// Numbers from `low` to `high`; `bit`, `byte`, `unsigned`, `short` and `int` differ in their
    /// ranges only.
    Number {
        /// Lowest value.
        low: i64,
        /// Highest value.
        high: i64,
    },
    /// `pid`, where it is kept apart from numbers.
    Pid,
    /// `mtype` or `mtype:name`
    Mtype(MtypeId),
}

/// How a value of one type goes into a variable of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// Every value fits.
    Yes,
    /// Some values are cut off.
    Narrow,
    /// The types have nothing to do with each other.
    Mtype,
    /// Two sets of symbolic names.
    MtypeSets,
    /// A truth value and a number.
    Bool,
    /// A process number and another number.
    Pid,
}

/// How strict the rules are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TypeOptions {
    /// Keep `bool` apart from numbers, take cut values for errors, and let 0 be no symbolic name
    /// and no channel.
    pub strict: bool,
    /// Keep `pid` apart from `byte`.
    pub strict_pid: bool,
}

/// The range of 32-bit numbers.
pub(super) const INT: Base = Base::Number { low: i32::MIN as i64, high: i32::MAX as i64 };
/// The range of a byte.
pub(super) const BYTE: Base = Base::Number { low: 0, high: 255 };

impl Base {
    pub(super) fn constant(value: i64) -> Base {
        Base::Number { low: value, high: value }
    }

    /// The type of a declaration; `None` for channels and structures.
    pub(super) fn declared(ty: Type, options: TypeOptions) -> Option<Base> {
        Some(match ty {
            Type::Bool => Base::Bool,
            Type::Pid if options.strict_pid => Base::Pid,
            Type::Mtype(set) => Base::Mtype(set),
            Type::Chan | Type::Struct(_) => return None,
            Type::Bit | Type::Byte | Type::Pid | Type::Short | Type::Int | Type::Unsigned(_) => {
                let (low, high) = values::declared(ty);
                Base::Number { low, high }
            }
        })
    }

    /// The values as numbers.
    pub(super) fn range(self) -> (i64, i64) {
        match self {
            Base::Bool => (0, 1),
            Base::Number { low, high } => (low, high),
            Base::Pid | Base::Mtype(_) => (0, 255),
        }
    }

    pub(super) fn is_zero(self) -> bool {
        self == Base::constant(0)
    }

    fn is_constant(self) -> bool {
        matches!(self, Base::Number { low, high } if low == high)
    }

    /// Whether a value of this type goes into a variable of the other.
    pub(super) fn fits(self, into: Base, options: TypeOptions) -> Fit {
        let inside = {
            let ((low, high), (from, to)) = (self.range(), into.range());
            if from <= low && high <= to { Fit::Yes } else { Fit::Narrow }
        };
        match (self, into) {
            (Base::Mtype(a), Base::Mtype(b)) if a == b => Fit::Yes,
            (Base::Mtype(_), Base::Mtype(_)) => Fit::MtypeSets,
            // The value of a variable without a symbolic name yet.
            (zero, Base::Mtype(_)) if zero.is_zero() && !options.strict => Fit::Yes,
            (Base::Mtype(_), _) | (_, Base::Mtype(_)) => Fit::Mtype,
            (Base::Pid, Base::Pid) => Fit::Yes,
            (constant, Base::Pid) if constant.is_constant() => inside,
            (Base::Pid, _) | (_, Base::Pid) => Fit::Pid,
            (Base::Bool, Base::Bool) => Fit::Yes,
            (Base::Bool, _) if options.strict => Fit::Bool,
            (Base::Number { low, high }, Base::Bool) if options.strict && (low < 0 || high > 1) => {
                Fit::Bool
            }
            _ => inside,
        }
    }

    /// Whether values of the two types can be compared.
    pub(super) fn compares(self, other: Base, options: TypeOptions) -> Fit {
        let fit = match self.fits(other, options) {
            Fit::Yes | Fit::Narrow => return Fit::Yes,
            fit => fit,
        };
        match other.fits(self, options) {
            Fit::Yes | Fit::Narrow => Fit::Yes,
            _ => fit,
        }
    }

    /// The smallest type of both; `None` if they have nothing in common.
    pub(super) fn join(self, other: Base) -> Option<Base> {
        match (self, other) {
            _ if self == other => Some(self),
            (Base::Mtype(_), zero) if zero.is_zero() => Some(self),
            (zero, Base::Mtype(_)) if zero.is_zero() => Some(other),
            (Base::Mtype(_), _) | (_, Base::Mtype(_)) => None,
            (Base::Bool, Base::Number { low, high }) | (Base::Number { low, high }, Base::Bool)
                if low >= 0 && high <= 1 =>
            {
                Some(Base::Bool)
            }
            (Base::Pid, constant) | (constant, Base::Pid) if constant.is_constant() => {
                Some(Base::Pid)
            }
            _ => {
                let ((a, b), (c, d)) = (self.range(), other.range());
                Some(Base::Number { low: a.min(c), high: b.max(d) })
            }
        }
    }

    /// The name of the type; of a range the smallest type that has all of it.
    pub(super) fn show(self, model: &Model) -> String {
        let (low, high) = match self {
            Base::Bool => return "bool".to_owned(),
            Base::Pid => return "pid".to_owned(),
            Base::Mtype(set) => {
                let name = model.mtypes.get(set.index()).map_or("", |set| &set.name);
                let colon = if name.is_empty() { "" } else { ":" };
                return format!("mtype{colon}{name}");
            }
            Base::Number { low, high } => (low, high),
        };
        match (low, high) {
            (0.., ..=1) => "bit".to_owned(),
            (0.., ..=255) if high == 255 || self.is_constant() => "byte".to_owned(),
            (0.., _) if (high + 1).count_ones() == 1 && high <= i64::from(u32::MAX) => {
                format!("unsigned({})", (high + 1).trailing_zeros())
            }
            (0.., ..=255) => "byte".to_owned(),
            (-32768.., ..=32767) => "short".to_owned(),
            _ => "int".to_owned(),
        }
    }
}
