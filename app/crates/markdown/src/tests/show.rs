//! Writes a tree in a form like HTML, on one line.

use std::fmt::Write;

use crate::{Alignment, Block, Cell, Inline};

pub(super) fn show(blocks: &[Block]) -> String {
    let mut out = String::new();
    write_blocks(blocks, &mut out);
    out
}

fn write_blocks(blocks: &[Block], out: &mut String) {
    for block in blocks {
        match block {
            Block::Heading { level, content } => {
                write!(out, "<h{level}>").unwrap();
                write_inlines(content, out);
                write!(out, "</h{level}>").unwrap();
            }
            Block::Paragraph(content) => element("p", content, out),
            Block::CodeBlock { lang, text } => {
                let lang = lang.as_ref().map(|l| format!(" {l}")).unwrap_or_default();
                write!(out, "<pre{lang}>{text}</pre>").unwrap();
            }
            Block::Quote(blocks) => {
                out.push_str("<q>");
                write_blocks(blocks, out);
                out.push_str("</q>");
            }
            Block::List(list) => {
                let name = if list.start.is_some() { "ol" } else { "ul" };
                let start = list.start.map(|n| format!(" {n}")).unwrap_or_default();
                let tight = if list.tight { " tight" } else { "" };
                write!(out, "<{name}{start}{tight}>").unwrap();
                for item in &list.items {
                    out.push_str(match item.task {
                        None => "<li>",
                        Some(false) => "<li ☐>",
                        Some(true) => "<li ☑>",
                    });
                    write_blocks(&item.blocks, out);
                    out.push_str("</li>");
                }
                write!(out, "</{name}>").unwrap();
            }
            Block::Table(table) => {
                out.push_str("<table ");
                out.extend(table.alignments.iter().map(|a| match a {
                    Alignment::None => '-',
                    Alignment::Left => '<',
                    Alignment::Center => '^',
                    Alignment::Right => '>',
                }));
                out.push('>');
                write_row(&table.head, out);
                table.rows.iter().for_each(|row| write_row(row, out));
                out.push_str("</table>");
            }
            Block::Rule => out.push_str("<hr>"),
        }
    }
}

fn write_row(row: &[Cell], out: &mut String) {
    out.push_str("<tr>");
    row.iter().for_each(|cell| element("td", cell, out));
    out.push_str("</tr>");
}

fn element(name: &str, content: &[Inline], out: &mut String) {
    write!(out, "<{name}>").unwrap();
    write_inlines(content, out);
    write!(out, "</{name}>").unwrap();
}

fn write_inlines(inlines: &[Inline], out: &mut String) {
    for inline in inlines {
        match inline {
            Inline::Text(text) => out.push_str(&text.replace('<', "‹").replace('>', "›")),
            Inline::Code(text) => write!(out, "<code>{text}</code>").unwrap(),
            Inline::Emph(content) => element("em", content, out),
            Inline::Strong(content) => element("strong", content, out),
            Inline::Strike(content) => element("s", content, out),
            Inline::Link {
                href,
                title,
                children,
            } => {
                let title = title.as_ref().map(|t| format!(" {t}")).unwrap_or_default();
                write!(out, "<a {href}{title}>").unwrap();
                write_inlines(children, out);
                out.push_str("</a>");
            }
            Inline::SoftBreak => out.push('⏎'),
            Inline::HardBreak => out.push('↵'),
        }
    }
}
