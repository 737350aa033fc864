//! Splitting of a command line into words as a shell does, for plain words and quotes. Anything
//! beyond that is refused, because there is no shell.

/// Splits a line; `None` if it is more than words.
pub(super) fn split(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            ' ' => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        '\'' => break,
                        c => word.push(c),
                    }
                }
            }
            '\\' => word.get_or_insert_default().push(chars.next()?),
            c if c.is_ascii_alphanumeric() || "-_.,:/@=+%".contains(c) => {
                word.get_or_insert_default().push(c);
            }
            _ => return None,
        }
    }
    words.extend(word);
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_nothing_else() {
        for (line, expect) in [
            ("sensors -j", Some(vec!["sensors", "-j"])),
            ("'/usr/bin/df' '-h'", Some(vec!["/usr/bin/df", "-h"])),
            ("a 'b; c' d", Some(vec!["a", "b; c", "d"])),
            (r"'it'\''s'", Some(vec!["it's"])),
            ("''", Some(vec![""])),
            ("", Some(vec![])),
            ("a; b", None),
            ("a $(b)", None),
            ("a | b", None),
            ("a\nb", None),
            ("'a", None),
        ] {
            let found = split(line);
            let expect: Option<Vec<String>> =
                expect.map(|words| words.into_iter().map(str::to_owned).collect());
            assert_eq!(found, expect, "{line}");
        }
    }
}
