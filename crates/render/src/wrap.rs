//! Text that is broken at the width of the page.

use crate::style::{Style, columns};

/// Appends a line with an indent of two, broken at blanks.
pub fn wrapped(out: &mut String, style: &Style, text: &str) {
    indented(out, style, 2, text);
}

/// Appends a line with an indent, broken at blanks.
pub fn indented(out: &mut String, style: &Style, indent: usize, text: &str) {
    wrapped_at(out, style, (indent, indent + 2), text);
}

/// Appends a line broken at blanks, with an indent of its first part and one of the others. A word
/// that is longer than a line is cut: the name of a variable may be as long as the input.
pub fn wrapped_at(out: &mut String, style: &Style, indent: (usize, usize), text: &str) {
    let mut column = 0;
    for (i, word) in style.clean(text).split(' ').enumerate() {
        let word = style.clip(word, style.width - indent.1.max(indent.0));
        let width = columns(&word);
        if i == 0 {
            out.push_str(&" ".repeat(indent.0));
            column = indent.0;
        } else if column + 1 + width > style.width {
            out.push('\n');
            out.push_str(&" ".repeat(indent.1));
            column = indent.1;
        } else {
            out.push(' ');
            column += 1;
        }
        out.push_str(&word);
        column += width;
    }
    out.push('\n');
}
