//! Tables of expected pieces, and properties that hold for any text.

use proptest::prelude::*;
use protocol::CodeKind;

use super::code_spans;

/// Checks the pieces that are not plain, each with a letter for its kind.
#[track_caller]
fn check(lang: &str, text: &str, expect: &str) {
    let mut at = 0;
    let mut shown = Vec::new();
    for span in code_spans(lang, text).unwrap() {
        let end = at + span.bytes as usize;
        let letter = match span.kind {
            CodeKind::Plain | CodeKind::Unknown => None,
            CodeKind::Comment => Some('c'),
            CodeKind::Keyword => Some('k'),
            CodeKind::Text => Some('t'),
            CodeKind::Number => Some('n'),
            CodeKind::Name => Some('v'),
            CodeKind::Head => Some('h'),
            CodeKind::Added => Some('+'),
            CodeKind::Removed => Some('-'),
            CodeKind::Bad => Some('!'),
            CodeKind::Warning => Some('?'),
        };
        shown.extend(letter.map(|letter| format!("{letter}:{}", text[at..end].trim())));
        at = end;
    }
    assert_eq!(shown.join(" "), expect, "{lang}: {text}");
}

#[test]
fn languages() {
    check(
        "json",
        r#"{"a\"": [1, -2.5e3, "b:", true], "c" : null}"#,
        r#"v:"a\"" n:1 n:-2.5e3 t:"b:" k:true v:"c" k:null"#,
    );
    check(
        "yaml",
        "# top\nvms:\n  - id: 101 # one\n    url: \"http://x\"\n    on: true\n",
        "c:# top v:vms v:id n:101 c:# one v:url t:\"http://x\" v:on k:true",
    );
    check(
        "toml",
        "[server]\nport = 8_080 # here\n; old\nname = 'x'\n",
        "h:[server] v:port n:8_080 c:# here c:; old v:name t:'x'",
    );
    check(
        "bash",
        "for f in *.log; do echo \"$f\" ${HOME} $1 a#b # end\ndone",
        "k:for k:in k:do t:\"$f\" v:${HOME} v:$1 c:# end k:done",
    );
    check(
        "rust",
        "fn f<'a>(x: &'a str) -> char { /* é */ '\\'' } // \"no\"\nlet y = 0..10; g!(\"a\\\"b\", 'é')",
        "k:fn v:'a v:'a c:/* é */ t:'\\'' c:// \"no\" k:let n:0 n:10 v:g t:\"a\\\"b\" t:'é'",
    );
    check(
        "python",
        "def f(x):\n    '''a\n'b' ''' # c\n    return \"x\n",
        "k:def v:f t:'''a\n'b' ''' c:# c k:return t:\"x",
    );
    check(
        "sql",
        "SELECT count(*) from t where n = 'it''s' -- all\nand x >= 2",
        "k:SELECT v:count k:from k:where t:'it''s' c:-- all k:and n:2",
    );
    check(
        "diff",
        "--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new\n same\n",
        "c:--- a\n+++ b h:@@ -1 +1 @@ -:-old +:+new",
    );
    check(
        "log",
        "2026-11-22 10:00:01,5 ERROR disk failed\n[10:00:02] info terror Warning: é\n",
        "c:2026-11-22 10:00:01,5 !:ERROR !:failed c:[10:00:02] k:info ?:Warning",
    );
    for unknown in ["", "text", "brainfuck", "rust,ignore"] {
        assert_eq!(code_spans(unknown, "x"), None, "{unknown}");
    }
    assert_eq!(code_spans("JSON", ""), Some(Vec::new()));
}

const LANGUAGES: [&str; 10] = [
    "json", "yaml", "toml", "bash", "rust", "python", "sql", "diff", "log", "js",
];

/// Generates characters and words that mean something in some language, in any order.
fn noise() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "\"", "'", "'''", "\"\"\"", "\\", "/*", "*/", "//", "--", "#", ";", "$", "${", "}", "{",
        "[", "]", "(", ")", ":", "=", "-", "+", "@@", ".", "..", "1", "0x1f", "a", "é", "😀", "fn",
        "SELECT", "true", "ERROR", " ", " ", "\t", "\n", "\n", "\r\n", "_", "`", "10:00", "\u{a0}",
        "ß", "\u{2028}",
    ]);
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, ..ProptestConfig::default() })]

    /// Nothing is lost or added, no character is cut, no piece is empty or like its neighbour.
    #[test]
    fn pieces_are_the_text(text in noise()) {
        for lang in LANGUAGES {
            let spans = code_spans(lang, &text).unwrap();
            let mut at = 0;
            for span in &spans {
                prop_assert!(span.bytes > 0);
                at += span.bytes as usize;
                prop_assert!(text.is_char_boundary(at), "{lang}: {at}");
            }
            prop_assert_eq!(at, text.len(), "{}", lang);
            prop_assert!(spans.windows(2).all(|two| two[0].kind != two[1].kind));
        }
    }

    /// Text that is still arriving changes at most the last line before it or an open construct
    /// there: reading any prefix is as safe as reading the whole.
    #[test]
    fn any_prefix_can_be_read(text in noise(), at in any::<prop::sample::Index>()) {
        let ends: Vec<_> = (0..=text.len()).filter(|at| text.is_char_boundary(*at)).collect();
        let prefix = &text[..ends[at.index(ends.len())]];
        for lang in LANGUAGES {
            let spans = code_spans(lang, prefix).unwrap();
            let read: u32 = spans.iter().map(|span| span.bytes).sum();
            prop_assert_eq!(read as usize, prefix.len());
        }
    }
}

#[test]
fn hostile_texts_take_no_longer_than_others() {
    let many = 40_000;
    for text in [
        "\"\\".repeat(many),
        "'".repeat(many),
        "/*".repeat(many),
        "${".repeat(many),
        "{\"a\" ".repeat(many),
        ":".repeat(many),
        "=[".repeat(many),
        "1.".repeat(many),
    ] {
        for lang in LANGUAGES {
            assert!(code_spans(lang, &text).is_some());
        }
    }
}
