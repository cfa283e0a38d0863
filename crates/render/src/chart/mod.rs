//! Message sequence charts: what is drawn, for every way of drawing it.

pub mod mermaid;
pub mod plantuml;
pub mod shiviz;
pub mod svg;
pub mod terminal;

use std::collections::BTreeMap;

use everypath_verdict::{Motion, Msg, Role, Trace, TraceStep, value_text};

/// The longest label in characters; a viewer shows more in a tooltip.
const LABEL: usize = 200;

/// A trace as a sequence of events on vertical lines.
pub struct Chart {
    /// The titles of the lines, from left to right.
    pub lanes: Vec<String>,
    /// The events from top to bottom.
    pub events: Vec<Event>,
    /// Events that were left out in the middle, and the position where they would be.
    pub left_out: Option<(usize, usize)>,
    /// The first event of the part that repeats for ever, and its steps.
    pub repeats: Option<(usize, u64, u64)>,
    /// Whether steps without messages were left out.
    pub messages_only: bool,
}

/// Something that happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// First and last step of it; `None` for what is the case at the end.
    pub steps: Option<(u64, u64)>,
    /// What it is.
    pub kind: Kind,
    /// A few words.
    pub label: String,
    /// Where it stands in the source, and its statement.
    pub place: String,
    /// Whether the property is violated here.
    pub failed: bool,
}

/// What an event is; lanes are positions in [`Chart::lanes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A message goes from one to the other.
    Pass {
        /// The sender.
        from: usize,
        /// The receiver.
        to: usize,
        /// Whether both move together; else the message went through a buffer.
        together: bool,
    },
    /// A message goes into a buffer.
    Send {
        /// The sender.
        from: usize,
        /// Who takes it out in the end.
        to: Option<usize>,
        /// Its number in the chart.
        number: usize,
        /// What becomes of it.
        fate: Fate,
    },
    /// A message that was sent before leaves the buffer, or is looked at.
    Receive {
        /// The receiver.
        to: usize,
        /// The sender, and the number of the message in the chart.
        sent: Option<(usize, usize)>,
        /// Whether the message stays in the buffer.
        peek: bool,
    },
    /// A step without a message.
    Local {
        /// Whose.
        lane: usize,
    },
    /// Waits at the end.
    Waits {
        /// Who.
        lane: usize,
    },
}

/// What becomes of a message in a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Somebody takes it.
    Received,
    /// It is still there at the end.
    Left,
    /// The buffer was full and lost it.
    Lost,
}

/// What of a trace is drawn.
pub struct Drawing<'a> {
    /// Which steps.
    pub keep: &'a dyn Fn(&TraceStep) -> bool,
    /// Steps without messages too.
    pub local: bool,
    /// Events; a longer chart is cut in the middle.
    pub most: usize,
}

impl Chart {
    /// The chart of a trace. A message is drawn if one of its ends is to be. Steps without messages
    /// are drawn on demand, if they matter to the violation, or if there are no messages at all.
    pub fn new(trace: &Trace, drawing: &Drawing<'_>) -> Chart {
        let partner = |msg: &Msg, of: u64| {
            let ends = [msg.sender, msg.receiver].into_iter().flatten();
            ends.filter(|&number| number != of)
                .map(|number| &trace.steps[number as usize - 1])
                .next()
        };
        let wanted = |step: &TraceStep| {
            (drawing.keep)(step)
                || step
                    .msg
                    .as_ref()
                    .and_then(|msg| partner(msg, step.i))
                    .is_some_and(|other| (drawing.keep)(other))
        };
        let any = trace.steps.iter().any(|step| step.msg.is_some() && wanted(step));
        let local = drawing.local || !any;
        let drawn: Vec<&TraceStep> = trace
            .steps
            .iter()
            .filter(|step| wanted(step))
            .filter(|step| local || step.msg.is_some() || step.role.is_some())
            .collect();
        let messages_only = trace.steps.iter().filter(|step| wanted(step)).count() > drawn.len();
        let mut builder = Builder::new(trace, &drawn);
        let mut events: Vec<Event> = Vec::new();
        for (position, step) in drawn.iter().enumerate() {
            events.extend(builder.event(position, step, &drawn));
        }
        for blocked in trace.end.blocked.iter().filter(|blocked| !blocked.valid_end) {
            let whole = trace
                .steps
                .iter()
                .any(|step| trace.lane_title(step) == blocked.process && (drawing.keep)(step));
            let moved = trace.lanes.iter().any(|lane| lane.title() == blocked.process);
            if moved && !whole {
                continue;
            }
            let at: Vec<&str> = blocked.at.iter().take(3).map(|at| at.text.as_str()).collect();
            events.push(Event {
                steps: None,
                kind: Kind::Waits { lane: builder.lane(&blocked.process) },
                label: short(&format!("waits: {}", at.join(" or "))),
                place: blocked.why.clone(),
                failed: false,
            });
        }
        let repeats = trace.loop_start.and_then(|start| {
            let inside = |event: &Event| event.steps.is_some_and(|steps| steps.0 > start);
            let first = events.iter().position(inside)?;
            Some((first, start + 1, trace.steps.len() as u64))
        });
        let mut chart =
            Chart { lanes: builder.lanes, events, left_out: None, repeats, messages_only };
        chart.cut(drawing.most);
        chart.keep_used_lanes(trace);
        chart
    }

    /// Leaves out events in the middle.
    fn cut(&mut self, most: usize) {
        let all = self.events.len();
        if all <= most {
            return;
        }
        let head = most / 3;
        let tail = all - (most - head);
        self.events.drain(head..tail);
        self.left_out = Some((head, tail - head));
        if let Some((first, _, _)) = &mut self.repeats {
            *first = if *first >= tail { *first - (tail - head) } else { (*first).min(head) };
        }
    }

    /// The lines in the order of the trace, without those on which nothing happens.
    fn keep_used_lanes(&mut self, trace: &Trace) {
        let order: BTreeMap<String, usize> =
            trace.lanes.iter().enumerate().map(|(i, lane)| (lane.title(), i)).collect();
        let mut used: Vec<usize> = self.events.iter().flat_map(Event::lanes).collect();
        used.sort_unstable();
        used.dedup();
        used.sort_by_key(|&lane| {
            order.get(&self.lanes[lane]).copied().unwrap_or(trace.lanes.len() + lane)
        });
        let mut place = vec![0; self.lanes.len()];
        for (new, &old) in used.iter().enumerate() {
            place[old] = new;
        }
        let named = |title: &String| match title.trim().is_empty() {
            true => "(no name)".to_owned(),
            false => title.clone(),
        };
        self.lanes = used.iter().map(|&old| named(&self.lanes[old])).collect();
        for event in &mut self.events {
            event.kind = event.kind.with(|lane| place[lane]);
        }
    }

    /// The words for the events that were left out.
    pub fn cut_note(&self, more: &str) -> Option<(usize, String)> {
        let (at, count) = self.left_out?;
        let (events, are) = if count == 1 { ("event", "is") } else { ("events", "are") };
        Some((at, format!("{count} {events} {are} left out; {more} shows all")))
    }

    /// Where the part that repeats begins, with a title.
    pub fn loop_note(&self) -> Option<(usize, String)> {
        let (first, from, to) = self.repeats?;
        Some((first, format!("repeats for ever: steps {from}-{to}")))
    }
}

impl Kind {
    fn with(self, place: impl Fn(usize) -> usize) -> Kind {
        match self {
            Kind::Pass { from, to, together } => {
                Kind::Pass { from: place(from), to: place(to), together }
            }
            Kind::Send { from, to, number, fate } => {
                Kind::Send { from: place(from), to: to.map(&place), number, fate }
            }
            Kind::Receive { to, sent, peek } => Kind::Receive {
                to: place(to),
                sent: sent.map(|(from, number)| (place(from), number)),
                peek,
            },
            Kind::Local { lane } => Kind::Local { lane: place(lane) },
            Kind::Waits { lane } => Kind::Waits { lane: place(lane) },
        }
    }
}

/// How an event looks where there is nothing but arrows and notes.
pub enum Shape {
    /// An arrow; sender and receiver may move together.
    Arrow {
        /// Where it begins.
        from: usize,
        /// Where it ends.
        to: usize,
        /// Whether both move together.
        together: bool,
    },
    /// A note at a line.
    Note {
        /// Whose line.
        lane: usize,
    },
}

impl Event {
    /// The event as an arrow or a note.
    pub fn shape(&self) -> Shape {
        match self.kind {
            Kind::Pass { from, to, together } => Shape::Arrow { from, to, together },
            Kind::Receive { to, sent: Some((from, _)), peek: false } if from != to => {
                Shape::Arrow { from, to, together: false }
            }
            Kind::Send { from: lane, .. }
            | Kind::Receive { to: lane, .. }
            | Kind::Local { lane }
            | Kind::Waits { lane } => Shape::Note { lane },
        }
    }

    /// What is written at the arrow or in the note.
    pub fn caption(&self) -> String {
        match self.kind {
            Kind::Send { .. } => format!("{}. sends {}", self.number(), self.words()),
            Kind::Waits { .. } => self.words(),
            _ => format!("{}. {}", self.number(), self.words()),
        }
    }

    /// The lanes that it touches.
    pub fn lanes(&self) -> Vec<usize> {
        match self.kind {
            Kind::Pass { from, to, .. } => vec![from, to],
            Kind::Send { from, to, .. } => [Some(from), to].into_iter().flatten().collect(),
            Kind::Receive { to, sent, .. } => {
                [Some(to), sent.map(|(from, _)| from)].into_iter().flatten().collect()
            }
            Kind::Local { lane } | Kind::Waits { lane } => vec![lane],
        }
    }

    /// `3`, or `3-4` for both halves of a message.
    pub fn number(&self) -> String {
        match self.steps {
            Some((first, last)) if first == last => first.to_string(),
            Some((first, last)) => format!("{first}-{last}"),
            None => String::new(),
        }
    }

    /// The label with what an arrow cannot show: which message, and what becomes of it.
    pub fn words(&self) -> String {
        let label = &self.label;
        match self.kind {
            Kind::Pass { .. } | Kind::Waits { .. } => label.clone(),
            Kind::Local { .. } if self.failed => format!("{label} FAILED"),
            Kind::Local { .. } => label.clone(),
            Kind::Send { number, fate: Fate::Received, .. } => format!("{label} ({number})"),
            Kind::Send { number, fate: Fate::Left, .. } => {
                format!("{label} ({number}, stays in the channel)")
            }
            Kind::Send { fate: Fate::Lost, .. } => format!("{label} (lost: the channel is full)"),
            Kind::Receive { sent, peek, .. } => {
                let looks = if peek { "looks at " } else { "" };
                match sent {
                    Some((_, number)) => format!("{looks}{label} ({number})"),
                    None => format!("{looks}{label}"),
                }
            }
        }
    }
}

/// Makes events of steps.
struct Builder<'a> {
    trace: &'a Trace,
    lanes: Vec<String>,
    positions: BTreeMap<String, usize>,
    /// For each drawn send, the drawn steps that take the message or look at it.
    takers: BTreeMap<u64, Vec<usize>>,
    numbers: BTreeMap<u64, usize>,
    /// A step that the event before shows.
    shown: Option<u64>,
}

impl<'a> Builder<'a> {
    fn new(trace: &'a Trace, drawn: &[&TraceStep]) -> Builder<'a> {
        let mut takers: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for (position, step) in drawn.iter().enumerate() {
            let msg = step.msg.as_ref().filter(|msg| msg.motion != Motion::Send);
            if let Some(sender) = msg.and_then(|msg| msg.sender) {
                takers.entry(sender).or_default().push(position);
            }
        }
        Builder {
            trace,
            lanes: Vec::new(),
            positions: BTreeMap::new(),
            takers,
            numbers: BTreeMap::new(),
            shown: None,
        }
    }

    fn lane(&mut self, title: &str) -> usize {
        if let Some(&known) = self.positions.get(title) {
            return known;
        }
        let lane = self.lanes.len();
        self.lanes.push(title.to_owned());
        self.positions.insert(title.to_owned(), lane);
        lane
    }

    fn lane_of(&mut self, step: &TraceStep) -> usize {
        self.lane(&self.trace.lane_title(step))
    }

    fn event(&mut self, position: usize, step: &TraceStep, drawn: &[&TraceStep]) -> Option<Event> {
        if self.shown == Some(step.i) {
            return None;
        }
        let lane = self.lane_of(step);
        let mut event = Event {
            steps: Some((step.i, step.i)),
            kind: Kind::Local { lane },
            label: short(&step.text),
            place: place(self.trace, step),
            failed: step.role == Some(Role::Failure),
        };
        let Some(msg) = &step.msg else { return Some(event) };
        event.label = message(msg);
        if msg.motion != Motion::Send {
            let sent = msg.sender.and_then(|sender| {
                let number = *self.numbers.get(&sender)?;
                let from = self.trace.steps.get(sender as usize - 1)?;
                Some((self.lane_of(from), number))
            });
            event.kind = Kind::Receive { to: lane, sent, peek: msg.motion == Motion::Peek };
            return Some(event);
        }
        let takers = self.takers.get(&step.i).cloned().unwrap_or_default();
        if let [taker] = takers[..]
            && taker == position + 1
            && drawn[taker].msg.as_ref().is_some_and(|msg| msg.motion == Motion::Receive)
        {
            let to = self.lane_of(drawn[taker]);
            self.shown = Some(drawn[taker].i);
            event.steps = Some((step.i, drawn[taker].i));
            event.place = format!("{}; {}", event.place, place(self.trace, drawn[taker]));
            if lane == to {
                event.label += " (to itself)";
            } else {
                event.kind = Kind::Pass { from: lane, to, together: msg.rendezvous };
            }
            return Some(event);
        }
        let number = self.numbers.len() + 1;
        self.numbers.insert(step.i, number);
        let received = takers.iter().copied().find(|&taker| {
            drawn[taker].msg.as_ref().is_some_and(|msg| msg.motion == Motion::Receive)
        });
        let to = received.map(|taker| self.lane_of(drawn[taker]));
        let fate = match msg.receiver.is_some() || to.is_some() {
            _ if msg.lost => Fate::Lost,
            true => Fate::Received,
            false => Fate::Left,
        };
        event.kind = Kind::Send { from: lane, to, number, fate };
        Some(event)
    }
}

/// `counter.pml:19: tmp = n`
fn place(trace: &Trace, step: &TraceStep) -> String {
    let line = trace.line(step.span);
    let text = short(&step.text);
    if step.span.is_nowhere() {
        return text.to_string();
    }
    match trace.model.sources.first() {
        Some(source) if step.span.file == 0 => {
            format!("{}:{line}: {text}", source.path)
        }
        _ => format!("{line}: {text}"),
    }
}

/// `req: REQ, 3`
pub fn message(msg: &Msg) -> String {
    let fields: Vec<String> = msg.payload.iter().take(LABEL).map(value_text).collect();
    match fields.is_empty() {
        true => short(&msg.channel),
        false => short(&format!("{}: {}", msg.channel, fields.join(", "))),
    }
}

/// Text of at most `LABEL` characters in one line.
fn short(text: &str) -> String {
    let mut short: String = text.chars().take(LABEL).collect();
    if short.len() < text.len() {
        short.push_str("...");
    }
    short
}
