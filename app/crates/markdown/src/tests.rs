//! Tables of inputs and results, and properties that hold for every text and every split.

mod show;
mod streaming;

use self::show::show;
use crate::{Block, Inline, MAX_DEPTH, parse};

#[track_caller]
fn check(input: &str, expect: &str) {
    assert_eq!(show(&parse(input)), expect, "input: {input:?}");
}

#[test]
fn blocks() {
    check(
        "# A *b*\n\ntext\nmore",
        "<h1>A <em>b</em></h1><p>text⏎more</p>",
    );
    check("Title\n===\n\n***", "<h1>Title</h1><hr>");
    check(
        "```rust,ignore\nlet x;\n```\nend",
        "<pre rust>let x;\n</pre><p>end</p>",
    );
    check("~~~\n```\n~~~", "<pre>```\n</pre>");
    check("    indented\n", "<pre>indented\n</pre>");
    check("> a\n> > b", "<q><p>a</p><q><p>b</p></q></q>");
    check("a\r\nb\rc", "<p>a⏎b⏎c</p>");
    check("", "");
    check("\n\n", "");
}

#[test]
fn lists() {
    check(
        "3. a\n4. b",
        "<ol 3 tight><li><p>a</p></li><li><p>b</p></li></ol>",
    );
    check("- a\n\n- b", "<ul><li><p>a</p></li><li><p>b</p></li></ul>");
    check(
        "- [ ] a\n- [x] b\n  - c",
        "<ul tight><li ☐><p>a</p></li><li ☑><p>b</p><ul tight><li><p>c</p></li></ul></li></ul>",
    );
    check(
        "- a\n- b\n* c",
        "<ul tight><li><p>a</p></li><li><p>b</p></li></ul><ul tight><li><p>c</p></li></ul>",
    );
}

#[test]
fn tables() {
    check(
        "| a | b |\n|:--|--:|\n| `x` | y<br>z |\n| w |\n\nend",
        "<table <>><tr><td>a</td><td>b</td></tr><tr><td><code>x</code></td><td>y↵z</td></tr>\
         <tr><td>w</td><td></td></tr></table><p>end</p>",
    );
}

#[test]
fn html_is_text() {
    check(
        "a <b onclick=\"x\">b</b>",
        "<p>a ‹b onclick=\"x\"›b‹/b›</p>",
    );
    check(
        "<script>\nalert(1)\n\n</script>\n\n*x*",
        "<p>‹script›⏎alert(1)⏎⏎‹/script›</p><p><em>x</em></p>",
    );
}

#[test]
fn links() {
    check("[a](https://x.y \"t\")", "<p><a https://x.y t>a</a></p>");
    check("[a](/conversations/1)", "<p><a /conversations/1>a</a></p>");
    check("<m@x.y>", "<p><a mailto:m@x.y>m@x.y</a></p>");
    check(
        "![alt](https://x/i.png)",
        "<p><a https://x/i.png>alt</a></p>",
    );
    check(
        "[![in](https://x/i.png)](https://y)",
        "<p><a https://y>in</a></p>",
    );
    check(
        "see https://x.y/a_b(c). And (http://z), ok",
        "<p>see <a https://x.y/a_b(c)>https://x.y/a_b(c)</a>. And (<a http://z>http://z</a>), ok</p>",
    );
    check(
        "xhttps://y https:// http",
        "<p>xhttps://y https:// http</p>",
    );
    for refused in [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "//evil.example",
        "/\\evil.example",
        "/&Tab;/evil.example",
        "&#x09;javascript:x",
        "https:evil",
        "file:///etc/passwd",
        "mailto:",
        "#here",
        "other.md",
    ] {
        check(&format!("[a]({refused})"), "<p>a</p>");
        check(&format!("![a](<{refused}>)"), "<p>a</p>");
    }
}

#[test]
fn definitions_are_visible_and_define_nothing() {
    check(
        "[a]: https://x\n\n[a]",
        "<p>[a]: <a https://x>https://x</a></p><p>[a]</p>",
    );
    check("[a]\n\n[a]: /x 'title'", "<p>[a]</p><p>[a]: /x 'title'</p>");
    check(
        "- [a]: /x\n- [a]: /y\n\n      [c]: code",
        "<ul><li><p>[a]: /x</p></li><li><p>[a]: /y</p><pre>[c]: code</pre></li></ul>",
    );
}

#[test]
fn emphasis() {
    check("***a** b*", "<p><em><strong>a</strong> b</em></p>");
    check("~~a~~ ~b~ ~5", "<p><s>a</s> ~b~ ~5</p>");
    check("a\\\nb  \nc", "<p>a↵b↵c</p>");
}

/// Returns the depth of the tree of blocks and inlines.
fn depth(blocks: &[Block]) -> usize {
    fn inline(inlines: &[Inline]) -> usize {
        let deepest = inlines.iter().map(|i| match i {
            Inline::Emph(c) | Inline::Strong(c) | Inline::Strike(c) => inline(c),
            Inline::Link { children, .. } => inline(children),
            _ => 0,
        });
        1 + deepest.max().unwrap_or(0)
    }
    let deepest = blocks.iter().map(|block| match block {
        Block::Quote(blocks) => depth(blocks),
        Block::List(list) => list
            .items
            .iter()
            .map(|i| depth(&i.blocks))
            .max()
            .unwrap_or(0),
        Block::Paragraph(content) | Block::Heading { content, .. } => inline(content),
        _ => 0,
    });
    1 + deepest.max().unwrap_or(0)
}

#[test]
fn hostile_nesting_is_flattened() {
    let open_close = |open: &str, close: &str| open.repeat(5_000) + "x" + &close.repeat(5_000);
    for text in [
        ">".repeat(20_000) + "x",
        "- ".repeat(20_000) + "x",
        "1. ".repeat(20_000) + "x\n\n```\ncode",
        open_close("*a ", "*"),
        open_close("**a _b ", "_**"),
        open_close("[", "](/x)"),
        open_close("![", "](/x)"),
        "`".repeat(20_000),
        "[a]: b\n\n".repeat(2_000),
        "|".repeat(5_000) + "\n" + &"|-".repeat(5_000) + "|\n" + &"|\n".repeat(100),
    ] {
        let blocks = parse(&text);
        assert!(depth(&blocks) <= 2 * MAX_DEPTH + 4);
        assert!(!blocks.is_empty());
    }
}
