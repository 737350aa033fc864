//! The parts of a message that quote: somebody else may have written them.

/// A message in two: the person's own words, and what they quote in a fence or after `>`.
///
/// Fences are those of CommonMark, with two differences, both for logs that have fences in them. All
/// between the first and the last fence of a kind is quoted, so that nothing pasted breaks out; and
/// a fence may stand in a list or further to the right.
pub(super) fn own_and_quoted(text: &str) -> (String, String) {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let lines: Vec<&str> = text.lines().collect();
    let is_fenced = fenced(&lines);
    let (mut own, mut quoted) = (String::new(), String::new());
    let mut in_quote = false;
    for (line, is_fenced) in lines.iter().zip(is_fenced) {
        // A paragraph in a quotation goes on without its mark until a blank line.
        in_quote = line.trim_start().starts_with('>') || in_quote && !line.trim().is_empty();
        let into = if is_fenced || in_quote {
            &mut quoted
        } else {
            &mut own
        };
        into.push_str(line);
        into.push('\n');
    }
    (own, quoted)
}

/// The mark of a fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct QuoteFence {
    mark: char,
    length: usize,
    /// Nothing follows the marks.
    is_bare: bool,
}

impl QuoteFence {
    fn of(line: &str) -> Option<Self> {
        let start = line.trim_start_matches(|c: char| {
            c.is_whitespace() || matches!(c, '-' | '*' | '+') || c.is_ascii_digit()
        });
        // "1. ```" too.
        let start = start.trim_start_matches(['.', ')']).trim_start();
        let mark = start.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let rest = start.trim_start_matches(mark);
        let length = start.len() - rest.len();
        (length >= 3).then_some(Self {
            mark,
            length,
            is_bare: rest.trim().is_empty(),
        })
    }

    /// True if the line opens a fence; "```smbd```" is a piece of code within a line.
    fn opens(self, line: &str) -> bool {
        self.mark == '~' || line.trim_end().matches('`').count() == self.length
    }

    fn closes(self, open: Self) -> bool {
        self.mark == open.mark && self.length >= open.length && self.is_bare
    }
}

/// Of each line, true if it stands in a fence or is one.
fn fenced(lines: &[&str]) -> Vec<bool> {
    let mut is_fenced = vec![false; lines.len()];
    let fences: Vec<_> = lines.iter().map(|line| QuoteFence::of(line)).collect();
    let mut open: Option<QuoteFence> = None;
    // The first fence that opens, of each mark.
    let mut first: [(char, Option<usize>); 2] = [('`', None), ('~', None)];
    for (at, fence) in fences.iter().enumerate() {
        is_fenced[at] = open.is_some() || fence.is_some();
        match (open, fence) {
            (None, Some(fence)) if fence.opens(lines[at]) => {
                open = Some(*fence);
                let first = first.iter_mut().find(|(mark, _)| *mark == fence.mark);
                if let Some((_, first @ None)) = first {
                    *first = Some(at);
                }
            }
            (Some(opened), Some(fence)) if fence.closes(opened) => open = None,
            _ => {}
        }
    }
    for (mark, first) in first {
        let is_last = |fence: &Option<QuoteFence>| fence.is_some_and(|fence| fence.mark == mark);
        if let Some((first, last)) = first.zip(fences.iter().rposition(is_last)) {
            is_fenced[first..=last].fill(true);
        }
    }
    is_fenced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_is_not_the_persons() {
        for (text, expect) in [
            (
                "Look at this:\n```\nwake agent\n```\nand\n> restart smbd\n\nthen restart nmbd",
                "Look at this:\nand\n\nthen restart nmbd\n",
            ),
            // A fence that is never closed quotes all that follows.
            ("a\n```\nb", "a\n"),
            // A paragraph goes on without its mark.
            ("a\n> b\nc\n\nd", "a\n\nd\n"),
            ("a\n> b\r\nc\r\n\r\nd", "a\n\nd\n"),
            ("> b\rc", ""),
            // Only a fence of its kind and length closes one, and only without a word after it.
            ("````\na\n```\nb\n````\nc", "c\n"),
            ("```\na\n```sh\nb\n```\nc", "c\n"),
            ("```\na\n~~~\nb\n```\nc", "c\n"),
            ("~~~ log\na\n```\nb\n~~~~\nc", "c\n"),
            ("- ```\n  a\n  ```\nb", "b\n"),
            ("1. ```\n   a\n   ```\nb", "b\n"),
            // A pasted fence does not let the rest of a log out.
            ("```\na\n```\nrestart smbd\n```\nb\n```\nc", "c\n"),
            ("```\na\n```\nrestart smbd\n```", ""),
            ("```\na\n~~~\n```\nb\n~~~\nc", "b\n"),
            // A piece of code is no fence.
            ("```smbd``` hangs\nrestart nmbd", "restart nmbd\n"),
        ] {
            assert_eq!(own_and_quoted(text).0, expect, "{text:?}");
        }
        let (_, quoted) = own_and_quoted("a\n```\nwake agent\n```\n> restart smbd");
        assert!(quoted.contains("wake agent") && quoted.contains("restart smbd"));
    }
}
