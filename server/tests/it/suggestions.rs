//! Every question that a page offers is answered by the rehearsal model over the real toolsets:
//! with the right tools, none of them refused, and with the answer in the first sentence.

use protocol::{Command, ContentBlock, EventBody, Mode, Reference};

use crate::{
    client::new_conversation,
    examples::WITH_ERP,
    harness::{Folder, Server},
    socket::Socket,
    view::View,
};

/// A question, its tools, and the text of its first sentence.
struct Expect {
    question: &'static str,
    tools: &'static [&'static str],
    says: &'static [&'static str],
}

const fn expect(
    question: &'static str,
    tools: &'static [&'static str],
    says: &'static [&'static str],
) -> Expect {
    Expect {
        question,
        tools,
        says,
    }
}

const CHAT: &[Expect] = &[
    expect(
        "How is the cluster doing?",
        &[
            "get_cluster_status",
            "get_containers",
            "get_recent_tasks",
            "get_storage",
            "get_vms",
        ],
        &["The cluster is quorate, and 4 of 4 nodes are online"],
    ),
    expect(
        "Which VMs are stopped?",
        &["get_vms"],
        &["windows-11 (113) is stopped: 1 of the 8 virtual machines"],
    ),
    expect(
        "Is any storage filling up?",
        &["get_storage"],
        &[" is the fullest, ", " %."],
    ),
    expect(
        "How warm is the NAS?",
        &["get_cluster_status", "get_node_temperature"],
        &["pve (compute and NAS) is at ", " °C"],
    ),
    expect(
        "What failed in the last day?",
        &["get_recent_tasks"],
        &["failed in the last day"],
    ),
    // Asked by people, offered nowhere.
    expect(
        "What is running?",
        &["get_cluster_resources"],
        &["17 of the 21 guests are running"],
    ),
    expect(
        "How full is the storage?",
        &["get_storage"],
        &[" is the fullest, ", " %."],
    ),
    expect(
        "How warm are the nodes?",
        &["get_node_temperature"],
        &[" is the warmest, ", " °C."],
    ),
    expect(
        "When were the last backups made?",
        &["get_backups"],
        &["The newest backup is of ", ", made at "],
    ),
    expect(
        "which node is the hottest?",
        &["get_node_temperature"],
        &[" is the warmest, ", " °C."],
    ),
    expect(
        "which one uses the most memory?",
        &["get_node_status"],
        &[" uses the most memory", " GiB"],
    ),
    expect(
        "show cpu history of pve",
        &["get_history"],
        &["The CPU used of node pve is at ", "; it peaked at "],
    ),
    expect(
        "why is windows-11 stopped?",
        &["get_recent_tasks"],
        &["windows-11 is stopped"],
    ),
    expect(
        "why is media stopped?",
        &["get_recent_tasks"],
        &["media is running, not stopped"],
    ),
    expect(
        "which guests are stopped?",
        &["get_cluster_resources"],
        &["windows-11 (113)", " are stopped: 3 of the 21 guests"],
    ),
    expect(
        "which VMs are running on pve?",
        &["get_vms"],
        &[" are running: 3 of the 4 virtual machines"],
    ),
    expect(
        "which node has been up the longest?",
        &["get_cluster_status"],
        &["pve has been up the longest, "],
    ),
    expect(
        "is everything ok?",
        &["get_cluster_status", "get_recent_tasks"],
        &["Mostly, sir: the cluster is quorate"],
    ),
    expect("What changed?", &["get_recent_tasks"], &[" tasks"]),
    expect(
        "Show the last 24 h.",
        &["get_recent_tasks"],
        &[" task", " in the last day"],
    ),
];

/// Asked of a company: its examples, and the same about other things.
const ERP: &[Expect] = &[
    expect(
        "Which invoices are overdue?",
        &["search_doc"],
        &["Sales Invoice", " EUR", " outstanding"],
    ),
    expect(
        "which sales orders are open",
        &["search_doc"],
        &["Sales Order", " EUR"],
    ),
    expect(
        "What waits for approval in the ERP?",
        &["list_approvals"],
        &["Nothing waits for approval by this ERP user"],
    ),
    expect(
        "How much does the customer Merlin Bikes owe Aldergate Cycles?",
        &["party_summary"],
        &["Merlin Bikes owes Aldergate Cycles ", " EUR", " overdue"],
    ),
    expect(
        "How much does Merlin Bikes owe us?",
        &["party_summary"],
        &["Merlin Bikes owes Aldergate Cycles ", " EUR", " overdue"],
    ),
];

const CHART: &[Expect] = &[
    expect(
        "Mark the main support and resistance and the last swing's fibonacci.",
        &["get_candles", "draw_fibonacci"],
        &["EURUSD"],
    ),
    expect(
        "What moves the price in the next 24 hours?",
        &["get_news_events"],
        &["EURUSD", "due in the next 24 hours"],
    ),
    expect(
        "what happened today on this chart?",
        &["get_candles"],
        &["EURUSD was between "],
    ),
    expect(
        "How are the large traders positioned?",
        &["get_cot_positioning"],
        &["The large traders are net "],
    ),
    expect(
        "How have my trades gone?",
        &["get_trade_stats"],
        &["closed trades in EURUSD"],
    ),
    // The chart beside the words tells of what.
    expect("What changed?", &["get_candles"], &["EURUSD was between "]),
    expect(
        "Show the last 24 h.",
        &["get_candles"],
        &["EURUSD was between "],
    ),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_offered_question_is_answered_in_the_first_sentence() {
    for question in app::questions() {
        let mut tested = CHART.iter().chain(ERP);
        let known = tested.any(|it| it.question == question);
        assert!(known, "nothing tests {question:?}");
    }

    // With everything that can be on: nothing of another domain leads astray.
    let folder = Folder::new();
    let server = Server::start_with(&folder, WITH_ERP).await;
    let browser = server.sign_in().await;
    let chart = || vec![Reference::new("chart", "EURUSD/H4")];
    let mut wrong = Vec::new();
    for it in CHAT {
        wrong.extend(check(&mut browser.socket().await, it, Vec::new()).await);
    }
    for it in ERP {
        wrong.extend(check(&mut browser.socket().await, it, Vec::new()).await);
    }
    for it in CHART {
        wrong.extend(check(&mut browser.socket().await, it, chart()).await);
    }
    server.stop().await;
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Asks, and returns the fault of the answer, if any.
async fn check(tab: &mut Socket, it: &Expect, references: Vec<Reference>) -> Option<String> {
    let conversation = new_conversation();
    tab.command(Command::Start {
        conversation,
        mode: Mode::Default,
        text: it.question.to_owned(),
        from: None,
        plan: None,
        choice: None,
        references,
        packs: None,
    })
    .await
    .unwrap();
    tab.subscribe(conversation, protocol::Seq(0)).await.unwrap();
    let refused = |body: &EventBody| {
        matches!(
            body,
            EventBody::ToolBlocked { .. } | EventBody::ConfirmationRequested { .. }
        )
    };
    tab.see(|view| view.finished() == 1 || view.count(refused) > 0)
        .await;
    let view = &tab.view;
    let said = view.said();
    let answer = said.last().copied().unwrap_or_default();
    let first = first_sentence(answer);
    let called = tools(view);
    let fits = it.says.iter().all(|words| first.contains(words))
        && it.tools.iter().all(|tool| called.contains(tool))
        && view.count(refused) == 0
        && unreadable(answer).is_none();
    (!fits).then(|| format!("{}\n{called:?}\n{answer}", it.question))
}

/// The text up to the full stop, which no decimal point is.
pub(crate) fn first_sentence(answer: &str) -> &str {
    let line = answer.lines().next().unwrap_or_default();
    line.split_inclusive(". ").next().unwrap_or_default()
}

/// The first line of an answer with a moment or hours as programs write them: `2026-11-22T01:02`, `28.27 h`.
/// Code, drawings and ids have them as they are.
pub(crate) fn unreadable(answer: &str) -> Option<&str> {
    let mut is_code = false;
    answer.lines().find(|line| {
        is_code ^= line.starts_with("```");
        !is_code && (has_written_moment(line) || has_decimal_hours(line))
    })
}

fn has_written_moment(line: &str) -> bool {
    line.match_indices('T').any(|(at, _)| {
        let Some((before, day)) = at
            .checked_sub(10)
            .and_then(|from| line[..at].split_at_checked(from))
        else {
            return false;
        };
        let mut signs = day.bytes().enumerate();
        let is_day = signs.all(|(place, sign)| match place {
            4 | 7 => sign == b'-',
            _ => sign.is_ascii_digit(),
        });
        let is_in_id = before.ends_with(|c: char| c.is_alphanumeric() || "/-_:".contains(c));
        is_day && !is_in_id && before.matches('`').count().is_multiple_of(2)
    })
}

fn has_decimal_hours(line: &str) -> bool {
    line.match_indices(" h").any(|(at, unit)| {
        let (before, after) = (&line[..at], &line[at + unit.len()..]);
        let number = before
            .rsplit(|c: char| !c.is_ascii_digit() && c != '.')
            .next();
        let is_decimal = number.is_some_and(|it| it.contains('.') && it.parse::<f64>().is_ok());
        is_decimal && !after.starts_with(char::is_alphanumeric)
    })
}

#[test]
fn what_programs_write_is_found_in_an_answer() {
    for (answer, expect) in [
        ("Well, sir.\nSince 2026-11-22T01:02:03Z.", true),
        ("It took 28.27 h.", true),
        ("It took 28 h, at 22 Nov, 01:02 UTC, 1.5 hours ago.", false),
        ("Of pbs:backup/vm/100/2026-11-22T01:02:03Z.", false),
        ("```text\n2026-11-22T01:02:03Z 1.5 h\n```\nDone.", false),
    ] {
        assert_eq!(unreadable(answer).is_some(), expect, "{answer}");
    }
}

/// The tools that were called.
pub(crate) fn tools(view: &View) -> Vec<&str> {
    let messages = view.events.iter().filter_map(|event| match &event.body {
        EventBody::AssistantMessage { blocks, .. } => Some(blocks),
        _ => None,
    });
    let calls = messages.flatten().filter_map(|block| match block {
        ContentBlock::ToolUse { name, .. } => Some(name.as_str()),
        _ => None,
    });
    calls.collect()
}
