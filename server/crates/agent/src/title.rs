//! The title of a conversation, from its first message.

/// The longest title that the rule makes, in characters.
const MAX_CHARS: usize = 60;
/// The longest title that a person may give, in characters.
const MAX_GIVEN: usize = 200;

/// The first words of the first line that says anything, cut at a word.
pub(crate) fn from_message(text: &str) -> String {
    shorten(text, MAX_CHARS)
}

/// A title as a person gave it, on one line; none if there is nothing in it.
pub(crate) fn given(text: &str) -> Option<String> {
    Some(shorten(text, MAX_GIVEN)).filter(|title| !title.is_empty())
}

fn shorten(text: &str, max: usize) -> String {
    let line = text
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .unwrap_or_default();
    let mut title = String::new();
    let mut chars = 0;
    for word in line.split_whitespace() {
        let more = word.chars().count() + usize::from(chars > 0);
        if chars + more > max {
            if title.is_empty() {
                title.extend(word.chars().take(max));
            }
            title.push('…');
            break;
        }
        if chars > 0 {
            title.push(' ');
        }
        title.push_str(word);
        chars += more;
    }
    title
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_cut_at_a_word() {
        let table = [
            ("How is the cluster?", "How is the cluster?".to_owned()),
            ("\n\n  first  line \nsecond", "first line".to_owned()),
            (
                "Please tell me whether the backups of all containers on every node ran last night",
                "Please tell me whether the backups of all containers on…".to_owned(),
            ),
            (&"ü".repeat(70), format!("{}…", "ü".repeat(60))),
            ("  ", String::new()),
        ];
        for (text, expect) in table {
            assert_eq!(from_message(text), expect);
        }
        assert_eq!(given(" \n"), None);
    }
}
