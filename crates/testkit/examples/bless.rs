//! Writes the expectations of SPIN into the headers of annotated models.
//!
//! `cargo run -p everypath-testkit --example bless -- FILE...` keeps the lines `oracle`, `what`,
//! `note`, `spin` and a verdict of `unsupported`, and replaces the rest by what SPIN finds now.

use std::path::Path;
use std::{env, fs, process};

use everypath_testkit::models::{self, Expect, SpinDiffers, Verdict};
use everypath_testkit::spin::{self, Compiler, Config, SpinResult};

fn main() {
    let Some(spin) = spin::find() else {
        eprintln!("spin or gcc is not installed");
        process::exit(1);
    };
    for file in env::args().skip(1) {
        let path = Path::new(&file);
        let mut model = models::load(path).unwrap_or_else(|e| panic!("{file}: {e}"));
        let config = Config { compiler: Compiler::Reference, ..Config::default() };
        let given = model.header.expect.verdict;
        let result = spin.run_file(path, &config);
        model.header.expect = match (&result, model.header.spin) {
            (SpinResult::Accepted(_), Some(SpinDiffers::Accepts)) => {
                Expect { verdict: Verdict::Error, ..Expect::default() }
            }
            (SpinResult::Accepted(run), _) => Expect::of_run(run),
            (SpinResult::Rejected { .. }, Some(SpinDiffers::Rejects)) => {
                Expect { verdict: given, ..Expect::default() }
            }
            (SpinResult::Rejected { .. }, _) => {
                Expect { verdict: Verdict::Error, ..Expect::default() }
            }
            (SpinResult::Failed { .. } | SpinResult::Timeout, _) => {
                Expect { verdict: given, ..Expect::default() }
            }
        };
        if given == Verdict::Unsupported {
            model.header.expect.verdict = given;
        }
        if model.header.claim.is_some() {
            let config = Config { no_claim: false, ..config };
            model.header.claim = spin.run_file(path, &config).run().map(Expect::of_run);
        }
        match &result {
            SpinResult::Accepted(run) => {
                let reports: Vec<&str> = run.reports.iter().map(|r| r.text.as_str()).collect();
                let exit = run.spin_exit;
                println!(
                    "{}: {} e{} exit {exit} {}",
                    model.name,
                    run.counts,
                    run.errors,
                    reports.join(" | ")
                );
            }
            other => println!("{}: {other:?}", model.name),
        }
        let text = model.header.to_text() + models::body(&model.source);
        fs::write(path, text).unwrap_or_else(|e| panic!("{file}: {e}"));
    }
}
