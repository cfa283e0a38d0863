//! The formulas, as text in SPIN's spelling over the letters of the roles.

use rustc_hash::FxHashMap;

use super::{Pattern, Property, Role, Roles, Scope, Set};
use crate::ltl::{Expressions, Formula, Formulas, Node, Spelling, parse_with};

/// What a pattern asks of a part of a run that begins here: of one without end, of one that ends
/// before an `R` that comes, and of one that ends before an `R` that may come.
struct Bodies {
    endless: String,
    ends: String,
    may_end: String,
}

fn bodies(pattern: Pattern, set: Set) -> Bodies {
    let (endless, ends, may_end) = match pattern {
        Pattern::Absence => match set {
            Set::Sps => ("[](!P)", "!P U R", "!P W R"),
            Set::ProspecPrinted => ("!<>P", "!((!R) U P)", "!((!R) U P)"),
            _ => ("!<>P", "!((!R) U (P && !R))", "!((!R) U (P && !R))"),
        },
        Pattern::Existence => ("<>P", "!R U (P && !R)", "!R U (P && !R)"),
        Pattern::Bounded(most) => return bounded(most),
        Pattern::Universality => ("[]P", "P U R", "P W R"),
        Pattern::Precedence => ("!P W S", "!P U (S || R)", "!P W (S || R)"),
        Pattern::StrictPrecedence => {
            ("!P W (S && !P)", "!P U ((S && !P) || R)", "!P W ((S && !P) || R)")
        }
        Pattern::Response => {
            ("[](P -> <>S)", "(P -> (!R U (S && !R))) U R", "(P -> (!R U (S && !R))) W R")
        }
        Pattern::StrictResponse => {
            ("[](P -> X<>S)", "(P -> X(!R U (S && !R))) U R", "(P -> X(!R U (S && !R))) W R")
        }
        Pattern::CausesPrecede => (
            "!P W (S && !P && X(!P W T))",
            "!P U (R || (S && !P && !R && X(!P U (T || R))))",
            "!P W (R || (S && !P && !R && X(!P W (T || R))))",
        ),
        Pattern::PrecedesEffects => (
            "(!(P && X<>T)) W S",
            "(!(P && !R && X(!R U (T && !R)))) U (R || S)",
            "(!(P && !R && X(!R U (T && !R)))) W (R || S)",
        ),
        Pattern::EffectsRespond => (
            "[](P -> <>(S && X<>T))",
            "(P -> (!R U (S && !R && X(!R U (T && !R))))) U R",
            "(P -> (!R U (S && !R && X(!R U (T && !R))))) W R",
        ),
        Pattern::RespondsToCauses => (
            "[]((P && X<>T) -> X<>(T && <>S))",
            "((P && X(!R U (T && !R))) -> X(!R U (T && !R && (!R U (S && !R))))) U R",
            "((P && X(!R U (T && !R))) -> X(!R U (T && !R && (!R U (S && !R))))) W R",
        ),
    };
    Bodies { endless: endless.into(), ends: ends.into(), may_end: may_end.into() }
}

/// At most so many stretches of `P`.
fn bounded(most: u8) -> Bodies {
    let mut bodies =
        Bodies { endless: "[]!P".into(), ends: "!P U R".into(), may_end: "!P W R".into() };
    for _ in 0..most {
        bodies.endless = format!("!P W (P W ({}))", bodies.endless);
        let ends = bodies.ends;
        bodies.ends = format!("(!P && !R) U (R || ((P && !R) U (R || ({ends}))))");
        let may_end = bodies.may_end;
        bodies.may_end = format!("(!P && !R) W (R || ((P && !R) W (R || ({may_end}))))");
    }
    bodies
}

/// Formulas of the original set that are not made of the bodies.
fn exception(pattern: Pattern, scope: Scope) -> Option<&'static str> {
    Some(match (pattern, scope) {
        (Pattern::Absence, Scope::After) => "[](Q -> [](!P))",
        (Pattern::Existence, Scope::Before) => "!R W (P && !R)",
        (Pattern::Existence, Scope::After) => "[](!Q) || <>(Q && <>P)",
        (Pattern::Existence, Scope::Between) => "[]((Q && !R) -> (!R W (P && !R)))",
        (Pattern::Universality, Scope::After) => "[](Q -> []P)",
        (Pattern::Precedence, Scope::After) => "[](!Q) || <>(Q && (!P W S))",
        (Pattern::Response, Scope::After) => "[](Q -> [](P -> <>S))",
        _ => return None,
    })
}

pub(super) fn template(property: Property) -> String {
    let Property { pattern, scope, set } = property;
    if set == Set::Sps
        && let Some(text) = exception(pattern, scope)
    {
        return text.to_owned();
    }
    let Bodies { endless, ends, may_end } = bodies(pattern, set);
    let outermost = |body: String| {
        let part = format!("(!(Q && !R)) W (Q && !R && ({body}))");
        format!("({part}) && [](R -> ({part}))")
    };
    match (scope, set) {
        (Scope::Global, _) => endless,
        (Scope::Before, _) => format!("<>R -> ({ends})"),
        (Scope::After, _) => format!("!Q W (Q && ({endless}))"),
        (Scope::Between, Set::Outermost) => outermost(format!("<>R -> ({ends})")),
        (Scope::AfterUntil, Set::Outermost) => outermost(may_end),
        (Scope::Between, _) => format!("[]((Q && !R && <>R) -> ({ends}))"),
        (Scope::AfterUntil, _) => format!("[]((Q && !R) -> ({may_end}))"),
    }
}

pub(super) fn formula(property: Property, formulas: &mut Formulas, roles: &Roles) -> Formula {
    let mut map = FxHashMap::default();
    let plain = |formulas: &mut Formulas, role: &Role| match role {
        Role::Formula(formula) => *formula,
        Role::Composite(composite) => composite.formula(formulas),
    };
    let close = plain(formulas, &roles.r);
    map.insert("R", close);
    map.insert("Q", plain(formulas, &roles.q));
    for (letter, role) in [("P", &roles.p), ("S", &roles.s), ("T", &roles.t)] {
        let formula = match role {
            // A composite stands for the state where it begins, and all of it lies in the scope.
            Role::Composite(composite) if property.scope.has_r() => {
                composite.before(formulas, close)
            }
            role => plain(formulas, role),
        };
        map.insert(letter, formula);
    }
    let text = match (&roles.q, property.scope.has_q()) {
        (Role::Composite(composite), true) => {
            return opened_by(property, formulas, composite, &map);
        }
        _ => template(property),
    };
    replaced(formulas, &text, &map)
}

/// The part begins where a composite `Q` is complete, not where it begins.
fn opened_by(
    property: Property,
    formulas: &mut Formulas,
    q: &super::Composite,
    map: &FxHashMap<&str, Formula>,
) -> Formula {
    let Bodies { endless, ends, may_end } = bodies(property.pattern, property.set);
    match property.scope {
        Scope::After => {
            let body = replaced(formulas, &endless, map);
            let never = q.formula(formulas);
            let never = formulas.not(never);
            let then = q.with_last(formulas, body);
            formulas.weak(never, then)
        }
        scope => {
            // Not: a Q is complete in the scope, and the body is false there.
            let wrong = match scope {
                Scope::Between => format!("!R && <>R && !({ends})"),
                _ => format!("!R && !({may_end})"),
            };
            let wrong = replaced(formulas, &wrong, map);
            let wrong = q.with_last(formulas, wrong);
            let wrong = formulas.not(wrong);
            formulas.always(wrong)
        }
    }
}

/// The formula of a text with formulas for its letters.
fn replaced(formulas: &mut Formulas, text: &str, map: &FxHashMap<&str, Formula>) -> Formula {
    let mut letters = Formulas::new();
    let formula = parse_with(&mut letters, text, Spelling::Spin, &Expressions)
        .unwrap_or_else(|error| unreachable!("a template is a formula: {text}: {error}"));
    substitute(&letters, formula, formulas, map)
}

fn substitute(
    from: &Formulas,
    formula: Formula,
    to: &mut Formulas,
    map: &FxHashMap<&str, Formula>,
) -> Formula {
    let mut done: FxHashMap<Formula, Formula> = FxHashMap::default();
    for part in from.subformulas(formula) {
        let get = |f: &Formula| done[f];
        let result = match from.node(part) {
            Node::True => Formulas::TRUE,
            Node::False => Formulas::FALSE,
            Node::Atom(atom) => map[from.atoms()[atom.index()].text.as_str()],
            Node::Not(a) => to.not(get(a)),
            Node::And(parts) => to.and(parts.iter().map(get)),
            Node::Or(parts) => to.or(parts.iter().map(get)),
            Node::Xor(a, b) => to.xor(get(a), get(b)),
            Node::Implies(a, b) => to.implies(get(a), get(b)),
            Node::Iff(a, b) => to.iff(get(a), get(b)),
            Node::Next(a) => to.next(get(a)),
            Node::Until(a, b) => to.until(get(a), get(b)),
            Node::Weak(a, b) => to.weak(get(a), get(b)),
            Node::Release(a, b) => to.release(get(a), get(b)),
            Node::Strong(a, b) => to.strong(get(a), get(b)),
        };
        done.insert(part, result);
    }
    done[&formula]
}
