//! The options of `check` as settings: an option `--some-name` is the key `some-name` of
//! everypath.toml and the variable `EVERYPATH_SOME_NAME`.

use std::collections::BTreeMap;
use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Args, Command};
use everypath_model::{most_similar, visible};

use super::{Item, Layer, Origin};
use crate::args::CheckArgs;

/// Options that say where settings come from or what becomes of them.
const NO_SETTINGS: [&str; 7] =
    ["config", "no-config", "show-config", "watch", "columns", "resume", "trust"];
/// Options of which all layers count, not only the strongest.
const ADDED: [&str; 10] = [
    "define",
    "undefine",
    "include",
    "invariant",
    "ltl",
    "pattern",
    "fsa",
    "qre",
    "event",
    "javac",
];
/// Heading of the options that a single target cannot have.
const WHOLE_RUN: &str = "Output";
/// What every variable of ours begins with.
const PREFIX: &str = "EVERYPATH_";

/// What an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing.
    Flag {
        /// Whether it is `--no-name`, which is the key `name` the other way round.
        inverted: bool,
    },
    /// A value.
    One {
        /// Whether it may be left out.
        bare: bool,
    },
    /// Several values.
    Many,
}

/// One option.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Its name in the file.
    pub key: String,
    long: String,
    id: String,
    /// What it takes.
    pub kind: Kind,
    /// Whether it is about the whole run and not about single models.
    pub whole_run: bool,
    /// The default, as text.
    pub default: String,
}

impl Setting {
    fn of(arg: &Arg) -> Option<Setting> {
        let long = arg.get_long()?.to_owned();
        if NO_SETTINGS.contains(&long.as_str()) || long == "help" {
            return None;
        }
        let (kind, key) = match arg.get_action() {
            ArgAction::SetTrue => match long.strip_prefix("no-") {
                Some(key) => (Kind::Flag { inverted: true }, key.to_owned()),
                None => (Kind::Flag { inverted: false }, long.clone()),
            },
            ArgAction::Set => {
                let bare = arg.get_num_args().is_some_and(|n| n.min_values() == 0);
                (Kind::One { bare }, long.clone())
            }
            ArgAction::Append => (Kind::Many, long.clone()),
            _ => return None,
        };
        let defaults = arg.get_default_values().iter().map(|value| value.to_string_lossy());
        let default = match kind {
            Kind::Flag { inverted } => inverted.to_string(),
            _ => defaults.collect::<Vec<_>>().join(","),
        };
        let whole_run = arg.get_help_heading() == Some(WHOLE_RUN);
        Some(Setting { key, long, id: arg.get_id().to_string(), kind, whole_run, default })
    }

    /// Whether all layers count.
    pub fn adds(&self) -> bool {
        ADDED.contains(&self.key.as_str())
    }

    /// The variable that sets it.
    pub fn variable(&self) -> String {
        format!("{PREFIX}{}", self.key.to_ascii_uppercase().replace('-', "_"))
    }

    /// A path in the value, as seen from the directory `base`.
    pub fn rebase(&self, text: &str, base: &Path) -> OsString {
        match (self.key.as_str(), text.split_once('=')) {
            ("include", _) => base.join(text).into(),
            ("class-path" | "source-path", _) => {
                let places = std::env::split_paths(text).map(|place| base.join(place));
                std::env::join_paths(places).unwrap_or_else(|_| text.into())
            }
            ("fsa", _) => match text.split_once(":=") {
                Some((name, file)) => {
                    let mut text = OsString::from(format!("{name}:="));
                    text.push(base.join(file.trim()));
                    text
                }
                None => base.join(text).into(),
            },
            ("disk", _) if text != "true" => base.join(text).into(),
            ("output", Some((format, file))) if file != "-" => {
                let mut text = OsString::from(format!("{format}="));
                text.push(base.join(file));
                text
            }
            _ => text.into(),
        }
    }

    /// The words of a command line that say the same.
    pub fn words(&self, items: &[Item]) -> Vec<OsString> {
        let with = |text: &OsStr| {
            let mut word = OsString::from(format!("--{}=", self.long));
            word.push(text);
            word
        };
        let plain = || OsString::from(format!("--{}", self.long));
        items
            .iter()
            .filter_map(|item| match self.kind {
                Kind::Flag { inverted } => ((item.text == "true") != inverted).then(plain),
                Kind::One { bare: true } if item.text == "true" => Some(plain()),
                Kind::One { .. } | Kind::Many => Some(with(&item.text)),
            })
            .collect()
    }
}

/// All settings, with a way to try values.
pub struct Settings {
    command: Command,
    /// In the order of the help.
    pub all: Vec<Setting>,
    /// Whether a file may name everything.
    pub trusted: bool,
    tried: BTreeMap<(String, OsString), Option<Problem>>,
}

/// What is wrong with a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// One sentence.
    pub message: String,
    /// A suggestion.
    pub help: Option<String>,
}

impl Settings {
    /// The settings that `check` has.
    pub fn of_check() -> Settings {
        let command = CheckArgs::augment_args(Command::new("check"));
        let all = command.get_arguments().filter_map(Setting::of).collect();
        Settings { command, all, trusted: false, tried: BTreeMap::new() }
    }

    /// The setting of this name.
    pub fn get(&self, key: &str) -> Option<&Setting> {
        self.all.iter().find(|setting| setting.key == key)
    }

    /// Whether a value is a good one.
    pub fn try_value(&mut self, setting: &Setting, text: &OsStr) -> Result<(), Problem> {
        let key = (setting.key.clone(), text.to_owned());
        let tried = self.tried.entry(key).or_insert_with(|| {
            let item = Item { text: text.to_owned(), origin: Origin::CommandLine };
            let words = setting.words(&[item]);
            let words = std::iter::once(OsString::from("check")).chain(words);
            self.command.try_get_matches_from_mut(words).err().map(|error| problem(&error))
        });
        tried.clone().map_or(Ok(()), Err)
    }

    /// What the command line says.
    pub fn of_matches(&self, matches: &ArgMatches) -> Layer {
        let given =
            |id: &str| matches.value_source(id) == Some(clap::parser::ValueSource::CommandLine);
        let item = |text: OsString| Item { text, origin: Origin::CommandLine };
        let mut layer = Layer::new();
        for setting in self.all.iter().filter(|setting| given(&setting.id)) {
            let items = match setting.kind {
                Kind::Flag { inverted } => vec![item((!inverted).to_string().into())],
                Kind::One { .. } | Kind::Many => {
                    let raw = matches.get_raw(&setting.id).into_iter().flatten();
                    raw.map(|text| item(text.to_owned())).collect()
                }
            };
            layer.insert(setting.key.clone(), items);
        }
        layer
    }

    /// What the variables of the environment say, with what is wrong with them.
    pub fn of_variables(
        &mut self,
        variables: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> (Layer, Vec<Problem>) {
        let (mut layer, mut problems) = (Layer::new(), Vec::new());
        for (name, value) in variables {
            let Some(name) = name.to_str().filter(|name| name.starts_with(PREFIX)) else {
                continue;
            };
            let known = self.all.iter().find(|setting| setting.variable() == name);
            let Some(setting) = known.cloned().filter(|_| !value.is_empty()) else { continue };
            let origin = Origin::Variable(name.to_owned());
            let text = match (setting.kind, value.to_str()) {
                (Kind::Flag { .. }, Some("1" | "true" | "yes" | "on")) => "true".into(),
                (Kind::Flag { .. }, Some("0" | "false" | "no" | "off")) => "false".into(),
                (Kind::Flag { .. }, _) => {
                    let message = format!(
                        "{name} is `{}`, which is neither 1 nor 0",
                        visible(&value.to_string_lossy())
                    );
                    problems.push(Problem { message, help: None });
                    continue;
                }
                _ => value,
            };
            if let Err(Problem { message, help }) = self.try_value(&setting, &text) {
                let message =
                    format!("{name} is `{}`: {message}", visible(&text.to_string_lossy()));
                problems.push(Problem { message, help });
                continue;
            }
            layer.insert(setting.key.clone(), vec![Item { text, origin }]);
        }
        (layer, problems)
    }
}

/// What clap says about a value, without the option that the user may not have written.
fn problem(error: &clap::Error) -> Problem {
    let context = |wanted: ContextKind| {
        error.context().find(|(kind, _)| *kind == wanted).map(|(_, value)| value)
    };
    let names = |value: Option<&ContextValue>| match value {
        Some(ContextValue::Strings(all)) => all.clone(),
        Some(ContextValue::String(one)) => vec![one.clone()],
        _ => Vec::new(),
    };
    let value = names(context(ContextKind::InvalidValue)).join(" ");
    match (error.kind(), error.source()) {
        (ErrorKind::InvalidValue, _) => {
            let valid = names(context(ContextKind::ValidValue));
            let near = most_similar(&value, valid.iter().map(String::as_str));
            let help = match near {
                Some(near) => format!("did you mean `{near}`? there are: {}", valid.join(", ")),
                None => format!("there are: {}", valid.join(", ")),
            };
            let message = match value.is_empty() {
                true => "a value is missing".to_owned(),
                false => format!("`{value}` is not one of its values"),
            };
            Problem { message, help: Some(help) }
        }
        (_, Some(source)) => Problem { message: source.to_string(), help: None },
        _ => {
            let text = error.to_string();
            let line = text.lines().next().unwrap_or("it is not understood");
            let message = line.strip_prefix("error: ").unwrap_or(line).to_owned();
            Problem { message, help: None }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_the_options_of_check() {
        let mut settings = Settings::of_check();
        let keys: Vec<&str> = settings.all.iter().map(|s| s.key.as_str()).collect();
        for key in ["define", "time", "expect", "format", "output", "save", "color", "all-errors"] {
            assert!(keys.contains(&key), "{key} is not in {keys:?}");
        }
        for key in ["config", "watch", "help", "show-config"] {
            assert!(!keys.contains(&key), "{key}");
        }
        let time = settings.get("time").unwrap().clone();
        assert_eq!(time.variable(), "EVERYPATH_TIME");
        assert_eq!(settings.try_value(&time, OsStr::new("10m")), Ok(()));
        let error = settings.try_value(&time, OsStr::new("soon")).unwrap_err();
        assert!(error.message.contains("expected a time such as"), "{error:?}");
        let search = settings.get("search").unwrap().clone();
        let error = settings.try_value(&search, OsStr::new("bsf")).unwrap_err();
        assert!(error.help.unwrap().starts_with("did you mean `bfs`?"));
    }
}
