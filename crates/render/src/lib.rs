//! From result documents to text and files of every format.
//!
//! Every renderer sees the [`RunResult`] and the sources, nothing else: what one format says, the
//! others can say too. [`each`] and [`last`] are the way in; traces have pictures in [`chart`], tables
//! in [`table`] and sentences in [`story`].
//!
//! The crate knows no language, no engine and no option of a command line, and writes to no file.

pub mod chart;
pub mod concise;
pub mod diff;
pub mod effect;
pub mod expected;
pub mod finding;
pub mod fold;
mod format;
pub mod full;
pub mod github;
pub mod gitlab;
pub mod itf;
pub mod json;
pub mod junit;
pub mod onward;
pub mod reasons;
pub mod sarif;
pub mod scope;
pub mod snippet;
pub mod steps;
pub mod story;
pub mod style;
pub mod table;
pub mod units;
pub mod wrap;

use std::path::Path;

use everypath_model::Sources;
use everypath_verdict::{Exit, Policy, RunResult, Verdict, Word};

pub use format::Format;
use full::Detail;
use style::Style;

/// A result with the texts that its places are in.
#[derive(Clone)]
pub struct Checked {
    /// The result.
    pub result: RunResult,
    /// The texts.
    pub sources: Sources,
    /// How its verdicts become an exit code.
    pub policy: Policy,
    /// The first violation as a trail for SPIN, if that was asked for.
    pub trail: Option<String>,
}

/// What a text is made for.
pub struct Page<'a> {
    /// Its layout.
    pub style: Style,
    /// How much is said; the policy of each result stands with the result.
    pub detail: &'a Detail,
    /// The directory that relative paths start from.
    pub base: &'a Path,
    /// What a code means: its title and its explanation.
    pub codes: fn(&str) -> Option<(&'static str, &'static str)>,
}

/// What a format says about one input as soon as it is known; nothing if it is one document.
pub fn each(format: Format, page: &Page<'_>, first: bool, checked: &Checked) -> String {
    let mut out = String::new();
    let Checked { result, sources, policy, trail } = checked;
    match format {
        Format::Full => {
            let detail = Detail { policy: *policy, ..*page.detail };
            full::render(&mut out, &page.style, &detail, result, sources);
            if !first && !out.is_empty() {
                out.insert(0, '\n');
            }
        }
        Format::Concise => concise::render(&mut out, &page.style, result, sources),
        Format::Github => github::annotations(&mut out, page, checked),
        Format::Trail => out.push_str(trail.as_deref().unwrap_or_default()),
        // Events are sent by themselves.
        Format::Jsonl => {}
        Format::Json | Format::Sarif | Format::Junit | Format::Gitlab => {}
    }
    out
}

/// What a format says when all inputs are done: the document, or the sum of it all.
pub fn last(format: Format, page: &Page<'_>, all: &[Checked], exit: Exit) -> String {
    match format {
        Format::Full if all.len() > 1 => {
            let text = format!("{}{}", tally(all), failed(&page.style, all));
            let mut out = String::from("\n");
            wrap::wrapped_at(&mut out, &page.style, (0, 2), &text);
            out.truncate(out.trim_end().len());
            let last = out.rsplit('\n').next().map_or(0, style::columns);
            let exit = format!("(exit {})", exit.code());
            let gap = if last + GAP.len() + exit.len() <= page.style.width { GAP } else { "\n  " };
            out + gap + &exit + "\n"
        }
        Format::Github => format!("everypath: {}{}\n", tally(all), failed(&page.style, all)),
        Format::Full | Format::Concise | Format::Jsonl | Format::Trail => String::new(),
        Format::Json => json::render(all.iter().map(|checked| &checked.result)),
        Format::Sarif => sarif::render(page, all, exit),
        Format::Junit => junit::render(page, all),
        Format::Gitlab => gitlab::render(page, all),
    }
}

/// Gap before the exit code.
const GAP: &str = "     ";
/// Inputs that the last line names before the rest is counted only.
const NAMED: usize = 3;

/// Whether an input is violated, and all of that was expected.
fn is_as_expected(checked: &Checked) -> bool {
    let result = &checked.result;
    let mut violated = result.properties.iter().filter(|one| one.verdict == Verdict::Violated);
    result.verdict == Verdict::Violated && violated.all(|one| expected::is_expected(result, one))
}

/// Which inputs are not as they should be, and why: `; failed: a.pml (n is 1)`.
fn failed(style: &Style, all: &[Checked]) -> String {
    let mut named = Vec::new();
    let mut more = 0;
    for Checked { result, policy, .. } in all {
        let Some(why) = expected::failure(result, policy) else { continue };
        match named.len() < NAMED {
            true => {
                let path = finding::main_path(result);
                named.push(format!("{} ({why})", result.test.as_deref().unwrap_or(path)));
            }
            false => more += 1,
        }
    }
    if named.is_empty() {
        return String::new();
    }
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    style.brief(&format!("; failed: {}{more}", named.join(", "))).into_owned()
}

/// `3 files: 1 violated, 2 holds`
pub fn tally(all: &[Checked]) -> String {
    let counts: Vec<String> = Word::ALL
        .into_iter()
        .rev()
        .filter_map(|word| {
            let of_word = || all.iter().filter(|checked| checked.result.verdict.word() == word);
            let count = of_word().count();
            let expected = of_word().filter(|checked| is_as_expected(checked)).count();
            let expected = match expected {
                0 => String::new(),
                all if all == count => " as expected".to_owned(),
                some => format!(" ({some} as expected)"),
            };
            (count > 0).then(|| format!("{count} {word}{expected}"))
        })
        .collect();
    let tests = all.iter().all(|checked| checked.result.test.is_some());
    let (one, many) = if tests { ("test", "tests") } else { ("file", "files") };
    format!("{}: {}", units::plural(all.len() as u64, one, many), counts.join(", "))
}
