//! `--emptiness`: how runs that violate temporal properties are looked for.

use everypath_engine_explicit::emptiness::Method;
use everypath_model::Named;

/// `--emptiness`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmptinessArg {
    /// What is best in general.
    Auto,
    /// This one, by one thread.
    Named(Method),
    /// Components by several threads.
    Ufscc,
    /// One search, for weak automata.
    Weak,
}

/// How runs that violate temporal properties are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// As it seems best: by one search of so many threads if the automaton is weak, else by `general`.
    Auto {
        /// Threads of the one search.
        threads: usize,
        /// What else there is.
        general: General,
    },
    /// In one way only.
    Only(General),
    /// By one search of so many threads, of weak automata only.
    Weak(usize),
}

/// How runs are looked for that any automaton accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum General {
    /// By one thread.
    Alone(Method),
    /// By so many threads.
    Together(usize),
}

impl EmptinessArg {
    /// What is meant. `asked` are the threads of the command line, `all` those that other searches
    /// have. Unless somebody asks for threads there is one, so that the run which is found is always
    /// the same.
    pub fn how(self, asked: Option<usize>, all: usize) -> How {
        match self {
            EmptinessArg::Auto => How::Auto {
                threads: asked.unwrap_or(all),
                general: match asked {
                    Some(threads) if threads > 1 => General::Together(threads),
                    _ => General::Alone(Method::default()),
                },
            },
            EmptinessArg::Named(method) => How::Only(General::Alone(method)),
            EmptinessArg::Ufscc => How::Only(General::Together(asked.unwrap_or(all))),
            EmptinessArg::Weak => How::Weak(asked.unwrap_or(all)),
        }
    }
}

impl How {
    /// How runs are looked for where it is not by one search.
    pub fn general(self) -> General {
        match self {
            How::Auto { general, .. } | How::Only(general) => general,
            How::Weak(_) => General::Alone(Method::default()),
        }
    }
}

impl General {
    /// What users call it.
    pub fn name(self) -> &'static str {
        match self {
            General::Alone(method) => method.name(),
            General::Together(_) => UFSCC,
        }
    }

    /// Whether it can check automata with so many marks.
    pub fn takes(self, marks: u32) -> bool {
        match self {
            General::Alone(method) => method.takes(marks),
            General::Together(_) => true,
        }
    }

    /// What one thread does for small questions in between.
    pub fn alone(self) -> Method {
        match self {
            General::Alone(method) => method,
            General::Together(_) => Method::default(),
        }
    }
}

const UFSCC: &str = "ufscc";
/// What users call one search.
pub const WEAK: &str = "weak";

impl Named for EmptinessArg {
    const ALL: &'static [(EmptinessArg, &'static str, &'static str)] = &[
        (
            EmptinessArg::Auto,
            "auto",
            "cou99; where there is much to search, weak or, with -j N, ufscc",
        ),
        (EmptinessArg::Named(Method::Cou99), "cou99", "Components while they grow"),
        (
            EmptinessArg::Named(Method::Cou99NoRem),
            "cou99-norem",
            "The same with a smaller stack, in twice the steps",
        ),
        (
            EmptinessArg::Named(Method::Cou99ShyNode),
            "cou99-shy-node",
            "The same; of a state, steps to known states first",
        ),
        (
            EmptinessArg::Named(Method::Cou99Shy),
            "cou99-shy",
            "The same; of a component, steps to known states first",
        ),
        (EmptinessArg::Named(Method::Gv04), "gv04", "Tarjan's search with early answers; one mark"),
        (EmptinessArg::Named(Method::Cvwy90), "cvwy90", "The classical nested search; one mark"),
        (EmptinessArg::Named(Method::Se05), "se05", "The nested search with colours; one mark"),
        (EmptinessArg::Named(Method::Se05Weight), "se05-weight", "The same with weights; one mark"),
        (EmptinessArg::Named(Method::Tau03), "tau03", "The nested search for one mark or more"),
        (
            EmptinessArg::Named(Method::Tau03Opt),
            "tau03opt",
            "The same for any number of marks, with early answers",
        ),
        (EmptinessArg::Ufscc, UFSCC, "Components by several threads: -j"),
        (EmptinessArg::Weak, WEAK, "One search of the product, for weak automata: -j"),
    ];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_has_its_name() {
        for method in Method::ALL {
            assert_eq!(EmptinessArg::Named(method).name(), method.name());
        }
        assert_eq!(EmptinessArg::ALL.len(), Method::ALL.len() + 3);
    }
}
