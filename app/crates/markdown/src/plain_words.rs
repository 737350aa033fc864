//! The words of a text without its marks, for places that show a line of it.

use crate::{Block, Inline, PLOT, parse};

/// Returns the words of Markdown: cells and rows of tables, items and paragraphs apart, code as it
/// is, and no drawings.
pub fn plain(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    blocks(&parse(text), &mut words);
    words.truncate(words.trim_end().len());
    words
}

fn blocks(all: &[Block], out: &mut String) {
    for block in all {
        match block {
            Block::Heading { content, .. } | Block::Paragraph(content) => {
                inlines(content, out);
                out.push('\n');
            }
            Block::CodeBlock { lang, .. } if lang.as_deref() == Some(PLOT) => {}
            Block::CodeBlock { text, .. } => out.push_str(text),
            Block::Quote(inner) => blocks(inner, out),
            Block::List(list) => {
                for item in &list.items {
                    blocks(&item.blocks, out);
                }
            }
            Block::Table(table) => {
                for row in std::iter::once(&table.head).chain(&table.rows) {
                    for (place, cell) in row.iter().enumerate() {
                        if place > 0 {
                            out.push_str(" · ");
                        }
                        inlines(cell, out);
                    }
                    out.push('\n');
                }
            }
            Block::Rule => {}
        }
    }
}

fn inlines(all: &[Inline], out: &mut String) {
    for inline in all {
        match inline {
            Inline::Text(text) | Inline::Code(text) => out.push_str(text),
            Inline::Emph(inner) | Inline::Strong(inner) | Inline::Strike(inner) => {
                inlines(inner, out);
            }
            Inline::Link { href, .. } if href.starts_with(protocol::SOURCE) => {}
            Inline::Link { children, .. } => inlines(children, out),
            Inline::SoftBreak | Inline::HardBreak => out.push('\n'),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_and_marks_go() {
        for (text, words) in [
            ("**3 VMs** run on `pve`.", "3 VMs run on pve."),
            (
                "| Node | CPU |\n| --- | ---: |\n| pihole | 200 |",
                "Node · CPU\npihole · 200",
            ),
            ("# Why\n\n- one\n- [two](/guest/2)", "Why\none\ntwo"),
            ("45 °C. [1](/#call-1)", "45 °C."),
            ("```plot\n{}\n```\nafter", "after"),
            ("a * b, 2 > 1, snake_case", "a * b, 2 > 1, snake_case"),
        ] {
            assert_eq!(plain(text), words, "{text}");
        }
    }
}
