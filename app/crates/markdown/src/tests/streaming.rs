//! Streaming: any split gives the same result, settled blocks stay, the open end looks sensible.

use proptest::prelude::*;

use super::show::show;
use crate::{Block, MarkdownStream, parse, reader};

/// Checks what is on the screen once a text has arrived up to here.
#[track_caller]
fn check(input: &str, expect: &str) {
    let mut stream = MarkdownStream::new();
    stream.push(input);
    stream.refresh();
    assert_eq!(show(stream.blocks()), expect, "input: {input:?}");
}

#[test]
fn open_emphasis_is_closed() {
    check("a **bold te", "<p>a <strong>bold te</strong></p>");
    check(
        "a **bold *both",
        "<p>a <strong>bold <em>both</em></strong></p>",
    );
    check("a ***x", "<p>a <strong><em>x</em></strong></p>");
    check("a **bold*", "<p>a <strong>bold</strong></p>");
    check("a **", "<p>a</p>");
    check("a ~~gone", "<p>a <s>gone</s></p>");
    check(
        "2 * 3 and 2*3 and snake_ca",
        "<p>2 * 3 and 2*3 and snake_ca</p>",
    );
    check("a \\*b", "<p>a *b</p>");
    check("**a**\n\n*b", "<p><strong>a</strong></p><p><em>b</em></p>");
    check("- **a", "<ul tight><li><p><strong>a</strong></p></li></ul>");
    check("# The **a", "<h1>The <strong>a</strong></h1>");
}

#[test]
fn open_code_and_links_are_shown_as_they_will_be() {
    check("run `qm st", "<p>run <code>qm st</code></p>");
    check("run `qm **st", "<p>run <code>qm **st</code></p>");
    check("see [the do", "<p>see the do</p>");
    check("see [the docs](https://exam", "<p>see the docs</p>");
    check("see [the **do", "<p>see the <strong>do</strong></p>");
    check("array[0", "<p>array[0</p>");
    check("```py\nprint(1)\npri", "<pre py>print(1)\npri</pre>");
    check("```py\nprint(1)\n``", "<pre py>print(1)\n</pre>");
    check("```py\nprint(1)\n```", "<pre py>print(1)\n</pre>");
    check("text\n``", "<p>text</p>");
}

#[test]
fn half_a_marker_is_hidden() {
    check("text\n-", "<p>text</p>");
    check("text\n\n1.", "<p>text</p>");
    check("text\n#", "<p>text</p>");
    check("- a\n-", "<ul tight><li><p>a</p></li></ul>");
    check(
        "- a\n  - b\n  -",
        "<ul tight><li><p>a</p><ul tight><li><p>b</p></li></ul></li></ul>",
    );
}

#[test]
fn a_table_is_one_from_its_first_line_on() {
    let head = "<table --><tr><td>a</td><td>b</td></tr></table>";
    check("| a |", "");
    check("text\n| a | b", "<p>text</p>");
    check("| a | b |\n", head);
    check("| a | b |\n|--", head);
    check("| a | b |\n|---|---|\n", head);
    check("| a | b |\n|---|---|\n|", head);
    check(
        "| a | b |\n|---|---|\n| 1 | **2",
        "<table --><tr><td>a</td><td>b</td></tr><tr><td>1</td><td><strong>2</strong></td></tr></table>",
    );
}

#[test]
fn parts_of_an_open_block_settle() {
    let kept = |text: &str| {
        let mut stream = MarkdownStream::new();
        stream.push(text);
        stream.refresh().kept
    };
    assert_eq!(kept("- a\n- b\n- c\n- d"), 2);
    assert_eq!(kept("- a\n- b\n- c\n- d\n"), 3);
    assert_eq!(kept("|a|\n|-|\n|1|\n|2|\n|3"), 2);
    assert_eq!(kept("```\none\ntwo\nthr"), "one\ntwo\n".len());
    assert_eq!(kept("text\nmore\n"), 0);
}

/// Generates lines of Markdown that tend to interact, in every order.
fn lines() -> impl Strategy<Value = String> {
    let line = prop::sample::select(vec![
        "",
        "",
        "",
        "text",
        "more *text* here",
        "**bo",
        "ld** x",
        "# Head",
        "===",
        "---",
        "- a",
        "- b",
        "-",
        "* c",
        "  - n",
        "   - n",
        "  cont",
        "    deep",
        "      deeper",
        "1. one",
        "2. two",
        "3) three",
        "10. ten",
        "```",
        "```rust",
        "~~~",
        "  ```",
        "> q",
        "> - a",
        ">",
        ">     c",
        "| a | b |",
        "|---|---|",
        "| 1 |",
        "|:--|--:|",
        "| :-: | - |",
        "| `a\\|b` | **c |",
        "- [x] done",
        "* [ ] ",
        "1. [X] n",
        "- [x]",
        "a | b",
        "- | x |",
        "<div>",
        "</div>",
        "<!--",
        "-->",
        "<pre>",
        "[a]: /x",
        "[a]",
        "[b]:",
        "'title'",
        "\"ti",
        "tle\"",
        "[a](/x)",
        "`co",
        "de`",
        "\\",
        "&amp;",
        "- [ ] t",
        "- # h",
        "- ```",
        "- > q",
        "\t- tab",
        "\ttab",
        "-\ttab",
        " ",
        "   ",
        "- - a",
        "+",
        "é€😀",
        "- > r",
        "  > s",
        "a  ",
        "* * *",
        "[x\ny]: /z",
    ]);
    prop::collection::vec(
        (
            line,
            prop::sample::select(vec!["\n", "\n", "\n", "\r\n", ""]),
        ),
        0..14,
    )
    .prop_map(|lines| lines.into_iter().flat_map(|(l, e)| [l, e]).collect())
}

/// Generates characters that mean something in Markdown.
fn noise() -> impl Strategy<Value = String> {
    prop::string::string_regex("[-*_~`#>|+=\\[\\]()!:<&\\\\ \n\ta1.é/]{0,60}").unwrap()
}

fn splits() -> impl Strategy<Value = Vec<prop::sample::Index>> {
    prop::collection::vec(any::<prop::sample::Index>(), 0..12)
}

fn pieces(text: &str, splits: &[prop::sample::Index]) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut at: Vec<usize> = splits.iter().map(|i| i.index(chars.len() + 1)).collect();
    at.extend([0, chars.len()]);
    at.sort_unstable();
    at.windows(2)
        .map(|w| chars[w[0]..w[1]].iter().collect())
        .collect()
}

/// Streams a text and checks the invariants at every step.
fn stream(pieces: &[String]) -> Vec<Block> {
    let mut stream = MarkdownStream::new();
    let mut final_blocks: Vec<Block> = Vec::new();
    for piece in pieces {
        stream.push(piece);
        let update = stream.refresh();
        final_blocks.extend_from_slice(update.settled);
        assert!(update.kept == 0 || !update.tail.is_empty());
        assert_eq!(stream.blocks()[..stream.settled()], final_blocks);
    }
    let all = stream.finish();
    assert_eq!(all[..final_blocks.len()], final_blocks);
    all
}

/// Reads the whole text at once.
fn whole(text: &str) -> Vec<Block> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    reader::read(&text, false)
        .into_iter()
        .map(|top| top.block)
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, ..ProptestConfig::default() })]

    #[test]
    fn any_split_reads_as_the_whole(text in lines(), at in splits()) {
        prop_assert_eq!(show(&stream(&pieces(&text, &at))), show(&whole(&text)));
        prop_assert_eq!(show(&parse(&text)), show(&whole(&text)));
    }

    #[test]
    fn character_by_character_reads_as_the_whole(text in lines()) {
        let chars: Vec<String> = text.chars().map(String::from).collect();
        prop_assert_eq!(show(&stream(&chars)), show(&whole(&text)));
    }

    #[test]
    fn noise_reads_as_the_whole(text in noise(), at in splits()) {
        prop_assert_eq!(show(&stream(&pieces(&text, &at))), show(&whole(&text)));
    }
}
