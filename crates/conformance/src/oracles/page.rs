//! The register as a table for terminals and as a page.

use std::fmt::Write;

use super::{Item, Register, System};

/// How the page is made, on top of it.
const HEAD: &str = "# Published systems

Everypath carries on what others have published. For each system that is here, this page says what gives it, which
promises of its description no test of ours shows, and our figures beside those of the paper. The lists with all
promises, and the tests that show them, are in `crates/conformance/oracles.toml`; `cargo xtask oracles` prints them,
and `cargo xtask oracles --write` makes this page. A test compares both.

An item is *shown* if a test fails when it is not so. What is *open* may be there all the same: the reason says what is
missing. Of some items tests show a part; then the reason says which. Ids are those of the descriptions: features are
counted as they are listed there, oracles have their numbers.
";

impl System {
    /// How many items are shown.
    pub fn shown(&self) -> usize {
        self.items.iter().filter(|item| item.is_shown()).count()
    }

    /// How many items are shown in part.
    pub fn partly(&self) -> usize {
        self.open().filter(|item| !item.tests.is_empty()).count()
    }

    /// What is open, in order.
    pub fn open(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(|item| !item.is_shown())
    }

    /// The commands without what they are given, each once.
    fn verbs(&self) -> Vec<String> {
        let mut verbs: Vec<String> = Vec::new();
        for command in &self.commands {
            let verb: Vec<&str> = command.split_whitespace().take(2).collect();
            let verb = format!("`{}`", verb.join(" "));
            if !verbs.contains(&verb) {
                verbs.push(verb);
            }
        }
        verbs
    }
}

/// A text in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// What a reader calls a section.
fn anchor(name: &str) -> String {
    let kept = name.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-'));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

/// `docs/systems.md`.
pub fn page(register: &Register) -> String {
    let mut text = format!(
        "{HEAD}\n| system | published in | commands | shown | in part | open, in part or as a whole |\n|---|---|---|---:|---:|---|\n"
    );
    for system in &register.systems {
        let open: Vec<&str> = system.open().map(|item| item.id.as_str()).collect();
        let open = if open.is_empty() { "nothing".to_owned() } else { open.join(", ") };
        let _ = writeln!(
            text,
            "| [{}](#{}) | {} | {} | {} of {} | {} | {open} |",
            cell(&system.name),
            anchor(&system.name),
            cell(&system.paper),
            system.verbs().join(", "),
            system.shown(),
            system.items.len(),
            system.partly(),
        );
    }
    for system in &register.systems {
        let _ = write!(text, "\n## {}\n\n{}\n", system.name, system.paper);
        if !system.note.is_empty() {
            let _ = write!(text, "\n{}\n", system.note);
        }
        if !system.commands.is_empty() {
            let _ = write!(text, "\n```sh\n{}\n```\n", system.commands.join("\n"));
        }
        if !system.figures.is_empty() {
            text += "\n| figure | paper | ours | from |\n|---|---|---|---|\n";
        }
        for figure in &system.figures {
            let (what, paper, ours) = (cell(&figure.what), cell(&figure.paper), cell(&figure.ours));
            let from = match figure.source.strip_prefix("docs/") {
                Some(page) => format!("[{page}]({page})"),
                None => format!("[{0}](../{0})", figure.source),
            };
            let _ = writeln!(text, "| {what} | {paper} | {ours} | {from} |");
        }
        if system.open().next().is_some() {
            text += "\n| open | what | why |\n|---|---|---|\n";
        }
        for item in system.open() {
            let why = item.open.as_deref().unwrap_or_default();
            let part = if item.tests.is_empty() { "" } else { "shown in part: " };
            let _ = writeln!(text, "| {} | {} | {part}{} |", item.id, cell(&item.says), cell(why));
        }
    }
    text
}

/// All of the register, a line for each item and one for each of its tests.
pub fn table(register: &Register) -> String {
    let mut text = String::new();
    for system in &register.systems {
        let (shown, all) = (system.shown(), system.items.len());
        let partly = system.partly();
        let _ = writeln!(text, "{}: {shown} of {all} shown, {partly} in part", system.name);
        for item in &system.items {
            let state = match (item.is_shown(), item.tests.is_empty()) {
                (true, _) => "shown",
                (false, false) => "partly",
                (false, true) => "open",
            };
            let _ = writeln!(text, "  {:<9} {state:<6} {}", item.id, item.says);
            if let Some(why) = &item.open {
                let _ = writeln!(text, "  {:<16} open: {why}", "");
            }
            for name in item.tests.iter().chain(&item.with) {
                let _ = writeln!(text, "  {:<16} {name}", "");
            }
        }
    }
    let items = || register.systems.iter().flat_map(|system| &system.items);
    let shown = items().filter(|item| item.is_shown()).count();
    let _ =
        writeln!(text, "{} systems: {shown} of {} shown", register.systems.len(), items().count());
    text
}
