//! Colours, glyphs and widths.

use std::borrow::Cow;

use everypath_model::is_hidden;
use everypath_verdict::Word;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The narrowest page that output is laid out for.
pub const MIN_WIDTH: usize = 60;
/// What begins each of the colours that are used, and what ends all of them.
const COLOURS: [&str; 6] =
    ["\x1b[1;31m", "\x1b[1;33m", "\x1b[1;32m", "\x1b[1m", "\x1b[2m", "\x1b[0m"];
/// The longest text that is shown in one piece.
const BRIEF: usize = 1000;

/// How text is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether to use colours.
    pub color: bool,
    /// Whether to keep to ASCII.
    pub ascii: bool,
    /// Columns of a page.
    pub width: usize,
}

/// What a piece of text is, for its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// A violation, an error.
    Bad,
    /// A warning, something inconclusive.
    Warn,
    /// What is proved.
    Good,
    /// A heading.
    Strong,
    /// Line numbers, rules, what may be skipped.
    Faint,
}

impl Style {
    /// Text in the colour of what it is.
    pub fn paint(&self, paint: Paint, text: &str) -> String {
        if !self.color || text.is_empty() {
            return text.to_owned();
        }
        let [bad, warn, good, strong, faint, end] = COLOURS;
        let begin = match paint {
            Paint::Bad => bad,
            Paint::Warn => warn,
            Paint::Good => good,
            Paint::Strong => strong,
            Paint::Faint => faint,
        };
        format!("{begin}{text}{end}")
    }

    /// The colour of a verdict: green is for `holds` alone.
    pub fn verdict(&self, word: Word, text: &str) -> String {
        let paint = match word {
            Word::Holds => Paint::Good,
            Word::NoViolationFound | Word::Unknown => Paint::Warn,
            Word::Error | Word::Violated => Paint::Bad,
        };
        self.paint(paint, text)
    }

    /// What stands for text that was cut.
    pub fn ellipsis(&self) -> &'static str {
        if self.ascii { "..." } else { "…" }
    }

    /// Text of the user, fit for a terminal: tabs become blanks, and what could move the cursor or
    /// is not ASCII where only ASCII may be becomes an escape.
    pub fn clean<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let plain = |c: char| c != '\t' && !is_hidden(c) && (!self.ascii || c.is_ascii());
        if text.chars().all(plain) {
            return Cow::Borrowed(text);
        }
        let mut clean = String::with_capacity(text.len() + 8);
        for c in text.chars() {
            self.clean_char(c, &mut clean);
        }
        Cow::Owned(clean)
    }

    /// Clean text of at most `BRIEF` columns: a name in a message may be as long as the input.
    pub fn brief<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let clean = self.clean(text);
        if clean.len() <= BRIEF { clean } else { Cow::Owned(self.clip(&clean, BRIEF)) }
    }

    /// Appends one character as [`Style::clean`] does.
    pub fn clean_char(&self, c: char, out: &mut String) {
        match c {
            '\t' => out.push_str("    "),
            c if is_hidden(c) || (self.ascii && !c.is_ascii()) => {
                out.extend(c.escape_default());
            }
            c => out.push(c),
        }
    }

    /// Clean text cut to `width` columns.
    pub fn clip(&self, text: &str, width: usize) -> String {
        if text.width() <= width {
            return text.to_owned();
        }
        let ellipsis = self.ellipsis();
        if width < ellipsis.width() {
            return ".".repeat(width);
        }
        let mut clipped = take_columns(text, width - ellipsis.width()).to_owned();
        clipped.push_str(ellipsis);
        clipped
    }
}

/// The colour that a text begins with, if it is one of ours.
pub fn colour_at(text: &str) -> Option<&'static str> {
    COLOURS.into_iter().find(|colour| text.starts_with(colour))
}

/// The longest prefix of at most `width` columns.
pub fn take_columns(text: &str, width: usize) -> &str {
    let mut used = 0;
    for (i, c) in text.char_indices() {
        used += c.width().unwrap_or(0);
        if used > width {
            return &text[..i];
        }
    }
    text
}

/// Text with blanks up to `width` columns.
pub fn pad(text: &str, width: usize) -> String {
    let mut padded = text.to_owned();
    padded.extend(std::iter::repeat_n(' ', width.saturating_sub(text.width())));
    padded
}

/// Columns that text takes.
pub fn columns(text: &str) -> usize {
    text.width()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Style = Style { color: false, ascii: false, width: 80 };
    const ASCII: Style = Style { ascii: true, ..PLAIN };

    #[test]
    fn text_is_clipped_to_columns() {
        assert_eq!(PLAIN.clip("abcdef", 6), "abcdef");
        assert_eq!(PLAIN.clip("abcdefg", 6), "abcde…");
        assert_eq!(ASCII.clip("abcdefg", 6), "abc...");
        assert_eq!(ASCII.clip("abcdefg", 2), "..");
        assert_eq!(PLAIN.clip("", 0), "");
        // Wide characters are never cut in half.
        assert_eq!(PLAIN.clip("日本語", 4), "日…");
        for width in 0..10 {
            assert!(columns(&PLAIN.clip("a日本b語c", width)) <= width);
            assert!(columns(&ASCII.clip("a日本b語c", width)) <= width);
        }
    }

    #[test]
    fn nothing_of_the_user_moves_the_cursor() {
        assert_eq!(PLAIN.clean("a\tb\x1b[2Jc\r"), "a    b\\u{1b}[2Jc\\r");
        assert_eq!(PLAIN.clean("x\u{202e}y"), "x\\u{202e}y");
        assert_eq!(PLAIN.clean("größe"), "größe");
        assert_eq!(ASCII.clean("größe"), "gr\\u{f6}\\u{df}e");
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(PLAIN.brief("a\tb"), "a    b");
        let long = PLAIN.brief(&"x".repeat(1 << 20)).into_owned();
        assert_eq!((columns(&long), long.ends_with("x…")), (BRIEF, true));
    }

    #[test]
    fn colour_is_optional() {
        assert_eq!(PLAIN.paint(Paint::Bad, "x"), "x");
        let colored = Style { color: true, ..PLAIN };
        assert_eq!(colored.paint(Paint::Bad, "x"), "\x1b[1;31mx\x1b[0m");
        assert_eq!(colored.verdict(Word::Holds, "holds"), "\x1b[1;32mholds\x1b[0m");
    }
}
