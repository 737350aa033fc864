//! Splitting of text into deltas of a few words.

/// Splits text into pieces of a word or two, with their white space; joining them restores it.
pub(crate) fn words(text: &str) -> Vec<&str> {
    const ENOUGH: usize = 6;
    const TOO_LONG: usize = 24;
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut previous_space = false;
    for (at, character) in text.char_indices() {
        let long = at - start;
        let word_begins = previous_space && !character.is_whitespace();
        if (word_begins && long >= ENOUGH) || long >= TOO_LONG {
            pieces.push(&text[start..at]);
            start = at;
        }
        previous_space = character.is_whitespace();
    }
    if start < text.len() {
        pieces.push(&text[start..]);
    }
    pieces
}

/// Splits text into pieces of `count` characters.
pub(crate) fn characters(text: &str, count: usize) -> Vec<&str> {
    let mut borders: Vec<usize> = text
        .char_indices()
        .step_by(count.max(1))
        .map(|(at, _)| at)
        .collect();
    borders.push(text.len());
    borders
        .windows(2)
        .map(|pair| &text[pair[0]..pair[1]])
        .filter(|piece| !piece.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_small_and_make_the_text_again() {
        for text in [
            "",
            "word",
            "All four nodes are online, sir — a remarkably uneventful day.\n\n| a | b |\n",
            "ünïcödéünïcödéünïcödéünïcödéünïcödé",
        ] {
            assert_eq!(words(text).concat(), text);
            assert_eq!(characters(text, 7).concat(), text);
            assert!(words(text).iter().all(|piece| piece.len() <= 40));
        }
    }
}
