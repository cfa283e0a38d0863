//! The functions of `StrictMath` whose results its documentation fixes to the last bit: those of the library "fdlibm".
//! The order of operations matters. What is the same elsewhere is taken from there.

const LN2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
const LN2_LOW: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);
const TWO_54: f64 = 18_014_398_509_481_984.0;

fn high(x: f64) -> i32 {
    (x.to_bits() >> 32) as i32
}

fn with_high(x: f64, high: i32) -> f64 {
    f64::from_bits(u64::from(high as u32) << 32 | x.to_bits() & 0xffff_ffff)
}

/// A number in \[1, 2) and the exponent that belong to a positive one.
struct Split {
    mantissa: f64,
    exponent: i32,
}

/// What a logarithm is where its argument is no positive number.
fn odd_logarithm(x: f64) -> Option<f64> {
    if x == 0.0 {
        return Some(f64::NEG_INFINITY);
    }
    if x < 0.0 {
        return Some(f64::NAN);
    }
    (!x.is_finite()).then_some(x + x)
}

fn split(x: f64) -> Split {
    let subnormal = high(x) < 0x0010_0000;
    let (x, below) = if subnormal { (x * TWO_54, 54) } else { (x, 0) };
    let exponent = (high(x) >> 20) - 1023 - below;
    Split { mantissa: with_high(x, high(x) & 0x000f_ffff | 0x3ff0_0000), exponent }
}

pub(super) fn log(x: f64) -> f64 {
    if let Some(value) = odd_logarithm(x) {
        return value;
    }
    let Split { mantissa, mut exponent } = split(x);
    let part = high(mantissa) & 0x000f_ffff;
    // The mantissa is brought to [sqrt(2)/2, sqrt(2)).
    let upper = (part + 0x0009_5f64) & 0x0010_0000;
    let f = with_high(mantissa, part | (upper ^ 0x3ff0_0000)) - 1.0;
    exponent += upper >> 20;
    let dk = f64::from(exponent);
    if 0x000f_ffff & (2 + part) < 3 {
        if f == 0.0 {
            return if exponent == 0 { 0.0 } else { dk * LN2_HIGH + dk * LN2_LOW };
        }
        let r = f * f * (0.5 - 0.333_333_333_333_333_3 * f);
        return match exponent {
            0 => f - r,
            _ => dk * LN2_HIGH - ((r - dk * LN2_LOW) - f),
        };
    }
    let g = |bits: u64| f64::from_bits(bits);
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let even = w
        * (g(0x3fd9_9999_9997_fa04)
            + w * (g(0x3fcc_71c5_1d8e_78af) + w * g(0x3fc3_9a09_d078_c69f)));
    let odd = z
        * (g(0x3fe5_5555_5555_5593)
            + w * (g(0x3fd2_4924_9422_9359)
                + w * (g(0x3fc7_4664_96cb_03de) + w * g(0x3fc2_f112_df3e_5244))));
    let r = odd + even;
    if (part - 0x0006_147a) | (0x0006_b851 - part) > 0 {
        let half = 0.5 * f * f;
        return match exponent {
            0 => f - (half - s * (half + r)),
            _ => dk * LN2_HIGH - ((half - (s * (half + r) + dk * LN2_LOW)) - f),
        };
    }
    match exponent {
        0 => f - s * (f - r),
        _ => dk * LN2_HIGH - ((s * (f - r) - dk * LN2_LOW) - f),
    }
}

pub(super) fn log10(x: f64) -> f64 {
    if let Some(value) = odd_logarithm(x) {
        return value;
    }
    let Split { mantissa, exponent } = split(x);
    let below = i32::from(exponent < 0);
    let y = f64::from(exponent + below);
    let x = with_high(mantissa, high(mantissa) & 0x000f_ffff | (0x3ff - below) << 20);
    let z = y * 3.694_239_077_158_931e-13 + std::f64::consts::LOG10_E * log(x);
    z + y * 0.301_029_995_663_611_77
}

pub(super) fn exp(x: f64) -> f64 {
    if x.is_nan() || x > 709.782_712_893_384 {
        return x * f64::INFINITY;
    }
    if x < -745.133_219_101_941_1 {
        return 0.0;
    }
    let size = high(x) & 0x7fff_ffff;
    let sign = if x < 0.0 { -1.0 } else { 1.0 };
    let (mut k, mut above, mut below, mut x) = (0, 0.0, 0.0, x);
    if size > 0x3fd6_2e42 {
        if size < 0x3ff0_a2b2 {
            (above, below) = (x - sign * LN2_HIGH, sign * LN2_LOW);
            k = sign as i32;
        } else {
            k = (std::f64::consts::LOG2_E * x + sign * 0.5) as i32;
            let t = f64::from(k);
            (above, below) = (x - t * LN2_HIGH, t * LN2_LOW);
        }
        x = above - below;
    } else if size < 0x3e30_0000 {
        return 1.0 + x;
    }
    let t = x * x;
    let p = |t: f64| {
        t * (0.166_666_666_666_666_02
            + t * (-0.002_777_777_777_701_559_3
                + t * (6.613_756_321_437_934e-05
                    + t * (-1.653_390_220_546_525_2e-06 + t * 4.138_136_797_057_238_5e-08))))
    };
    let c = x - p(t);
    if k == 0 {
        return 1.0 - ((x * c) / (c - 2.0) - x);
    }
    let y = 1.0 - ((below - (x * c) / (2.0 - c)) - above);
    if k >= -1021 {
        return with_high(y, high(y).wrapping_add(k << 20));
    }
    with_high(y, high(y).wrapping_add((k + 1000) << 20)) * f64::from_bits(0x0170_0000_0000_0000)
}

/// Half of the power of e, where the power itself may be too large.
fn half_exp(size: f64) -> f64 {
    if high(size) < 0x4086_2e42 {
        return 0.5 * exp(size);
    }
    if size.to_bits() <= 0x4086_33ce_8fb9_f87d {
        let root = exp(0.5 * size);
        return 0.5 * root * root;
    }
    f64::INFINITY
}

pub(super) fn sinh(x: f64) -> f64 {
    if !x.is_finite() {
        return x + x;
    }
    let (size, half) = (x.abs(), if x < 0.0 { -0.5 } else { 0.5 });
    if size >= 22.0 {
        return half_exp(size).copysign(x);
    }
    if high(size) < 0x3e30_0000 {
        return x;
    }
    let t = libm::expm1(size);
    match size < 1.0 {
        true => half * (2.0 * t - t * t / (t + 1.0)),
        false => half * (t + t / (t + 1.0)),
    }
}

pub(super) fn cosh(x: f64) -> f64 {
    if !x.is_finite() {
        return x * x;
    }
    let size = x.abs();
    if high(size) < 0x3fd6_2e43 {
        let t = libm::expm1(size);
        let w = 1.0 + t;
        return if high(size) < 0x3c80_0000 { w } else { 1.0 + (t * t) / (w + w) };
    }
    if size >= 22.0 {
        return half_exp(size);
    }
    let t = exp(size);
    0.5 * t + 0.5 / t
}

pub(super) fn tanh(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    let size = x.abs();
    if high(size) < 0x3c80_0000 {
        return x * (1.0 + x);
    }
    let value = if size >= 22.0 {
        1.0
    } else if size >= 1.0 {
        1.0 - 2.0 / (libm::expm1(2.0 * size) + 2.0)
    } else {
        let t = libm::expm1(-2.0 * size);
        -t / (t + 2.0)
    };
    value.copysign(x)
}
