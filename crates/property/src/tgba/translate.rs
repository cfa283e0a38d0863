//! From formulas to automata (Couvreur; Duret-Lutz and Poitrenaud).
//!
//! A state is a formula. What it asks of a letter and of the rest of the word is a Boolean function
//! over the atoms, variables `Next f` and promises: `a U b` is `b || (a && Next(a U b) &&
//! Promise b)`. Each way to satisfy the function is an edge; a promise that is not made on it is a
//! mark. Formulas with the same function are the same state.

use rustc_hash::FxHashMap;

use super::prune::{join_parallel, renumber};
use super::{Automaton, Edge, Marks, TooLarge, all_marks};
use crate::bdd::{Bdd, Diagrams};
use crate::ltl::{Formula, Formulas, Node, Simplifier};

/// How the ways to satisfy a function become edges. Which one gives the smallest automaton depends
/// on the formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// The products of an irredundant sum, whose labels may overlap.
    Products,
    /// Labels that are equal or disjoint.
    Partition,
    /// The same, with one edge for all ways that make the same promises: choices are postponed.
    Postpone,
}

impl Style {
    /// All of them.
    pub const ALL: [Style; 3] = [Style::Products, Style::Partition, Style::Postpone];
}

/// How large an automaton may be before it is reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// States.
    pub states: usize,
    /// Edges.
    pub edges: usize,
    /// Nodes of the functions that the edges come from.
    pub nodes: usize,
    /// Formulas that come up on the way.
    pub formulas: usize,
}

impl Limits {
    /// What is sensible for an automaton that somebody asked for.
    pub const USUAL: Limits =
        Limits { states: 4_000, edges: 100_000, nodes: 1_000_000, formulas: 500_000 };
    /// What is worth a try.
    pub const SMALL: Limits =
        Limits { states: 500, edges: 5_000, nodes: 100_000, formulas: 100_000 };
}

/// The automaton of the words that satisfy a formula, as it comes; its atoms are those of
/// `formulas`.
pub fn translate(
    formulas: &mut Formulas,
    formula: Formula,
    style: Style,
) -> Result<Automaton, TooLarge> {
    translate_within(formulas, formula, style, Limits::USUAL)
}

/// The same within limits.
pub fn translate_within(
    formulas: &mut Formulas,
    formula: Formula,
    style: Style,
    limits: Limits,
) -> Result<Automaton, TooLarge> {
    let atoms: Vec<String> = formulas.atoms().iter().map(|atom| atom.text.clone()).collect();
    if atoms.len() > 64 {
        return Err(TooLarge { what: "propositions", limit: 64 });
    }
    let translator = Translator {
        base: atoms.len() as u32,
        limits,
        formulas,
        simplifier: Simplifier::default(),
        diagrams: Diagrams::new(),
        meanings: FxHashMap::default(),
        variables: Vec::new(),
        variable_of: FxHashMap::default(),
        promises: Vec::new(),
        lighter: FxHashMap::default(),
        plain: FxHashMap::default(),
    };
    translator.run(formula, style, atoms)
}

/// What a variable above the atoms stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Variable {
    Next(Formula),
    Promise(Formula),
}

struct Translator<'a> {
    formulas: &'a mut Formulas,
    limits: Limits,
    simplifier: Simplifier,
    diagrams: Diagrams,
    /// Number of atoms, whose variables come first.
    base: u32,
    meanings: FxHashMap<Formula, Bdd>,
    variables: Vec<Variable>,
    variable_of: FxHashMap<Variable, u32>,
    /// What is promised, by mark.
    promises: Vec<Formula>,
    /// Results of [`Translator::lighten`], and whether a formula promises nothing.
    lighter: FxHashMap<Formula, Formula>,
    plain: FxHashMap<Formula, bool>,
}

impl Translator<'_> {
    fn run(
        mut self,
        formula: Formula,
        style: Style,
        atoms: Vec<String>,
    ) -> Result<Automaton, TooLarge> {
        let start = self.simplifier.simplify(self.formulas, formula);
        let mut states: FxHashMap<Bdd, usize> = FxHashMap::default();
        let mut known: FxHashMap<Formula, usize> = FxHashMap::default();
        let mut work: Vec<Bdd> = Vec::new();
        // Labels, promises not yet turned into marks, targets.
        let mut edges: Vec<Vec<Edge>> = Vec::new();
        let first = self.meaning(start)?;
        states.insert(first, 0);
        known.insert(start, 0);
        work.push(first);
        let mut count = 0;
        while edges.len() < work.len() {
            let function = work[edges.len()];
            let mut list = Vec::new();
            for (label, promised, target) in self.ways(function, style)? {
                let state = match known.get(&target) {
                    Some(&state) => state,
                    None => {
                        let meaning = self.meaning(target)?;
                        let next = work.len();
                        let state = *states.entry(meaning).or_insert(next);
                        if state == next {
                            work.push(meaning);
                        }
                        known.insert(target, state);
                        state
                    }
                };
                list.push(Edge { label, marks: promised, target: state });
            }
            count += list.len();
            edges.push(list);
            self.check_edges(count)?;
            if work.len() > self.limits.states {
                return Err(TooLarge { what: "states", limit: self.limits.states });
            }
        }
        let marks = self.promises.len() as u32;
        for edge in edges.iter_mut().flatten() {
            edge.marks = all_marks(marks) & !edge.marks;
        }
        // The labels have variables of atoms only, so the functions can be taken over as they are.
        let mut labels = Diagrams::new();
        let names: Vec<u32> = (0..self.base).collect();
        for edge in edges.iter_mut().flatten() {
            edge.label = labels.import(&self.diagrams, edge.label, &names);
        }
        let automaton = Automaton { atoms, labels, marks, initial: 0, edges };
        Ok(renumber(join_parallel(automaton)))
    }

    fn check_edges(&self, count: usize) -> Result<(), TooLarge> {
        match count > self.limits.edges {
            true => Err(TooLarge { what: "edges", limit: self.limits.edges }),
            false => Ok(()),
        }
    }

    fn variable(&mut self, variable: Variable) -> Bdd {
        let next = self.base + self.variables.len() as u32;
        let number = *self.variable_of.entry(variable).or_insert_with(|| {
            self.variables.push(variable);
            next
        });
        self.diagrams.variable(number)
    }

    fn next(&mut self, formula: Formula) -> Bdd {
        match formula {
            Formulas::TRUE => Bdd::TRUE,
            Formulas::FALSE => Bdd::FALSE,
            _ => self.variable(Variable::Next(formula)),
        }
    }

    fn promise(&mut self, formula: Formula) -> Result<Bdd, TooLarge> {
        if !self.promises.contains(&formula) {
            self.promises.push(formula);
        }
        if self.promises.len() > 64 {
            return Err(TooLarge { what: "marks", limit: 64 });
        }
        Ok(self.variable(Variable::Promise(formula)))
    }

    /// What a formula in normal form asks of the first letter and of the rest.
    fn meaning(&mut self, formula: Formula) -> Result<Bdd, TooLarge> {
        if let Some(&known) = self.meanings.get(&formula) {
            return Ok(known);
        }
        if self.diagrams.len() > self.limits.nodes {
            return Err(TooLarge { what: "nodes in its labels", limit: self.limits.nodes });
        }
        if self.formulas.len() > self.limits.formulas {
            return Err(TooLarge { what: "formulas as states", limit: self.limits.formulas });
        }
        let result = match self.formulas.node(formula).clone() {
            Node::True => Bdd::TRUE,
            Node::False => Bdd::FALSE,
            Node::Atom(atom) => self.diagrams.variable(atom.0),
            Node::Not(a) => {
                let a = self.meaning(a)?;
                self.diagrams.not(a)
            }
            Node::And(parts) => {
                let mut all = Bdd::TRUE;
                for &part in &parts {
                    let part = self.meaning(part)?;
                    all = self.diagrams.and(all, part);
                }
                all
            }
            Node::Or(parts) => {
                let mut any = Bdd::FALSE;
                for &part in &parts {
                    let part = self.meaning(part)?;
                    any = self.diagrams.or(any, part);
                }
                any
            }
            Node::Next(a) => self.next(a),
            Node::Until(a, b) => {
                let (now, later) = (self.meaning(b)?, self.meaning(a)?);
                let later = self.and_next(later, formula);
                let promise = self.promise(b)?;
                let later = self.diagrams.and(later, promise);
                self.diagrams.or(now, later)
            }
            Node::Weak(a, b) => {
                let (now, later) = (self.meaning(b)?, self.meaning(a)?);
                let later = self.and_next(later, formula);
                self.diagrams.or(now, later)
            }
            Node::Release(Formulas::FALSE, b) => {
                let now = self.again(b)?;
                self.and_next(now, formula)
            }
            Node::Release(a, b) => {
                let (now, last) = (self.meaning(b)?, self.meaning(a)?);
                let next = self.next(formula);
                let last = self.diagrams.or(last, next);
                self.diagrams.and(now, last)
            }
            Node::Strong(a, b) => {
                let (now, last) = (self.meaning(b)?, self.meaning(a)?);
                let promise = self.promise(a)?;
                let next = self.and_next(promise, formula);
                let last = self.diagrams.or(last, next);
                self.diagrams.and(now, last)
            }
            Node::Xor(..) | Node::Implies(..) | Node::Iff(..) => {
                let normal = self.formulas.normal_form(formula);
                self.meaning(normal)?
            }
        };
        self.meanings.insert(formula, result);
        Ok(result)
    }

    fn and_next(&mut self, function: Bdd, formula: Formula) -> Bdd {
        let next = self.next(formula);
        self.diagrams.and(function, next)
    }

    /// What a formula asks where it is asked again in every state: it need not be carried on, since
    /// it comes back by itself. A promise may then be kept by a later copy.
    fn again(&mut self, formula: Formula) -> Result<Bdd, TooLarge> {
        match self.formulas.node(formula).clone() {
            Node::And(parts) => {
                let mut all = Bdd::TRUE;
                for &part in &parts {
                    let part = self.again(part)?;
                    all = self.diagrams.and(all, part);
                }
                Ok(all)
            }
            Node::Until(a, b) => {
                let (now, later) = (self.meaning(b)?, self.meaning(a)?);
                let promise = self.promise(b)?;
                let later = self.diagrams.and(later, promise);
                Ok(self.diagrams.or(now, later))
            }
            Node::Strong(a, b) => {
                let (now, last) = (self.meaning(b)?, self.meaning(a)?);
                let promise = self.promise(a)?;
                let last = self.diagrams.or(last, promise);
                Ok(self.diagrams.and(now, last))
            }
            _ => self.meaning(formula),
        }
    }

    /// The ways to satisfy a function: label, promises, rest.
    fn ways(
        &mut self,
        function: Bdd,
        style: Style,
    ) -> Result<Vec<(Bdd, Marks, Formula)>, TooLarge> {
        let mut ways = Vec::new();
        if style == Style::Products {
            let cubes = self.diagrams.cubes(function);
            self.check_edges(cubes.len())?;
            for cube in cubes {
                let (atoms, others): (Vec<_>, Vec<_>) =
                    cube.into_iter().partition(|literal| literal.variable < self.base);
                let label = self.diagrams.cube(&atoms);
                let (promised, rest) = self.rest(&others);
                ways.push((label, promised, rest));
            }
        } else {
            for (label, others) in self.partition(function)? {
                let mut here: Vec<(Marks, Vec<Formula>)> = Vec::new();
                for cube in self.diagrams.cubes(others) {
                    let (promised, rest) = self.rest(&cube);
                    match here.iter_mut().find(|(marks, _)| *marks == promised) {
                        Some((_, rests)) => rests.push(rest),
                        None => here.push((promised, vec![rest])),
                    }
                }
                self.check_edges(ways.len())?;
                for (promised, rests) in here {
                    if style == Style::Postpone {
                        let any = self.formulas.or(rests);
                        ways.push((label, promised, any));
                    } else {
                        ways.extend(rests.into_iter().map(|rest| (label, promised, rest)));
                    }
                }
            }
        }
        for way in &mut ways {
            way.2 = self.lighten(way.2);
        }
        ways.retain(|way| way.2 != Formulas::FALSE);
        Ok(ways)
    }

    /// An equivalent formula where it is safe to take one. A promise is kept by the operator that
    /// stays in the states until then, so operators that promise have to stay as they are; what
    /// promises nothing may be rewritten.
    fn lighten(&mut self, formula: Formula) -> Formula {
        if let Some(&known) = self.lighter.get(&formula) {
            return known;
        }
        let parts = match self.formulas.node(formula) {
            Node::And(parts) => parts.to_vec(),
            _ => vec![formula],
        };
        let (plain, promising): (Vec<Formula>, Vec<Formula>) =
            parts.into_iter().partition(|&part| self.promises_nothing(part));
        let plain = self.formulas.and(plain);
        let plain = self.simplifier.simplify(self.formulas, plain);
        let lighter = self.formulas.and(promising.into_iter().chain([plain]));
        self.lighter.insert(formula, lighter);
        lighter
    }

    fn promises_nothing(&mut self, formula: Formula) -> bool {
        let formulas = &*self.formulas;
        *self.plain.entry(formula).or_insert_with(|| formulas.promises_nothing(formula))
    }

    /// The promises and the conjunction of what follows, of literals above the atoms. Functions are
    /// monotone in them, so that negative ones never occur.
    fn rest(&mut self, literals: &[crate::bdd::Literal]) -> (Marks, Formula) {
        let mut promised = 0;
        let mut rest = Vec::new();
        for literal in literals {
            match self.variables[(literal.variable - self.base) as usize] {
                Variable::Next(formula) => rest.push(formula),
                Variable::Promise(formula) => {
                    let mark = self.promises.iter().position(|&p| p == formula).unwrap_or(0);
                    promised |= 1 << mark;
                }
            }
        }
        (promised, self.formulas.and(rest))
    }

    /// The different functions above the atoms that a letter may leave, each with its letters.
    fn partition(&mut self, function: Bdd) -> Result<Vec<(Bdd, Bdd)>, TooLarge> {
        let mut parts: Vec<(Bdd, Bdd)> = Vec::new();
        let mut place: FxHashMap<Bdd, usize> = FxHashMap::default();
        let mut work = vec![(function, Bdd::TRUE)];
        let mut steps = 0;
        while let Some((rest, label)) = work.pop() {
            steps += 1;
            self.check_edges(steps)?;
            if rest.is_false() {
                continue;
            }
            match self.diagrams.split(rest, self.base) {
                Some((variable, low, high)) => {
                    let holds = self.diagrams.variable(variable);
                    let without = self.diagrams.minus(label, holds);
                    let with = self.diagrams.and(label, holds);
                    work.push((low, without));
                    work.push((high, with));
                }
                None => match place.get(&rest) {
                    Some(&index) => parts[index].0 = self.diagrams.or(parts[index].0, label),
                    None => {
                        place.insert(rest, parts.len());
                        parts.push((label, rest));
                    }
                },
            }
        }
        Ok(parts)
    }
}
