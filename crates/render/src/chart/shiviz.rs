//! The steps of a trace with vector clocks, as ShiViz and its relatives read them.
//!
//! Each event takes two lines: the process with its clock, and the words. ShiViz finds them with
//! `(?<host>\S*) (?<clock>{.*})\n(?<event>.*)`.

use std::collections::BTreeMap;
use std::fmt::Write;

use everypath_verdict::{Motion, Trace, TraceStep};

use crate::json;
use crate::style::Style;

type Clock = BTreeMap<String, u64>;

/// The log of the steps to keep. Clocks know the order within a process and through messages.
pub fn render(trace: &Trace, keep: &dyn Fn(&TraceStep) -> bool) -> String {
    let style = Style { color: false, ascii: false, width: 80 };
    let hosts: Vec<String> = trace.lanes.iter().map(|lane| host(&lane.title())).collect();
    let mut clocks: Vec<Clock> = vec![Clock::new(); hosts.len()];
    let mut sent: BTreeMap<u64, Clock> = BTreeMap::new();
    let mut out = String::new();
    for step in trace.steps.iter().filter(|step| keep(step)) {
        let lane = step.lane as usize;
        let arrived = match &step.msg {
            Some(msg) if msg.motion != Motion::Send => msg.sender.and_then(|at| sent.get(&at)),
            _ => None,
        };
        for (host, &time) in arrived.into_iter().flatten() {
            let known = clocks[lane].entry(host.clone()).or_default();
            *known = time.max(*known);
        }
        *clocks[lane].entry(hosts[lane].clone()).or_default() += 1;
        if step.msg.as_ref().is_some_and(|msg| msg.motion == Motion::Send) {
            sent.insert(step.i, clocks[lane].clone());
        }
        let clock = json::line(&clocks[lane]).trim_end().to_owned();
        let text = style.brief(&step.text);
        let _ = writeln!(out, "{} {clock}", hosts[lane]);
        let _ = writeln!(out, "{}. {}", step.i, trace.statement(step.span, &text));
    }
    out
}

/// A name without blanks.
fn host(title: &str) -> String {
    let style = Style { color: false, ascii: false, width: 80 };
    let name: String =
        style.brief(title).chars().map(|c| if c.is_whitespace() { '_' } else { c }).collect();
    if name.is_empty() { "_".to_owned() } else { name }
}
