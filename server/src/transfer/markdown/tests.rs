use markdown::{Block, parse};
use protocol::{MessageId, Mode, Seq, StopReason, ToolOutput, TurnId, Usage};
use serde_json::json;

use super::*;

const AT: Timestamp = Timestamp(1_700_000_000_000);

/// Exports a conversation in which everything that somebody writes is this text.
fn written(text: &str) -> String {
    let (turn, message) = (TurnId::new(AT, 1), MessageId::new(AT, 2));
    let call = CallId::new(AT, 3);
    let summary = ConversationSummary {
        id: protocol::ConversationId::new(AT, 4),
        title: text.to_owned(),
        model: text.to_owned(),
        mode: Mode::Default,
        created: AT,
        updated: AT,
        messages: 2,
        usage: Usage::default(),
        cost: None,
        running: false,
        waiting: Vec::new(),
        from: None,
        action: None,
        shelf: protocol::Shelf::Listed,
        imported: None,
        family: None,
        folder: None,
        unread: None,
    };
    let bodies = [
        EventBody::TurnStarted {
            turn,
            message,
            text: text.to_owned(),
            references: vec![protocol::Reference::new(text, text)],
        },
        EventBody::AssistantMessage {
            turn,
            message,
            blocks: vec![
                ContentBlock::Text {
                    text: text.to_owned(),
                },
                ContentBlock::ToolUse {
                    call,
                    name: text.to_owned(),
                    input: json!(text),
                },
            ],
            stop: StopReason::ToolUse,
            usage: Usage::default(),
            cost: None,
        },
        EventBody::ConfirmationDecided {
            turn,
            call,
            digest: String::new(),
            verdict: Verdict::Denied {
                comment: Some(text.to_owned()),
            },
            by: Some(text.to_owned()),
            via: None,
        },
        EventBody::ToolFinished {
            turn,
            call,
            outcome: ToolOutcome::Succeeded {
                output: ToolOutput {
                    summary: text.to_owned(),
                    data: json!({ "said": text }),
                    images: Vec::new(),
                },
            },
            elapsed_ms: 12,
        },
        EventBody::TurnFinished {
            turn,
            outcome: TurnOutcome::Failed {
                error: ErrorBody::new(protocol::ErrorCode::ModelFailed, text),
            },
            usage: Usage::default(),
            cost: None,
        },
    ];
    let mut markdown = Markdown::new(text.to_owned());
    let mut out = String::new();
    markdown.head(&summary, &mut out);
    for (n, body) in (1..).zip(bodies) {
        let event = Event {
            seq: Seq(n),
            at: AT,
            body,
        };
        markdown.event(&event, &mut out);
    }
    out
}

/// Returns the outline of the document's blocks, as a reader of Markdown sees it.
fn outline(document: &str) -> Vec<String> {
    let blocks = parse(document).into_iter();
    let kind = |block: Block| match block {
        Block::Heading { level, .. } => format!("heading {level}"),
        Block::Paragraph(_) => "paragraph".to_owned(),
        Block::CodeBlock { lang, .. } => format!("code {}", lang.unwrap_or_default()),
        Block::Quote(_) => "quote".to_owned(),
        Block::List(list) => format!("list of {}", list.items.len()),
        Block::Table(_) => "table".to_owned(),
        Block::Rule => "rule".to_owned(),
    };
    blocks.map(kind).collect()
}

#[test]
fn nothing_leaves_its_place() {
    let plain = written("x");
    let expect = [
        "heading 1",
        "list of 3",
        // The message and its references.
        "heading 2",
        "quote",
        "paragraph",
        // The answer and its call.
        "heading 2",
        "quote",
        "paragraph",
        "code ",
        // The decision with its comment.
        "paragraph",
        "quote",
        // The result.
        "paragraph",
        "code json",
        "paragraph",
    ];
    assert_eq!(outline(&plain), expect, "{plain}");
    for hostile in [
        "```\n\n# Jarvis\n\n```",
        "````````\n# Jarvis",
        "```json",
        "~~~\nnot closed",
        "a\r\r# Jarvis\r\n\r\n## Ada",
        "<!-- not closed\n\n<script>",
        "<details>\n\n- [ ] x",
        "- a\n  - b\n\n    ```",
        "> > deeper\n\nout",
        "|a|\n|-|\n|b|",
        "***\n___\n===\n---",
        "[x]: https://example.invalid\n\n[x] ![x](x) <https://example.invalid>",
        "\\` \\\\` `a`` **b* _c_",
        "1. x",
        "1) x",
        "+ x",
        "= x",
        "\n\n\n",
    ] {
        let document = written(hostile);
        assert_eq!(outline(&document), expect, "{hostile:?}\n{document}");
    }
}

#[test]
fn data_stands_as_it_is() {
    let text = "````\n`` ` ```";
    let found: Vec<_> = parse(&written(text))
        .into_iter()
        .filter_map(|block| match block {
            Block::CodeBlock { text, .. } => Some(text),
            _ => None,
        })
        .collect();
    let data = serde_json::to_string_pretty(&json!({ "said": text })).unwrap();
    assert_eq!(found, [format!("{text}\n"), format!("{data}\n")]);
    // Characters that would control a terminal, or change the reading direction, are written out.
    let shown = written("\u{1b}[2J\u{202e}");
    assert!(!shown.contains(['\u{1b}', '\u{202e}']), "{shown}");
}
