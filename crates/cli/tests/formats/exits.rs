//! One exit code and the same findings in all of them.

use std::path::Path;

use clap::Parser;
use everypath::analysis::InternalError;
use everypath_cli::answer::Answer;
use everypath_cli::args::{Cli, Command as Verb};
use everypath_cli::commands::check::check_all;
use everypath_cli::config::{Config, Environment};
use everypath_cli::render::Checked;
use everypath_cli::settings::Job;
use everypath_verdict::Exit;
use serde_json::Value;

use crate::sarif::sarif_schema;
use crate::support::{Counter, try_check};
use crate::validator::validate;
use crate::{FORMATS, RUNS, check, models};

/// Errors and open questions of a document, however its format names them.
fn findings(format: &str, text: &str) -> Option<(usize, usize)> {
    let count = |part: &str| text.matches(part).count();
    let json = || serde_json::from_str::<Value>(text).unwrap();
    Some(match format {
        "sarif" => {
            let run = &json()["runs"][0];
            let lists = [&run["results"], &run["invocations"][0]["toolExecutionNotifications"]];
            let all = || lists.iter().flat_map(|list| list.as_array().unwrap());
            let errors = all().filter(|one| one["level"] == "error").count();
            (errors, all().filter(|o| o["kind"] == "open" || o["level"] == "warning").count())
        }
        "gitlab" => {
            let all = json();
            let with = |severities: &[&str]| {
                let all = all.as_array().unwrap().iter();
                all.filter(|one| severities.contains(&one["severity"].as_str().unwrap())).count()
            };
            (with(&["blocker", "critical"]), with(&["major", "minor"]))
        }
        "github" => {
            let lines = |word: &str| text.lines().filter(|line| line.starts_with(word)).count();
            (lines("::error "), lines("::warning "))
        }
        // An input error is an error here too.
        "junit" => (count("<failure ") + count("<error "), count("<error ")),
        _ => return None,
    })
}

#[test]
fn exit_codes_and_findings_are_the_same_in_every_format() {
    let project = models();
    for (args, code) in RUNS {
        for format in FORMATS {
            let (exit, out) = check(&project, args, format);
            assert_eq!(exit, *code, "{args:?} {format}\n{out}");
            let Some((errors, open)) = findings(format, &out) else { continue };
            match code {
                0 if args.contains(&"--exit-zero") => assert!(errors + open > 0, "{out}"),
                // A bound that was accepted is still told.
                0 if format != "sarif" => assert_eq!((errors, open), (0, 0), "{args:?}\n{out}"),
                0 => assert_eq!(errors, 0, "{args:?}\n{out}"),
                3 => assert!(open > 0, "{args:?} {format}\n{out}"),
                _ => assert!(errors > 0, "{args:?} {format}\n{out}"),
            }
        }
    }
}

/// The code 101 cannot be had from the outside, so the way from a defect to the exit is taken here.
#[test]
fn defects_of_the_tool_appear_in_every_format() {
    let project = models();
    for policy in [&[][..], &["--exit-zero"], &["--expect", "violated"], &["--accept", "bounded"]] {
        for format in FORMATS {
            let file = project.path.join("defect").to_string_lossy().into_owned();
            let output = format!("{format}={file}");
            let args = ["everypath", "check", "f.pml", "g.pml", "--format", format, "-o", &output];
            let cli = Cli::try_parse_from(args.iter().chain(policy)).unwrap();
            let Verb::Check(args) = cli.command else { unreachable!() };
            let config = Config::resolve(*args, &Environment::default(), Vec::new());
            let broken = Counter { broken: true, ..Counter::new(false) };
            let mut stdout = Vec::new();
            let mut answer = Answer::begin(&config, &mut stdout);
            check_all(&Job::plain(&config), &mut answer, |job, _| {
                assert!(job.path != Path::new("g.pml"), "this panic is part of the test");
                let result = try_check(&broken, &config.checking, vec![]).map_err(InternalError)?;
                let policy = config.detail.policy;
                Ok(Checked { result, sources: broken.sources.clone(), policy, trail: None })
            });
            assert_eq!(answer.finish(), Exit::Internal, "{format} {policy:?}");
            let text = String::from_utf8(stdout).unwrap();
            assert!(text.contains("does not replay"), "{format}: {text}");
            assert!(text.contains("a part of the program gave up"), "{format}: {text}");
            assert!(text.contains("EP0001"), "{format}: {text}");
            if format != "jsonl" {
                assert_eq!(project.read("defect"), text, "{format}");
            }
            assert!(findings(format, &text).is_none_or(|(errors, _)| errors >= 2), "{text}");
            if format == "sarif" {
                validate(&sarif_schema(), &serde_json::from_str(&text).unwrap()).unwrap();
            }
        }
    }
}

#[test]
fn what_no_property_says_is_said_of_the_run() {
    let project = models();
    let concise = |args: &[&str]| check(&project, args, "concise").1;
    assert_eq!(
        concise(&["endless.pml", "--only", "assertions", "--states", "10"]),
        "endless.pml: no violation found: the search was incomplete (state limit) [EP0301]\n"
    );
    assert!(concise(&["holds.pml", "--expect", "violated"]).ends_with(
        "holds.pml: holds: every property holds, but a violation was expected [EP0311]\n"
    ));
    let target = "[[target]]\npath = \"holds.pml\"\n";
    let expected = "[[target.prop]]\nname = \"no deadlock\"\nexpect = \"violated\"\n";
    project.write("everypath.toml", format!("{target}{expected}"));
    for format in FORMATS {
        let (code, out) = check(&project, &["holds.pml"], format);
        assert_eq!(code, 1, "{format}: {out}");
        assert!(findings(format, &out).is_none_or(|(errors, _)| errors == 1), "{format}: {out}");
    }
    assert!(
        concise(&["holds.pml"])
            .ends_with("holds.pml: holds: no deadlock, but a violation was expected [EP0311]\n")
    );
}

#[test]
fn help_names_every_format() {
    let project = models();
    let out = project.run(&["check", "--help"]).out;
    for format in FORMATS {
        let line = out.lines().find(|line| line.trim().starts_with(&format!("- {format}:")));
        assert!(line.is_some(), "{format}\n{out}");
    }
}
