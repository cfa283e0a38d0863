//! `everypath prop list`

use std::fmt::Write;

use everypath_property::patterns::{Pattern, Property, Scope, Set};
use everypath_verdict::Exit;

use super::ListArgs;
use crate::commands::formula;
use crate::config::Environment;
use crate::load;
use crate::print;
use crate::reading::Reading;
use crate::render::style::{columns, pad};
use crate::temporal::{Asked, text_of};

/// Lists patterns and scopes, or what models declare.
pub fn list(args: &ListArgs, environment: &Environment) -> Exit {
    if args.files.is_empty() {
        print(&patterns());
        return Exit::Ok;
    }
    let (style, notes) = environment.styles(&args.layout);
    let reading = Reading::from(args.reading.clone());
    let mut exit = Exit::Ok;
    let mut out = String::new();
    for path in &args.files {
        let mut opened = load::open(path, &reading);
        let questions = opened.questions(&reading, Asked::default());
        for diagnostic in opened.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()) {
            formula::tell(&notes, &opened.sources, diagnostic);
            exit = exit.and(Exit::Input);
        }
        let Some(model) = &opened.model else { continue };
        let _ = writeln!(out, "{}", style.clean(&path.to_string_lossy()));
        let declared: Vec<(String, String)> = questions
            .declared()
            .into_iter()
            .map(|property| {
                let ltl = model.ltl.iter().find(|ltl| ltl.name == property.name);
                (property.name, ltl.map_or(String::new(), |ltl| text_of(&opened.sources, ltl)))
            })
            .collect();
        let width = declared.iter().map(|(name, _)| columns(name)).max().unwrap_or(0);
        for (name, text) in &declared {
            let line = format!("  {}  {text}", pad(name, width));
            let _ = writeln!(out, "{}", style.clean(line.trim_end()));
        }
        if declared.is_empty() {
            out.push_str("  no temporal properties\n");
        }
    }
    print(&out);
    exit
}

fn patterns() -> String {
    let name = |role: char| role.to_string();
    let mut out = String::from("Patterns: what must happen\n");
    let scope = Scope::Global;
    for pattern in Pattern::ALL {
        let property = Property { pattern, scope, set: Set::Prospec };
        let sentence = property.english(&name);
        let says = sentence.strip_prefix("In every run, ").unwrap_or(&sentence);
        let _ = writeln!(out, "  {}  {says}", pad(pattern.name(), 20));
    }
    out.push_str("\nScopes: in which part of a run\n");
    for scope in Scope::ALL {
        let property = Property { pattern: Pattern::Absence, scope, set: Set::Prospec };
        let sentence = property.english(&name);
        let part = sentence.strip_suffix(", P never holds.").unwrap_or(&sentence);
        let _ = writeln!(out, "  {}  {part}", pad(scope.name(), 20));
    }
    out.push_str(
        "\nmore: everypath prop show response --scope after-until\n      everypath prop new\n",
    );
    out
}
