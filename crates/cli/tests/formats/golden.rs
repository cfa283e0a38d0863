//! What each format looks like, for a violation and for a run without one.

use std::path::Path;

use everypath::checking::Checking;
use everypath_cli::render::full::{Detail, TraceDetail, Verbosity};
use everypath_cli::render::style::Style;
use everypath_cli::render::{Checked, Page, each, last};
use everypath_render::Format;
use everypath_verdict::{Exit, Policy};
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::{self, Counter};
use crate::{check, models};

/// Version and memory differ from machine to machine.
fn golden(format: Format, atomic: bool) -> String {
    let counter = Counter::new(atomic);
    let mut result = support::check(&counter, &Checking::plain(), vec![]);
    let stats = result.stats.as_mut().unwrap();
    (stats.bytes, stats.bytes_per_state) = (2100, 50.0);
    let policy = Policy::default();
    let all = [Checked { result, sources: counter.sources.clone(), policy, trail: None }];
    let detail = Detail {
        trace: TraceDetail::Delta,
        traces: 1,
        verbosity: Verbosity::Normal,
        policy,
        kept: true,
        memory: None,
    };
    let style = Style { color: false, ascii: false, width: 120 };
    let page = Page {
        style,
        detail: &detail,
        base: Path::new("/nowhere"),
        codes: everypath::codes::describe,
    };
    let exit = if atomic { Exit::Ok } else { Exit::Violation };
    let text = each(format, &page, true, &all[0]) + &last(format, &page, &all, exit);
    match format {
        Format::Sarif | Format::Gitlab => {
            let value: Value = serde_json::from_str(&text).unwrap();
            let version = format!("\"{}\"", env!("CARGO_PKG_VERSION"));
            format!("{value:#}\n").replace(&version, "\"VERSION\"")
        }
        _ => text,
    }
}

#[test]
fn golden_documents() {
    for (format, name) in [
        (Format::Sarif, "sarif"),
        (Format::Junit, "junit"),
        (Format::Github, "github"),
        (Format::Gitlab, "gitlab"),
    ] {
        assert_snapshot!(format!("{name}_violation"), golden(format, false));
        assert_snapshot!(format!("{name}_passing"), golden(format, true));
    }
}

#[test]
fn golden_events() {
    let project = models();
    for (name, file) in [("jsonl_violation", "violated.pml"), ("jsonl_passing", "holds.pml")] {
        let (_, out) = check(&project, &[file], "jsonl");
        let mut text = String::new();
        for line in out.lines() {
            let mut event: Value = serde_json::from_str(line).unwrap();
            event["time_s"] = json!("TIME");
            for part in ["tool", "argv", "result"] {
                if let Some(value) = event.get_mut(part) {
                    *value = json!(part.to_uppercase());
                }
            }
            text += &format!("{event}\n");
        }
        assert_snapshot!(name, text);
    }
}
