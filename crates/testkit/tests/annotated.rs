//! The headers of the annotated models say what SPIN says.

use everypath_testkit::models::{self, Expect, Header, SpinDiffers, TestModel, Verdict};
use everypath_testkit::needs;
use everypath_testkit::spin::{self, Config, Spin, SpinResult};

/// What is wrong with the header of a model, if anything.
fn disagreement(spin: &Spin, model: &TestModel) -> Option<String> {
    let Header { spin: differs, expect, claim, .. } = &model.header;
    let config = Config::default();
    let result = spin.run_file(&model.path, &config);
    let message = match (&result, differs) {
        (SpinResult::Accepted(_), Some(SpinDiffers::Accepts)) => None,
        (SpinResult::Rejected { .. }, Some(SpinDiffers::Rejects)) => None,
        (SpinResult::Rejected { .. }, None) if expect.verdict == Verdict::Error => None,
        // A crash or a hang of the verifier is no verdict.
        (SpinResult::Failed { .. } | SpinResult::Timeout, None) if expect.counts.is_none() => None,
        (SpinResult::Accepted(run), _) => {
            let mut found = Expect::of_run(run);
            if expect.verdict == Verdict::Unsupported {
                found.verdict = Verdict::Unsupported;
            }
            (found != *expect).then(|| format!("found {found:?}, the header says {expect:?}"))
        }
        _ => Some(format!("found {result:?}")),
    };
    let Some(claim) = claim else { return message };
    message.or_else(|| {
        let result = spin.run_file(&model.path, &Config { no_claim: false, ..config });
        let found = result.run().map(Expect::of_run);
        (found.as_ref() != Some(claim))
            .then(|| format!("with its claim found {found:?}, the header says {claim:?}"))
    })
}

#[test]
fn headers_agree_with_spin() {
    let Some(spin) = needs::spin() else { return };
    let models = models::promela();
    let found = spin::parallel(models.len(), 2, |i| disagreement(&spin, &models[i]));
    let wrong: Vec<String> = models
        .iter()
        .zip(found)
        .filter_map(|(model, message)| Some(format!("{}: {}", model.name, message?)))
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), models.len(), wrong.join("\n"));
}

#[test]
fn every_oracle_model_is_there() {
    let models = models::promela();
    for n in 1..=81 {
        let name = format!("M{n:02}");
        assert!(models.iter().any(|m| m.header.oracle == name), "no model has oracle {name}");
    }
    for model in models {
        assert!(!model.header.what.is_empty(), "{} does not say what it tests", model.name);
    }
}
