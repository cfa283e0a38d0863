//! Reduced ordered binary decision diagrams (Bryant): the labels of automata.
//!
//! Small on purpose: nothing is ever freed and the order of the variables is their number. The
//! functions of an automaton's labels, and those of the translation that makes it, are small.

use rustc_hash::FxHashMap;

/// A Boolean function of a [`Diagrams`]; equal functions are equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bdd(u32);

impl Bdd {
    /// The function that is never true.
    pub const FALSE: Bdd = Bdd(0);
    /// The function that is always true.
    pub const TRUE: Bdd = Bdd(1);

    /// Whether it is never true.
    pub fn is_false(self) -> bool {
        self == Bdd::FALSE
    }

    /// Whether it is always true.
    pub fn is_true(self) -> bool {
        self == Bdd::TRUE
    }
}

/// A variable, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal {
    /// Which variable.
    pub variable: u32,
    /// Whether it has to be true.
    pub positive: bool,
}

/// A conjunction of literals, in the order of their variables.
pub type Cube = Vec<Literal>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Node {
    variable: u32,
    low: Bdd,
    high: Bdd,
}

/// The variable of the two constants, below all others.
const LEAF: u32 = u32::MAX;

/// The nodes that functions share.
#[derive(Clone, Debug)]
pub struct Diagrams {
    nodes: Vec<Node>,
    unique: FxHashMap<Node, Bdd>,
    cache: FxHashMap<(Bdd, Bdd, Bdd), Bdd>,
}

impl Default for Diagrams {
    fn default() -> Diagrams {
        let leaf = |bdd| Node { variable: LEAF, low: bdd, high: bdd };
        Diagrams {
            nodes: vec![leaf(Bdd::FALSE), leaf(Bdd::TRUE)],
            unique: FxHashMap::default(),
            cache: FxHashMap::default(),
        }
    }
}

impl Diagrams {
    /// No functions but the constants.
    pub fn new() -> Diagrams {
        Diagrams::default()
    }

    /// Number of nodes, for limits.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are only the constants.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() <= 2
    }

    fn node(&self, f: Bdd) -> Node {
        self.nodes[f.0 as usize]
    }

    fn make(&mut self, variable: u32, low: Bdd, high: Bdd) -> Bdd {
        if low == high {
            return low;
        }
        let node = Node { variable, low, high };
        *self.unique.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            Bdd(self.nodes.len() as u32 - 1)
        })
    }

    /// The function of a variable.
    pub fn variable(&mut self, variable: u32) -> Bdd {
        self.make(variable, Bdd::FALSE, Bdd::TRUE)
    }

    /// The function of a literal.
    pub fn literal(&mut self, literal: Literal) -> Bdd {
        match literal.positive {
            true => self.make(literal.variable, Bdd::FALSE, Bdd::TRUE),
            false => self.make(literal.variable, Bdd::TRUE, Bdd::FALSE),
        }
    }

    /// The conjunction of literals.
    pub fn cube(&mut self, cube: &[Literal]) -> Bdd {
        let mut result = Bdd::TRUE;
        for &literal in cube {
            let literal = self.literal(literal);
            result = self.and(result, literal);
        }
        result
    }

    /// `if f then g else h`
    pub fn ite(&mut self, f: Bdd, g: Bdd, h: Bdd) -> Bdd {
        match (f, g, h) {
            (Bdd::TRUE, _, _) => return g,
            (Bdd::FALSE, _, _) => return h,
            (_, Bdd::TRUE, Bdd::FALSE) => return f,
            _ if g == h => return g,
            _ => {}
        }
        if let Some(&known) = self.cache.get(&(f, g, h)) {
            return known;
        }
        let top = [f, g, h].map(|x| self.node(x).variable).into_iter().min().unwrap_or(LEAF);
        let ([f0, g0, h0], [f1, g1, h1]) =
            ([f, g, h].map(|x| self.below(x, top).0), [f, g, h].map(|x| self.below(x, top).1));
        let low = self.ite(f0, g0, h0);
        let high = self.ite(f1, g1, h1);
        let result = self.make(top, low, high);
        self.cache.insert((f, g, h), result);
        result
    }

    /// Both cofactors by a variable that is not below the top of `f`.
    fn below(&self, f: Bdd, variable: u32) -> (Bdd, Bdd) {
        let node = self.node(f);
        if node.variable == variable { (node.low, node.high) } else { (f, f) }
    }

    /// Conjunction.
    pub fn and(&mut self, f: Bdd, g: Bdd) -> Bdd {
        let (f, g) = (f.min(g), f.max(g));
        self.ite(f, g, Bdd::FALSE)
    }

    /// Disjunction.
    pub fn or(&mut self, f: Bdd, g: Bdd) -> Bdd {
        let (f, g) = (f.min(g), f.max(g));
        self.ite(f, Bdd::TRUE, g)
    }

    /// Negation.
    pub fn not(&mut self, f: Bdd) -> Bdd {
        self.ite(f, Bdd::FALSE, Bdd::TRUE)
    }

    /// `f` without what `g` covers.
    pub fn minus(&mut self, f: Bdd, g: Bdd) -> Bdd {
        let rest = self.not(g);
        self.and(f, rest)
    }

    /// Whether `f` implies `g`.
    pub fn implies(&mut self, f: Bdd, g: Bdd) -> bool {
        self.minus(f, g).is_false()
    }

    /// Whether both can be true together.
    pub fn meets(&mut self, f: Bdd, g: Bdd) -> bool {
        !self.and(f, g).is_false()
    }

    /// The value where exactly the variables of the bits of `letter` are true.
    pub fn value(&self, f: Bdd, letter: u64) -> bool {
        let mut at = f;
        loop {
            let node = self.node(at);
            if node.variable == LEAF {
                return at.is_true();
            }
            let set = node.variable < 64 && letter >> node.variable & 1 == 1;
            at = if set { node.high } else { node.low };
        }
    }

    /// A letter for which it is true, with as few variables true as the first path has.
    pub fn letter(&self, f: Bdd) -> Option<u64> {
        let (mut at, mut letter) = (f, 0);
        while self.node(at).variable != LEAF {
            let node = self.node(at);
            if node.low.is_false() {
                letter |= 1 << node.variable;
                at = node.high;
            } else {
                at = node.low;
            }
        }
        at.is_true().then_some(letter)
    }

    /// The cofactors by a variable above all others in `f`, or `None` if the function does not
    /// depend on a variable below `limit`.
    pub fn split(&self, f: Bdd, limit: u32) -> Option<(u32, Bdd, Bdd)> {
        let node = self.node(f);
        (node.variable < limit).then_some((node.variable, node.low, node.high))
    }

    /// The variables that the function depends on, in order.
    pub fn support(&self, f: Bdd) -> Vec<u32> {
        let mut variables = std::collections::BTreeSet::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut work = vec![f];
        while let Some(next) = work.pop() {
            let node = self.node(next);
            if node.variable != LEAF && seen.insert(next) {
                variables.insert(node.variable);
                work.extend([node.low, node.high]);
            }
        }
        variables.into_iter().collect()
    }

    /// The function without a variable: true where some value of it makes it true.
    pub fn exists(&mut self, f: Bdd, variable: u32) -> Bdd {
        let node = self.node(f);
        if node.variable > variable {
            return f;
        }
        if node.variable == variable {
            return self.or(node.low, node.high);
        }
        let low = self.exists(node.low, variable);
        let high = self.exists(node.high, variable);
        self.make(node.variable, low, high)
    }

    /// The function of `other`, with its variables renamed.
    pub fn import(&mut self, other: &Diagrams, f: Bdd, names: &[u32]) -> Bdd {
        let mut done = FxHashMap::default();
        self.import_with(other, f, names, &mut done)
    }

    fn import_with(
        &mut self,
        other: &Diagrams,
        f: Bdd,
        names: &[u32],
        done: &mut FxHashMap<Bdd, Bdd>,
    ) -> Bdd {
        let node = other.node(f);
        if node.variable == LEAF {
            return f;
        }
        if let Some(&known) = done.get(&f) {
            return known;
        }
        let low = self.import_with(other, node.low, names, done);
        let high = self.import_with(other, node.high, names, done);
        let variable = self.variable(names[node.variable as usize]);
        let result = self.ite(variable, high, low);
        done.insert(f, result);
        result
    }

    /// An irredundant sum of products (Minato and Morreale).
    pub fn cubes(&mut self, f: Bdd) -> Vec<Cube> {
        let mut cubes = Vec::new();
        let mut path = Vec::new();
        self.isop(f, f, &mut path, &mut cubes);
        for cube in &mut cubes {
            cube.sort();
        }
        cubes
    }

    /// Adds the cubes of a function between `lower` and `upper`; returns that function.
    fn isop(&mut self, lower: Bdd, upper: Bdd, path: &mut Cube, cubes: &mut Vec<Cube>) -> Bdd {
        if lower.is_false() {
            return Bdd::FALSE;
        }
        if upper.is_true() {
            cubes.push(path.clone());
            return Bdd::TRUE;
        }
        let top = self.node(lower).variable.min(self.node(upper).variable);
        let (lower0, lower1) = self.below(lower, top);
        let (upper0, upper1) = self.below(upper, top);
        let only0 = self.minus(lower0, upper1);
        path.push(Literal { variable: top, positive: false });
        let covered0 = self.isop(only0, upper0, path, cubes);
        path.pop();
        let only1 = self.minus(lower1, upper0);
        path.push(Literal { variable: top, positive: true });
        let covered1 = self.isop(only1, upper1, path, cubes);
        path.pop();
        let rest0 = self.minus(lower0, covered0);
        let rest1 = self.minus(lower1, covered1);
        let (rest, both) = (self.or(rest0, rest1), self.and(upper0, upper1));
        let covered = self.isop(rest, both, path, cubes);
        let (low, high) = (self.or(covered0, covered), self.or(covered1, covered));
        self.make(top, low, high)
    }
}

#[cfg(test)]
mod tests {
    use everypath_model::Rng;

    use super::*;

    /// A random function with its truth table over five variables.
    fn random(diagrams: &mut Diagrams, rng: &mut Rng, depth: u32) -> (Bdd, u32) {
        const COLUMNS: [u32; 5] = [0xaaaa_aaaa, 0xcccc_cccc, 0xf0f0_f0f0, 0xff00_ff00, 0xffff_0000];
        if depth == 0 {
            let variable = rng.below(5);
            return (diagrams.variable(variable as u32), COLUMNS[variable]);
        }
        let (f, x) = random(diagrams, rng, depth - 1);
        let (g, y) = random(diagrams, rng, depth - 1);
        match rng.below(4) {
            0 => (diagrams.and(f, g), x & y),
            1 => (diagrams.or(f, g), x | y),
            2 => (diagrams.not(f), !x),
            _ => (diagrams.minus(f, g), x & !y),
        }
    }

    #[test]
    fn functions_are_their_truth_tables() {
        let mut rng = Rng::new(7);
        let mut diagrams = Diagrams::new();
        for _ in 0..2_000 {
            let (f, table) = random(&mut diagrams, &mut rng, 4);
            let (g, other) = random(&mut diagrams, &mut rng, 4);
            for letter in 0..32u64 {
                assert_eq!(diagrams.value(f, letter), table >> letter & 1 == 1);
            }
            assert_eq!(f == g, table == other, "canonical");
            assert_eq!(diagrams.implies(f, g), table & !other == 0);
            assert_eq!(diagrams.letter(f).is_some(), table != 0);
            assert!(diagrams.letter(f).is_none_or(|letter| diagrams.value(f, letter)));
            let mut sum = Bdd::FALSE;
            for cube in diagrams.cubes(f) {
                let cube = diagrams.cube(&cube);
                assert!(diagrams.implies(cube, f) && !diagrams.implies(cube, sum));
                sum = diagrams.or(sum, cube);
            }
            assert_eq!(sum, f);
            let without = diagrams.exists(f, 2);
            let or = (table | table >> 4) & 0x0f0f_0f0f;
            for letter in (0..32u64).filter(|letter| letter & 4 == 0) {
                assert_eq!(diagrams.value(without, letter), or >> letter & 1 == 1);
            }
            let mut renamed = Diagrams::new();
            let turned = renamed.import(&diagrams, f, &[4, 3, 2, 1, 0]);
            for letter in 0..32u64 {
                let mirror = (0..5).map(|i| (letter >> i & 1) << (4 - i)).sum();
                assert_eq!(renamed.value(turned, mirror), diagrams.value(f, letter));
            }
        }
    }
}
