//! How much of the acceptance an automaton needs.

use super::{Automaton, all_marks, clean_marks, components, is_complete};

/// From the simplest to check to the hardest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// Every infinite run is accepted: reaching nothing is enough to reject.
    Safety,
    /// What reaches an accepting component stays accepted whatever comes: reachability decides.
    Terminal,
    /// In every component either all cycles are accepted or none is: a plain search decides.
    Weak,
    /// Anything else.
    Strong,
}

impl Strength {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Strength::Safety => "safety",
            Strength::Terminal => "terminal",
            Strength::Weak => "weak",
            Strength::Strong => "strong",
        }
    }
}

/// The strength of an automaton.
pub fn strength(automaton: &Automaton) -> Strength {
    // There, marks are all or nothing exactly where the component is weak.
    let clean = clean_marks(automaton);
    if clean.marks == 0 {
        return Strength::Safety;
    }
    let components = components(&clean);
    let all = all_marks(clean.marks);
    let mut terminal = true;
    for (state, edges) in clean.edges.iter().enumerate() {
        let component = components.of[state];
        if component == usize::MAX || !components.accepts(component, all) {
            continue;
        }
        for edge in edges {
            match components.of[edge.target] == component {
                true if edge.marks != all => return Strength::Strong,
                true => {}
                false => terminal &= components.accepts(components.of[edge.target], all),
            }
        }
    }
    let accepting = |state: &usize| {
        components.of[*state] != usize::MAX && components.accepts(components.of[*state], all)
    };
    let states: Vec<usize> = (0..clean.len()).filter(accepting).collect();
    let inside = Automaton {
        edges: states.iter().map(|&state| clean.edges[state].clone()).collect(),
        ..clean.clone()
    };
    if terminal && is_complete(&inside) { Strength::Terminal } else { Strength::Weak }
}

/// Which states of a weak automaton are in accepting components.
pub fn accepting_states(automaton: &Automaton) -> Vec<bool> {
    let components = components(automaton);
    let all = all_marks(automaton.marks);
    let accepts = |&of: &usize| of != usize::MAX && components.accepts(of, all);
    components.of.iter().map(accepts).collect()
}
