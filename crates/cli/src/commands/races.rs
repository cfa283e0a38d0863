//! `everypath races`: what single runs of a program show about its locks and its memory.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use clap::{Args, ValueEnum};
use everypath_model::visible;
use everypath_verdict::Exit;
use serde::Serialize;

use everypath_render::units::parse_count;

use crate::args::{LayoutArgs, ReadingArgs};
use crate::config::Environment;
use crate::java::warnings::{Warning, warnings};
use crate::reading::Reading;
use crate::render::json;
use crate::{complain, interrupt, java, print, tell};

const EXAMPLES: &str = "\
Examples:
  everypath races Main.java                one run: what it shows
  everypath races Main.java --runs 20      twenty schedules
  everypath races Main.java --format json  the same for a program to read

A race that is certain happened in the run: no chain of locks, volatile fields, starts and joins orders the two
accesses. The other warnings are about what could happen in another run: memory that no lock protects, and
locks that threads take in a circle. `everypath check` tells which of them are real.

Exit codes: 1 a race happened, 2 bad input, 3 otherwise: some runs prove nothing.";

/// Steps of a run that nobody limits.
const STEPS: u64 = 100_000;

/// Arguments of `races`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct RacesArgs {
    /// A Java program
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// How the program is read.
    #[command(flatten)]
    pub reading: ReadingArgs,

    /// Random seed: the same seed gives the same run
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Runs")]
    pub seed: u64,

    /// Make this many runs, with the seeds N, N+1, ..
    #[arg(long, value_name = "K", value_parser = parse_count, default_value = "1", help_heading = "Runs")]
    pub runs: u64,

    /// Stop a run after this many steps
    #[arg(long, value_name = "N", value_parser = parse_count, default_value_t = STEPS, help_heading = "Runs")]
    pub steps: u64,

    /// Format of the output
    #[arg(long, value_name = "FMT", default_value = "full", help_heading = "Output")]
    pub format: RacesFormat,

    /// How the output looks.
    #[command(flatten)]
    pub layout: LayoutArgs,
}

/// `--format` of `races`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RacesFormat {
    /// For people
    Full,
    /// For programs
    Json,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    input: String,
    seed: u64,
    runs: u64,
    events: u64,
    warnings: &'a [Warning],
}

/// Run a program and tell what its runs show.
pub fn races(args: &RacesArgs, environment: &Environment) -> Exit {
    let interrupt = interrupt::install();
    let (style, notes) = environment.styles(&args.layout);
    let reading = Reading::from(args.reading.clone());
    if !java::is_input(&args.file, &reading) {
        complain("error[EP1013]: races are looked for in Java programs\n");
        return Exit::Input;
    }
    if let Some(why) = args.reading.of_other_language(true) {
        tell("error", &why);
        return Exit::Input;
    }
    let program = match crate::run_java::ready(&args.file, &reading, java::Asked::default(), &notes)
    {
        Ok(program) => program,
        Err(exit) => return exit,
    };
    let stop = || interrupt.load(Ordering::Relaxed);
    let mut found: BTreeMap<(&'static str, String, Vec<Place>), Warning> = BTreeMap::new();
    let (mut events, mut runs) = (0, 0);
    for seed in (args.seed..).take(args.runs as usize) {
        let steps = usize::try_from(args.steps).unwrap_or(usize::MAX);
        let recorded = match program.record(seed, steps, &stop) {
            Ok(recorded) => recorded,
            Err(error) => {
                tell("error[EP0304]", &format!("the run of seed {seed} cannot go on: {error}"));
                break;
            }
        };
        if recorded.full {
            tell("note", &format!("the run of seed {seed} has more events than are kept"));
        }
        if recorded.ending == "deadlock" {
            tell("note", &format!("the run of seed {seed} ends in a deadlock"));
        }
        events += recorded.events.len() as u64;
        runs += 1;
        for warning in warnings(&recorded, seed) {
            let mut places: Vec<Place> =
                warning.deeds.iter().map(|deed| (deed.at.clone(), deed.does.clone())).collect();
            places.sort();
            let key = (warning.kind, warning.about.clone(), places);
            found.entry(key).and_modify(|known| known.runs += 1).or_insert(warning);
        }
        if stop() {
            break;
        }
    }
    let mut warnings: Vec<Warning> = found.into_values().collect();
    // What two accesses of a run prove need not be suspected as well.
    let certain: Vec<String> =
        warnings.iter().filter(|w| w.certain).map(|w| w.about.clone()).collect();
    warnings.retain(|w| w.kind != "unprotected" || !certain.contains(&w.about));
    warnings.sort_by_key(|warning| (!warning.certain, warning.kind));
    match args.format {
        RacesFormat::Json => {
            let document = Document {
                schema: "everypath.races/1",
                input: args.file.to_string_lossy().into_owned(),
                seed: args.seed,
                runs,
                events,
                warnings: &warnings,
            };
            print(&json::pretty(&document));
        }
        RacesFormat::Full => {
            let mut out = String::new();
            for warning in &warnings {
                describe(&mut out, warning);
            }
            let many = |count: u64, word: &str| match count {
                1 => format!("1 {word}"),
                _ => format!("{count} {word}s"),
            };
            let _ = writeln!(
                out,
                "{} in {}, {}; some runs prove nothing: everypath check {}",
                many(warnings.len() as u64, "warning"),
                many(runs, "run"),
                many(events, "event"),
                style.brief(&args.file.to_string_lossy()),
            );
            print(&out);
        }
    }
    match warnings.iter().any(|warning| warning.certain) {
        true => Exit::Violation,
        false => Exit::Inconclusive,
    }
}

/// Where something happens, and what.
type Place = (String, String);

fn describe(out: &mut String, warning: &Warning) {
    let headline = match warning.kind {
        "race" => format!("error[EP0116]: data race on {}", warning.about),
        "unprotected" => format!("warning[EP0119]: no lock protects {}", warning.about),
        _ => format!("warning[EP0120]: locks are taken in a circle: {}", warning.about),
    };
    let _ = writeln!(out, "{}", visible(&headline));
    for deed in &warning.deeds {
        let holds = match deed.holds.is_empty() {
            true => "no lock".to_owned(),
            false => deed.holds.join(" and "),
        };
        let deeds = format!("{} {}, holding {holds}", deed.thread, deed.does);
        let _ = writeln!(out, "  {}", visible(&deeds));
        let _ = writeln!(out, "      at {}", visible(&deed.at));
    }
    let runs = if warning.runs == 1 { String::new() } else { format!(", {} runs", warning.runs) };
    let _ = writeln!(out, "  seen with seed {}{runs}", warning.seed);
}
