//! Markdown document of any length, for measuring the rendering speed of an answer.

use crate::tokens;

/// A document of `count` tokens: headings, prose, lists, tables, code, none of it a claim about
/// anything real.
pub(super) fn of(count: u64) -> String {
    let mut text = String::from("# A long answer, for measurement only\n\n");
    let mut section = 0;
    while tokens::of_text(&text) < count {
        section += 1;
        text.push_str(&part(section));
    }
    let mut end = usize::try_from(count * 4)
        .unwrap_or(usize::MAX)
        .min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text
}

fn part(section: u32) -> String {
    let body = match section % 4 {
        0 => "A list follows, as lists are what long answers are made of:\n\n\
              - the *first* item, which is short;\n\
              - the **second** item, which goes on rather longer than it needs to, in order to \
              break over a line;\n  \
              1. with a part of its own,\n  \
              2. and another with `inline code`;\n\
              - and the [last](https://example.invalid/last).\n\n"
            .to_owned(),
        1 => "Prose, sir, in moderate sentences. Each of them says nothing of consequence, but says \
              it with words of ordinary length — and the odd dash, accent (café, naïve) or sign (≥) \
              — so that the renderer has honest work to do.\n\n\
              > A quotation, that the eye may rest.\n\n"
            .to_owned(),
        2 => {
            let rows: String = (1..=6)
                .map(|row| format!("| item {section}.{row} | sample | {} | {} |\n", row * 7, row * 11))
                .collect();
            format!("| name | kind | first | second |\n| --- | --- | ---: | ---: |\n{rows}\n")
        }
        _ => "```rust\n/// Adds what it is given.\nfn sum(values: &[u64]) -> u64 {\n    \
              let mut total = 0;\n    for value in values {\n        total += value;\n    }\n    \
              total\n}\n```\n\n"
            .to_owned(),
    };
    format!("## Section {section}\n\n{body}")
}
