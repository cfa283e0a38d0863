//! `everypath show`: a trace, in one of many forms.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use everypath_model::{Sources, Value, most_similar, shown};
use everypath_verdict::{Exit, Place, Role, Trace, TraceStep, Watch, apply, value_text};

use crate::args::LayoutArgs;
use crate::config::Environment;
use crate::evidence::{self, Found};
use crate::outlet::guarded;
use crate::render::chart::{Chart, Drawing, mermaid, plantuml, shiviz, svg, terminal};
use crate::render::full::{self};
use crate::render::reasons::reasons;
use crate::render::scope::scope_line;
use crate::render::snippet::{headline, snippet};
use crate::render::style::{Paint, Style, columns, pad};
use crate::render::table::{View, Watched};
use crate::render::wrap::wrapped;
use crate::render::{itf, json, steps};
use crate::{print, runs, tell, tell_lines};

/// Events of a chart in the terminal before it is cut in the middle.
const CHART_EVENTS: usize = 60;
/// Events of a chart in a file.
const FILE_EVENTS: usize = 1000;
/// Other traces that are named.
const OTHERS: usize = 5;

const EXAMPLES: &str = "\
Examples:
  everypath show                            the shortest trace of the last run
  everypath show last:2 --full              its second trace, every row
  everypath show 17:deadlock --format chart a message sequence chart
  everypath show trace.json -o chart.svg    the format follows the name of the file
  everypath show --watch 'len(q) > 1' --lane Client
  everypath show --state end                all values at the end

A trace is named by `last`, the number of a run, or -2 for the last run but one, followed by a colon
and the number or the property of the trace if there are several; or by a file with a trace or a
result; or by `-` for the standard input.";

/// Arguments of `show`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ShowArgs {
    /// Which trace
    #[arg(value_name = "TRACE", default_value = "last", allow_hyphen_values = true)]
    pub trace: String,

    /// List all runs
    #[arg(long)]
    pub list: bool,

    /// How to show it [default: table, or as the name of the output file says]
    #[arg(long, value_name = "FMT", help_heading = "Output")]
    pub format: Option<ShowFormat>,

    /// Write it to a file
    #[arg(short = 'o', long = "output", value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,

    /// Show all rows and all values
    #[arg(long, help_heading = "Selection")]
    pub full: bool,

    /// The first step to show
    #[arg(long, value_name = "N", help_heading = "Selection")]
    pub from: Option<u64>,

    /// The last step to show
    #[arg(long, value_name = "N", help_heading = "Selection")]
    pub to: Option<u64>,

    /// Show only the steps of one process, `Inc[0]`, or of all with a name, `Inc` (repeatable)
    #[arg(long, value_name = "NAME", help_heading = "Selection")]
    pub lane: Vec<String>,

    /// Show only steps that read or write shared variables
    #[arg(long, help_heading = "Selection")]
    pub only_shared: bool,

    /// Show all values after step N; `end` is the last state, 0 the initial one
    #[arg(long, value_name = "N", help_heading = "Selection")]
    pub state: Option<String>,

    /// Show the value of an expression after each step (repeatable)
    #[arg(long, value_name = "EXPR", help_heading = "Selection")]
    pub watch: Vec<String>,

    /// How the output looks.
    #[command(flatten)]
    pub layout: LayoutArgs,
}

/// `--format` of `show`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ShowFormat {
    /// A column for each process, a row for each step
    Table,
    /// A message sequence chart for the terminal
    Chart,
    /// A line for each step
    Steps,
    /// A message sequence chart for Mermaid
    Mermaid,
    /// A message sequence chart for PlantUML
    Plantuml,
    /// A message sequence chart as a picture
    Svg,
    /// The Informal Trace Format of Apalache and Quint
    Itf,
    /// The trace document itself
    Json,
    /// A log with vector clocks for ShiViz
    Shiviz,
}

impl ShowFormat {
    /// What the name of a file says.
    fn of(path: &Path) -> Option<ShowFormat> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let endings = [
            (".itf.json", ShowFormat::Itf),
            (".itf", ShowFormat::Itf),
            (".json", ShowFormat::Json),
            (".svg", ShowFormat::Svg),
            (".mmd", ShowFormat::Mermaid),
            (".mermaid", ShowFormat::Mermaid),
            (".puml", ShowFormat::Plantuml),
            (".plantuml", ShowFormat::Plantuml),
            (".shiviz", ShowFormat::Shiviz),
        ];
        endings.into_iter().find(|(ending, _)| name.ends_with(ending)).map(|(_, format)| format)
    }
}

/// Show the trace of a run.
pub fn show(args: &ShowArgs, environment: &Environment) -> Exit {
    let (style, _) = environment.styles(&args.layout);
    let style = Style { color: style.color && args.output.is_none(), ..style };
    for watch in &args.watch {
        if let Err(error) = Watch::parse(watch) {
            tell_lines("error", &error.located(watch));
            return Exit::Input;
        }
    }
    let text = match args.list {
        true => list(&style),
        false => text(args, &style),
    };
    let written = text.and_then(|text| match &args.output {
        None => {
            print(&text);
            Ok(())
        }
        Some(path) => std::fs::write(path, &*guarded(&text))
            .map_err(|error| format!("cannot write {}: {error}", shown(path))),
    });
    match written {
        Ok(()) => Exit::Ok,
        Err(message) => {
            tell("error", &message);
            Exit::Input
        }
    }
}

/// What is to be printed.
fn text(args: &ShowArgs, style: &Style) -> Result<String, String> {
    let found = evidence::find(&args.trace)?;
    let trace = &found.trace;
    let by_name = args.output.as_deref().and_then(ShowFormat::of);
    let format = args.format.or(by_name).unwrap_or(ShowFormat::Table);
    let selection = Selection::new(args, trace)?;
    let watches = watched(trace, &args.watch)?;
    let values = matches!(format, ShowFormat::Table | ShowFormat::Steps);
    if !watches.is_empty() && !values && args.state.is_none() {
        return Err("--watch needs --format table, --format steps or --state".to_owned());
    }
    if let Some(word) = &args.state {
        return state(style, trace, word, &watches, format);
    }
    let keep = |step: &TraceStep| selection.keeps(trace, step);
    let most = match (args.full, format) {
        (true, _) => usize::MAX,
        (false, ShowFormat::Chart) => CHART_EVENTS,
        (false, _) => FILE_EVENTS,
    };
    let chart = || Chart::new(trace, &Drawing { keep: &keep, local: args.full, most });
    let mut out = String::new();
    match format {
        ShowFormat::Table => {
            head(&mut out, style, &found);
            let filter: Option<&dyn Fn(&TraceStep) -> bool> =
                if selection.everything { None } else { Some(&keep) };
            let view = View { all: args.full, keep: filter, watches: &watches, more: "--full" };
            full::evidence(&mut out, style, trace, &view);
            foot(&mut out, style, &found);
        }
        ShowFormat::Chart => {
            head(&mut out, style, &found);
            let chart = chart();
            terminal::render(&mut out, style, &chart, "--full");
            if chart.messages_only {
                out.push_str("  (steps without messages are left out; --full draws them)\n");
            }
            reasons(&mut out, style, trace);
            foot(&mut out, style, &found);
        }
        ShowFormat::Steps => {
            head(&mut out, style, &found);
            steps::render(&mut out, style, trace, &keep, &watches, args.full);
            reasons(&mut out, style, trace);
            foot(&mut out, style, &found);
        }
        ShowFormat::Mermaid => out = mermaid::render(&chart()),
        ShowFormat::Plantuml => out = plantuml::render(&chart()),
        ShowFormat::Svg => out = svg::render(&chart(), &subject(&found).1),
        ShowFormat::Itf => out = itf::render(trace, selection.from, selection.to)?,
        ShowFormat::Json => {
            out = json::line(trace);
        }
        ShowFormat::Shiviz => out = shiviz::render(trace, &keep),
    }
    Ok(out)
}

/// The code and the sentence of a violation, and its place.
pub fn subject(found: &Found) -> (String, String, Option<Place>) {
    let trace = &found.trace;
    if let Some(property) = found.property() {
        let message = property.message.as_ref().unwrap_or(&property.name);
        let code = property.code.clone().unwrap_or_else(|| "EP0001".to_owned());
        // The sources of the trace are those of the result.
        let files = trace.model.sources.len();
        let place = property.span.filter(|place| (place.file as usize) < files);
        return (code, message.clone(), place);
    }
    let last = trace.steps.last();
    if let Some((step, fault)) = last.and_then(|step| Some((step, step.fault.as_ref()?))) {
        return (fault.code.clone(), fault.message.clone(), Some(step.span));
    }
    match trace.end.reason.as_str() {
        "deadlock" => {
            let stuck = trace.end.blocked.iter().filter(|blocked| !blocked.valid_end);
            let place = stuck.flat_map(|blocked| &blocked.at).next().map(|at| at.span);
            ("EP0102".to_owned(), "deadlock: no process can move".to_owned(), place)
        }
        "invariant" => {
            let message = format!("invariant can be false: {}", trace.result.property);
            ("EP0114".to_owned(), message, None)
        }
        other => {
            let message = format!("{other}: {}", trace.result.property);
            ("EP0001".to_owned(), message, last.map(|step| step.span))
        }
    }
}

/// The files of a trace, for snippets.
pub fn sources(trace: &Trace) -> Sources {
    let mut sources = Sources::default();
    for source in &trace.model.sources {
        sources.add(source.path.clone().into(), source.text.clone());
    }
    sources
}

/// Headline and snippet.
pub fn head(out: &mut String, style: &Style, found: &Found) {
    let (code, message, place) = subject(found);
    headline(out, style, ("error", Paint::Bad), &code, &message);
    if let Some(place) = place {
        snippet(out, style, &sources(&found.trace), place, &full::label(&found.trace));
    }
}

/// What the verdict covers, and the other traces.
fn foot(out: &mut String, style: &Style, found: &Found) {
    if let Some(result) = &found.result {
        wrapped(out, style, &format!("scope: {}", scope_line(result)));
    }
    for (word, property) in found.others.iter().take(OTHERS) {
        wrapped(out, style, &format!("other: everypath show {word} ({property})"));
    }
    let more = found.others.len().saturating_sub(OTHERS) as u64;
    if more > 0 {
        let _ = writeln!(
            out,
            "  other: {}",
            everypath_render::units::plural(more, "more trace", "more traces")
        );
    }
}

/// Which steps are shown.
struct Selection {
    from: u64,
    to: u64,
    lanes: Option<BTreeSet<u32>>,
    shared: bool,
    everything: bool,
}

impl Selection {
    fn new(args: &ShowArgs, trace: &Trace) -> Result<Selection, String> {
        let steps = trace.steps.len() as u64;
        let from = args.from.unwrap_or(1).max(1);
        let to = args.to.unwrap_or(steps).min(steps);
        if args.from.is_some() && from > steps {
            return Err(format!("there is no step {from}: the trace has {steps}"));
        }
        if (args.from.is_some() || args.to.is_some()) && from > to {
            return Err(format!("no step lies between {from} and {to}"));
        }
        let mut lanes = BTreeSet::new();
        for name in &args.lane {
            let all = trace.lanes.iter().filter(|lane| lane.name == *name || lane.title() == *name);
            let before = lanes.len();
            lanes.extend(all.map(|lane| lane.id));
            if lanes.len() == before {
                let titles: Vec<String> = trace.lanes.iter().map(|lane| lane.title()).collect();
                let similar = most_similar(name, titles.iter().map(String::as_str));
                let hint = match similar {
                    Some(similar) => format!("did you mean `{similar}`?"),
                    None => {
                        let some: Vec<&str> = titles.iter().take(20).map(String::as_str).collect();
                        format!("there are {}", some.join(", "))
                    }
                };
                return Err(format!("no process `{name}` moves in this trace; {hint}"));
            }
        }
        let lanes = (!lanes.is_empty()).then_some(lanes);
        let everything = from == 1 && to == steps && lanes.is_none() && !args.only_shared;
        Ok(Selection { from, to, lanes, shared: args.only_shared, everything })
    }

    fn keeps(&self, trace: &Trace, step: &TraceStep) -> bool {
        (self.from..=self.to).contains(&step.i)
            && self.lanes.as_ref().is_none_or(|lanes| lanes.contains(&step.lane))
            && (!self.shared || touches_shared(trace, step))
    }
}

/// Whether a step has to do with what processes share.
fn touches_shared(trace: &Trace, step: &TraceStep) -> bool {
    let own = format!("{}.", trace.lane_title(step));
    step.msg.is_some()
        || !step.reads.is_empty()
        || step.role == Some(Role::Failure)
        || step.set.iter().any(|(name, value)| !name.starts_with(&own) && !value.is_null())
}

/// The values of expressions along a trace. One that has a value nowhere is refused.
fn watched(trace: &Trace, expressions: &[String]) -> Result<Vec<Watched>, String> {
    let mut all = Vec::new();
    for text in expressions {
        let watch = Watch::parse(text).map_err(|error| error.located(text))?;
        let mut state = trace.init.clone();
        let mut values = Vec::with_capacity(trace.steps.len() + 1);
        let mut problem = None;
        let mut any = false;
        let mut add = |state: &everypath_verdict::Values| match watch.value(state) {
            Ok(value) => {
                any = true;
                values.push(words(&value));
            }
            Err(error) => {
                problem.get_or_insert(error);
                values.push("-".to_owned());
            }
        };
        add(&state);
        for step in &trace.steps {
            apply(&mut state, step);
            add(&state);
        }
        if let Some(problem) = problem.filter(|_| !any) {
            return Err(format!("--watch '{text}': {problem}"));
        }
        all.push(Watched { title: watch.text().to_owned(), values });
    }
    Ok(all)
}

fn words(shown: &Value) -> String {
    value_text(&everypath_verdict::json_value(shown))
}

/// All values after a step.
fn state(
    style: &Style,
    trace: &Trace,
    word: &str,
    watches: &[Watched],
    format: ShowFormat,
) -> Result<String, String> {
    let steps = trace.steps.len();
    let number = match word {
        "end" => steps,
        word => word
            .parse::<usize>()
            .ok()
            .filter(|&number| number <= steps)
            .ok_or_else(|| format!("--state wants `end` or a number from 0 to {steps}"))?,
    };
    let values = trace.values_after(number);
    if format == ShowFormat::Json {
        return Ok(json::pretty(&values));
    }
    let mut out = String::new();
    let step = number.checked_sub(1).map(|index| &trace.steps[index]);
    match step {
        Some(step) => {
            let at = steps::place(trace, step);
            let who = trace.lane_title(step);
            let line = format!("after step {number} of {steps}: {who}, {at}: {}", step.text);
            let _ = writeln!(out, "{}", style.clip(&style.brief(&line), style.width));
        }
        None => out.push_str("initial state\n"),
    }
    let before = number.checked_sub(1).map(|earlier| trace.values_after(earlier));
    let names = values.keys().map(|name| columns(&style.brief(name))).max().unwrap_or(0);
    let names = names.min(style.width / 2);
    for (name, now) in &values {
        let old = before.as_ref().map(|before| before.get(name));
        let was = match old {
            Some(Some(old)) if old != now => format!("   (was {})", value_text(old)),
            Some(None) => "   (new)".to_owned(),
            _ => String::new(),
        };
        let name = style.clip(&style.brief(name), names);
        let line = format!("  {} = {}{was}", pad(&name, names), value_text(now));
        let _ = writeln!(out, "{}", style.clip(&style.brief(&line), style.width));
    }
    for watch in watches {
        let line = format!("  watch {} = {}", watch.title, watch.values[number]);
        let _ = writeln!(out, "{}", style.clip(&style.brief(&line), style.width));
    }
    Ok(out)
}

/// The runs in the folder, the last one first.
fn list(style: &Style) -> Result<String, String> {
    let all = runs::all();
    if all.is_empty() {
        return Err("there is no run yet; `everypath check FILE` makes one".to_owned());
    }
    let mut out = String::from("  run  when            verdict             traces  files\n");
    for run in all.iter().rev() {
        let when = run.age.map_or_else(|| "?".to_owned(), ago);
        let line = match evidence::document(&run.number.to_string()) {
            Ok(evidence::Document::Results(results)) => {
                let verdict = results
                    .iter()
                    .map(|result| result.verdict)
                    .reduce(|a, b| a.and(b))
                    .map_or("", |verdict| verdict.word().as_str());
                let traces = runs::traces(&results).count();
                let files: Vec<&str> = results
                    .iter()
                    .filter_map(|result| result.inputs.first())
                    .map(|input| input.path.as_str())
                    .collect();
                let files = files.join(", ");
                format!("{:>5}  {when:<14}  {verdict:<18}  {traces:>6}  {files}", run.number)
            }
            Ok(evidence::Document::Trace(_)) | Err(_) => {
                format!("{:>5}  {when:<14}  cannot be read", run.number)
            }
        };
        let _ = writeln!(out, "{}", style.clip(&style.brief(&line), style.width));
    }
    Ok(out)
}

/// `5 min ago`
fn ago(age: std::time::Duration) -> String {
    let seconds = age.as_secs();
    match seconds {
        0..60 => "just now".to_owned(),
        60..3600 => format!("{} min ago", seconds / 60),
        3600..86400 => format!("{} h ago", seconds / 3600),
        _ => everypath_render::units::plural(seconds / 86400, "day ago", "days ago"),
    }
}
