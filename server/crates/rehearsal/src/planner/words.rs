//! Words of a sentence, what they mean in everyday English, and how alike they are.

mod common;
mod everyday;

pub use everyday::is_filler;
pub(super) use everyday::is_plain;

/// True if a word is for a matter that tools may or may not tell of.
pub(super) fn is_matter(word: &str) -> bool {
    common::plain()
        .chain(["rain", "raining", "internet", "joke", "story"])
        .any(|matter| matter == word)
}

/// Lower-case words; letters, digits, `-`, `_`, `.` and `/` inside a word stay together.
pub fn words(text: &str) -> Vec<String> {
    original(text).into_iter().map(str::to_lowercase).collect()
}

/// Words as they are written.
pub fn original(text: &str) -> Vec<&str> {
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '\'' | '’')))
        .map(|word| {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric());
            word.strip_suffix("'s")
                .or_else(|| word.strip_suffix("’s"))
                .unwrap_or(word)
        })
        .filter(|word| !word.is_empty())
        .collect()
}

/// The parts of a name such as `get_node_status`.
pub(super) fn parts(name: &str) -> Vec<String> {
    name.split(|c: char| !c.is_alphanumeric())
        .filter(|part| !part.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// The meaning of a word: the word that stands for all words of the same thing, else its stem.
pub(super) fn meaning(word: &str) -> String {
    let word = word.to_lowercase();
    match everyday::same(&word) {
        Some(first) => first.to_owned(),
        None => stem(&word),
    }
}

/// True if two meanings are the same: equal, one slip of the finger apart when they are long, or
/// one the beginning of the other (`back` and `backup`).
pub(super) fn close(a: &str, b: &str) -> bool {
    let begins = |long: &str, short: &str| {
        short.len() >= 4 && long.len() - short.len() <= 2 && long.starts_with(short)
    };
    alike(a, b) || (a.len() > b.len() && begins(a, b)) || (b.len() > a.len() && begins(b, a))
}

/// A word without its commonest endings, for comparison only.
pub(super) fn stem(word: &str) -> String {
    let mut stem = word.to_owned();
    // Of short words only abbreviations have a plural: `vms`, but not `has`.
    let is_long = stem.len() > 3 || !stem.contains(['a', 'e', 'i', 'o', 'u', 'y']);
    if let Some(start) = stem.strip_suffix("ies").filter(|start| start.len() >= 3) {
        stem = format!("{start}y");
    } else if is_long && stem.ends_with('s') && !stem.ends_with("ss") && !stem.ends_with("us") {
        stem.pop();
    }
    for ending in ["ing", "ed"] {
        if let Some(start) = stem.strip_suffix(ending).filter(|start| start.len() >= 3) {
            let mut last = start.chars().rev();
            let doubled = last.next() == last.next() && !start.ends_with(['s', 'l']);
            stem = if doubled {
                start[..start.len() - 1].to_owned()
            } else {
                start.to_owned()
            };
            break;
        }
    }
    if stem.len() > 3 && stem.ends_with('e') {
        stem.pop();
    }
    stem
}

/// The singular of a plain plural.
pub(super) fn singular(word: &str) -> String {
    if let Some(start) = word.strip_suffix("ies").filter(|start| start.len() >= 3) {
        return format!("{start}y");
    }
    match word.strip_suffix('s') {
        Some(start) if start.len() >= 2 && !start.ends_with('s') => start.to_owned(),
        _ => word.to_owned(),
    }
}

/// True if two words mean the same: equal, or one slip of the finger apart when they are long.
pub(super) fn alike(a: &str, b: &str) -> bool {
    // A slip at the first letter is rare, and words are compared by the thousand.
    let is_near = a.len().abs_diff(b.len()) <= 2 && a.as_bytes().first() == b.as_bytes().first();
    a == b || (is_near && a.len() >= 6 && b.len() >= 6 && one_edit(a, b))
}

/// The number of letters to insert, remove, replace or swap to make one word of another; no more than 3.
pub(super) fn slips(a: &str, b: &str) -> usize {
    const MOST: usize = 3;
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) >= MOST {
        return MOST;
    }
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for (i, left) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, right) in b.iter().enumerate() {
            let above = rows[i][j + 1] + 1;
            let beside = row[j] + 1;
            let across = rows[i][j] + usize::from(left != right);
            let swaps = i > 0 && j > 0 && *left == b[j - 1] && a[i - 1] == *right;
            let swapped = if swaps { rows[i - 1][j - 1] + 1 } else { MOST };
            row.push(above.min(beside).min(across).min(swapped));
        }
        rows.push(row);
    }
    rows[a.len()][b.len()].min(MOST)
}

fn one_edit(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > 1 {
        return false;
    }
    let start = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[start..], &b[start..]);
    let end = a
        .iter()
        .rev()
        .zip(b.iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    let (left_a, left_b) = (a.len() - end, b.len() - end);
    // Two neighbours swapped count as one slip as well.
    left_a <= 1 && left_b <= 1 || (left_a == 2 && left_b == 2 && a[0] == b[1] && a[1] == b[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_names_whole_and_forgive_slips() {
        assert_eq!(
            words("How's pve-2's storage, \"local-lvm\"?"),
            ["how", "pve-2", "storage", "local-lvm"]
        );
        for (a, b, same) in [
            ("temperature", "temprature", true),
            ("containers", "contianers", true),
            ("storage", "stroage", true),
            ("node", "note", false),
            ("backups", "banks", false),
        ] {
            assert_eq!(alike(a, b), same, "{a} {b}");
        }
    }

    #[test]
    fn words_of_one_thing_have_one_meaning() {
        for (a, b, same) in [
            ("hottest", "temperature", true),
            ("RAM", "memory", true),
            ("storages", "storage", true),
            ("running", "runs", true),
            ("stopped", "stop", true),
            ("services", "unit", true),
            ("backed", "backups", true),
            ("disk", "dish", false),
            ("task", "tall", false),
        ] {
            let (a, b) = (meaning(a), meaning(b));
            assert_eq!(close(&a, &b), same, "{a} {b}");
        }
    }
}
