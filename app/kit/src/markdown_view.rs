//! Markdown as views. Only nodes of the tree can be drawn: there is no HTML in it.

mod code_block;
mod code_lines;
mod inline;
mod paint;

use std::sync::Arc;

use leptos::prelude::*;
use markdown::{Alignment, Block, List, PLOT, Table};

use code_block::CodeBlock;
pub use code_lines::code_lines;
use inline::inlines;
pub use paint::{Highlighter, Highlighting};

use crate::{scroll_table::scroll_table, texts, value::plot_view};

/// A check whether a block is final.
pub type Settled = Arc<dyn Fn() -> bool + Send + Sync>;

/// Draws a block.
pub fn block_view(block: Block, settled: &Settled) -> AnyView {
    match block {
        Block::Heading { level, content } => heading(level, inlines(content)),
        Block::Paragraph(content) => view! { <p>{inlines(content)}</p> }.into_any(),
        Block::CodeBlock { lang, text } if lang.as_deref() == Some(PLOT) => plot(text, settled),
        Block::CodeBlock { lang, text } => {
            view! { <CodeBlock lang text settled=Arc::clone(settled) /> }.into_any()
        }
        Block::Quote(blocks) => {
            view! { <blockquote>{block_views(blocks, settled)}</blockquote> }.into_any()
        }
        Block::List(list) => list_view(list, settled),
        Block::Table(table) => table_view(table),
        Block::Rule => view! { <hr /> }.into_any(),
    }
}

/// Draws the drawing that a block describes, or the block if it describes none.
fn plot(text: String, settled: &Settled) -> AnyView {
    let code = {
        let (text, settled) = (text.clone(), Arc::clone(settled));
        move || {
            let (lang, text) = (Some(PLOT.to_owned()), text.clone());
            view! { <CodeBlock lang text settled=Arc::clone(&settled) /> }.into_any()
        }
    };
    plot_view(text, Arc::clone(settled), Arc::new(code))
}

fn block_views(blocks: Vec<Block>, settled: &Settled) -> Vec<AnyView> {
    let views = blocks.into_iter().map(|block| block_view(block, settled));
    views.collect()
}

/// Draws a heading. The page has the first two levels for itself, and models begin at any level:
/// two levels are enough for an outline without gaps, the rest is styling.
fn heading(level: u8, content: Vec<AnyView>) -> AnyView {
    match level {
        1 => view! { <h3 class="heading heading--1">{content}</h3> }.into_any(),
        2 => view! { <h3 class="heading heading--2">{content}</h3> }.into_any(),
        3 => view! { <h3 class="heading">{content}</h3> }.into_any(),
        _ => view! { <h4 class="heading">{content}</h4> }.into_any(),
    }
}

fn list_view(list: List, settled: &Settled) -> AnyView {
    let tight = list.tight;
    let items: Vec<_> = list
        .items
        .into_iter()
        .map(|item| {
            let mark = item.task.map(|done| {
                let (class, name) = if done {
                    ("task-mark task-mark--done", texts::DONE)
                } else {
                    ("task-mark", texts::OPEN)
                };
                view! {
                    <span class=class>
                        <span class="visually-hidden">{name}</span>
                    </span>
                }
            });
            let blocks: Vec<_> = item
                .blocks
                .into_iter()
                .map(|block| match block {
                    Block::Paragraph(content) if tight => inlines(content).into_any(),
                    block => block_view(block, settled),
                })
                .collect();
            view! { <li>{mark} {blocks}</li> }
        })
        .collect();
    match list.start {
        Some(start) => view! { <ol start=start.to_string()>{items}</ol> }.into_any(),
        None => view! { <ul>{items}</ul> }.into_any(),
    }
}

fn table_view(table: Table) -> AnyView {
    let class = |alignment: Option<&Alignment>| match alignment {
        Some(Alignment::Center) => "center",
        Some(Alignment::Right) => "right",
        _ => "",
    };
    let alignments = table.alignments;
    let head: Vec<_> = (0..)
        .zip(table.head)
        .map(|(n, cell)| {
            view! { <th class=class(alignments.get(n))>{inlines(cell)}</th> }.into_any()
        })
        .collect();
    let rows: Vec<_> = table
        .rows
        .into_iter()
        .map(|row| {
            let cells: Vec<_> = (0..)
                .zip(row)
                .map(|(n, cell)| view! { <td class=class(alignments.get(n))>{inlines(cell)}</td> })
                .collect();
            view! { <tr>{cells}</tr> }.into_any()
        })
        .collect();
    scroll_table(texts::TABLE, head, rows)
}
