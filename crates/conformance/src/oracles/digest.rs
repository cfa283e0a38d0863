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
    /// Ids that are numbers of headings.
    pub headings: Vec<String>,
}

/// The number of a heading, `## 2. Title` or `2. TITLE` alone on a line in capitals.
fn heading(line: &str) -> Option<&str> {
    let marked = line.strip_prefix('#').map(|line| line.trim_start_matches('#').trim_start());
    let text = match marked {
        Some(text) => text,
        None => {
            let title = line.split_once(". ")?.1;
            let capitals = title.chars().take(8).all(|c| c.is_ascii_uppercase() || c == ' ');
            capitals.then_some(line)?
        }
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
        for line in text.lines() {
            if let Some(number) = heading(line) {
                let below = format!("{}.", list.section);
                inside = number == list.section || number.starts_with(&below);
                if inside && list.headings.iter().any(|one| one == number) {
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
