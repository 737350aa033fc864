//! One line of the model's thinking: its newest heading or finished sentence.

/// Bytes at the end of the text that are examined, and the longest line, in bytes.
const REACH: usize = 1024;
const LONGEST: usize = 140;

/// Returns the newest finished sentence or heading of a growing text; none before there is one.
pub(super) fn thinking_summary(text: &str) -> Option<String> {
    let from = text.ceil_char_boundary(text.len().saturating_sub(REACH));
    let end = &text[from..];
    // Text after the last end of a sentence or line is not finished.
    let done = end.char_indices().rev().find_map(|(at, c)| match c {
        '\n' => Some(at),
        '.' | '!' | '?' | ':' => {
            let after = &end[at + 1..];
            after.starts_with(char::is_whitespace).then_some(at + 1)
        }
        _ => None,
    })?;
    let line = end[..done].trim_end().rsplit('\n').next()?;
    let line = newest_sentence(line);
    let line = line.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '#' | '_' | '-'));
    if line.is_empty() {
        return None;
    }
    let mut line = line.to_owned();
    if line.len() > LONGEST {
        line.truncate(line.floor_char_boundary(LONGEST));
        line.push('…');
    }
    Some(line)
}

/// Returns the text after the end of the previous sentence.
fn newest_sentence(line: &str) -> &str {
    let body = line.trim_end_matches(['.', '!', '?', ':']);
    let begin = body.rmatch_indices([' ', '\t']).find(|(at, _)| {
        let before = &body[..*at];
        before.ends_with(['.', '!', '?'])
    });
    match begin {
        Some((at, _)) => &line[at..],
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::thinking_summary;

    #[test]
    fn the_line_follows_what_is_finished() {
        for (text, expect) in [
            ("", None),
            ("I should look at", None),
            (
                "I should look at the nodes. Then",
                Some("I should look at the nodes."),
            ),
            ("One. Two is v1.2 of it. Thr", Some("Two is v1.2 of it.")),
            (
                "**Checking the nodes**\n\nThe no",
                Some("Checking the nodes"),
            ),
            ("# Plan\n", Some("Plan")),
            (
                "Fertig: größer als vorher! Und",
                Some("Fertig: größer als vorher!"),
            ),
            ("\n\n", None),
        ] {
            assert_eq!(thinking_summary(text).as_deref(), expect, "{text:?}");
        }
        // Cut within bounds, and never within a character.
        let long = format!("{}.\n", "ö".repeat(3000));
        assert!(thinking_summary(&long).unwrap().len() < 150);
    }
}
