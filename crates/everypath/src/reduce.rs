//! `--reduce`: which reductions of the state space are in use.

use everypath_layer_optimise::Pass;
use everypath_layer_reduce::Method;
use everypath_model::Named;

use crate::choices::ReduceArg;

/// The reductions of a run without `--reduce`.
pub const DEFAULT: &str = "default";

/// What that stands for.
const IN_USE: [ReduceArg; 5] = [
    ReduceArg::Constants,
    ReduceArg::Slice,
    ReduceArg::Merge,
    ReduceArg::Dead,
    ReduceArg::Stubborn,
];

/// What it stands for with Java programs.
const IN_USE_OF_JAVA: [ReduceArg; 4] =
    [ReduceArg::Local, ReduceArg::Constant, ReduceArg::Locks, ReduceArg::Library];

/// The reductions in use, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reductions {
    all: Vec<ReduceArg>,
    /// Those that were named; the others are in use by default.
    named: Vec<ReduceArg>,
    /// Whether `default` was among them.
    default: bool,
}

impl Reductions {
    /// A list as the user wrote it; `none` takes back what stands before it.
    pub fn new(list: &[ReduceArg]) -> Reductions {
        let start = list.iter().rposition(|one| *one == ReduceArg::None).map_or(0, |at| at + 1);
        let list = &list[start..];
        let mut named: Vec<ReduceArg> = list.to_vec();
        named.retain(|one| *one != ReduceArg::Default);
        let mut all = named.clone();
        let default = list.contains(&ReduceArg::Default);
        if default {
            all.extend(IN_USE);
        }
        for list in [&mut all, &mut named] {
            list.sort_unstable();
            list.dedup();
        }
        Reductions { all, named, default }
    }

    /// Without those that leave out orders of steps.
    pub fn without_partial_order(mut self) -> Reductions {
        self.all.retain(|one| !one.leaves_out_orders());
        self
    }

    /// Whether one that leaves out orders of steps was named.
    pub fn names_partial_order(&self) -> bool {
        self.named.iter().any(|one| one.leaves_out_orders())
    }

    /// Without those that nobody named.
    pub fn only_named(mut self) -> Reductions {
        self.all.clone_from(&self.named);
        self
    }

    /// Without those that nobody named and that make runs shorter or longer.
    pub fn as_long_as_named(mut self) -> Reductions {
        let Reductions { all, named, .. } = &mut self;
        all.retain(|one| named.contains(one) || one.pass().is_some_and(Pass::keeps_lengths));
        self
    }

    /// What is meant where a Java program is checked.
    pub fn of_java(mut self) -> Reductions {
        self.all.clone_from(&self.named);
        if self.default {
            self.all.extend(IN_USE_OF_JAVA);
        }
        self.all.sort_unstable();
        self.all.dedup();
        self
    }

    /// What a Java program leaves out.
    pub fn java(&self) -> everypath_lang_java::Reductions {
        let has = |one| self.all.contains(&one);
        everypath_lang_java::Reductions {
            local: has(ReduceArg::Local),
            constant: has(ReduceArg::Constant) || has(ReduceArg::Locks),
            locks: has(ReduceArg::Locks),
            library: has(ReduceArg::Library),
        }
    }

    /// One that was named and that is not for Java programs, or for them only.
    pub fn named_for(&self, java: bool) -> Option<&'static str> {
        let other = |one: &&ReduceArg| IN_USE_OF_JAVA.contains(one) == java;
        self.named.iter().find(other).map(|one| one.name())
    }

    /// Whether equal processes stand for each other.
    pub fn symmetry(&self) -> bool {
        self.all.contains(&ReduceArg::Symmetry)
    }

    /// Without that.
    pub fn without_symmetry(mut self) -> Reductions {
        self.all.retain(|one| *one != ReduceArg::Symmetry);
        self
    }

    /// Whether processes are interrupted only between transactions.
    pub fn transactions(&self) -> bool {
        self.all.contains(&ReduceArg::Transactions)
    }

    /// Without that.
    pub fn without_transactions(mut self) -> Reductions {
        self.all.retain(|one| *one != ReduceArg::Transactions);
        self
    }

    /// Their names.
    pub fn names(&self) -> Vec<String> {
        self.all.iter().map(|one| one.name().to_owned()).collect()
    }

    /// Those that make a smaller machine.
    pub fn passes(&self) -> Vec<Pass> {
        self.all.iter().filter_map(|one| one.pass()).collect()
    }

    /// Whether a shortest run that is found is a shortest one of the model.
    pub fn keep_lengths(&self) -> bool {
        self.all.iter().all(|one| one.pass().is_some_and(Pass::keeps_lengths))
    }

    /// The one that leaves out orders of steps; the stronger one of two.
    pub fn partial_order(&self) -> Option<Method> {
        let has = |one| self.all.contains(&one);
        match (has(ReduceArg::Stubborn), has(ReduceArg::Ample)) {
            (true, _) => Some(Method::Stubborn),
            (false, true) => Some(Method::Ample),
            (false, false) => None,
        }
    }
}

impl ReduceArg {
    /// Whether it leaves out orders of steps, which a search must see to.
    pub fn leaves_out_orders(self) -> bool {
        matches!(self, ReduceArg::Ample | ReduceArg::Stubborn)
    }

    fn pass(self) -> Option<Pass> {
        match self {
            ReduceArg::None
            | ReduceArg::Default
            | ReduceArg::Ample
            | ReduceArg::Stubborn
            | ReduceArg::Symmetry
            | ReduceArg::Transactions
            | ReduceArg::Local
            | ReduceArg::Constant
            | ReduceArg::Locks
            | ReduceArg::Library => None,
            ReduceArg::Constants => Some(Pass::Constants),
            ReduceArg::Slice => Some(Pass::Slice),
            ReduceArg::Merge => Some(Pass::Merge),
            ReduceArg::Dead => Some(Pass::Dead),
        }
    }
}

#[cfg(test)]
mod tests {
    use everypath_render::scope::reductions;

    use super::*;

    #[test]
    fn none_takes_back_what_stands_before_it() {
        use ReduceArg::{Dead, Merge, None, Slice};
        assert_eq!(Reductions::new(&[Merge, None]), Reductions::default());
        assert_eq!(Reductions::new(&[Dead, None, Merge, Slice, Merge]).names(), ["slice", "merge"]);
        assert!(Reductions::new(&[Dead, Slice]).keep_lengths());
        assert!(!Reductions::new(&[Dead, Merge]).keep_lengths());
        assert_eq!(Reductions::new(&[Dead]).partial_order(), Option::None);
        let both = Reductions::new(&[ReduceArg::Ample, ReduceArg::Stubborn, Merge]);
        assert_eq!(both.partial_order(), Some(Method::Stubborn));
        assert_eq!(both.names(), ["merge", "ample", "stubborn"]);
        assert!(!both.keep_lengths());
    }

    #[test]
    fn those_in_use_by_default_can_be_added_to() {
        use ReduceArg::{Ample, Default, Merge, None};
        let usual = ["constants", "slice", "merge", "dead", "stubborn"];
        assert_eq!(reductions(&Reductions::new(&[Default]).names()), "default reductions");
        assert_eq!(reductions(&Reductions::new(&[Merge, Ample]).names()), "merge, ample");
        let of_java = Reductions::new(&[Default]).of_java();
        assert_eq!(reductions(&of_java.names()), "default reductions");
        assert_eq!(reductions(&[]), "no reduction");
        assert_eq!(Reductions::new(&[Default]).names(), usual);
        assert_eq!(Reductions::new(&[Default, None]), Reductions::default());
        assert_eq!(Reductions::new(&[None, Default]).names(), usual);
        let more = Reductions::new(&[Default, Ample, Merge]);
        assert_eq!(more.names(), ["constants", "slice", "merge", "dead", "ample", "stubborn"]);
        let fewer = ["constants", "slice", "merge", "dead"];
        assert_eq!(more.clone().without_partial_order().names(), fewer);
        let long = ["constants", "slice", "merge", "dead", "ample"];
        assert_eq!(more.as_long_as_named().names(), long);
    }
}
