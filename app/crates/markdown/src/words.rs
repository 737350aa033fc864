//! Links from words, such as the names of machines, to their pages.

use std::{iter, mem};

use crate::{Block, Inline};

/// Looks up the link of a word: an address as in [`Inline::Link`], or none.
pub type Lead<'a> = dyn Fn(&str) -> Option<String> + 'a;

/// Marks that end a sentence but may also be in a word.
const MARKS: [char; 4] = ['.', ':', '!', '?'];

/// Turns words that have a link into links. The text stays the same, letter by letter; code blocks
/// and existing links are left alone. Only whole words count, between spaces, brackets, quotes and
/// the marks that end a sentence. Two words may belong together if the second begins with a digit,
/// as in `VM 101`.
pub fn link_words(block: &mut Block, lead: &Lead<'_>) {
    match block {
        Block::Heading { content, .. } | Block::Paragraph(content) => {
            inlines(content, lead, None, None);
        }
        Block::Quote(blocks) => link_blocks(blocks, lead),
        Block::List(list) => {
            for item in &mut list.items {
                link_blocks(&mut item.blocks, lead);
            }
        }
        Block::Table(table) => {
            let sorts: Vec<_> = table.head.iter().map(|it| names_sorts(it)).collect();
            for row in iter::once(&mut table.head).chain(&mut table.rows) {
                for (column, cell) in row.iter_mut().enumerate() {
                    if !sorts.get(column).is_some_and(|sorts| *sorts) {
                        inlines(cell, lead, None, None);
                    }
                }
            }
        }
        Block::CodeBlock { .. } | Block::Rule => {}
    }
}

/// Returns whether a column's cells are sorts of things and not names.
fn names_sorts(head: &[Inline]) -> bool {
    let [Inline::Text(head)] = head else {
        return false;
    };
    holds_sorts(head.trim())
}

/// Returns whether a field or a column of this name has sorts of things and not names: a storage of
/// type `pbs` is not the machine `pbs`.
pub fn holds_sorts(name: &str) -> bool {
    let sorts = ["type", "kind", "status", "state"];
    sorts.iter().any(|sort| name.eq_ignore_ascii_case(sort))
}

fn link_blocks(blocks: &mut [Block], lead: &Lead<'_>) {
    for block in blocks {
        link_words(block, lead);
    }
}

/// Returns whether any word of a source text may have a link: quick, with some false positives.
pub fn has_words(text: &str, lead: &Lead<'_>) -> bool {
    // Marks of Markdown may surround a word.
    let words = text.split(|c| is_edge(c) || matches!(c, '*' | '~' | '#'));
    let mut before: Option<&str> = None;
    words.filter(|word| !word.is_empty()).any(|word| {
        let pair = before
            .replace(word)
            .filter(|_| word.starts_with(|c: char| c.is_ascii_digit()))
            .map(|before| format!("{before} {}", trimmed(word)));
        sentence_word(word, lead).is_some() || pair.is_some_and(|pair| lead(&pair).is_some())
    })
}

/// Links the words of a list; `before` and `after` are the characters beside it, where text
/// continues without a gap.
fn inlines(list: &mut Vec<Inline>, lead: &Lead<'_>, before: Option<char>, after: Option<char>) {
    let mut nexts = Vec::with_capacity(list.len());
    let mut next = after;
    for inline in list.iter().rev() {
        nexts.push(next);
        next = first(inline).or(next);
    }
    let mut before = before;
    for mut inline in mem::take(list) {
        let after = nexts.pop().flatten();
        let end = last(&inline).or(before);
        match &mut inline {
            Inline::Text(text) => {
                words(text, lead, before, after, list);
                before = end;
                continue;
            }
            Inline::Code(code) => {
                if let Some(href) = lead(code).filter(|_| is_gap(before) && is_gap(after)) {
                    inline = link(href, inline);
                }
            }
            Inline::Emph(children) | Inline::Strong(children) | Inline::Strike(children) => {
                inlines(children, lead, before, after);
            }
            Inline::Link { .. } | Inline::SoftBreak | Inline::HardBreak => {}
        }
        before = end;
        list.push(inline);
    }
}

fn link(href: String, child: Inline) -> Inline {
    Inline::Link {
        href,
        title: None,
        children: vec![child],
    }
}

/// Appends a text, with links for the words that have one.
fn words(
    text: &str,
    lead: &Lead<'_>,
    before: Option<char>,
    after: Option<char>,
    out: &mut Vec<Inline>,
) {
    let mut plain = 0;
    let mut at = 0;
    while let Some((start, end)) = next_word(text, at) {
        at = end;
        let whole = (start > 0 || is_gap(before)) && (end < text.len() || is_gap(after));
        if !whole {
            continue;
        }
        let found = pair(text, start, end, lead, after).or_else(|| {
            let (length, href) = sentence_word(&text[start..end], lead)?;
            Some((start + length, href))
        });
        let Some((end, href)) = found else { continue };
        if plain < start {
            out.push(Inline::Text(text[plain..start].to_owned()));
        }
        out.push(link(href, Inline::Text(text[start..end].to_owned())));
        plain = end;
        at = at.max(end);
    }
    if plain < text.len() {
        out.push(Inline::Text(text[plain..].to_owned()));
    }
}

/// Returns the length and the link of a word, if need be without the marks that end a sentence.
fn sentence_word(word: &str, lead: &Lead<'_>) -> Option<(usize, String)> {
    let mut word = word;
    loop {
        if let Some(href) = lead(word) {
            return Some((word.len(), href));
        }
        word = word.strip_suffix(MARKS)?;
    }
}

/// Returns the end and the link of a word together with the number after it.
fn pair(
    text: &str,
    start: usize,
    end: usize,
    lead: &Lead<'_>,
    after: Option<char>,
) -> Option<(usize, String)> {
    let digits = text[end..].strip_prefix(' ')?;
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let (_, next) = next_word(text, end)?;
    let number = trimmed(&text[end + 1..next]);
    let end = end + 1 + number.len();
    (next < text.len() || is_gap(after)).then_some(())?;
    Some((end, lead(&text[start..end])?))
}

/// Returns the start and end of the next word.
fn next_word(text: &str, from: usize) -> Option<(usize, usize)> {
    let start = from + text[from..].find(|c| !is_edge(c))?;
    let length = text[start..].find(is_edge);
    Some((start, length.map_or(text.len(), |length| start + length)))
}

/// Removes the marks that end a sentence.
fn trimmed(word: &str) -> &str {
    word.trim_end_matches(MARKS)
}

/// Returns whether a character separates words. Invisible characters do not: `a` and `b` with one
/// between them are not the word `a`.
fn is_edge(c: char) -> bool {
    c.is_whitespace() || "\"'`()[]{}<>,;|“”„‘’«»–—…·•→".contains(c)
}

fn is_gap(c: Option<char>) -> bool {
    c.is_none_or(is_edge)
}

/// Returns the first character, ignoring marks that may end a sentence.
fn first(inline: &Inline) -> Option<char> {
    match inline {
        Inline::Text(text) | Inline::Code(text) => text.trim_start_matches(MARKS).chars().next(),
        Inline::Emph(list) | Inline::Strong(list) | Inline::Strike(list) => {
            list.iter().find_map(first)
        }
        Inline::Link { children, .. } => children.iter().find_map(first),
        Inline::SoftBreak | Inline::HardBreak => Some(' '),
    }
}

fn last(inline: &Inline) -> Option<char> {
    match inline {
        Inline::Text(text) | Inline::Code(text) => text.chars().next_back(),
        Inline::Emph(list) | Inline::Strong(list) | Inline::Strike(list) => {
            list.iter().rev().find_map(last)
        }
        Inline::Link { children, .. } => children.iter().rev().find_map(last),
        Inline::SoftBreak | Inline::HardBreak => Some(' '),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    fn lead(word: &str) -> Option<String> {
        let known = [
            "pve",
            "agent1",
            "nextcloud",
            "web_1",
            "VM 101",
            "UPID:pve:1:root@pam!x:",
        ];
        known.contains(&word).then(|| format!("/x/{word}"))
    }

    fn show(list: &[Inline]) -> String {
        let shown = list.iter().map(|inline| match inline {
            Inline::Text(text) => text.clone(),
            Inline::Code(text) => format!("`{text}`"),
            Inline::Emph(list) => format!("*{}*", show(list)),
            Inline::Strong(list) => format!("**{}**", show(list)),
            Inline::Strike(list) => format!("~~{}~~", show(list)),
            Inline::Link { href, children, .. } if href.starts_with("/x/") => {
                assert_eq!(lead(href.trim_start_matches("/x/")).as_ref(), Some(href));
                format!("<{}>", show(children))
            }
            Inline::Link { children, .. } => format!("<<{}>>", show(children)),
            Inline::SoftBreak => "\n".to_owned(),
            Inline::HardBreak => "\\\n".to_owned(),
        });
        shown.collect()
    }

    /// Checks a paragraph with its links.
    #[track_caller]
    fn check(source: &str, expect: &str) {
        let mut blocks = parse(source);
        for block in &mut blocks {
            link_words(block, &lead);
        }
        let [Block::Paragraph(content)] = blocks.as_slice() else {
            panic!("{source:?} is no paragraph: {blocks:?}");
        };
        assert_eq!(show(content), expect, "{source:?}");
        // `<<` is a link in the source text.
        let linked = expect.replace("<<", "").contains('<');
        assert!(has_words(source, &lead) || !linked, "{source:?}");
    }

    #[test]
    fn whole_words_lead_to_their_pages() {
        for (source, expect) in [
            ("pve", "<pve>"),
            ("Node pve is up.", "Node <pve> is up."),
            ("It is pve.", "It is <pve>."),
            (
                "pve: fine, agent1; nextcloud!",
                "<pve>: fine, <agent1>; <nextcloud>!",
            ),
            (
                "(pve) “agent1” nextcloud's",
                "(<pve>) “<agent1>” <nextcloud>'s",
            ),
            ("VM 101 runs", "<VM 101> runs"),
            ("Look at VM 101.", "Look at <VM 101>."),
            (
                "**VM 101** (nextcloud) on *pve*",
                "**<VM 101>** (<nextcloud>) on *<pve>*",
            ),
            ("web_1 and `pve`", "<web_1> and <`pve`>"),
            ("one\npve\ntwo", "one\n<pve>\ntwo"),
            (
                "UPID:pve:1:root@pam!x: failed",
                "<UPID:pve:1:root@pam!x:> failed",
            ),
            (
                "See UPID:pve:1:root@pam!x:.",
                "See <UPID:pve:1:root@pam!x:>.",
            ),
        ] {
            check(source, expect);
        }
    }

    #[test]
    fn parts_of_words_and_other_spellings_are_text() {
        for text in [
            "PVE",
            "pvenode",
            "mypve",
            "pve-2 pve_2 2.pve pve.lan",
            "/etc/pve root@pve pve/qemu",
            "VM 1012, VM 10, XVM 101, VM  101, VM 101-1",
            "p\u{200b}ve \u{200b}pve pve\u{202e} pv\u{435}",
            "pveñ 机pve",
        ] {
            let mut block = Block::Paragraph(vec![Inline::Text(text.to_owned())]);
            let before = block.clone();
            link_words(&mut block, &lead);
            assert_eq!(block, before, "{text:?}");
        }
        // Also where a word has two styles.
        check("**pve**-2", "**pve**-2");
        check("**pve**.lan", "**pve**.lan");
        check("**pve**. Next", "**<pve>**. Next");
        check("my*pve*", "my*pve*");
        check("*my*`pve`", "*my*`pve`");
    }

    #[test]
    fn code_and_links_stay_as_they_are() {
        check("[about pve](https://example.org)", "<<about pve>>");
        check(
            "https://pve/ and `ssh pve`",
            "<<https://pve/>> and `ssh pve`",
        );
        let source = "```\npve\n```\n\n    pve\n\n---\n";
        let mut blocks = parse(source);
        let before = blocks.clone();
        for block in &mut blocks {
            link_words(block, &lead);
        }
        assert_eq!(blocks, before);
    }

    #[test]
    fn every_kind_of_block_is_looked_at() {
        let source =
            "# pve\n\n> pve\n\n- pve\n  - pve\n\n| pve | b |\n| --- | --- |\n| a | pve |\n";
        let mut blocks = parse(source);
        let count = std::cell::Cell::new(0);
        for block in &mut blocks {
            link_words(block, &|word| {
                (word == "pve").then(|| {
                    count.set(count.get() + 1);
                    "/x/pve".to_owned()
                })
            });
        }
        assert_eq!(count.get(), 6);
    }

    #[test]
    fn a_column_of_types_names_nothing() {
        let mut blocks = parse("| Name | Type |\n| --- | --- |\n| pve | pve |\n");
        link_words(&mut blocks[0], &lead);
        let Block::Table(table) = &blocks[0] else {
            panic!("no table: {blocks:?}");
        };
        let row: Vec<_> = table.rows[0].iter().map(|it| show(it)).collect();
        assert_eq!(row, ["<pve>", "pve"]);
        for (name, sorts) in [
            ("Type", true),
            ("state", true),
            ("node", false),
            ("", false),
        ] {
            assert_eq!(holds_sorts(name), sorts, "{name}");
        }
    }
}
