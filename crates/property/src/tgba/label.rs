//! Labels as text, and text as labels.

use super::Automaton;
use crate::bdd::{Bdd, Cube, Diagrams};
use crate::ltl::{Formula, Formulas, Node, Spelling};

/// How the parts of a label are written.
struct Signs<'a> {
    truth: &'a str,
    falsity: &'a str,
    not: &'a str,
    and: &'a str,
    or: &'a str,
}

/// Writes the labels of an automaton.
pub struct Labels {
    diagrams: Diagrams,
    names: Vec<String>,
    signs: Signs<'static>,
}

impl Labels {
    /// As formulas over the atoms.
    pub fn new(automaton: &Automaton, spelling: Spelling) -> Labels {
        let names = automaton.atoms.iter().map(|atom| Formulas::show_atom(atom, spelling));
        let signs = match spelling {
            Spelling::Spin | Spelling::Any => {
                Signs { truth: "true", falsity: "false", not: "!", and: " && ", or: " || " }
            }
            Spelling::Spot => Signs { truth: "1", falsity: "0", not: "!", and: " & ", or: " | " },
            Spelling::Nusmv => {
                Signs { truth: "TRUE", falsity: "FALSE", not: "!", and: " & ", or: " | " }
            }
        };
        Labels { diagrams: automaton.labels.clone(), names: names.collect(), signs }
    }

    /// As HOA has them: atoms are numbers.
    pub(crate) fn numbered(automaton: &Automaton) -> Labels {
        let names = (0..automaton.atoms.len()).map(|index| index.to_string()).collect();
        let signs = Signs { truth: "t", falsity: "f", not: "!", and: "&", or: " | " };
        Labels { diagrams: automaton.labels.clone(), names, signs }
    }

    /// A label as text.
    pub fn show(&mut self, label: Bdd) -> String {
        write_label(&mut self.diagrams, label, &self.names, &self.signs)
    }
}

/// A sum of products, or the negation of one where that is shorter.
fn write_label(labels: &mut Diagrams, label: Bdd, names: &[String], signs: &Signs<'_>) -> String {
    match label {
        Bdd::TRUE => return signs.truth.to_owned(),
        Bdd::FALSE => return signs.falsity.to_owned(),
        _ => {}
    }
    let cubes = labels.cubes(label);
    let negated = labels.not(label);
    let others = labels.cubes(negated);
    let size = |cubes: &[Cube]| cubes.iter().map(Vec::len).sum::<usize>();
    if size(&others) < size(&cubes) && others.len() == 1 && others[0].len() > 1 {
        return format!("{}({})", signs.not, product(&others[0], names, signs));
    }
    let several = cubes.len() > 1;
    let products: Vec<String> = cubes
        .iter()
        .map(|cube| match several && cube.len() > 1 {
            true => format!("({})", product(cube, names, signs)),
            false => product(cube, names, signs),
        })
        .collect();
    products.join(signs.or)
}

fn product(cube: &Cube, names: &[String], signs: &Signs<'_>) -> String {
    let literals: Vec<String> = cube
        .iter()
        .map(|literal| {
            let name = &names[literal.variable as usize];
            if literal.positive { name.clone() } else { format!("{}{name}", signs.not) }
        })
        .collect();
    literals.join(signs.and)
}

/// The function of a formula without temporal operators; `None` if it has one.
pub(crate) fn function(
    formulas: &Formulas,
    formula: Formula,
    labels: &mut Diagrams,
) -> Option<Bdd> {
    Some(match formulas.node(formula) {
        Node::True => Bdd::TRUE,
        Node::False => Bdd::FALSE,
        Node::Atom(atom) => labels.variable(atom.0),
        &Node::Not(a) => {
            let a = function(formulas, a, labels)?;
            labels.not(a)
        }
        Node::And(parts) => {
            let mut all = Bdd::TRUE;
            for &part in parts {
                let part = function(formulas, part, labels)?;
                all = labels.and(all, part);
            }
            all
        }
        Node::Or(parts) => {
            let mut any = Bdd::FALSE;
            for &part in parts {
                let part = function(formulas, part, labels)?;
                any = labels.or(any, part);
            }
            any
        }
        &Node::Implies(a, b) => {
            let (a, b) = (function(formulas, a, labels)?, function(formulas, b, labels)?);
            labels.ite(a, b, Bdd::TRUE)
        }
        &Node::Iff(a, b) | &Node::Xor(a, b) => {
            let (a, b) = (function(formulas, a, labels)?, function(formulas, b, labels)?);
            let not = labels.not(b);
            match formulas.node(formula) {
                Node::Iff(..) => labels.ite(a, b, not),
                _ => labels.ite(a, not, b),
            }
        }
        Node::Next(_) | Node::Until(..) | Node::Weak(..) | Node::Release(..) | Node::Strong(..) => {
            return None;
        }
    })
}
