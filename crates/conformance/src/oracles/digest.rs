//! The ids in the description of a system.

/// Where ids stand, and what they look like.
#[derive(Clone, Debug, Default)]
pub struct List {
    /// The number of the section.
    pub section: String,
    /// Ids are words of this letter and a number, at the beginning of a line or of a sentence.
    pub words: Option<String>,
    /// The points of the section are counted, behind this.
    pub bullets: Option<String>,
    /// Ids are the numbers at the beginning of lines, behind this.
    pub numbers: Option<String>,
    /// Ids are letters with a bracket at the beginning of lines, behind this.
    pub letters: Option<String>,
    /// Ids are the numbers of headings that begin with this.
    pub headings: Option<String>,
}

/// The number of a heading, `## 2. Title`, or a line with a number above a row of dashes.
fn heading<'a>(line: &'a str, next: &str) -> Option<&'a str> {
    let text = match line.strip_prefix('#') {
        Some(text) => text.trim_start_matches('#').trim_start(),
        None if next.starts_with("---") => line,
        None => return None,
    };
    let number = text.split_whitespace().next()?.trim_end_matches('.');
    number.starts_with(|c: char| c.is_ascii_digit()).then_some(number)
}

/// Whether a word is a letter of the mark and a number, maybe with a small letter behind it.
fn is_id(word: &str, mark: &str) -> bool {
    let Some(rest) = word.strip_prefix(mark) else { return false };
    let digits = rest.trim_end_matches(|c: char| c.is_ascii_lowercase());
    rest.len() - digits.len() <= 1
        && !digits.is_empty()
        && digits.chars().all(|c| c.is_ascii_digit())
}

/// All ids that a description promises, in its order, each once.
pub fn promised(text: &str, lists: &[List]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for list in lists {
        let mut inside = false;
        let mut points = 0;
        let below = format!("{}.", list.section);
        let next = text.lines().skip(1).chain([""]);
        for (line, next) in text.lines().zip(next) {
            if let Some(number) = heading(line, next) {
                inside = number == list.section || number.starts_with(&below);
                let asked = list.headings.as_ref().is_some_and(|mark| number.starts_with(mark));
                if inside && number != list.section && asked {
                    found.push(number.to_owned());
                }
                continue;
            }
            if !inside {
                continue;
            }
            if let Some(mark) = &list.bullets
                && line.starts_with("- ")
            {
                points += 1;
                found.push(format!("{mark}{points}"));
            }
            if let Some(mark) = &list.numbers
                && let Some((number, _)) = line.trim_start().split_once(". ")
                && !number.is_empty()
                && number.chars().all(|c| c.is_ascii_digit())
            {
                found.push(format!("{mark}{number}"));
            }
            if let Some(mark) = &list.letters
                && let [letter @ b'a'..=b'z', b')', ..] = line.trim_start().as_bytes()
            {
                found.push(format!("{mark}{}", char::from(*letter)));
            }
            if let Some(mark) = &list.words {
                let mut begins = true;
                for word in line.split_whitespace().filter(|word| !matches!(*word, "-" | "[" | "]"))
                {
                    let id = word.trim_end_matches([':', '.', ',', ')']);
                    if begins && is_id(id, mark) {
                        found.push(id.to_owned());
                    }
                    begins = word.ends_with(['.', ';', ')']);
                }
            }
        }
    }
    let mut once: Vec<String> = Vec::new();
    for id in found {
        if !once.contains(&id) {
            once.push(id);
        }
    }
    once
}
