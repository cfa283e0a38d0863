//! Making a failing model small.
//!
//! The shrinker knows nothing of Promela but brackets: it takes away single lines, runs of lines and
//! whole bracketed groups, unwraps groups, and puts simpler expressions into lines. The caller's
//! predicate says whether the text still fails; it must refuse texts that are no longer models.

/// Brackets of Promela that span lines.
const PAIRS: [(&str, &str); 3] = [("{", "}"), ("if", "fi"), ("do", "od")];

/// Looks for a smaller text for which `fails` is still true, with at most `tries` calls of it.
///
/// The text itself must fail. The result is the smallest text found.
pub fn shrink(text: &str, tries: usize, mut fails: impl FnMut(&str) -> bool) -> String {
    let mut search = Search {
        lines: text.lines().filter(|line| !line.trim().is_empty()).map(str::to_string).collect(),
        tries,
        fails: &mut fails,
    };
    loop {
        let before = search.lines.clone();
        search.remove_groups();
        search.remove_runs();
        search.unwrap_groups();
        search.simplify_lines();
        if search.lines == before || search.tries == 0 {
            return search.lines.join("\n") + "\n";
        }
    }
}

struct Search<'a> {
    lines: Vec<String>,
    tries: usize,
    fails: &'a mut dyn FnMut(&str) -> bool,
}

impl Search<'_> {
    /// Keeps `lines` if they still fail.
    fn accept(&mut self, lines: Vec<String>) -> bool {
        if self.tries == 0 || lines == self.lines {
            return false;
        }
        self.tries -= 1;
        let fails = (self.fails)(&(lines.join("\n") + "\n"));
        if fails {
            self.lines = lines;
        }
        fails
    }

    /// The lines without those from `from` to `to`, `to` excluded.
    fn without(&self, from: usize, to: usize) -> Vec<String> {
        [&self.lines[..from], &self.lines[to..]].concat()
    }

    /// Takes away whole groups, with the line before them if that is a head like `init`.
    fn remove_groups(&mut self) {
        let mut i = 0;
        while i < self.lines.len() {
            let removed = self.group_end(i).is_some_and(|end| {
                let head = i > 0 && self.lines[i].trim() == "{";
                head && self.accept(self.without(i - 1, end + 1))
                    || self.accept(self.without(i, end + 1))
            });
            let removed =
                removed || self.option_end(i).is_some_and(|end| self.accept(self.without(i, end)));
            if !removed {
                i += 1;
            }
            i = i.min(self.lines.len());
        }
    }

    /// Takes away runs of lines, long ones first.
    fn remove_runs(&mut self) {
        let mut length = (self.lines.len() / 2).max(1);
        loop {
            let mut i = 0;
            while i + length <= self.lines.len() {
                if !self.accept(self.without(i, i + length)) {
                    i += length.div_ceil(2);
                }
            }
            if length == 1 {
                return;
            }
            length = length.div_ceil(2).min(length - 1);
        }
    }

    /// Takes away the two lines around a group, or a selection down to the body of its only option.
    fn unwrap_groups(&mut self) {
        let mut i = 0;
        while i < self.lines.len() {
            if let Some(end) = self.group_end(i) {
                let inner = self.lines[i + 1..end].to_vec();
                let mut lines = [&self.lines[..i], &inner, &self.lines[end + 1..]].concat();
                if !self.accept(lines.clone())
                    && inner.first().is_some_and(|l| l.trim().starts_with("::"))
                {
                    let rest = inner[0].trim().trim_start_matches("::").trim().to_string();
                    lines[i] = rest;
                    lines.retain(|line| !line.is_empty());
                    self.accept(lines);
                }
            }
            i += 1;
        }
    }

    /// Replaces parts of lines by simpler ones.
    fn simplify_lines(&mut self) {
        for i in 0..self.lines.len() {
            loop {
                let found = simpler(&self.lines[i]).into_iter().any(|line| {
                    let mut lines = self.lines.clone();
                    lines[i] = line;
                    self.accept(lines)
                });
                if !found {
                    break;
                }
            }
        }
    }

    /// The line that closes the group opened in line `start`.
    fn group_end(&self, start: usize) -> Option<usize> {
        let (open, close) = PAIRS.into_iter().find(|(open, _)| opens(&self.lines[start], open))?;
        let mut depth = 0;
        for (i, line) in self.lines.iter().enumerate().skip(start) {
            // `} unless {` closes one group and opens another.
            if i > start && closes(line, close) {
                depth -= 1;
                if depth == 0 && !line.contains("unless") {
                    return Some(i);
                }
                if depth == 0 {
                    depth = 1;
                    continue;
                }
            }
            if opens(line, open) {
                depth += 1;
            }
        }
        None
    }

    /// The line after the option that begins in line `start`.
    fn option_end(&self, start: usize) -> Option<usize> {
        if !self.lines[start].trim().starts_with("::") {
            return None;
        }
        let mut i = start + 1;
        while i < self.lines.len() {
            let line = self.lines[i].trim();
            if line.starts_with("::") || closes(line, "fi") || closes(line, "od") {
                return Some(i);
            }
            i = self.group_end(i).unwrap_or(i) + 1;
        }
        None
    }
}

/// Whether a line opens a group that it does not close.
fn opens(line: &str, open: &str) -> bool {
    let line = line.trim();
    if open == "{" {
        return line.ends_with('{');
    }
    line == open || line.ends_with(&format!(" {open}"))
}

fn closes(line: &str, close: &str) -> bool {
    let line = line.trim();
    line == close || line.strip_prefix(close).is_some_and(|rest| rest.starts_with([';', ' ']))
}

/// Simpler forms of a line: without its label, with a smaller value or without a part in parentheses.
fn simpler(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    let indent = &line[..line.len() - line.trim_start().len()];
    let text = line.trim();
    if let Some((left, right)) = text.split_once(" = ")
        && !left.contains(' ')
        && right != "1;"
        && right != "0;"
    {
        found.push(format!("{indent}{left} = 1;"));
        found.push(format!("{indent}{left} = 0;"));
    }
    // Each group in parentheses by 1, the outermost first.
    let bytes = line.as_bytes();
    for open in (0..bytes.len()).filter(|&i| bytes[i] == b'(') {
        let mut depth = 0;
        for close in open..bytes.len() {
            match bytes[close] {
                b'(' => depth += 1,
                b')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                if close - open > 2 {
                    let inner = &line[open + 1..close];
                    for new in ["(1)".to_string(), inner.to_string()] {
                        found.push(format!("{}{new}{}", &line[..open], &line[close + 1..]));
                    }
                    for op in [" && ", " || ", " + ", " - "] {
                        if let Some((left, right)) = inner.split_once(op) {
                            for part in [left, right] {
                                found.push(format!(
                                    "{}({part}){}",
                                    &line[..open],
                                    &line[close + 1..]
                                ));
                            }
                        }
                    }
                }
                break;
            }
        }
    }
    found.retain(|new| new.len() < line.len());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether brackets match and `needle` is there: a stand-in for a model that still fails.
    fn balanced_with(text: &str, needle: &str) -> bool {
        let mut stack = Vec::new();
        for line in text.lines() {
            for (open, close) in PAIRS {
                if closes(line, close) && stack.pop() != Some(open) {
                    return false;
                }
                if opens(line, open) {
                    stack.push(open);
                }
            }
        }
        stack.is_empty() && text.contains(needle)
    }

    #[test]
    fn what_does_not_matter_goes() {
        let text = "byte x;
byte y;
active proctype P()
{
\tx = 1;
\tif
\t::
\t\tx = 2;
\t::
\t\tdo
\t\t:: x == ((2 + 3) % 4) -> break;
\t\tod;
\tfi;
\t{
\t\ty = 2;
\t} unless {
\t\tneedle = (y + 1) % 2;
\t};
}
";
        let small = shrink(text, 1000, |t| balanced_with(t, "needle"));
        assert_eq!(small, "\t\tneedle = 1;\n");
    }

    #[test]
    fn random_models_shrink() {
        for seed in 0..40 {
            let text = crate::generate::model(seed).text;
            let mut calls = 0;
            let small = shrink(&text, 300, |t| {
                calls += 1;
                balanced_with(t, "g0")
            });
            assert!(calls <= 300);
            assert!(small.len() < text.len() / 3, "{small}");
        }
    }
}
