//! Random formulas, for tests and comparisons.

use everypath_model::Rng;

use super::{Formula, Formulas};

/// A formula of about `size` operators over the atoms `a`, `b`, ... of which there are `atoms`.
pub fn formula(formulas: &mut Formulas, rng: &mut Rng, atoms: usize, size: usize) -> Formula {
    if size == 0 {
        if rng.chance(4) {
            return if rng.chance(50) { Formulas::TRUE } else { Formulas::FALSE };
        }
        let name = char::from(b'a' + rng.below(atoms.min(26)) as u8);
        return formulas.atom(&name.to_string());
    }
    let unary = size == 1 || rng.chance(45);
    if unary {
        let a = formula(formulas, rng, atoms, size - 1);
        return match rng.below(5) {
            0 => formulas.not(a),
            1 => formulas.next(a),
            2 => formulas.always(a),
            3 => formulas.eventually(a),
            _ => formulas.not(a),
        };
    }
    let left = rng.below(size);
    let a = formula(formulas, rng, atoms, left);
    let b = formula(formulas, rng, atoms, size - 1 - left);
    match rng.weighted(&[4, 4, 1, 1, 1, 3, 2, 2, 2]) {
        0 => formulas.and([a, b]),
        1 => formulas.or([a, b]),
        2 => formulas.xor(a, b),
        3 => formulas.implies(a, b),
        4 => formulas.iff(a, b),
        5 => formulas.until(a, b),
        6 => formulas.weak(a, b),
        7 => formulas.release(a, b),
        _ => formulas.strong(a, b),
    }
}
