//! `--emptiness`: how runs that violate temporal properties are looked for.

use clap::ValueEnum;
use clap::builder::PossibleValue;
use everypath_engine_explicit::emptiness::Method;

/// `--emptiness`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmptinessArg {
    /// What is best in general.
    Auto,
    /// This one, by one thread.
    Named(Method),
    /// Components by several threads.
    Ufscc,
}

/// How runs that violate temporal properties are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
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
            EmptinessArg::Auto => match asked {
                Some(threads) if threads > 1 => How::Together(threads),
                _ => How::Alone(Method::default()),
            },
            EmptinessArg::Named(method) => How::Alone(method),
            EmptinessArg::Ufscc => How::Together(asked.unwrap_or(all)),
        }
    }
}

impl How {
    /// What users call it.
    pub fn name(self) -> &'static str {
        match self {
            How::Alone(method) => method.name(),
            How::Together(_) => UFSCC,
        }
    }

    /// Whether it can check automata with so many marks.
    pub fn takes(self, marks: u32) -> bool {
        match self {
            How::Alone(method) => method.takes(marks),
            How::Together(_) => true,
        }
    }

    /// What one thread does for small questions in between.
    pub fn alone(self) -> Method {
        match self {
            How::Alone(method) => method,
            How::Together(_) => Method::default(),
        }
    }
}

const UFSCC: &str = "ufscc";

impl ValueEnum for EmptinessArg {
    fn value_variants<'a>() -> &'a [EmptinessArg] {
        const ALL: [EmptinessArg; Method::ALL.len() + 2] = {
            let mut all = [EmptinessArg::Auto; Method::ALL.len() + 2];
            all[Method::ALL.len() + 1] = EmptinessArg::Ufscc;
            let mut index = 0;
            while index < Method::ALL.len() {
                all[index + 1] = EmptinessArg::Named(Method::ALL[index]);
                index += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, help) = match *self {
            EmptinessArg::Auto => ("auto", "cou99; with -j N, ufscc"),
            EmptinessArg::Ufscc => (UFSCC, "Components by several threads: -j"),
            EmptinessArg::Named(method) => (
                method.name(),
                match method {
                    Method::Cou99 => "Components while they grow",
                    Method::Cou99NoRem => "The same with a smaller stack, in twice the steps",
                    Method::Cou99ShyNode => "The same; of a state, steps to known states first",
                    Method::Cou99Shy => "The same; of a component, steps to known states first",
                    Method::Gv04 => "Tarjan's search with early answers; one mark",
                    Method::Cvwy90 => "The classical nested search; one mark",
                    Method::Se05 => "The nested search with colours; one mark",
                    Method::Se05Weight => "The same with weights; one mark",
                    Method::Tau03 => "The nested search for one mark or more",
                    Method::Tau03Opt => "The same for any number of marks, with early answers",
                },
            ),
        };
        Some(PossibleValue::new(name).help(help))
    }
}
