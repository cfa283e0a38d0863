//! Deadlocks: what each process waits for, who could provide it, and who waits for whom in a circle.

use std::collections::VecDeque;
use std::fmt::Write;

use everypath_model::{
    Blocked, Deed, Need, Obstacle, Provider, Sources, Standing, Stranded, Value,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Explanation, Motion, Place, Trace, Values, json_value, value_text};

/// Processes that are named as providers before the rest is counted only.
const NAMED: usize = 3;
/// Processes of a circle that are named before the middle is left out.
const CIRCLE: usize = 8;

/// A process that waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BlockedLane {
    /// Name of the process.
    pub process: String,
    /// The statements that it stands before.
    pub at: Vec<BlockedAt>,
    /// Why none of them can be executed.
    pub why: String,
    /// Whether it may rest there.
    pub valid_end: bool,
    /// What is in the way of each statement, and who could take it away.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<BlockedNeed>,
}

/// A statement that cannot be executed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BlockedAt {
    /// Its place.
    pub span: Place,
    /// Its text.
    pub text: String,
}

/// What a statement waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BlockedNeed {
    /// The place of the statement.
    pub span: Place,
    /// Its text.
    pub text: String,
    /// What is in the way: `empty`, `mismatch`, `full`, `no-receiver`, `no-sender`, `gone`,
    /// `condition`, `provided`, `held` by another process, another process that is `alive`, `other`.
    pub obstacle: String,
    /// The channel or the lock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// The fields that a message must have, null for any value; the message that nobody takes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub message: Vec<serde_json::Value>,
    /// The messages in the channel.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contents: Vec<serde_json::Value>,
    /// The parts of the condition.
    #[serde(default, skip_serializing_if = "Values::is_empty")]
    pub values: Values,
    /// What is in the way, in words.
    pub why: String,
    /// Who could take it away, in words; empty if that cannot be told.
    pub who: String,
    /// The statements that could take it away.
    pub providers: Vec<NeedProvider>,
    /// Whether nobody else could.
    pub closed: bool,
}

/// A statement that could take an obstacle away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NeedProvider {
    /// The process that would execute it, or start the one that does; the name of what it would run
    /// if there is no such process.
    pub process: String,
    /// The place of the statement.
    pub span: Place,
    /// Its text.
    pub text: String,
    /// What it does: `sends`, `receives`, `writes`, `releases`, `ends`.
    pub deed: String,
    /// Whether it can come to that: `ahead`, `starts` another process that can, `itself`, `past`,
    /// `ended`, `absent`.
    pub standing: String,
}

impl NeedProvider {
    /// Whether another process can still execute the statement.
    pub fn can_act(&self) -> bool {
        self.standing == "ahead" || self.standing == "starts"
    }
}

/// The blocked processes of the last state, told with the help of the run that led there.
pub(crate) fn blocked_lanes(
    trace: &Trace,
    blocked: Vec<Blocked>,
    sources: &Sources,
) -> Vec<BlockedLane> {
    blocked
        .into_iter()
        .map(|process| {
            let teller = Teller { trace, sources, process: &process.process };
            BlockedLane {
                needs: process.needs.iter().map(|need| teller.need(need)).collect(),
                at: process
                    .at
                    .into_iter()
                    .map(|at| BlockedAt { span: Place::of(sources, at.span), text: at.text })
                    .collect(),
                why: process.why,
                valid_end: process.valid_end,
                process: process.process,
            }
        })
        .collect()
}

/// Finds the words for what one process waits for.
struct Teller<'a> {
    trace: &'a Trace,
    sources: &'a Sources,
    process: &'a str,
}

impl Teller<'_> {
    fn need(&self, need: &Need) -> BlockedNeed {
        let mut told = BlockedNeed {
            span: Place::of(self.sources, need.statement.span),
            text: need.statement.text.clone(),
            obstacle: String::new(),
            channel: None,
            message: Vec::new(),
            contents: Vec::new(),
            values: Values::new(),
            why: String::new(),
            who: String::new(),
            providers: need.providers.iter().map(|provider| self.provider(provider)).collect(),
            closed: need.closed,
        };
        let json = |values: &[Value]| values.iter().map(json_value).collect::<Vec<_>>();
        let fields = |fields: &[Option<Value>]| {
            let fields = fields.iter();
            fields.map(|f| f.as_ref().map_or(serde_json::Value::Null, json_value)).collect()
        };
        let (kind, why) = match &need.obstacle {
            Obstacle::Empty { channel, wanted } => {
                told.channel = Some(channel.clone());
                told.message = fields(wanted);
                ("empty", format!("{channel} is empty"))
            }
            Obstacle::Mismatch { channel, wanted, contents, first_only } => {
                told.channel = Some(channel.clone());
                told.message = fields(wanted);
                told.contents = json(contents);
                let wanted = message_text(&told.message);
                let why = match (first_only, told.contents.first()) {
                    (true, Some(first)) => {
                        format!("the first message in {channel} is {}", value_text(first))
                    }
                    _ => {
                        let list = told.contents.iter().map(value_text).collect::<Vec<_>>();
                        format!("no {wanted} in {channel}, which holds [{}]", list.join(", "))
                    }
                };
                ("mismatch", why)
            }
            Obstacle::Full { channel, contents } => {
                told.channel = Some(channel.clone());
                told.contents = json(contents);
                let list = told.contents.iter().map(value_text).collect::<Vec<_>>().join(", ");
                ("full", format!("{channel} is full: [{list}]"))
            }
            Obstacle::NoReceiver { channel, message } => {
                told.channel = Some(channel.clone());
                told.message = json(message);
                ("no-receiver", format!("nobody is ready to receive from {channel}"))
            }
            Obstacle::NoSender { channel, wanted } => {
                told.channel = Some(channel.clone());
                told.message = fields(wanted);
                ("no-sender", format!("nobody is ready to send on {channel}"))
            }
            Obstacle::Gone { channel } => {
                told.channel = Some(channel.clone());
                let why = format!("the channel {channel} is gone: its owner has ended");
                ("gone", why)
            }
            Obstacle::Condition { values } => {
                let why = self.values(&mut told, values);
                ("condition", why)
            }
            Obstacle::Held { lock, holder } => {
                told.channel = Some(lock.clone());
                let taken = self.taken(lock, holder).map(|at| &self.trace.steps[at]);
                let since = taken.map_or(String::new(), |step| {
                    let line = match step.span.is_nowhere() {
                        true => String::new(),
                        false => format!(", line {}", self.trace.line(step.span)),
                    };
                    format!(" since step {}{line}", step.i)
                });
                ("held", format!("{holder} holds {lock}{since}"))
            }
            Obstacle::Alive { process } => ("alive", format!("{process} has not ended")),
            Obstacle::Provided { values } => {
                let why = self.values(&mut told, values);
                let why = if why.is_empty() { why } else { format!(": {why}") };
                ("provided", format!("its provided clause is false{why}"))
            }
            Obstacle::Other => ("other", String::new()),
        };
        told.obstacle = kind.to_owned();
        told.why = why;
        told.who = self.who(&told);
        told
    }

    /// `x is 1 since step 3, y is 0`; the values go into the document.
    fn values(&self, told: &mut BlockedNeed, values: &[(String, Value)]) -> String {
        let mut parts = Vec::new();
        for (name, value) in values {
            let value = json_value(value);
            let mut part = format!("{name} is {}", value_text(&value));
            // Its own variables it wrote itself.
            if let Some(at) = self.trace.last_write(name, self.trace.steps.len())
                && self.trace.steps[at].set[name] == value
            {
                let step = &self.trace.steps[at];
                let _ = write!(part, " since step {}", step.i);
                let writer = self.trace.lane_title(step);
                if writer != self.process {
                    let _ = write!(part, " ({writer})");
                }
            }
            told.values.insert(name.clone(), value);
            parts.push(part);
        }
        parts.join(", ")
    }

    fn provider(&self, provider: &Provider) -> NeedProvider {
        NeedProvider {
            process: provider.process.clone(),
            span: Place::of(self.sources, provider.statement.span),
            text: provider.statement.text.clone(),
            deed: match provider.deed {
                Deed::Sends => "sends",
                Deed::Receives => "receives",
                Deed::Writes => "writes",
                Deed::Releases => "releases",
                Deed::Ends => "ends",
            }
            .to_owned(),
            standing: match provider.standing {
                Standing::Ahead => "ahead",
                Standing::Starts => "starts",
                Standing::Itself => "itself",
                Standing::Past => "past",
                Standing::Ended => "ended",
                Standing::Absent => "absent",
            }
            .to_owned(),
        }
    }

    /// The step in which a process took a lock that it still holds.
    fn taken(&self, lock: &str, holder: &str) -> Option<usize> {
        let steps = &self.trace.steps;
        let last = steps.iter().rposition(|step| step.takes.iter().any(|name| name == lock))?;
        (self.trace.lane_title(&steps[last]) == holder).then_some(last)
    }

    /// Who could take the obstacle away, in words.
    fn who(&self, need: &BlockedNeed) -> String {
        if matches!(need.obstacle.as_str(), "held" | "alive") {
            // Why says it already.
            return String::new();
        }
        let (one, many, infinitive) = self.verbs(need);
        let acting: Vec<&NeedProvider> = need.providers.iter().filter(|p| p.can_act()).collect();
        if !acting.is_empty() {
            let names = self.names(&acting);
            return match names.as_slice() {
                [name] if need.closed => format!("only {name} {one}"),
                [name] => format!("{name} {one}"),
                [name, other] if need.closed => format!("only {name} and {other} {many}"),
                _ => format!("{} {many}", listed(&names, "and")),
            };
        }
        if !need.closed {
            return String::new();
        }
        let itself: Vec<&NeedProvider> =
            need.providers.iter().filter(|p| p.standing == "itself").collect();
        if !itself.is_empty() {
            return format!("only {} itself {one}", self.names(&itself)[0]);
        }
        let gone = self.gone(&need.providers);
        let nobody = match need.obstacle.as_str() {
            "no-receiver" | "no-sender" => "and nobody can be".to_owned(),
            _ => format!("nobody can {infinitive}"),
        };
        match gone.is_empty() {
            true => nobody,
            false => format!("{nobody} any more: {gone}"),
        }
    }

    /// Why statements cannot be executed any more.
    fn gone(&self, providers: &[NeedProvider]) -> String {
        let ran = |p: &NeedProvider| self.trace.lanes.iter().any(|lane| lane.name == p.process);
        let fate = |p: &NeedProvider| match p.standing.as_str() {
            "past" => "can no longer come there",
            "absent" if !ran(p) => "was never started",
            _ => "has ended",
        };
        let mut gone: Vec<String> = Vec::new();
        for tail in ["can no longer come there", "has ended", "was never started"] {
            let lost: Vec<&NeedProvider> = providers.iter().filter(|p| fate(p) == tail).collect();
            if let Some((name, more)) = self.names(&lost).split_first() {
                let more = match more.len() {
                    0 => String::new(),
                    n => format!(" (and {n} more)"),
                };
                gone.push(format!("{name}{more} {tail}"));
            }
        }
        gone.join(", ")
    }

    /// What a provider does: with one, with many, and after `can`.
    fn verbs(&self, need: &BlockedNeed) -> (String, String, String) {
        let message = message_text(&need.message);
        let (one, many, object) = match need.obstacle.as_str() {
            "empty" | "no-sender" if !message.is_empty() => ("sends", "send", message),
            "empty" | "no-sender" => ("sends to it", "send to it", String::new()),
            "mismatch" if need.why.starts_with("no ") => ("sends", "send", "it".to_owned()),
            "mismatch" => ("takes", "take", "it out".to_owned()),
            "full" => ("receives", "receive", "from it".to_owned()),
            "no-receiver" => ("receives", "receive", "from it".to_owned()),
            _ => ("can change", "can change", "that".to_owned()),
        };
        let phrase = |verb: &str| format!("{verb} {object}").trim_end().to_owned();
        let infinitive = phrase(many.strip_prefix("can ").unwrap_or(many));
        (phrase(one), phrase(many), infinitive)
    }

    /// `Server:14`, one for each process, with its lines.
    fn names(&self, providers: &[&NeedProvider]) -> Vec<String> {
        let mut by_process: Vec<((&str, bool), Vec<String>)> = Vec::new();
        for provider in providers {
            let key = (provider.process.as_str(), provider.standing == "starts");
            let line = self.trace.line(provider.span);
            match by_process.iter_mut().find(|(known, _)| *known == key) {
                Some((_, lines)) if lines.contains(&line) => {}
                Some((_, lines)) => lines.push(line),
                None => by_process.push((key, vec![line])),
            }
        }
        by_process
            .into_iter()
            .map(|((process, starts), lines)| {
                let more = if lines.len() > NAMED { ",..." } else { "" };
                let lines = lines[..lines.len().min(NAMED)].join(",");
                match starts {
                    true => format!("a process that {process} can start (line {lines}{more})"),
                    false => format!("{process}:{lines}{more}"),
                }
            })
            .collect()
    }
}

/// Messages that a process sent before it came to wait, and that nobody can receive any more.
pub(crate) fn stranded_messages(
    trace: &Trace,
    stranded: &[Stranded],
    sources: &Sources,
) -> Vec<Explanation> {
    let mut found = Vec::new();
    for one in stranded {
        let unread = trace.steps.iter().rev().find(|step| {
            let msg = step.msg.as_ref();
            msg.is_some_and(|msg| {
                let sent = msg.motion == Motion::Send && msg.receiver.is_none() && !msg.lost;
                sent && msg.channel == one.channel
            })
        });
        let Some((step, msg)) = unread.and_then(|step| Some((step, step.msg.as_ref()?))) else {
            continue;
        };
        let sender = trace.lane_title(step);
        if !trace.end.blocked.iter().any(|lane| lane.process == sender && !lane.valid_end) {
            continue;
        }
        let teller = Teller { trace, sources, process: &sender };
        let receivers: Vec<NeedProvider> =
            one.receivers.iter().map(|receiver| teller.provider(receiver)).collect();
        let gone = teller.gone(&receivers);
        let gone = if gone.is_empty() { gone } else { format!(": {gone}") };
        let text = format!(
            "{sender} sent {} to {} at step {}, where nobody can receive it{}{gone}",
            message_text(&msg.payload),
            one.channel,
            step.i,
            if gone.is_empty() { "" } else { " any more" }
        );
        found.push(Explanation {
            kind: "stranded-message".to_owned(),
            steps: vec![step.i],
            variable: Some(one.channel.clone()),
            processes: Vec::new(),
            text,
        });
        if found.len() == NAMED {
            break;
        }
    }
    found
}

/// `ACK`, `[ACK, _]`, or nothing if any message will do.
fn message_text(fields: &[serde_json::Value]) -> String {
    if fields.iter().all(serde_json::Value::is_null) {
        return String::new();
    }
    let text = |field: &serde_json::Value| match field.is_null() {
        true => "_".to_owned(),
        false => value_text(field),
    };
    match fields {
        [one] => text(one),
        many => format!("[{}]", many.iter().map(text).collect::<Vec<_>>().join(", ")),
    }
}

/// `a, b and 3 more`
fn listed(names: &[String], word: &str) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] if names.len() <= NAMED => {
            format!("{} {word} {last}", first.join(", "))
        }
        _ => format!("{} {word} {} more", names[..NAMED - 1].join(", "), names.len() + 1 - NAMED),
    }
}

/// A circle of processes that wait for each other: the shortest one, of processes that should move
/// rather than of such as may rest.
pub(crate) fn wait_cycle(trace: &Trace) -> Option<Explanation> {
    let blocked = &trace.end.blocked;
    // Who waits for whom, and for what.
    let waits: Vec<Vec<(usize, &BlockedNeed)>> = blocked
        .iter()
        .map(|lane| {
            let mut found: Vec<(usize, &BlockedNeed)> = Vec::new();
            for need in &lane.needs {
                for provider in need.providers.iter().filter(|p| p.can_act()) {
                    let other = blocked.iter().position(|b| b.process == provider.process);
                    if let Some(other) = other
                        && blocked[other].process != lane.process
                        && !found.iter().any(|(known, _)| *known == other)
                    {
                        found.push((other, need));
                    }
                }
            }
            found
        })
        .collect();
    // First a circle of those who should move.
    let busy = |i: usize| !blocked[i].valid_end;
    let all = 0..blocked.len();
    let starts = all.clone().filter(|&i| busy(i));
    let cycle = starts
        .filter_map(|start| shortest_cycle(&waits, start, &busy))
        .min_by_key(Vec::len)
        .or_else(|| {
            all.filter_map(|start| shortest_cycle(&waits, start, &|_| true)).min_by_key(Vec::len)
        })?;
    let parts: Vec<String> = (0..cycle.len())
        .map(|i| {
            let (from, need) = cycle[i];
            let to = cycle[(i + 1) % cycle.len()].0;
            let what = subject(trace, need);
            let what = if what.is_empty() { what } else { format!(" ({what})") };
            format!("{} waits for {}{what}", blocked[from].process, blocked[to].process)
        })
        .collect();
    let mut text = parts.join(", ");
    if parts.len() > CIRCLE {
        let half = CIRCLE / 2;
        let left_out = parts.len() - 2 * half;
        let (head, tail) = (&parts[..half], &parts[parts.len() - half..]);
        text = format!("{}, ({left_out} more), {}", head.join(", "), tail.join(", "));
    }
    Some(Explanation {
        kind: "wait-cycle".to_owned(),
        steps: Vec::new(),
        variable: None,
        processes: cycle.iter().map(|&(i, _)| blocked[i].process.clone()).collect(),
        text,
    })
}

/// What a need is about: a channel, or the variables that are not its own.
fn subject(trace: &Trace, need: &BlockedNeed) -> String {
    match &need.channel {
        Some(channel) => channel.clone(),
        None => {
            let shared = need.values.keys().filter(|name| trace.init.contains_key(*name));
            shared.cloned().collect::<Vec<_>>().join(", ")
        }
    }
}

/// The shortest way from a process back to itself through some others, each with the need that
/// leads on.
fn shortest_cycle<'a>(
    waits: &[Vec<(usize, &'a BlockedNeed)>],
    start: usize,
    through: &dyn Fn(usize) -> bool,
) -> Option<Vec<(usize, &'a BlockedNeed)>> {
    let mut before: Vec<Option<(usize, &BlockedNeed)>> = vec![None; waits.len()];
    let mut open = VecDeque::from([start]);
    while let Some(at) = open.pop_front() {
        for &(to, need) in &waits[at] {
            if to == start {
                let mut cycle = vec![(at, need)];
                let mut back = at;
                while let Some((from, need)) = before[back] {
                    cycle.push((from, need));
                    back = from;
                }
                cycle.reverse();
                return Some(cycle);
            }
            if before[to].is_none() && through(to) {
                before[to] = Some((at, need));
                open.push_back(to);
            }
        }
    }
    None
}
