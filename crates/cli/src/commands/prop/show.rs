//! `everypath prop show`

use std::fmt::Write;
use std::path::Path;

use everypath_model::shown;
use everypath_property::ltl::{Class, Formula, Formulas, Spelling};
use everypath_property::patterns::{Pattern, Property, Scope};
use everypath_property::tgba::{Automaton, Strength};
use everypath_property::words::Lasso;
use everypath_property::{picture, tgba};
use everypath_verdict::Exit;

use super::{Made, ShowPropArgs, events, make, pattern_of, scope_of, unknown};
use crate::commands::formula;
use crate::config::Environment;
use crate::load;
use crate::reading::Reading;
use crate::render::style::Style;
use crate::tell;
use crate::temporal::text_of;

/// Words of each kind that are shown.
const WORDS: usize = 3;

/// Shows a formula, a pattern or a property of a model.
pub fn show(args: &ShowPropArgs, environment: &Environment) -> Exit {
    let (style, notes) = environment.styles(&args.layout);
    match page(args, &notes) {
        Ok(text) => {
            formula::print_lines(&style, &text);
            Exit::Ok
        }
        Err(exit) => exit,
    }
}

fn page(args: &ShowPropArgs, style: &Style) -> Result<String, Exit> {
    if let Some(text) = &args.qre {
        return events::of_qre(text, style);
    }
    if let Some(path) = &args.fsa {
        return events::of_file(path, style);
    }
    let is_pattern = Pattern::of_name(&args.what).is_some();
    let given = args.parts.scope.is_some()
        || ['P', 'S', 'T', 'Q', 'R'].iter().any(|&role| args.parts.text(role).is_some());
    if args.model.is_none() && (is_pattern || given) {
        let pattern = pattern_of(&args.what, args.parts.most)?;
        let scope = args.parts.scope.as_deref().map_or(Ok(Scope::Global), scope_of)?;
        let property = Property { pattern, scope, set: args.parts.set.into() };
        let mut made = make(property, &|role| args.parts.text(role), style)?;
        let mut out = words(&made);
        describe(&mut out, &mut made.formulas, made.formula, style)?;
        return Ok(out);
    }
    let mut formulas = Formulas::new();
    let (text, spelling) = match &args.model {
        Some(model) => (of_model(model, args, style)?, Spelling::Spin),
        None => (args.what.clone(), args.spelling.into()),
    };
    let formula = formula::read(&mut formulas, &text, spelling, style)?;
    let mut out = String::new();
    if let Some(sentence) = formulas.english(formula) {
        let _ = writeln!(out, "{sentence}\n");
    }
    describe(&mut out, &mut formulas, formula, style)?;
    Ok(out)
}

/// The text of an ltl property of a model.
fn of_model(path: &Path, args: &ShowPropArgs, style: &Style) -> Result<String, Exit> {
    let opened = load::open(path, &Reading::from(args.reading.clone()));
    for diagnostic in opened.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()) {
        formula::tell(style, &opened.sources, diagnostic);
    }
    let Some(model) = opened.model.as_ref().filter(|_| !opened.failed()) else {
        return Err(Exit::Input);
    };
    match model.ltl.iter().find(|ltl| ltl.name == args.what) {
        Some(ltl) => Ok(text_of(&opened.sources, ltl)),
        None if model.ltl.is_empty() => {
            tell("error", &format!("{} has no ltl property", shown(path)));
            Err(Exit::Input)
        }
        None => {
            let names: Vec<&str> = model.ltl.iter().map(|ltl| ltl.name.as_str()).collect();
            Err(unknown("ltl property", &args.what, &names))
        }
    }
}

/// A property in words.
pub(super) fn words(made: &Made) -> String {
    let name = |role: char| made.name(role);
    let mut out = format!("{}\n", made.property.english(&name));
    for remark in made.property.remarks(&name) {
        let _ = writeln!(out, "  {remark}");
    }
    out.push('\n');
    out
}

/// The formula in all spellings, what kind it is, its automaton and words.
pub(super) fn describe(
    out: &mut String,
    formulas: &mut Formulas,
    formula: Formula,
    style: &Style,
) -> Result<(), Exit> {
    let simple = formulas.simplify(formula);
    let best = tgba::best(formulas, formula).map_err(|error| formula::too_large(style, &error))?;
    let classes = formulas.classes(simple);
    let (shown, short) =
        (formulas.show(formula, Spelling::Any), formulas.show(simple, Spelling::Any));
    let _ = writeln!(out, "formula     {shown}");
    if short != shown {
        let _ = writeln!(out, "simplified  {short}");
    }
    for (name, spelling) in
        [("SPIN", Spelling::Spin), ("Spot", Spelling::Spot), ("NuSMV", Spelling::Nusmv)]
    {
        let text = formulas.show(formula, spelling);
        if text != shown {
            let _ = writeln!(out, "{name:<10}  {text}");
        }
    }
    let always = if tgba::is_empty(&best) {
        Some("no word satisfies it")
    } else if tgba::is_valid(formulas, formula).unwrap_or(false) {
        Some("every word satisfies it")
    } else {
        None
    };
    let class = class_of(classes.class(), &best).name();
    let always = always.map_or(String::new(), |always| format!("; {always}"));
    let _ = writeln!(out, "class       {class}{always}");
    let repeats = match tgba::is_stutter_invariant(formulas, formula) {
        Ok(true) => "changes nothing",
        Ok(false) => "may change whether it holds",
        Err(_) => "cannot be told: too many propositions",
    };
    let _ = writeln!(out, "repetition  of states {repeats}");
    let _ = write!(out, "\nautomaton: {}", picture::text(&best));
    let (accepted, rejected) = tgba::examples(&best, WORDS);
    list_words(out, "accepted", &accepted, &best.atoms);
    list_words(out, "rejected", &rejected, &best.atoms);
    Ok(())
}

/// The class that the shape of a formula shows, or a smaller one that its automaton shows.
fn class_of(shape: Class, best: &Automaton) -> Class {
    let shown = match tgba::strength(best) {
        Strength::Safety => Class::Safety,
        Strength::Terminal => Class::Guarantee,
        Strength::Weak if tgba::is_deterministic(best) => Class::Obligation,
        Strength::Weak | Strength::Strong => Class::Reactivity,
    };
    shape.min(shown)
}

/// Words with what holds in each state; what is in parentheses is repeated for ever.
fn list_words(out: &mut String, title: &str, words: &[Lasso], atoms: &[String]) {
    if words.is_empty() {
        let _ = writeln!(out, "\n{title}: none");
        return;
    }
    let _ = writeln!(out, "\n{title}, for example (what is in parentheses repeats for ever):");
    for word in words {
        let _ = writeln!(out, "  {}", word.show(atoms));
    }
}
