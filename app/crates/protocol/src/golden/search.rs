//! Snapshots of places in the list and of search results.

use super::{AT, check, conversation, frames::summary, message};
use crate::{
    CodeKind, CodeSpan, ConversationSummary, Prompt, SearchHit, SearchPage, SearchSpan, Seq, Shelf,
};

#[test]
fn found() {
    let line = ConversationSummary {
        shelf: Shelf::Pinned,
        ..summary()
    };
    check("pinned_summary", &line);
    let unread = ConversationSummary {
        unread: Some(Seq(7)),
        ..summary()
    };
    check("unread_summary", &unread);
    let span = |text: &str, marked| SearchSpan {
        text: text.to_owned(),
        marked,
    };
    let title = SearchHit {
        conversation: conversation(),
        title: "Backups of nas".to_owned(),
        at: AT,
        seq: Seq(0),
        message: None,
        block: None,
        shelf: Shelf::Listed,
        spans: vec![span("Backup", true), span("s of nas", false)],
    };
    let answer = SearchHit {
        seq: Seq(4),
        message: Some(message()),
        block: Some(1),
        shelf: Shelf::Archived,
        spans: vec![span("…the ", false), span("backups", true)],
        ..title.clone()
    };
    check(
        "search_page",
        &SearchPage {
            hits: vec![title, answer],
            more: true,
        },
    );
}

#[test]
fn kept() {
    check(
        "prompt",
        &Prompt {
            name: "morning".to_owned(),
            text: "How is the cluster?\nAnd the NAS?".to_owned(),
        },
    );
}

#[test]
fn code() {
    check(
        "code_span",
        &CodeSpan {
            kind: CodeKind::Keyword,
            bytes: 3,
        },
    );
}
