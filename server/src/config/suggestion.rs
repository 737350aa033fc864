//! The known name that a wrong one was probably meant to be.

use crate::texts;

/// The most edits between two names that are still taken for a typing error.
const MOST_EDITS: usize = 4;

/// Names the known name that is most like a wrong one, else all of them.
pub(super) fn nearest(wrong: &str, known: &[&'static str]) -> String {
    let section = wrong.rsplit_once('.').map_or("", |(section, _)| section);
    let like = known.iter().min_by_key(|name| {
        let other = name.rsplit_once('.').map_or("", |(section, _)| section);
        (distance(wrong, name), usize::from(section != other))
    });
    match like {
        Some(name) if distance(wrong, name) <= MOST_EDITS => texts::config::did_you_mean(name),
        _ => texts::config::expected_one_of(&known.join(", ")),
    }
}

/// Edits (insert, delete, replace) between two short names.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
