//! A run told in sentences.

use std::fmt::Write;

use everypath_verdict::{Motion, Msg, Role, Trace, TraceStep, Values, apply, value_text};
use serde_json::Value;

use super::reasons::reasons;
use super::style::Style;
use super::units::plural;
use super::wrap::wrapped_at;

/// Sentences before the story is cut in the middle.
const SENTENCES: usize = 60;
/// The longest value or statement in a sentence.
const LONGEST: usize = 80;

/// Appends what happens in a run: the steps with these numbers, in order.
pub fn render(out: &mut String, style: &Style, trace: &Trace, chosen: &[u64]) {
    let steps = trace.steps.len() as u64;
    let shown = chosen.len() as u64;
    let heading = match steps - shown {
        0 if steps == 0 => "It is so in the initial state already.".to_owned(),
        0 => format!("What happens, in {}:", plural(steps, "step", "steps")),
        rest => format!(
            "What happens, in the {shown} of {steps} steps that it depends on ({}):",
            if rest == 1 {
                "--all tells the other one too".to_owned()
            } else {
                format!("--all tells the other {rest} too")
            }
        ),
    };
    wrapped_at(out, style, (0, 2), &heading);
    let cut = (chosen.len() > SENTENCES && steps > shown || chosen.len() > 10 * SENTENCES)
        .then(|| (SENTENCES / 3, chosen.len() - SENTENCES * 2 / 3));
    let mut values = trace.init.clone();
    let mut wanted = chosen.iter().enumerate().peekable();
    let mut told = None;
    for step in &trace.steps {
        if let Some((i, _)) = wanted.next_if(|(_, number)| **number == step.i) {
            let hidden = cut.is_some_and(|(head, tail)| i >= head && i < tail);
            if let Some((head, tail)) = cut.filter(|(head, _)| i == *head) {
                let _ = writeln!(out, "   ...  {} steps are left out", tail - head);
            }
            if !hidden && told != Some(step.i) {
                told = partner(step).filter(|_| i + 1 < chosen.len());
                let number = match told {
                    Some(other) => format!("{}-{other}", step.i),
                    None => step.i.to_string(),
                };
                let sentence = sentence(style, trace, step, &values, told);
                wrapped_at(out, style, (0, 8), &format!("{number:>6}  {sentence}"));
            }
        }
        if trace.loop_start == Some(step.i) {
            out.push_str("        From here on the run repeats for ever.\n");
        }
        apply(&mut values, step);
    }
    reasons(out, style, trace);
}

/// The other half of a message that is handed over, if it is the next step.
fn partner(step: &TraceStep) -> Option<u64> {
    let msg = step.msg.as_ref().filter(|msg| msg.rendezvous && msg.motion == Motion::Send)?;
    msg.receiver.filter(|&receiver| receiver == step.i + 1)
}

/// What one step does, in words.
fn sentence(
    style: &Style,
    trace: &Trace,
    step: &TraceStep,
    before: &Values,
    told: Option<u64>,
) -> String {
    let who = trace.lane_title(step);
    let line = match step.span.is_nowhere() {
        true => String::new(),
        false => format!(" (line {})", trace.line(step.span)),
    };
    let statement = style.clip(&style.brief(&step.text), LONGEST);
    if step.role == Some(Role::Failure) {
        return format!("{who} comes to `{statement}`, which fails{line}");
    }
    let mut parts = Vec::new();
    if let Some(msg) = &step.msg {
        parts.push(message(trace, step, msg, told));
    }
    let (shared, own, started) = changes(trace, step, before);
    if step.msg.is_none() {
        parts.extend(shared);
    }
    parts.extend(started);
    parts.extend(step.takes.iter().map(|lock| format!("takes {lock}")));
    parts.extend(step.releases.iter().map(|lock| format!("releases {lock}")));
    parts.extend(step.deeds.iter().filter(|deed| !deed.starts_with("in ")).cloned());
    let reads: Vec<String> =
        step.reads.iter().take(10).map(|(name, v)| format!("{name} is {}", brief(v))).collect();
    let reads = reads.join(", ");
    let compares = step.text.contains(['=', '<', '>', '!', '&', '|']);
    let guard = step.set.is_empty() && (compares || !reads.is_empty());
    let text = match (parts.is_empty(), own.is_empty(), reads.is_empty()) {
        (true, true, true) if guard => format!("passes `{statement}`"),
        (true, true, true) => format!("does `{statement}`"),
        (true, true, false) if guard => format!("passes `{statement}`, since {reads}"),
        (true, true, false) => format!("does `{statement}` while {reads}"),
        (true, false, true) => own.join(" and "),
        (true, false, false) => format!("sees that {reads} and {}", own.join(" and ")),
        (false, true, _) => parts.join(" and "),
        (false, false, _) => format!("{}; it {}", parts.join(" and "), own.join(" and ")),
    };
    let printed = match step.output.is_empty() {
        true => String::new(),
        false => format!(" and prints {}", brief(&Value::from(step.output.trim_end()))),
    };
    format!("{who} {text}{printed}{line}")
}

/// A message in words.
fn message(trace: &Trace, step: &TraceStep, msg: &Msg, told: Option<u64>) -> String {
    let fields: Vec<String> = msg.payload.iter().take(10).map(brief).collect();
    let what = match fields.is_empty() {
        true => "a message".to_owned(),
        false => fields.join(", "),
    };
    let channel = &msg.channel;
    let who = |number: u64| trace.lane_title(&trace.steps[number as usize - 1]);
    match msg.motion {
        Motion::Send if msg.rendezvous => match told.or(msg.receiver) {
            Some(receiver) => format!("hands {what} to {} through {channel}", who(receiver)),
            None => format!("hands {what} over through {channel}"),
        },
        Motion::Send if msg.lost => {
            format!("sends {what} to {channel}, which is full and loses it")
        }
        Motion::Send => match msg.receiver {
            Some(receiver) => {
                format!("sends {what} to {channel}, for {} at step {receiver}", who(receiver))
            }
            None => format!("sends {what} to {channel}, where it stays"),
        },
        Motion::Receive | Motion::Peek => {
            let verb = if msg.motion == Motion::Peek { "looks at" } else { "receives" };
            match msg.sender.filter(|&sender| sender != step.i) {
                Some(sender) => {
                    format!(
                        "{verb} {what} from {channel}, which {} sent at step {sender}",
                        who(sender)
                    )
                }
                None => format!("{verb} {what} from {channel}"),
            }
        }
    }
}

/// What a step writes: what is shared, what is its own, and which processes it starts.
fn changes(
    trace: &Trace,
    step: &TraceStep,
    before: &Values,
) -> (Vec<String>, Vec<String>, Vec<String>) {
    let prefix = format!("{}.", trace.lane_title(step));
    let (mut shared, mut own, mut started) = (Vec::new(), Vec::new(), Vec::<String>::new());
    for (name, now) in step.set.iter().filter(|(_, now)| !now.is_null()).take(20) {
        let old = before.get(name);
        match (name.strip_prefix(&prefix), old) {
            (Some(_), Some(old)) if old == now => {}
            (Some(local), _) => own.push(format!("sets its {local} to {}", brief(now))),
            (None, Some(old)) if old == now => {
                shared.push(format!("sets {name} to {} again", brief(now)));
            }
            (None, Some(old)) => {
                shared.push(format!("changes {name} from {} to {}", brief(old), brief(now)));
            }
            // Objects and classes came; which threads start is told by the step.
            (None, None) if !step.stack.is_empty() || !step.deeds.is_empty() => {}
            (None, None) => match name.split_once('.') {
                Some((process, _)) => {
                    let text = format!("starts {process}");
                    if !started.contains(&text) {
                        started.push(text);
                    }
                }
                None => shared.push(format!("sets {name} to {}", brief(now))),
            },
        }
    }
    (shared, own, started)
}

/// A value of limited length.
fn brief(shown: &Value) -> String {
    let text = value_text(shown);
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text,
    }
}
