//! Properties in words.

use super::{Pattern, Property, Scope, Set};

/// One sentence: the part of the run, then what must happen in it.
pub(super) fn sentence(property: Property, name: &dyn Fn(char) -> String) -> String {
    let (q, r) = (name('Q'), name('R'));
    let scope = match property.scope {
        Scope::Global => "In every run".to_owned(),
        Scope::Before => format!("Before the first {r}"),
        Scope::After => format!("From the first {q} on"),
        Scope::Between => format!("From every {q} up to the next {r}"),
        Scope::AfterUntil => format!("From every {q} on, up to the next {r} if one comes"),
    };
    format!("{scope}, {}.", happens(property.pattern, name))
}

fn happens(pattern: Pattern, name: &dyn Fn(char) -> String) -> String {
    let [p, s, t] = ['P', 'S', 'T'].map(name);
    match pattern {
        Pattern::Absence => format!("{p} never holds"),
        Pattern::Existence => format!("{p} holds at least once"),
        Pattern::Bounded(1) => format!("{p} holds in at most one stretch of states"),
        Pattern::Bounded(most) => format!("{p} holds in at most {most} stretches of states"),
        Pattern::Universality => format!("{p} always holds"),
        Pattern::Precedence => format!("{s} holds with the first {p} or before it"),
        Pattern::StrictPrecedence => format!("{s} holds before the first {p}"),
        Pattern::Response => format!("every {p} is answered by {s}, at once or later"),
        Pattern::StrictResponse => format!("every {p} is answered by {s} in a later state"),
        Pattern::CausesPrecede => {
            format!("{s} and after it {t} have held when {p} holds for the first time")
        }
        Pattern::PrecedesEffects => {
            format!("{s} holds with the first {p} or before it if {t} follows {p}")
        }
        Pattern::EffectsRespond => format!("every {p} is answered by {s} and later by {t}"),
        Pattern::RespondsToCauses => {
            format!("every {p} that {t} follows is answered by {s} after such a {t}")
        }
    }
}

/// What is easily misunderstood.
pub(super) fn remarks(property: Property, name: &dyn Fn(char) -> String) -> Vec<String> {
    let [p, s, q, r] = ['P', 'S', 'Q', 'R'].map(name);
    let mut all = Vec::new();
    match property.pattern {
        Pattern::Precedence => {
            all.push(format!("{s} may hold several times, and {p} need not follow it."));
            all.push(format!(
                "{s} and {p} in the same state are fine; strict-precedence forbids that."
            ));
        }
        Pattern::StrictPrecedence => {
            all.push(format!("{s} in the same state as the first {p} is too late."));
        }
        Pattern::Response => {
            all.push(format!("One {s} may answer several {p}, and {s} may hold without {p}."));
            all.push(format!(
                "{s} in the state of {p} is an answer; strict-response wants a later one."
            ));
        }
        Pattern::StrictResponse | Pattern::EffectsRespond | Pattern::RespondsToCauses => {
            all.push(format!("One answer may serve several {p}."));
        }
        Pattern::Existence if property.scope != Scope::Global => {
            all.push(format!("A part of the run without any state cannot have {p}."));
        }
        _ => {}
    }
    match property.scope {
        Scope::Global => {}
        Scope::Before => {
            all.push(format!("A run without {r} satisfies it; the state of {r} does not count."));
        }
        Scope::After => {
            all.push(format!("A run without {q} satisfies it; the state of {q} counts."));
        }
        Scope::Between => all.push(format!(
            "The state of {q} counts, that of {r} does not; where {r} never comes, nothing is asked."
        )),
        Scope::AfterUntil => all.push(format!(
            "The state of {q} counts, that of {r} does not; where {r} never comes, the rest of the run counts."
        )),
    }
    let nested = matches!(property.scope, Scope::Between | Scope::AfterUntil);
    match property.set {
        Set::Outermost if nested => {
            all.push(format!("A {q} inside of such a part opens no other."))
        }
        _ if nested => all.push(format!("Every {q} before {r} opens a part of its own.")),
        _ => {}
    }
    match (property.set, property.pattern, property.scope) {
        (Set::Sps, Pattern::Precedence | Pattern::Existence, Scope::After) => {
            all.push(format!("This set looks for some {q}, not for the first."));
        }
        (Set::ProspecPrinted, Pattern::Absence, scope) if scope.has_r() => {
            all.push(format!(
                "This set is violated by {p} in the state of {r}, outside of the scope."
            ));
        }
        _ => {}
    }
    all
}
