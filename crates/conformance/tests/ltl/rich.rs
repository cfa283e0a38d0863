//! The models of the random generator, with labels and claims that ask about endless runs.

use everypath_conformance::{Config, Ours as Run, run};
use everypath_testkit::generate::{self, Profile};
use everypath_testkit::needs;

use super::*;

/// States that a model may have: it is searched by every method.
const MOST: u64 = 1_500;

/// A model without faults that is small enough; `None` if this seed has none.
fn model(seed: u64, asked: Asked) -> Option<String> {
    let mut profile = Profile::of_seed(seed);
    (profile.bad_index, profile.bad_d_step, profile.bad_fields) = (0, 0, 0);
    profile.statements = (5, 12);
    profile.weights.assert = 0;
    // What SPIN says of these is known to be wrong.
    (profile.priority, profile.d_proctype) = (0, 0);
    let text = generate::model_with(seed, &profile).text;
    // It counts the claim among the processes.
    if asked != Asked::Accept && text.contains("_nr_pr") {
        return None;
    }
    let mut rng = Rng::new(seed ^ 0x1ab_e15);
    let text = match asked.label() {
        Some(label) => labelled(&text, label, &mut rng),
        None => {
            // Accept labels of processes count for SPIN, too.
            let text = text.replace("accept", "plain");
            let asks = !text.contains("[0] of") && !text.contains("else");
            let claim = never(&mut rng, asks.then_some(1), &global);
            text + &claim
        }
    };
    let config = Config { max_states: MOST, replay: false, ..Config::default() };
    match run(&text, Path::new("m.pml"), config) {
        Run::Ran(ran) if ran.complete && ran.kinds.iter().all(|kind| kind == "deadlock") => {
            Some(text)
        }
        _ => None,
    }
}

/// Makes plain labels of a text such that count.
fn labelled(text: &str, label: &str, rng: &mut Rng) -> String {
    let mut out = String::new();
    let mut chosen = HashMap::new();
    for (index, word) in text.split_inclusive(|c: char| !c.is_ascii_alphanumeric()).enumerate() {
        let name = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        let number = name.strip_prefix('L').filter(|rest| rest.parse::<u32>().is_ok());
        let counts = |rng: &mut Rng| rng.chance(60);
        match number {
            Some(_)
                if index > 0 && *chosen.entry(name.to_owned()).or_insert_with(|| counts(rng)) =>
            {
                out += &format!("{label}_{word}");
            }
            _ => out += word,
        }
    }
    out
}

/// A condition on what every model has.
fn global(rng: &mut Rng) -> String {
    match rng.below(6) {
        0 => "g0 == 0".to_owned(),
        1 => "g0 > 0".to_owned(),
        2 => format!("g0 != {}", 1 + rng.below(2)),
        3 => "(g0 % 2) == 1".to_owned(),
        4 => "np_".to_owned(),
        _ => format!("_last == {}", rng.below(3)),
    }
}

/// Compares so many of them with SPIN; so many percent have to have a label or claim that is violated.
fn compare(asked: Asked, count: usize, least: usize) {
    let Some(spin) = needs::spin() else { return };
    let count = if std::env::var_os("EVERYPATH_ALL").is_some() { 1_000 } else { count };
    let first = std::env::var("EVERYPATH_SEED").ok().and_then(|seed| seed.parse().ok());
    let first: u64 = first.unwrap_or(SEED + 100_000);
    let results = parallel(count, 2, |index| {
        let text = model(first + index as u64, asked)?;
        let theirs = spins(&spin, &text, asked, false)?;
        let verdict = |text: &str| ours(text, asked, false) != Ours::Holds;
        let mut ours = verdict(&text);
        if !ours && theirs && text.contains("(np_)") {
            // Where nothing moves any more, SPIN's `np_` is true when the claim reads it for the first time and false
            // from then on. Ours is false there.
            ours = verdict(&text.replace("(np_)", "(true)"));
        }
        if ours && !theirs && asked == Asked::Accept {
            // SPIN notices a label at the end of an atomic sequence only where that step closes the cycle in its
            // order of the search.
            ours = ours_at_labels(&text, asked, false) != Ours::Holds;
        }
        Some((index, text, ours, theirs))
    });
    let (mut different, mut compared, mut violated) = (String::new(), 0, 0);
    for (index, text, ours, theirs) in results.into_iter().flatten() {
        compared += 1;
        violated += usize::from(theirs);
        if ours != theirs {
            different += &format!("number {index}: violated {ours}, SPIN {theirs}\n{text}\n");
        }
    }
    println!("{asked:?}: {compared} of {count} compared, {violated} violated");
    assert!(different.is_empty(), "\n{different}");
    assert!(compared * 10 >= count * 3, "only {compared} of {count} could be compared");
    let enough = |number: usize| number * 100 >= compared * least;
    assert!(enough(violated) && enough(compared - violated), "{violated} of {compared}");
}

#[test]
fn generated_models_get_spins_verdict_on_claims() {
    compare(Asked::Never, 100, 10);
}

#[test]
fn generated_models_get_spins_verdict_on_accept_labels() {
    compare(Asked::Accept, 100, 5);
}

#[test]
fn generated_models_get_spins_verdict_on_progress_labels() {
    compare(Asked::Progress, 100, 5);
}
