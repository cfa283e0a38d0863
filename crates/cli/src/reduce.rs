//! `--reduce`: which reductions of the state space are in use.

use everypath_layer_optimise::Pass;
use everypath_layer_reduce::Method;

use crate::args::ReduceArg;

/// The reductions of a run without `--reduce`.
pub const DEFAULT: &str = "none";

/// The reductions in use, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reductions(Vec<ReduceArg>);

impl Reductions {
    /// A list as the user wrote it; `none` takes back what stands before it.
    pub fn new(list: &[ReduceArg]) -> Reductions {
        let mut all: Vec<ReduceArg> = Vec::new();
        for &one in list {
            match one {
                ReduceArg::None => all.clear(),
                _ if all.contains(&one) => {}
                _ => all.push(one),
            }
        }
        all.sort_unstable();
        Reductions(all)
    }

    /// Their names.
    pub fn names(&self) -> Vec<String> {
        self.0.iter().map(|one| one.name().to_owned()).collect()
    }

    /// The same without those that leave out orders of steps.
    pub fn of_samples(&self) -> Reductions {
        Reductions(self.0.iter().copied().filter(|one| !one.leaves_out_orders()).collect())
    }

    /// Those that make a smaller machine.
    pub fn passes(&self) -> Vec<Pass> {
        self.0.iter().filter_map(|one| one.pass()).collect()
    }

    /// Whether a shortest run of the smaller machine is a shortest one of the model.
    pub fn keep_lengths(&self) -> bool {
        self.passes().into_iter().all(Pass::keeps_lengths)
    }

    /// The one that leaves out orders of steps; the stronger one of two.
    pub fn partial_order(&self) -> Option<Method> {
        let has = |one| self.0.contains(&one);
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

    fn name(self) -> &'static str {
        match self {
            ReduceArg::Ample => "ample",
            ReduceArg::Stubborn => "stubborn",
            _ => self.pass().map_or("none", Pass::name),
        }
    }

    fn pass(self) -> Option<Pass> {
        match self {
            ReduceArg::None | ReduceArg::Ample | ReduceArg::Stubborn => None,
            ReduceArg::Constants => Some(Pass::Constants),
            ReduceArg::Slice => Some(Pass::Slice),
            ReduceArg::Merge => Some(Pass::Merge),
            ReduceArg::Dead => Some(Pass::Dead),
        }
    }
}

#[cfg(test)]
mod tests {
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
    }
}
