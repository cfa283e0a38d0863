//! Math and StrictMath.

use super::{Args, Done, Peer};
use crate::vm::{Run, Worker};

type Unary = (&'static str, fn(f64) -> f64);
type Binary = (&'static str, fn(f64, f64) -> f64);

const UNARY: [Unary; 19] = [
    ("sin", libm::sin),
    ("cos", libm::cos),
    ("tan", libm::tan),
    ("asin", libm::asin),
    ("acos", libm::acos),
    ("atan", libm::atan),
    ("exp", libm::exp),
    ("log", libm::log),
    ("log10", libm::log10),
    ("sqrt", f64::sqrt),
    ("sinh", libm::sinh),
    ("cosh", libm::cosh),
    ("tanh", libm::tanh),
    ("expm1", libm::expm1),
    ("log1p", libm::log1p),
    ("floor", f64::floor),
    ("ceil", f64::ceil),
    ("rint", f64::round_ties_even),
    ("abs", f64::abs),
];

const BINARY: [Binary; 3] =
    [("atan2", libm::atan2), ("IEEEremainder", libm::remainder), ("pow", power)];

/// Java's power: not defined for 1 and infinity or NaN.
fn power(base: f64, exponent: f64) -> f64 {
    if exponent.is_nan() || base.abs() == 1.0 && exponent.is_infinite() {
        return f64::NAN;
    }
    libm::pow(base, exponent)
}

pub(super) fn find(class: &str, name: &str, descriptor: &str) -> Option<Peer> {
    // These have code in StrictMath, which is what they are.
    if class == "java/lang/StrictMath" && matches!(name, "exp" | "pow") {
        return None;
    }
    match descriptor {
        "(D)D" => {
            let index = UNARY.iter().position(|&(known, _)| known == name)?;
            Some(Peer { run: unary, data: index as u32 })
        }
        "(DD)D" => {
            let index = BINARY.iter().position(|&(known, _)| known == name)?;
            Some(Peer { run: binary, data: index as u32 })
        }
        "(DDD)D" if name == "fma" => Some(Peer {
            run: |_, args| {
                let sum = args.double(0).mul_add(args.double(2), args.double(4));
                Ok(Done::Long(sum.to_bits()))
            },
            data: 0,
        }),
        "(FFF)F" if name == "fma" => Some(Peer {
            run: |_, args| {
                let [a, b, c] = [0, 1, 2].map(|index| f32::from_bits(args.word(index)));
                Ok(Done::Word(a.mul_add(b, c).to_bits()))
            },
            data: 0,
        }),
        _ => None,
    }
}

fn unary(_: &mut Worker, args: &Args) -> Run<Done> {
    Ok(Done::Long(UNARY[args.data as usize].1(args.double(0)).to_bits()))
}

fn binary(_: &mut Worker, args: &Args) -> Run<Done> {
    Ok(Done::Long(BINARY[args.data as usize].1(args.double(0), args.double(2)).to_bits()))
}
