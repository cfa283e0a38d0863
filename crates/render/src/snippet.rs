//! A place in the source with the line it stands on.

use std::fmt::Write;

use everypath_model::{FileId, Sources};
use everypath_verdict::{Note, NoteSeverity, Place};

use super::style::{Paint, Style, columns, take_columns};

/// `file:line:column` of the start of a place.
pub fn location(sources: &Sources, place: Place) -> String {
    let path = sources.file(FileId(place.file)).path.to_string_lossy();
    format!("{path}:{}:{}", place.start.0, place.start.1)
}

/// Appends the arrow with the location, the line, and carets under the place with a text.
pub fn snippet(out: &mut String, style: &Style, sources: &Sources, place: Place, label: &str) {
    excerpt(out, style, sources, place, label, ("-->", '^'));
}

fn excerpt(
    out: &mut String,
    style: &Style,
    sources: &Sources,
    place: Place,
    label: &str,
    (arrow, mark): (&str, char),
) {
    let file = sources.file(FileId(place.file));
    let number = place.start.0.to_string();
    let gutter = " ".repeat(number.len());
    let at = style.brief(&location(sources, place)).into_owned();
    let _ = writeln!(out, "{gutter}{} {at}", style.paint(Paint::Faint, arrow));

    let line = file.line(place.start.0);
    let start = place.start.1 as usize - 1;
    let end = if place.end.0 == place.start.0 {
        (place.end.1 as usize - 1).max(start + 1)
    } else {
        line.chars().count().max(start + 1)
    };
    // The line as it is shown, and the columns of the place in it.
    let mut text = String::new();
    let (mut from, mut to) = (None, None);
    for (i, c) in line.trim_end().chars().enumerate() {
        if i == start {
            from = Some(columns(&text));
        }
        if i == end {
            to = Some(columns(&text));
        }
        style.clean_char(c, &mut text);
    }
    let from = from.unwrap_or(columns(&text));
    let to = to.unwrap_or(columns(&text)).max(from + 1);

    let room = style.width.saturating_sub(number.len() + 3).max(20);
    let (text, from, to) = window(style, &text, from, to, room);
    let bar = style.paint(Paint::Faint, "|");
    let line = if text.is_empty() { String::new() } else { format!(" {text}") };
    let _ = writeln!(out, "{} {bar}{line}", style.paint(Paint::Faint, &number));
    let marks: String = std::iter::repeat_n(mark, to - from).collect();
    let marks = style.paint(if mark == '^' { Paint::Bad } else { Paint::Faint }, &marks);
    let label = if label.is_empty() { String::new() } else { format!(" {}", style.brief(label)) };
    let _ = writeln!(out, "{gutter} {bar} {}{marks}{label}", " ".repeat(from));
}

/// Cuts a long line to `room` columns around the place.
fn window(
    style: &Style,
    text: &str,
    from: usize,
    to: usize,
    room: usize,
) -> (String, usize, usize) {
    if columns(text) <= room {
        return (text.to_owned(), from, to);
    }
    let dots = style.ellipsis();
    // Show the start of the line if the place lies in it, else begin shortly before the place.
    let skip = if to <= room - columns(dots) { 0 } else { from.saturating_sub(room / 4) };
    let head = take_columns(text, skip);
    // A wide character may stand in the way: the tail begins behind it.
    let tail = &text[head.len()..];
    let more = if columns(head) < skip { tail.chars().next().map_or(0, char::len_utf8) } else { 0 };
    let tail = &tail[more..];
    let lead = if skip > 0 { dots } else { "" };
    let shown = style.clip(tail, room - columns(lead));
    let shift = columns(text) - columns(tail);
    let width = columns(lead) + columns(&shown);
    let from = (from + columns(lead) - shift).min(width.saturating_sub(1));
    let to = (to + columns(lead) - shift).clamp(from + 1, width.max(from + 1));
    (format!("{lead}{shown}"), from, to)
}

/// The word before the code of a note.
pub fn severity(severity: NoteSeverity) -> (&'static str, Paint) {
    match severity {
        NoteSeverity::Note => ("note", Paint::Strong),
        NoteSeverity::Warning => ("warning", Paint::Warn),
        NoteSeverity::Unsupported => ("unsupported", Paint::Warn),
        NoteSeverity::Error => ("error", Paint::Bad),
    }
}

/// Appends `error[EP1234]: message`.
pub fn headline(out: &mut String, style: &Style, word: (&str, Paint), code: &str, message: &str) {
    let tag = style.paint(word.1, &format!("{}[{}]", word.0, style.brief(code)));
    let _ = writeln!(out, "{tag}: {}", style.paint(Paint::Strong, &style.brief(message)));
}

/// Appends a note with its places and its help; `more` says where to read on about its code.
pub fn note(out: &mut String, style: &Style, sources: &Sources, note: &Note, more: bool) {
    headline(out, style, severity(note.severity), &note.code, &note.message);
    if let Some(place) = note.span {
        snippet(out, style, sources, place, note.label.as_deref().unwrap_or(""));
    }
    for related in &note.related {
        excerpt(out, style, sources, related.span, &related.text, (":::", '-'));
    }
    let help = note.help.as_ref().map(|help| format!("help: {}", style.brief(help)));
    let more = more.then(|| format!("more: everypath explain {}", style.brief(&note.code)));
    match (help, more) {
        (Some(help), Some(more)) if columns(&help) + 6 + columns(&more) <= style.width => {
            let _ = writeln!(out, "{help}      {more}");
        }
        (help, more) => {
            for line in help.into_iter().chain(more) {
                let _ = writeln!(out, "{line}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(text: &str, place: Place, width: usize, ascii: bool) -> String {
        let mut sources = Sources::default();
        sources.add("f.pml".into(), text.to_owned());
        let mut out = String::new();
        snippet(&mut out, &Style { color: false, ascii, width }, &sources, place, "here");
        out
    }

    fn at(line: u32, from: u32, to: u32) -> Place {
        Place { file: 0, start: (line, from), end: (line, to) }
    }

    #[test]
    fn the_place_is_marked() {
        assert_eq!(
            show("a\nab cd ef\n", at(2, 4, 6), 80, false),
            " --> f.pml:2:4\n2 | ab cd ef\n  |    ^^ here\n"
        );
    }

    #[test]
    fn tabs_and_wide_characters_keep_the_marks_in_place() {
        assert_eq!(
            show("\tab cd\n", at(1, 5, 7), 80, false),
            " --> f.pml:1:5\n1 |     ab cd\n  |        ^^ here\n"
        );
        assert_eq!(
            show("日本 x\n", at(1, 4, 5), 80, false),
            " --> f.pml:1:4\n1 | 日本 x\n  |      ^ here\n"
        );
        assert_eq!(
            show("ö x\n", at(1, 3, 4), 80, true),
            " --> f.pml:1:3\n1 | \\u{f6} x\n  |        ^ here\n"
        );
    }

    #[test]
    fn places_at_the_end_of_the_text_have_one_mark() {
        assert_eq!(show("ab", at(1, 3, 3), 80, false), " --> f.pml:1:3\n1 | ab\n  |   ^ here\n");
        assert_eq!(show("", at(1, 1, 1), 80, false), " --> f.pml:1:1\n1 |\n  | ^ here\n");
        // A place of several lines is marked to the end of its first one.
        let place = Place { file: 0, start: (1, 2), end: (2, 2) };
        assert_eq!(show("abc\ndef\n", place, 80, false), " --> f.pml:1:2\n1 | abc\n  |  ^^ here\n");
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let text = format!("{} bad {}", "x".repeat(200), "y".repeat(200));
        for ascii in [false, true] {
            let shown = show(&text, at(1, 202, 205), 60, ascii);
            let lines: Vec<&str> = shown.lines().collect();
            assert!(columns(lines[1]) <= 60, "{shown}");
            let from = lines[2].find('^').unwrap();
            let skip: String = lines[1].chars().skip(from).take(3).collect();
            assert_eq!(skip, "bad", "{shown}");
        }
    }
}
