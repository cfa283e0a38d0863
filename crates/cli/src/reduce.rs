//! `--reduce`: which reductions of the state space are in use.

use everypath_layer_optimise::Pass;

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

    /// Those that make a smaller machine.
    pub fn passes(&self) -> Vec<Pass> {
        self.0.iter().filter_map(|one| one.pass()).collect()
    }

    /// Whether a shortest run of the reduced model is a shortest one of the model.
    pub fn keep_lengths(&self) -> bool {
        self.0.iter().all(|one| one.pass().is_some_and(Pass::keeps_lengths))
    }
}

impl ReduceArg {
    fn name(self) -> &'static str {
        self.pass().map_or("none", Pass::name)
    }

    fn pass(self) -> Option<Pass> {
        match self {
            ReduceArg::None => None,
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
    }
}
