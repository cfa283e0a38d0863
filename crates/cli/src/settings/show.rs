//! `check --show-config`: every value that counts, with where it comes from.

use std::fmt::Write;

use everypath_model::{is_hidden, shown};
use everypath_render::units;

use super::options::{Kind, Setting, Settings};
use super::{Item, Plan};

use crate::memory;
use crate::render::style::{Paint, Style, pad};

/// Column where the origins begin, if the values leave room.
const ORIGIN: usize = 40;

/// The settings of a plan as a file that says the same.
pub fn text(plan: &Plan, style: &Style) -> String {
    let settings = Settings::of_check();
    let mut out = String::new();
    let file = match &plan.file {
        Some(path) => shown(path),
        None => "no everypath.toml".to_owned(),
    };
    let _ = writeln!(out, "# command line > environment > {file} > default");
    let _ = writeln!(out, "[check]");
    for setting in &settings.all {
        line(&mut out, style, setting, plan.merged.get(&setting.key));
    }
    for job in &plan.jobs {
        let _ = writeln!(out, "\n[[target]]");
        let _ = writeln!(out, "path = {}", quoted(&job.path.to_string_lossy()));
        for setting in &settings.all {
            let items = job.merged.get(&setting.key);
            if items != plan.merged.get(&setting.key) {
                line(&mut out, style, setting, items);
            }
        }
        if let Some(reason) = &job.expected.reason {
            let _ = writeln!(out, "reason = {}", quoted(reason));
        }
        for expected in &job.expected.properties {
            let _ = writeln!(out, "[[target.prop]]");
            let name = format!("name = {}", quoted(&expected.name));
            entry(&mut out, style, &name, &expected.place);
            let _ = writeln!(out, "expect = {}", quoted(expected.expect.as_str()));
        }
    }
    out
}

/// A setting, or each part of one that comes from several places.
fn line(out: &mut String, style: &Style, setting: &Setting, items: Option<&Vec<Item>>) {
    let key = &setting.key;
    let Some(items) = items.filter(|items| !items.is_empty()) else {
        let (value, why) = default(setting);
        let text = match value.as_str() {
            "" => format!("# {key} ="),
            value => format!("{key} = {value}"),
        };
        entry(out, style, &text, why);
        return;
    };
    if setting.kind != Kind::Many {
        let item = &items[0];
        let text = item.text.to_string_lossy();
        let plain = matches!(&*text, "true" | "false");
        let value = if plain { text.into_owned() } else { quoted(&text) };
        entry(out, style, &format!("{key} = {value}"), &item.origin.to_string());
        return;
    }
    // A list with an origin for each element.
    let one_line = items.iter().all(|item| item.origin == items[0].origin);
    let text = |item: &Item| quoted(&item.text.to_string_lossy());
    if one_line {
        let list: Vec<String> = items.iter().map(text).collect();
        let origin = items[0].origin.to_string();
        entry(out, style, &format!("{key} = [{}]", list.join(", ")), &origin);
        return;
    }
    let _ = writeln!(out, "{key} = [");
    for item in items {
        entry(out, style, &format!("  {},", text(item)), &item.origin.to_string());
    }
    let _ = writeln!(out, "]");
}

fn default(setting: &Setting) -> (String, &'static str) {
    match (setting.kind, setting.key.as_str(), setting.default.as_str()) {
        (_, "mem", _) => match memory::default_limit() {
            Some(limit) => (quoted(&units::bytes(limit)), "default: 75 % of the memory"),
            None => (String::new(), "default: no limit"),
        },
        (Kind::Flag { .. }, _, value) => (value.to_owned(), "default"),
        (Kind::Many, _, "") => ("[]".to_owned(), "default"),
        (_, "time" | "states" | "depth", _) => (String::new(), "default: no limit"),
        (_, _, "") => (String::new(), "default: none"),
        (_, _, value) => (quoted(value), "default"),
    }
}

fn entry(out: &mut String, style: &Style, text: &str, origin: &str) {
    let text = pad(&style.clean(text), ORIGIN);
    let origin = style.paint(Paint::Faint, &format!("# {}", style.clean(origin)));
    let _ = writeln!(out, "{text}  {origin}");
}

/// A TOML string.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if is_hidden(c) => {
                let _ = write!(out, "\\U{:08X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
