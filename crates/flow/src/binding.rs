//! Which places of a program are events.
//!
//! ```text
//! # place                               event
//! exit   Fork.up on fork1            => f1Up
//! call   Philosopher.eat on p*       => eat
//! assign Fork.isUp = true on fork1   => raised
//! test   Fork.isUp is false          => seenDown
//! lock   fork1 in p1                 => locked
//! at     Main.java:17                => here
//! ```
//!
//! `*` stands for any characters. A name without a class stands for any class.

use std::fmt;

/// What a place does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A method is going to be called.
    Call,
    /// A method has begun, and has its lock.
    Enter,
    /// A method is going to end, and still has its lock.
    Exit,
    /// A method has ended.
    Return,
    /// A variable gets a value.
    Assign,
    /// A variable is found to have a value.
    Test,
    /// A lock is taken.
    Lock,
    /// A lock is given back.
    Unlock,
    /// A lock is given back until somebody notifies.
    Wait,
    /// One or all that wait are woken.
    Notify,
    /// A thread is started.
    Start,
    /// The end of a thread is waited for.
    Join,
    /// A message is sent.
    Send,
    /// A message is received.
    Receive,
    /// A line of the source is reached.
    At,
}

const WORDS: [(&str, What); 15] = [
    ("call", What::Call),
    ("enter", What::Enter),
    ("exit", What::Exit),
    ("return", What::Return),
    ("assign", What::Assign),
    ("test", What::Test),
    ("lock", What::Lock),
    ("unlock", What::Unlock),
    ("wait", What::Wait),
    ("notify", What::Notify),
    ("start", What::Start),
    ("join", What::Join),
    ("send", What::Send),
    ("receive", What::Receive),
    ("at", What::At),
];

/// A place that may be an event.
#[derive(Clone, Copy, Debug)]
pub struct Site<'a> {
    /// What it does.
    pub what: What,
    /// The names of what it does that with, each of which may be meant: `Fork.up`, `up`.
    pub names: &'a [&'a str],
    /// The object, if it is about one that is known.
    pub object: Option<&'a str>,
    /// The value that is assigned or found.
    pub value: Option<&'a str>,
    /// The thread.
    pub thread: &'a str,
}

/// A rule: which places are an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// What places do.
    pub what: What,
    /// A pattern for the name of what they do that with.
    pub name: String,
    /// The value that is assigned or found.
    pub value: Option<String>,
    /// A pattern for the object.
    pub object: Option<String>,
    /// A pattern for the thread.
    pub thread: Option<String>,
    /// The event.
    pub event: String,
}

/// Rules, and names of events that stand for calls where no rule is about them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Binding {
    /// The rules.
    pub rules: Vec<Rule>,
    /// Events without a rule: `fork1.up`, `Fork.up` or `up` is a call of a method.
    pub calls: Vec<String>,
}

/// A line that is no rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongRule {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for WrongRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl Binding {
    /// Reads rules, one a line.
    pub fn read(text: &str) -> Result<Binding, WrongRule> {
        let mut rules = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or("").trim();
            if !line.is_empty() {
                let wrong = |message| WrongRule { line: index + 1, message };
                rules.push(Rule::read(line).map_err(wrong)?);
            }
        }
        Ok(Binding { rules, calls: Vec::new() })
    }

    /// Lets events that no rule makes stand for calls.
    pub fn complete<'a>(&mut self, events: impl IntoIterator<Item = &'a String>) {
        for event in events {
            if self.rules.iter().all(|rule| rule.event != *event) {
                self.calls.push(event.clone());
            }
        }
    }

    /// The events of a place, in the order of the rules.
    pub fn events(&self, site: &Site<'_>) -> Vec<String> {
        let mut found: Vec<String> = self
            .rules
            .iter()
            .filter(|rule| rule.is_about(site))
            .map(|rule| rule.event.clone())
            .collect();
        if site.what == What::Call {
            let is = |call: &&String| {
                let by_name = site.names.contains(&call.as_str());
                let by_object = site.object.is_some_and(|object| {
                    let method = call.strip_prefix(object).and_then(|rest| rest.strip_prefix('.'));
                    method.is_some_and(|method| site.names.contains(&method))
                });
                by_name || by_object
            };
            found.extend(self.calls.iter().filter(is).cloned());
        }
        found
    }

    /// Whether some rule is about places that do this.
    pub fn is_about(&self, what: What) -> bool {
        self.rules.iter().any(|rule| rule.what == what)
    }
}

impl Rule {
    /// Reads a rule.
    pub fn read(line: &str) -> Result<Rule, String> {
        let Some((place, event)) = line.split_once("=>") else {
            return Err(format!("expected `PLACE => EVENT`, found `{line}`"));
        };
        let event = event.trim().to_owned();
        if event.is_empty() || event.contains(char::is_whitespace) {
            return Err(format!("expected the name of an event behind `=>`, found `{event}`"));
        }
        let spaced = place.replace('=', " = ");
        let mut words = spaced.split_whitespace();
        let Some(&(_, what)) = words.next().and_then(|w| WORDS.iter().find(|(name, _)| *name == w))
        else {
            let known: Vec<&str> = WORDS.iter().map(|(word, _)| *word).collect();
            return Err(format!("a place begins with one of {}", known.join(", ")));
        };
        let Some(name) = words.next() else {
            return Err("a place needs a name, `*` for any".to_owned());
        };
        let name = name.to_owned();
        let mut rule = Rule { what, name, value: None, object: None, thread: None, event };
        while let Some(word) = words.next() {
            let slot = match (word, what) {
                ("=" | "is", What::Assign | What::Test) => &mut rule.value,
                ("on", _) => &mut rule.object,
                ("in", _) => &mut rule.thread,
                _ => {
                    return Err(format!(
                        "`{word}` is not expected here: `on OBJECT` and `in THREAD` are, and `= VALUE` of an assignment or a test"
                    ));
                }
            };
            match words.next() {
                Some(value) => *slot = Some(value.to_owned()),
                None => return Err(format!("something is missing behind `{word}`")),
            }
        }
        Ok(rule)
    }

    /// Whether it is about one of these names, wherever they are.
    pub fn names_one_of(&self, names: &[&str]) -> bool {
        names.iter().any(|name| is_like(&self.name, name))
    }

    fn is_about(&self, site: &Site<'_>) -> bool {
        // `*` also fits what has no name.
        let fits = |pattern: &Option<String>, value: Option<&str>| {
            pattern.as_ref().is_none_or(|pattern| {
                pattern == "*" || value.is_some_and(|value| is_like(pattern, value))
            })
        };
        self.what == site.what
            && self.names_one_of(site.names)
            && fits(&self.value, site.value)
            && fits(&self.object, site.object)
            && fits(&self.thread, Some(site.thread))
    }
}

/// Whether a text fits a pattern with `*`.
fn is_like(pattern: &str, text: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(mut text) = text.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let last = parts.pop().unwrap_or("");
    for part in parts {
        match text.find(part) {
            Some(at) => text = &text[at + part.len()..],
            None => return false,
        }
    }
    text.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site<'a>(what: What, names: &'a [&'a str], object: Option<&'a str>) -> Site<'a> {
        Site { what, names, object, value: Some("true"), thread: "p1" }
    }

    #[test]
    fn rules_say_which_places_are_events() {
        let text = "# forks\nexit Fork.up on fork1 => f1Up\n\nassign *.isUp=true in p* => raised\n";
        let mut binding = Binding::read(text).unwrap();
        binding.complete(&["f1Up".to_owned(), "fork2.down".to_owned()]);
        let up = ["Fork.up", "up"];
        assert_eq!(binding.events(&site(What::Exit, &up, Some("fork1"))), ["f1Up"]);
        assert!(binding.events(&site(What::Exit, &up, Some("fork2"))).is_empty());
        assert!(binding.events(&site(What::Exit, &up, None)).is_empty());
        assert!(binding.events(&site(What::Call, &up, Some("fork1"))).is_empty());
        assert_eq!(binding.events(&site(What::Assign, &["Fork.isUp"], None)), ["raised"]);
        let any = Binding::read("exit up on * => up").unwrap();
        assert_eq!(any.events(&site(What::Exit, &up, None)), ["up"]);
        let down = ["Fork.down", "down"];
        assert_eq!(binding.events(&site(What::Call, &down, Some("fork2"))), ["fork2.down"]);
        assert!(binding.events(&site(What::Call, &down, Some("fork1"))).is_empty());
    }

    #[test]
    fn what_is_no_rule_is_named() {
        let wrong = |text: &str| Binding::read(text).unwrap_err().to_string();
        assert_eq!(wrong("\ncall x"), "line 2: expected `PLACE => EVENT`, found `call x`");
        assert!(wrong("fly x => y").starts_with("line 1: a place begins with one of call, enter"));
        assert!(wrong("call => y").contains("needs a name"));
        assert!(wrong("call x = 1 => y").contains("`=` is not expected here"));
        assert!(wrong("call x on => y").contains("missing behind `on`"));
        assert!(wrong("call x => y z").contains("name of an event"));
    }

    #[test]
    fn stars_stand_for_anything() {
        for (pattern, text, fits) in [
            ("*", "", true),
            ("a*c", "abc", true),
            ("a*c", "ac", true),
            ("a*c", "acb", false),
            ("*b*", "abc", true),
            ("*b*b", "ab", false),
            ("a", "ab", false),
        ] {
            assert_eq!(is_like(pattern, text), fits, "{pattern} {text}");
        }
    }
}
