//! Parts of a formula that may not matter.
//!
//! A formula that holds says less than it seems to if it still holds with a part of it made as strong
//! as possible: replaced by `false` where the part makes the formula easier to satisfy, by `true` where
//! it makes it harder. That is so if and only if no truth values of the part change anything.

use crate::ltl::{Formula, Formulas, Node};

/// A part of a formula at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The part.
    pub part: Formula,
    /// What takes its place: [`Formulas::TRUE`] or [`Formulas::FALSE`].
    pub by: Formula,
    /// The formula with that: it implies the formula.
    pub stronger: Formula,
    /// What it is in the formula.
    pub role: Role,
    /// The way to it: which child each time.
    path: Vec<usize>,
}

/// What a part is in its formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// What has to follow from this condition, whenever it is true in a run.
    Answer(Formula),
    /// A condition, or a part of one.
    Condition,
    /// Anything else.
    Other,
}

impl Part {
    /// Whether it lies inside of another one.
    pub fn lies_in(&self, other: &Part) -> bool {
        self.path.len() > other.path.len() && self.path.starts_with(&other.path)
    }
}

/// The parts of a formula, at most so many, each before those inside of it. What is under `<->` and `xor`
/// has no direction and is left alone.
pub fn parts(formulas: &mut Formulas, formula: Formula, most: usize) -> Vec<Part> {
    let mut found = Vec::new();
    let whole = Place { positive: true, spine: true, role: Role::Other };
    let mut work = vec![(formula, whole, Vec::new())];
    while let Some((part, place, path)) = work.pop() {
        if found.len() == most {
            break;
        }
        if !path.is_empty() && part > Formulas::FALSE {
            let by = if place.positive { Formulas::FALSE } else { Formulas::TRUE };
            let stronger = replaced(formulas, formula, &path, by);
            found.push(Part { part, by, stronger, role: place.role, path: path.clone() });
        }
        let children = formulas.children(part);
        for (index, child) in children.into_iter().enumerate().rev() {
            if let Some(inner) = place.inside(formulas, part, index) {
                work.push((child, inner, [&path[..], &[index]].concat()));
            }
        }
    }
    found
}

/// The condition of each implication that has to hold all the time.
pub fn triggers(formulas: &Formulas, formula: Formula) -> Vec<Formula> {
    match formulas.node(formula) {
        Node::And(parts) => parts.iter().flat_map(|&part| triggers(formulas, part)).collect(),
        &Node::Release(Formulas::FALSE, inner) => triggers(formulas, inner),
        &Node::Implies(condition, _) => vec![condition],
        _ => Vec::new(),
    }
}

/// Where a part stands.
#[derive(Clone, Copy)]
struct Place {
    /// Whether it makes the formula easier to satisfy.
    positive: bool,
    /// Whether only `G` and conjunctions are above it.
    spine: bool,
    role: Role,
}

impl Place {
    /// The place of a child of the formula at this one; `None` if it has no direction.
    fn inside(self, formulas: &Formulas, parent: Formula, index: usize) -> Option<Place> {
        let below = Place { spine: false, role: self.role_below(), ..self };
        match formulas.node(parent) {
            Node::Iff(..) | Node::Xor(..) => None,
            Node::Not(_) => Some(Place { positive: !self.positive, ..below }),
            Node::Implies(..) if index == 0 => {
                Some(Place { positive: !self.positive, spine: false, role: Role::Condition })
            }
            &Node::Implies(condition, _) if self.spine => {
                Some(Place { role: Role::Answer(condition), ..below })
            }
            Node::And(_) | Node::Release(Formulas::FALSE, _) => {
                Some(Place { spine: self.spine, ..below })
            }
            _ => Some(below),
        }
    }

    fn role_below(self) -> Role {
        match self.role {
            Role::Condition => Role::Condition,
            Role::Answer(_) | Role::Other => Role::Other,
        }
    }
}

/// A formula with something else at a place.
fn replaced(formulas: &mut Formulas, formula: Formula, path: &[usize], by: Formula) -> Formula {
    let Some((&index, rest)) = path.split_first() else { return by };
    let mut children = formulas.children(formula);
    children[index] = replaced(formulas, children[index], rest, by);
    match (formulas.node(formula).clone(), children.as_slice()) {
        (Node::Not(_), &[a]) => formulas.not(a),
        (Node::Next(_), &[a]) => formulas.next(a),
        (Node::And(_), parts) => formulas.and(parts.iter().copied()),
        (Node::Or(_), parts) => formulas.or(parts.iter().copied()),
        (Node::Implies(..), &[a, b]) => formulas.implies(a, b),
        (Node::Until(..), &[a, b]) => formulas.until(a, b),
        (Node::Weak(..), &[a, b]) => formulas.weak(a, b),
        (Node::Release(..), &[a, b]) => formulas.release(a, b),
        (Node::Strong(..), &[a, b]) => formulas.strong(a, b),
        // Nothing is replaced under `<->` and `xor`, and nothing else has parts.
        _ => formula,
    }
}

#[cfg(test)]
mod tests {
    use everypath_model::Rng;

    use super::*;
    use crate::ltl::{Spelling, parse, random};
    use crate::words::{Lasso, satisfies};

    fn shown(text: &str) -> Vec<String> {
        let mut formulas = Formulas::new();
        let formula = parse(&mut formulas, text).expect("a formula");
        let parts = parts(&mut formulas, formula, 64);
        parts.iter().map(|part| formulas.show(part.stronger, Spelling::Spin)).collect()
    }

    #[test]
    fn parts_are_made_as_strong_as_possible() {
        assert_eq!(shown("p"), Vec::<String>::new());
        assert_eq!(shown("G (p -> F q)"), ["false", "[]<>q", "[]!p", "[]!p"]);
        assert_eq!(shown("p U !q"), ["!q", "false", "false"]);
        // Without a direction.
        assert_eq!(shown("G (p <-> q)"), ["false"]);
    }

    #[test]
    fn what_stands_in_an_implication_has_a_role() {
        let mut formulas = Formulas::new();
        let formula = parse(&mut formulas, "G (p && q -> F r)").expect("a formula");
        let roles: Vec<Role> = parts(&mut formulas, formula, 64).iter().map(|p| p.role).collect();
        let both = triggers(&formulas, formula);
        let [condition] = both[..] else { panic!("{both:?}") };
        assert_eq!(formulas.show(condition, Spelling::Spin), "p && q");
        let [whole, left, p, q, answer, r] = roles[..] else { panic!("{roles:?}") };
        assert_eq!([left, p, q], [Role::Condition; 3]);
        assert_eq!((whole, answer, r), (Role::Other, Role::Answer(condition), Role::Other));
    }

    #[test]
    fn parts_inside_of_others_are_known() {
        let mut formulas = Formulas::new();
        let formula = parse(&mut formulas, "G (p -> F q)").expect("a formula");
        let all = parts(&mut formulas, formula, 64);
        assert!(all[3].lies_in(&all[2]) && all[2].lies_in(&all[0]));
        assert!(!all[2].lies_in(&all[1]) && !all[2].lies_in(&all[2]));
    }

    /// The same formula with an atom at a place, whatever stood there.
    fn with_atom(formulas: &mut Formulas, formula: Formula, part: &Part, atom: Formula) -> Formula {
        replaced(formulas, formula, &part.path, atom)
    }

    /// A part does not matter in a word if no truth values of it, at any position, change anything.
    #[test]
    fn a_stronger_formula_holds_where_no_values_of_the_part_matter() {
        let mut rng = Rng::new(7);
        let (mut matter, mut not) = (0, 0);
        for _ in 0..4_000 {
            let mut formulas = Formulas::new();
            let formula = random::formula(&mut formulas, &mut rng, 2, 7);
            let word = Lasso::random(&mut rng, 2, 3, 3);
            if !satisfies(&formulas, formula, &word) {
                continue;
            }
            for part in parts(&mut formulas, formula, 64) {
                let fresh = formulas.atom("fresh");
                let free = with_atom(&mut formulas, formula, &part, fresh);
                let Node::Atom(fresh) = *formulas.node(fresh) else { unreachable!() };
                let unaffecting = (0u64..1 << word.len()).all(|values| {
                    let letter = |position: usize| {
                        word.letter(position) & !(1 << fresh.0)
                            | (values >> position & 1) << fresh.0
                    };
                    let stem = (0..word.stem.len()).map(letter).collect();
                    let cycle = (word.stem.len()..word.len()).map(letter).collect();
                    satisfies(&formulas, free, &Lasso { stem, cycle })
                });
                let holds = satisfies(&formulas, part.stronger, &word);
                let text = formulas.show(formula, Spelling::Spin);
                assert_eq!(holds, unaffecting, "{text}: {:?}", part.part);
                *(if unaffecting { &mut not } else { &mut matter }) += 1;
            }
        }
        assert!(matter > 2_000 && not > 500, "{matter} {not}");
    }
}
