//! `everypath.toml`.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use everypath_model::files;
use everypath_model::{Diagnostic, FileId, Severity, Sources, Span, most_similar, shown};
use everypath_verdict::Expectation;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::options::{Kind, Setting, Settings};
use super::targets::{self, Pattern, Unlisted};
use super::{Item, Layer, Origin, Wrong, confine};
use crate::expect::{Expectations, Expected};
use crate::input::{placeless, reason};

/// Its name.
pub const NAME: &str = "everypath.toml";
/// The largest file that is read.
const MOST_BYTES: u64 = 1 << 20;
/// Keys of `[[target]]` that are no settings.
const TARGET_KEYS: [&str; 4] = ["path", "prop", "props", "reason"];
/// Targets that a file can have.
const MOST_TARGETS: usize = 10_000;
/// Keys of `[props.NAME]` that say what a property is.
const PROPERTY_KINDS: [&str; 4] = ["ltl", "pattern", "fsa", "qre"];
/// The other keys of a property that is a pattern.
const PATTERN_KEYS: [&str; 6] = ["scope", "P", "S", "T", "Q", "R"];
/// Keys of `[[target.prop]]`.
const PROP_KEYS: [&str; 3] = ["name", "expect", "reason"];

/// What allows a file more.
pub const TRUST: &str = "name it on the command line, or trust the file with --trust";

/// A configuration file that makes sense.
#[derive(Debug)]
pub struct File {
    /// Its path, as messages name it.
    pub path: PathBuf,
    /// What `[check]` says.
    pub check: Layer,
    /// The models.
    pub targets: Vec<Target>,
    /// The targets by the paths that they name.
    named: BTreeMap<PathBuf, Vec<usize>>,
    sources: Sources,
    trusted: bool,
}

/// One `[[target]]`.
#[derive(Debug)]
pub struct Target {
    /// What it says about its models.
    pub settings: Layer,
    /// What is expected of their properties.
    pub expected: Arc<Expectations>,
    place: Place,
    span: Span,
}

#[derive(Debug)]
enum Place {
    /// A file, or everything below a directory; as written, and without links and dots.
    Path(PathBuf, PathBuf),
    /// What fits a pattern.
    Pattern(Pattern),
}

/// The nearest file, in this directory or above it.
pub fn find() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    let mut up = PathBuf::new();
    for directory in here.ancestors() {
        if directory.join(NAME).symlink_metadata().is_ok() {
            return Some(up.join(NAME));
        }
        up.push("..");
    }
    None
}

impl File {
    /// Reads a file.
    pub fn read(path: &Path, settings: &mut Settings) -> Result<File, Box<Wrong>> {
        let text = text_of(path).map_err(|why| {
            let message = format!("cannot read {}: {why}", shown(path));
            let diagnostics = vec![placeless(Severity::Error, "EP1006", message)];
            Box::new(Wrong { sources: Sources::default(), diagnostics })
        })?;
        let base = path.parent().unwrap_or(Path::new("")).to_owned();
        let mut sources = Sources::default();
        let id = sources.add(path.to_owned(), text.clone());
        let mut reader = Reader { settings, sources: &sources, id, base: &base, wrong: Vec::new() };
        let (check, targets) = reader.document(&text);
        let mut diagnostics = reader.wrong;
        if diagnostics.is_empty() {
            let mut named: BTreeMap<PathBuf, Vec<usize>> = BTreeMap::new();
            for (index, target) in targets.iter().enumerate() {
                if let Place::Path(_, real) = &target.place {
                    named.entry(real.clone()).or_default().push(index);
                }
            }
            let (path, trusted) = (path.to_owned(), settings.trusted);
            return Ok(File { path, check, targets, named, sources, trusted });
        }
        diagnostics.sort_by_key(|one| one.primary.as_ref().map(|label| label.span));
        Err(Box::new(Wrong { sources, diagnostics }))
    }

    /// All models of all targets.
    pub fn jobs(
        &self,
        until: Option<Instant>,
    ) -> Result<Vec<(PathBuf, Option<usize>)>, Box<Wrong>> {
        let mut jobs = Vec::new();
        let mut wrong = Vec::new();
        for (index, target) in self.targets.iter().enumerate() {
            // Where a target says which class a program begins with, a directory has its classes.
            let classes = target.settings.contains_key("main");
            let found = match &target.place {
                Place::Path(path, _) if path.is_dir() && !classes => targets::models(path, until),
                Place::Path(path, _) => Ok(vec![path.clone()]),
                Place::Pattern(pattern) => pattern.models(until),
            };
            let exact = matches!(&target.place, Place::Path(path, _) if classes || !path.is_dir());
            let error = |message: &str| Diagnostic::error("EP1007", target.span, message);
            match found {
                Ok(found) if found.is_empty() => {
                    wrong.push(error("there is no model").help(format!(
                        "models are files that end in {}",
                        crate::input::extensions().join(", ")
                    )));
                }
                Ok(found) => {
                    if let Some((path, why)) = self.leaves(&found) {
                        let message = format!("{}: {why}", shown(path));
                        wrong.push(error(&message).help(TRUST));
                        continue;
                    }
                    // A file that a target names belongs to that target alone.
                    let own = |path: &Path| exact || self.targets_of(path).first() == Some(&index);
                    let own = found.into_iter().filter(|path| own(path));
                    jobs.extend(own.map(|path| (path, Some(index))));
                }
                Err(Unlisted::Wrong(why)) => {
                    wrong.push(error(&format!("cannot look through it: {why}")));
                }
                Err(Unlisted::Ended) => return Err(Box::new(Wrong::ended(&self.path))),
            }
        }
        if wrong.is_empty() {
            return Ok(jobs);
        }
        Err(Box::new(Wrong { sources: self.sources.clone(), diagnostics: wrong }))
    }

    /// The first of some models that links lead away to.
    fn leaves<'p>(&self, found: &'p [PathBuf]) -> Option<(&'p Path, String)> {
        let base = self.path.parent().unwrap_or(Path::new(""));
        let mut found = found.iter().filter(|_| !self.trusted);
        found.find_map(|path| {
            let real = std::path::absolute(path).unwrap_or_else(|_| path.clone());
            Some((path.as_path(), confine::outside(base, &real)?))
        })
    }

    /// The targets that name a file; if there is none, the first whose directory or pattern fits.
    pub fn targets_of(&self, path: &Path) -> Vec<usize> {
        let wanted = targets::absolute(path);
        if let Some(named) = self.named.get(&wanted) {
            return named.clone();
        }
        let fits = |target: &Target| match &target.place {
            Place::Path(_, real) => wanted.starts_with(real),
            Place::Pattern(pattern) => pattern.fits(&wanted),
        };
        self.targets.iter().position(fits).into_iter().collect()
    }
}

fn text_of(path: &Path) -> Result<String, String> {
    let bytes = files::read(path, MOST_BYTES).map_err(|error| reason(&error))?;
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        format!("line {line} is not UTF-8")
    })
}

struct Reader<'a> {
    settings: &'a mut Settings,
    sources: &'a Sources,
    id: FileId,
    base: &'a Path,
    wrong: Vec<Diagnostic>,
}

type Entry<'a, 'i> = (&'a Spanned<toml::de::DeString<'i>>, &'a Spanned<DeValue<'i>>);

impl Reader<'_> {
    fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.id, range.start, range.end)
    }

    fn error(&mut self, range: Range<usize>, message: impl Into<String>) -> &mut Diagnostic {
        let span = self.span(range);
        self.wrong.push(Diagnostic::error("EP1007", span, message));
        let last = self.wrong.len() - 1;
        &mut self.wrong[last]
    }

    fn document(&mut self, text: &str) -> (Layer, Vec<Target>) {
        let (table, errors) = DeTable::parse_recoverable(text);
        for error in errors {
            let range = error.span().unwrap_or(0..0);
            let (message, _) = error.message().split_once('\n').unwrap_or((error.message(), ""));
            let span = self.span(range);
            self.wrong.push(Diagnostic::error("EP1006", span, message));
        }
        let (mut check, mut targets) = (Layer::new(), Vec::new());
        let mut properties = Layer::new();
        if !self.wrong.is_empty() {
            return (check, targets);
        }
        for (key, value) in table.get_ref() {
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("check", DeValue::Table(table)) => {
                    check = self.layer(table.iter().collect(), "[check]", false);
                }
                ("check", _) => self.unfit(value, "`check` has to be a table: [check]"),
                ("target", DeValue::Array(all)) => {
                    if all.len() > MOST_TARGETS {
                        let count = all.len();
                        let message = format!("{count} targets are more than {MOST_TARGETS}");
                        self.error(key.span(), message).help = Some(
                            "name directories or patterns such as \"models/*.pml\"".to_owned(),
                        );
                        continue;
                    }
                    for one in all.iter() {
                        match one.get_ref() {
                            DeValue::Table(table) => targets.extend(self.target(table, one.span())),
                            _ => self.unfit(one, "a target has to be a table: [[target]]"),
                        }
                    }
                }
                ("target", _) => self.unfit(value, "`target` has to be a list: [[target]]"),
                ("props", _) => self.properties(value, &mut properties),
                (name, _) => {
                    self.unknown(key.span(), name, "the file", &["check", "target", "props"]);
                }
            }
        }
        for (key, items) in properties {
            check.entry(key).or_default().extend(items);
        }
        (check, targets)
    }

    fn unfit(&mut self, value: &Spanned<DeValue<'_>>, message: impl Into<String>) {
        let mut range = value.span();
        // A value over several lines is known by its first.
        let text = &self.sources.file(self.id).text;
        let line = text[range.start..range.end].find('\n').unwrap_or(range.len());
        range.end = range.start + line;
        self.error(range, message);
    }

    fn unknown(&mut self, range: Range<usize>, name: &str, place: &str, known: &[&str]) {
        let help = match most_similar(name, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are: {}", known.join(", ")),
        };
        let name: String = name.chars().take(60).collect();
        self.error(range, format!("{place} has no key `{name}`")).help = Some(help);
    }

    /// The settings of a table.
    fn layer(&mut self, entries: Vec<Entry<'_, '_>>, place: &str, single: bool) -> Layer {
        let mut layer = Layer::new();
        for (key, value) in entries {
            let name = key.get_ref().as_ref();
            let Some(setting) = self.settings.get(name).cloned() else {
                let known: Vec<Setting> = self.settings.all.clone();
                let mut known: Vec<&str> = known
                    .iter()
                    .filter(|setting| !(single && setting.whole_run))
                    .map(|setting| setting.key.as_str())
                    .collect();
                known.extend(if single { &TARGET_KEYS[..] } else { &[] });
                self.unknown(key.span(), name, place, &known);
                continue;
            };
            if single && setting.whole_run {
                let message = format!("`{name}` is for the whole run, not for one target");
                self.error(key.span(), message).help = Some("move it to [check]".to_owned());
                continue;
            }
            let items = self.items(&setting, value);
            layer.insert(setting.key.clone(), items);
        }
        layer
    }

    /// The texts of a value, each tried.
    fn items(&mut self, setting: &Setting, value: &Spanned<DeValue<'_>>) -> Vec<Item> {
        let mut texts: Vec<(String, Range<usize>)> = Vec::new();
        match (setting.kind, value.get_ref()) {
            (Kind::Flag { .. } | Kind::One { bare: true }, DeValue::Boolean(flag)) => {
                if *flag || matches!(setting.kind, Kind::Flag { .. }) {
                    texts.push((flag.to_string(), value.span()));
                }
            }
            (Kind::Many, DeValue::Table(table)) if setting.key == "define" => {
                for (name, value) in table {
                    texts.extend(self.definition(name.get_ref(), value));
                }
            }
            (Kind::Many, DeValue::Array(all)) => {
                for one in all.iter() {
                    match one.get_ref() {
                        DeValue::String(text) => texts.push((text.clone().into(), one.span())),
                        other => {
                            let kind = kind(other);
                            self.unfit(one, format!("expected a string, not {kind}"));
                        }
                    }
                }
            }
            (Kind::Flag { .. }, other) => {
                let kind = kind(other);
                let message = format!("`{}` has to be true or false, not {kind}", setting.key);
                self.unfit(value, message);
            }
            (_, other) => match scalar(other) {
                Some(text) => texts.push((text, value.span())),
                None => {
                    let list = if setting.kind == Kind::Many { " or a list" } else { "" };
                    let (key, kind) = (&setting.key, kind(other));
                    let message = format!("`{key}` has to be a value{list}, not {kind}");
                    self.unfit(value, message);
                }
            },
        }
        self.tried(setting, texts)
    }

    /// Texts that are good values of a setting.
    fn tried(&mut self, setting: &Setting, texts: Vec<(String, Range<usize>)>) -> Vec<Item> {
        let mut items = Vec::new();
        for (text, range) in texts {
            if text.contains('\0') {
                self.error(range, "there is a NUL character in it");
                continue;
            }
            let message = if self.settings.trusted { None } else { self.refused(setting, &text) };
            if let Some(message) = message {
                self.error(range, message).help = Some(TRUST.to_owned());
                continue;
            }
            let text: OsString = setting.rebase(&text, self.base);
            if let Err(problem) = self.settings.try_value(setting, &text) {
                let help = problem.help;
                self.error(range, format!("`{}`: {}", setting.key, problem.message)).help = help;
                continue;
            }
            let line = self.sources.file(self.id).line_column(range.start as u32).0;
            let path = self.sources.file(self.id).path.clone();
            items.push(Item { text, origin: Origin::File(path, line) });
        }
        items
    }

    /// Why a value is none that a file may have.
    fn refused(&self, setting: &Setting, text: &str) -> Option<String> {
        let key = &setting.key;
        for path in confine::paths(key, text) {
            if let Some(why) = confine::refused(key, text, self.base, &path) {
                return Some(format!("`{key}`: {why}"));
            }
        }
        None
    }

    /// `N = 3` as `N=3`; `true` defines a macro without a value.
    fn definition(
        &mut self,
        name: &str,
        value: &Spanned<DeValue<'_>>,
    ) -> Option<(String, Range<usize>)> {
        let text = match value.get_ref() {
            DeValue::Boolean(true) => name.to_owned(),
            DeValue::Boolean(false) => return None,
            other => match scalar(other) {
                Some(text) => format!("{name}={text}"),
                None => {
                    let kind = kind(other);
                    let message = format!("a macro is a number or a string, not {kind}");
                    self.unfit(value, message);
                    return None;
                }
            },
        };
        Some((text, value.span()))
    }

    fn target(&mut self, table: &DeTable<'_>, range: Range<usize>) -> Option<Target> {
        let entry = |name: &str| table.iter().find(|(key, _)| key.get_ref() == name);
        let rest = table.iter().filter(|(key, _)| !TARGET_KEYS.contains(&&**key.get_ref()));
        let mut settings = self.layer(rest.collect(), "a target", true);
        if let Some((_, value)) = entry("props") {
            self.properties(value, &mut settings);
        }
        let mut expected = Vec::new();
        if let Some((_, value)) = entry("prop") {
            match value.get_ref() {
                DeValue::Array(all) => {
                    for one in all.iter() {
                        match one.get_ref() {
                            DeValue::Table(table) => expected.extend(self.prop(table, one.span())),
                            _ => self.unfit(one, "it has to be a table: [[target.prop]]"),
                        }
                    }
                }
                _ => self.unfit(value, "`prop` has to be a list: [[target.prop]]"),
            }
        }
        let mut reason = None;
        if let Some((key, value)) = entry("reason") {
            match value.get_ref() {
                DeValue::String(_) if entry("expect").is_none() => {
                    self.error(
                        key.span(),
                        "`reason` says why something is expected: `expect` is missing",
                    );
                }
                DeValue::String(text) => reason = Some(text.clone().into_owned()),
                other => {
                    let kind = kind(other);
                    self.unfit(value, format!("`reason` has to be a string, not {kind}"));
                }
            }
        }
        let Some((_, value)) = entry("path") else {
            self.error(range, "a target needs a `path`");
            return None;
        };
        let path = match value.get_ref() {
            DeValue::String(path) if path.is_empty() || path.contains('\0') => {
                self.unfit(value, "this is no path");
                return None;
            }
            DeValue::String(path) => path,
            other => {
                let kind = kind(other);
                self.unfit(value, format!("`path` has to be a string, not {kind}"));
                return None;
            }
        };
        if !self.settings.trusted
            && let Some(why) = confine::outside(self.base, &targets::start_of(path))
        {
            self.error(value.span(), format!("`path`: {why}")).help = Some(TRUST.to_owned());
            return None;
        }
        let place = match Pattern::parse(path, self.base) {
            Ok(Some(pattern)) => Place::Pattern(pattern),
            Ok(None) => {
                let path = self.base.join(&**path);
                let real = targets::absolute(&path);
                Place::Path(path, real)
            }
            Err(why) => {
                self.unfit(value, why);
                return None;
            }
        };
        let span = self.span(value.span());
        let expected = Arc::new(Expectations { properties: expected, reason });
        Some(Target { settings, expected, place, span })
    }

    /// The properties of `[props]`, as settings.
    fn properties(&mut self, value: &Spanned<DeValue<'_>>, layer: &mut Layer) {
        let DeValue::Table(all) = value.get_ref() else {
            self.unfit(value, "`props` has to be a table: [props.NAME]");
            return;
        };
        for (name, value) in all {
            match value.get_ref() {
                DeValue::Table(table) => self.property(name, table, layer),
                _ => self.unfit(value, "a property has to be a table: [props.NAME]"),
            }
        }
    }

    /// A property as the settings that say the same: `ltl = "NAME := FORMULA"`.
    fn property(
        &mut self,
        name: &Spanned<toml::de::DeString<'_>>,
        table: &DeTable<'_>,
        layer: &mut Layer,
    ) {
        let mut texts: BTreeMap<&str, (String, Range<usize>)> = BTreeMap::new();
        let mut events: Vec<(String, Range<usize>)> = Vec::new();
        let known: Vec<&str> =
            PROPERTY_KINDS.into_iter().chain(PATTERN_KEYS).chain(["events"]).collect();
        for (key, value) in table {
            let known_key = known.iter().find(|&&known| key.get_ref() == known);
            match (known_key, value.get_ref()) {
                (Some(&"events"), DeValue::Table(table)) => {
                    for (event, value) in table {
                        match value.get_ref() {
                            DeValue::String(what) => {
                                events.push((format!("{}={what}", event.get_ref()), value.span()));
                            }
                            other => {
                                let kind = kind(other);
                                self.unfit(value, format!("an event is a string, not {kind}"));
                            }
                        }
                    }
                }
                (Some(&key), DeValue::String(text)) if key != "events" => {
                    texts.insert(key, (text.clone().into_owned(), value.span()));
                }
                (Some(key), other) => {
                    let kind = kind(other);
                    let wanted = if *key == "events" { "a table" } else { "a string" };
                    self.unfit(value, format!("`{key}` has to be {wanted}, not {kind}"));
                }
                (None, _) => self.unknown(key.span(), key.get_ref(), "a property", &known),
            }
        }
        let kinds: Vec<&str> =
            PROPERTY_KINDS.into_iter().filter(|kind| texts.contains_key(kind)).collect();
        let [kind] = kinds[..] else {
            let message = format!("a property is one of {}", PROPERTY_KINDS.join(", "));
            self.error(name.span(), message);
            return;
        };
        if kind != "pattern"
            && let Some(key) = PATTERN_KEYS.into_iter().find(|key| texts.contains_key(key))
        {
            let range = texts[key].1.clone();
            self.error(range, format!("`{key}` belongs to patterns only"));
            return;
        }
        let (mut text, range) = texts[kind].clone();
        if kind == "pattern" {
            let scope = texts.get("scope").map_or("global", |(scope, _)| scope);
            text = format!("{text} {scope}");
            for role in &PATTERN_KEYS[1..] {
                if let Some((value, _)) = texts.get(role) {
                    text += &format!("; {role} = {value}");
                }
            }
        }
        let text = format!("{} := {text}", name.get_ref());
        if crate::temporal::named(&text).0.is_none() {
            self.error(name.span(), "this is no name for a property");
            return;
        }
        let all = std::iter::once((kind, text, range));
        for (key, text, range) in all.chain(events.into_iter().map(|(e, at)| ("event", e, at))) {
            if let Some(setting) = self.settings.get(key).cloned() {
                let items = self.tried(&setting, vec![(text, range)]);
                layer.entry(key.to_owned()).or_default().extend(items);
            }
        }
    }

    fn prop(&mut self, table: &DeTable<'_>, range: Range<usize>) -> Option<Expected> {
        let mut texts: BTreeMap<&str, (String, Range<usize>)> = BTreeMap::new();
        for (key, value) in table {
            match (PROP_KEYS.iter().find(|&known| key.get_ref() == known), value.get_ref()) {
                (Some(known), DeValue::String(text)) => {
                    texts.insert(known, (text.clone().into_owned(), value.span()));
                }
                (Some(known), other) => {
                    let kind = kind(other);
                    self.unfit(value, format!("`{known}` has to be a string, not {kind}"));
                    return None;
                }
                (None, _) => self.unknown(key.span(), key.get_ref(), "a property", &PROP_KEYS),
            }
        }
        let (Some((name, at)), Some((expect, there))) = (texts.get("name"), texts.get("expect"))
        else {
            let missing = if texts.contains_key("name") { "expect" } else { "name" };
            self.error(range, format!("a property needs `{missing}`"));
            return None;
        };
        let expect = match expect.as_str() {
            "holds" => Expectation::Holds,
            "violated" => Expectation::Violated,
            other => {
                let message = format!("`expect`: `{other}` is no verdict to expect");
                self.error(there.clone(), message).help =
                    Some("there are: holds, violated".to_owned());
                return None;
            }
        };
        let file = self.sources.file(self.id);
        let line = file.line_column(at.start as u32).0;
        Some(Expected {
            name: name.clone(),
            expect,
            reason: texts.get("reason").map(|(text, _)| text.clone()),
            place: format!("{}:{line}", shown(&file.path)),
        })
    }
}

/// The type of a value, with its article.
fn kind(value: &DeValue<'_>) -> String {
    let name = value.type_str();
    let article = if name.starts_with(['a', 'i', 'o']) { "an" } else { "a" };
    format!("{article} {name}")
}

/// A single value as text.
fn scalar(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.clone().into_owned()),
        DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().to_owned()),
        DeValue::Integer(number) => {
            i64::from_str_radix(number.as_str(), number.radix()).ok().map(|n| n.to_string())
        }
        DeValue::Float(number) => Some(number.as_str().to_owned()),
        _ => None,
    }
}
