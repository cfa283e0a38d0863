//! `--emptiness`: how runs that violate temporal properties are looked for.

use clap::ValueEnum;
use clap::builder::PossibleValue;
use everypath_engine_explicit::emptiness::Method;

/// How accepting runs are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmptinessArg {
    /// What is best in general.
    Auto,
    /// This one.
    Named(Method),
}

impl EmptinessArg {
    /// The method that is meant.
    pub fn method(self) -> Method {
        match self {
            EmptinessArg::Auto => Method::default(),
            EmptinessArg::Named(method) => method,
        }
    }
}

impl ValueEnum for EmptinessArg {
    fn value_variants<'a>() -> &'a [EmptinessArg] {
        const ALL: [EmptinessArg; Method::ALL.len() + 1] = {
            let mut all = [EmptinessArg::Auto; Method::ALL.len() + 1];
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
            EmptinessArg::Auto => ("auto", "What is best in general: cou99"),
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
