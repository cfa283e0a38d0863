//! The one way in which text from outside becomes fit to be shown: names of files, arguments, texts of models and
//! documents may hold characters that move the cursor, recolour a terminal, or reorder and hide what stands around
//! them.

use std::borrow::Cow;
use std::path::Path;

/// Whether a character does something else than to be seen: control characters (the line end among them), those that
/// reorder text, and those without a width.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}'
                | '\u{115f}'
                | '\u{1160}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// Text in which everything can be seen: `\n`, `\u{1b}` and their like stand for what is hidden. Text that has become
/// visible stays as it is.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match is_hidden(c) {
            true => shown.extend(c.escape_default()),
            false => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// The name of a file in a message.
pub fn shown(path: &Path) -> String {
    visible(&path.to_string_lossy()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_becomes_visible_once() {
        let text = "a\tb\x1b[2Jc\r\n\u{9b}x\u{202e}y\u{200d}z\u{e0041}";
        let shown = visible(text);
        assert_eq!(shown, "a\\tb\\u{1b}[2Jc\\r\\n\\u{9b}x\\u{202e}y\\u{200d}z\\u{e0041}");
        assert_eq!(visible(&shown), shown);
        assert!(!shown.chars().any(is_hidden));
    }

    #[test]
    fn ordinary_text_stays() {
        for text in ["", "größe 日本 é", "a\\nb", "C:\\x 🎉"] {
            assert!(matches!(visible(text), Cow::Borrowed(same) if same == text), "{text}");
        }
        assert_eq!(shown(Path::new("a\nb.pml")), "a\\nb.pml");
    }
}
