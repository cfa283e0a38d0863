//! The tables as Markdown, and into a document between marks.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use super::result::{Report, Section};

/// How it was measured: one paragraph.
pub fn conditions(report: &Report) -> String {
    let mut text = format!(
        "{}, {} processors; {}; commit {}; best of {}; load {} before, {} after.",
        report.processor,
        report.processors,
        report.peer,
        report.commit,
        report.runs,
        report.load[0],
        report.load[1]
    );
    if let Some(limit) = report.limit {
        let _ = write!(
            text,
            " Memory gives {:.0} million random lines of 64 bytes a second to one thread, {:.0} to two.",
            limit.one, limit.two
        );
    }
    text
}

/// One part: table, figures, problems.
pub fn section(section: &Section) -> String {
    let mut text = format!("### {}\n\n", section.title);
    if let Some(why) = &section.skipped {
        let _ = writeln!(text, "Not run: {why}.");
        return text;
    }
    if let Some(remark) = &section.remark {
        let _ = writeln!(text, "{remark}\n");
    }
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let heads: Vec<String> = section.columns.iter().map(|c| (*c).to_owned()).collect();
    text += &line(&heads);
    let rules: Vec<String> =
        (0..heads.len()).map(|i| if i == 0 { "---" } else { "---:" }.to_owned()).collect();
    text += &line(&rules);
    for cells in &section.cells {
        text += &line(cells);
    }
    if !section.figures.is_empty() {
        text += "\n| in the mean | measured | aim | |\n|---|---:|---|---|\n";
    }
    for figure in &section.figures {
        let word = if figure.aim == "-" {
            ""
        } else if figure.reached {
            "reached"
        } else {
            "missed"
        };
        let _ =
            writeln!(text, "| {} | {:.2} | {} | {word} |", figure.what, figure.value, figure.aim);
    }
    let problems: Vec<String> = section
        .rows
        .iter()
        .flat_map(|row| {
            row.problems.iter().map(move |p| format!("- {}: {}\n", row.model, p.trim()))
        })
        .collect();
    if !problems.is_empty() {
        text += "\nProblems:\n\n";
        text += &problems.concat();
    }
    text
}

/// Puts every part of the report between its marks in the document.
pub fn update(path: &Path, report: &Report) -> Result<(), String> {
    let fail = |e: std::io::Error| format!("{}: {e}", path.display());
    let mut text = fs::read_to_string(path).map_err(fail)?;
    for part in &report.sections {
        let block = format!("{}\n{}\n", section(part), conditions(report));
        text = replace(&text, part.name, &block)
            .ok_or_else(|| format!("{}: no marks for `{}`", path.display(), part.name))?;
    }
    fs::write(path, text).map_err(fail)
}

/// The text with `block` between the marks of `name`.
pub fn replace(text: &str, name: &str, block: &str) -> Option<String> {
    let (begin, end) = (format!("<!-- bench {name} -->\n"), format!("<!-- end {name} -->"));
    let from = text.find(&begin)? + begin.len();
    let to = from + text[from..].find(&end)?;
    Some(format!("{}\n{block}\n{}", &text[..from], &text[to..]))
}

#[cfg(test)]
mod tests {
    use super::super::tables::SECTIONS;
    use super::*;

    #[test]
    fn a_block_is_replaced_between_its_marks() {
        let text = "a\n<!-- bench x -->\nold\n<!-- end x -->\nb\n";
        let new = replace(text, "x", "new\n").unwrap();
        assert_eq!(new, "a\n<!-- bench x -->\n\nnew\n\n<!-- end x -->\nb\n");
        assert_eq!(replace(&new, "x", "new\n").unwrap(), new);
        assert_eq!(replace(text, "y", "new"), None);
    }

    #[test]
    fn the_document_has_marks_for_every_section() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/performance.md");
        let text = fs::read_to_string(path).unwrap();
        for (name, _) in SECTIONS {
            assert!(replace(&text, name, "").is_some(), "no marks for {name}");
        }
    }
}
