//! Misspelt words.

/// Of the candidates the one that a misspelt name is most likely to mean.
pub fn most_similar<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    if name.len() < 2 {
        return None;
    }
    let limit = max_distance(name);
    candidates
        .into_iter()
        .filter_map(|candidate| Some((edit_distance(name, candidate, limit)?, candidate)))
        .filter(|&(distance, _)| distance > 0)
        .min()
        .map(|(_, candidate)| candidate)
}

fn max_distance(name: &str) -> usize {
    if name.len() >= 5 { 2 } else { 1 }
}

/// The number of single edits between two words, if it is at most `limit`.
///
/// An edit inserts, removes or replaces a character, or swaps two neighbours.
fn edit_distance(a: &str, b: &str, limit: usize) -> Option<usize> {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len().abs_diff(b.len()) > limit || a.len() > 64 {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut next = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replace = row[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            next[j] = replace.min(row[j] + 1).min(next[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                next[j] = next[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut row, next);
    }
    Some(row[b.len()]).filter(|&d| d <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted() {
        assert_eq!(edit_distance("brake", "break", 2), Some(2));
        assert_eq!(edit_distance("braek", "break", 1), Some(1));
        assert_eq!(edit_distance("x", "x", 1), Some(0));
        assert_eq!(edit_distance("od", "do", 1), Some(1));
        assert_eq!(edit_distance("abc", "xyz", 2), None);
    }

    #[test]
    fn the_nearest_word_is_meant() {
        assert_eq!(most_similar("brake", ["broke", "break"]), Some("broke"));
        assert_eq!(most_similar("done", ["done", "dome"]), Some("dome"));
        assert_eq!(most_similar("n", ["m"]), None);
        assert_eq!(most_similar("count", ["n", "total"]), None);
    }
}
