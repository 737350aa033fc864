//! Words of a sentence, and how alike they are.

/// Lower-case words; letters, digits, `-`, `_` and `.` inside a word stay together.
pub(super) fn words(text: &str) -> Vec<String> {
    original(text).into_iter().map(str::to_lowercase).collect()
}

/// Words as they are written.
pub(super) fn original(text: &str) -> Vec<&str> {
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

/// A word without its commonest endings, for comparison only.
pub(super) fn stem(word: &str) -> &str {
    for ending in ["ing", "ies", "es", "s", "ed"] {
        if let Some(stem) = word.strip_suffix(ending)
            && stem.len() >= 3
        {
            return stem;
        }
    }
    word
}

/// Whether two words mean the same: equal, or one slip of the finger apart when they are long.
pub(super) fn alike(a: &str, b: &str) -> bool {
    a == b || (a.len() >= 6 && b.len() >= 6 && one_edit(a, b))
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

/// Words that say nothing about the matter.
pub(super) fn is_filler(word: &str) -> bool {
    const FILLERS: &[&str] = &[
        "a", "about", "all", "am", "an", "and", "any", "are", "as", "at", "be", "been", "can",
        "could", "did", "do", "does", "doing", "for", "from", "get", "give", "has", "have", "how",
        "i", "if", "in", "is", "it", "its", "jarvis", "just", "list", "look", "many", "me", "much",
        "my", "now", "of", "on", "or", "our", "please", "right", "show", "sir", "so", "some",
        "tell", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this",
        "those", "to", "up", "us", "use", "was", "we", "well", "were", "what", "what's", "when",
        "where", "which", "who", "why", "will", "with", "would", "you", "your",
    ];
    FILLERS.contains(&word)
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
            ("backups", "backs", false),
        ] {
            assert_eq!(alike(a, b), same, "{a} {b}");
        }
    }
}
