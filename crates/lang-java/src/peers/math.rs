//! Math and StrictMath.

use super::{Args, Done, Peer, fdlibm};
use crate::vm::{Run, Worker};

/// A function by its name in Math and in StrictMath. The former may be off by one in the last place, and virtual machines
/// for the processors in use give what the C library gives.
type Unary = (&'static str, [fn(f64) -> f64; 2]);
type Binary = (&'static str, [fn(f64, f64) -> f64; 2]);

const UNARY: [Unary; 19] = [
    ("sin", [f64::sin, libm::sin]),
    ("cos", [f64::cos, libm::cos]),
    ("tan", [f64::tan, libm::tan]),
    ("asin", [libm::asin; 2]),
    ("acos", [libm::acos; 2]),
    ("atan", [libm::atan; 2]),
    ("exp", [f64::exp, fdlibm::exp]),
    ("log", [f64::ln, fdlibm::log]),
    ("log10", [libm::log10, fdlibm::log10]),
    ("sqrt", [f64::sqrt; 2]),
    ("sinh", [fdlibm::sinh; 2]),
    ("cosh", [fdlibm::cosh; 2]),
    ("tanh", [fdlibm::tanh; 2]),
    ("expm1", [libm::expm1; 2]),
    ("log1p", [libm::log1p; 2]),
    ("floor", [f64::floor; 2]),
    ("ceil", [f64::ceil; 2]),
    ("rint", [f64::round_ties_even; 2]),
    ("abs", [f64::abs; 2]),
];

const BINARY: [Binary; 3] =
    [("atan2", [libm::atan2; 2]), ("IEEEremainder", [libm::remainder; 2]), ("pow", [power, power])];

/// Java's power: not defined for 1 and infinity or NaN.
fn power(base: f64, exponent: f64) -> f64 {
    if exponent.is_nan() || base.abs() == 1.0 && exponent.is_infinite() {
        return f64::NAN;
    }
    base.powf(exponent)
}

pub(super) fn find(class: &str, name: &str, descriptor: &str) -> Option<Peer> {
    // These have code in StrictMath, which is what they are.
    if class == "java/lang/StrictMath" && matches!(name, "exp" | "pow") {
        return None;
    }
    let strict = u32::from(class == "java/lang/StrictMath");
    match descriptor {
        "(D)D" => {
            let index = UNARY.iter().position(|&(known, _)| known == name)?;
            Some(Peer { run: unary, data: index as u32 * 2 + strict })
        }
        "(DD)D" => {
            let index = BINARY.iter().position(|&(known, _)| known == name)?;
            Some(Peer { run: binary, data: index as u32 * 2 + strict })
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
    let function = UNARY[args.data as usize / 2].1[args.data as usize % 2];
    Ok(Done::Long(function(args.double(0)).to_bits()))
}

fn binary(_: &mut Worker, args: &Args) -> Run<Done> {
    let function = BINARY[args.data as usize / 2].1[args.data as usize % 2];
    Ok(Done::Long(function(args.double(0), args.double(2)).to_bits()))
}
