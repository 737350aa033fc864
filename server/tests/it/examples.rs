//! Every example question of every tool leads the rehearsal model to that tool, with an input that
//! fits, and to a first sentence that answers.

use futures::{StreamExt, stream};
use protocol::{BlockedReason, Command, ContentBlock, EventBody, Mode, Reference, Seq};
use rehearsal::{Area, AreaExample};
use serde_json::Value;

use crate::{
    client::new_conversation,
    harness::{Folder, Server},
    socket::Socket,
    suggestions::{first_sentence, tools},
    view::View,
};

/// The tool that only an open page can carry out.
const NEEDS_PAGE: &str = "scroll_chart";

/// Beginnings of sentences that answer nothing.
pub(crate) const NO_ANSWERS: [&str; 11] = [
    "That needs a real model",
    "Explaining needs a real model",
    "No tool here tells of",
    "That belongs to",
    "Do you mean",
    "This is what I have found",
    "I find nothing called",
    "I am not certain",
    "I should gladly look",
    "I could not",
    "`get_",
];

/// Tools whose answers say an amount first, with its currency.
const OF_MONEY: [&str; 5] = [
    "get_doc",
    "get_ledger",
    "party_summary",
    "run_report",
    "search_doc",
];

/// Types of documents without amounts.
const OF_NO_MONEY: [&str; 2] = ["Bin", "POS Opening Entry"];

/// The ERP's tools that read.
const READS: [&str; 9] = [
    "describe_doctype",
    "find_link",
    "get_doc",
    "get_ledger",
    "list_approvals",
    "party_summary",
    "run_report",
    "search_doc",
    "trace_doc",
];

/// The packs of the ERP.
const PACKS: [&str; 5] = [
    "erp-distribution",
    "erp-hospitality",
    "erp-manufacturing",
    "erp-retail",
    "erp-services",
];

/// Conversations that go on at once where none changes what another reads.
const AT_ONCE: usize = 6;

/// The domain that is off unless somebody names a site or asks for a simulation.
pub(crate) const WITH_ERP: &str = "[notices]\nenabled = false\n\n[erp]\nsimulated = true\n";

/// Numbers of documents in examples, each with its type.
const NUMBERED: [(&str, &str); 6] = [
    ("SAL-ORD-2026-00012", "Sales Order"),
    ("ACC-SINV-2026-00004", "Sales Invoice"),
    ("ACC-PINV-2026-00003", "Purchase Invoice"),
    ("MAT-DN-2026-00003", "Delivery Note"),
    ("PUR-ORD-2026-00007", "Purchase Order"),
    ("PUR-ORD-2026-00009", "Purchase Order"),
];

/// The ERP's tools that act, each with the state in which a document must be for it: 0 for drafts, 1 for
/// submitted and 2 for cancelled ones.
const ACTS: [(&str, u8); 20] = [
    ("add_comment", 1),
    ("amend_doc", 2),
    ("apply_workflow", 0),
    ("book_room", 1),
    ("cancel_doc", 1),
    ("create_doc", 1),
    ("log_time", 1),
    ("make_from", 1),
    ("plan_work_order", 1),
    ("prepare_delivery", 1),
    ("prepare_pos_closing", 1),
    ("prepare_project_invoice", 1),
    ("prepare_reorder", 1),
    ("prepare_transfer", 1),
    ("record_production", 1),
    ("set_item_price", 1),
    ("set_order_status", 1),
    ("stop_work_order", 1),
    ("submit_doc", 0),
    ("update_doc", 0),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_example_about_systems_leads_to_its_tool() {
    let all = |area: &Area, path: &str, _: &str| {
        !path.is_empty() && path != "/chart" && !is_of_company(area)
    };
    assert_eq!(strays(all, &[], AT_ONCE).await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_example_about_a_company_leads_to_its_tool_and_says_its_figures() {
    let reads = |area: &Area, _: &str, tool: &str| is_of_company(area) && READS.contains(&tool);
    assert_eq!(strays(reads, &[], AT_ONCE).await, [""; 0]);
}

/// A change names the copy of the document that was read last, so the rehearsal model reads it first.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_order_to_a_company_leads_to_its_tool() {
    let acts = |area: &Area, _: &str, tool: &str| {
        is_of_company(area) && ACTS.iter().any(|(act, _)| *act == tool)
    };
    assert_eq!(strays(acts, &[], 1).await, [""; 0]);
}

/// Packs have no page: a conversation has them only if they are chosen.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_example_of_a_pack_leads_to_its_tool() {
    let all = |_: &Area, path: &str, _: &str| path.is_empty();
    assert_eq!(strays(all, &[], 1).await, [""; 0]);
}

/// True for the area of the ERP.
fn is_of_company(area: &Area) -> bool {
    area.tools.iter().any(|(tool, _)| tool == "search_doc")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_example_about_prices_leads_to_its_tool() {
    let reads = |_: &Area, path: &str, tool: &str| path == "/chart" && tool.starts_with("get_");
    assert_eq!(strays(reads, &["EURUSD/H4"], AT_ONCE).await, [""; 0]);
}

/// The examples of a tool are asked on different charts, so that none finds drawn what it asks for, and
/// one after the other, so that what changes a drawing finds one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_example_about_a_chart_leads_to_its_tool() {
    let draws = |_: &Area, path: &str, tool: &str| path == "/chart" && !tool.starts_with("get_");
    assert_eq!(strays(draws, &["EURUSD/H4", "EURUSD/H1"], 1).await, [""; 0]);
}

/// The examples of some tools that do not lead to them.
async fn strays(
    is_meant: fn(&Area, &str, &str) -> bool,
    charts: &[&str],
    at_once: usize,
) -> Vec<String> {
    let folder = Folder::new();
    let server = Server::start_with(&folder, WITH_ERP).await;
    let browser = &server.sign_in().await;
    let mut asked = Vec::new();
    for area in server.areas() {
        let path = area.page.as_ref().map_or("", |(_, path)| path);
        let tools = area.tools.iter();
        for (tool, examples) in tools.filter(|(tool, _)| is_meant(area, path, tool)) {
            assert!((2..=24).contains(&examples.len()), "{tool}");
            for (number, example) in examples.iter().enumerate() {
                let chart = charts.iter().cycle().nth(number);
                let about = chart.map(|chart| Reference::new("chart", *chart));
                let packs = if path.is_empty() { &PACKS[..] } else { &[] };
                asked.push((tool, existing(example, tool, &server), about, packs));
            }
        }
    }
    assert!(asked.len() > 10, "{asked:?}");
    let strays = stream::iter(asked).map(async |(tool, example, about, packs)| {
        let mut tab = browser.socket().await;
        let about = about.into_iter().collect();
        let fault = check(&mut tab, tool, &example, about, packs).await;
        fault.map(|fault| format!("{} ({tool})\n{fault}", example.question))
    });
    let strays = strays.buffered(at_once).filter_map(async |stray| stray);
    let strays = strays.collect().await;
    server.stop().await;
    strays
}

/// The example about documents and years that the simulated company has today.
fn existing(example: &AreaExample, tool: &str, server: &Server) -> AreaExample {
    let about = |from: &str, to: &str| AreaExample {
        question: example.question.replace(from, to),
        input: example.input.as_ref().map(|input| {
            let input = input.to_string().replace(from, to);
            serde_json::from_str(&input).unwrap()
        }),
    };
    for (number, doctype) in NUMBERED {
        if example.question.contains(number) {
            let control = server.simulation::<simerp::SimErp>().control();
            let state = ACTS.iter().find(|(act, _)| *act == tool);
            let state = state.map_or(1, |(_, state)| *state);
            let fits = |name: &&String| {
                let document = control.document(doctype, name).unwrap();
                let is_pending = document["workflow_state"] == "Pending Approval";
                document["docstatus"] == state
                    && document["currency"] == "EUR"
                    && is_pending == (tool == "apply_workflow")
            };
            let names = control.names(doctype);
            // Without one, the answer says what stands in the way.
            let name = names.iter().find(fits).or(names.first());
            return about(number, name.unwrap());
        }
    }
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let now = i64::try_from(now.unwrap().as_secs()).unwrap();
    about("2026", &units::civil::rfc3339(now)[..4])
}

/// Asks, and returns what is wrong.
async fn check(
    tab: &mut Socket,
    tool: &str,
    example: &AreaExample,
    references: Vec<Reference>,
    packs: &[&str],
) -> Option<String> {
    let conversation = new_conversation();
    tab.command(Command::Start {
        conversation,
        mode: Mode::Default,
        text: example.question.clone(),
        from: None,
        plan: None,
        choice: None,
        references,
        packs: (!packs.is_empty()).then(|| packs.iter().map(|it| (*it).to_owned()).collect()),
    })
    .await
    .unwrap();
    tab.subscribe(conversation, Seq(0)).await.unwrap();
    let asks = |body: &EventBody| matches!(body, EventBody::ConfirmationRequested { .. });
    // A call that waits for a page which nobody has open runs for half a minute.
    let runs = |body: &EventBody| matches!(body, EventBody::ToolStarted { .. });
    let waits = tool == NEEDS_PAGE;
    tab.see(|view| view.finished() == 1 || view.count(asks) > 0 || waits && view.count(runs) > 0)
        .await;
    let called = tools(&tab.view);
    if !called.contains(&tool) {
        return Some(format!("{called:?}\n{}", tab.view.said().join("\n")));
    }
    let misfit = |body: &EventBody| {
        matches!(
            body,
            EventBody::ToolBlocked {
                reason: BlockedReason::InvalidInput,
                ..
            }
        )
    };
    if tab.view.count(misfit) > 0 {
        return Some(format!("an input does not fit: {:?}", tab.view.events));
    }
    if let Some(meant) = &example.input {
        let made = inputs(&tab.view, tool);
        if !made.contains(&without_change(meant.clone())) {
            return Some(format!("{made:?} instead of {meant}"));
        }
    }
    // What waits for a person or a page has no answer yet.
    if waits || tab.view.count(asks) > 0 {
        return None;
    }
    let said = tab.view.said();
    let answer = said.last().copied().unwrap_or_default();
    let first = first_sentence(answer);
    // The company may refuse: then the reason is the answer.
    let is_refused = ACTS.iter().any(|(act, _)| *act == tool) && first == "I could not do that.";
    let says_nothing = |begin: &&str| first.starts_with(begin);
    let doctype = example.input.as_ref().and_then(|it| it["doctype"].as_str());
    let is_of_money =
        OF_MONEY.contains(&tool) && !doctype.is_some_and(|it| OF_NO_MONEY.contains(&it));
    let is_none = first.is_empty()
        || !is_refused && NO_ANSWERS.iter().any(says_nothing)
        || is_of_money && !first.contains(" EUR");
    is_none.then(|| format!("{called:?}\n{answer}"))
}

/// The inputs of the calls of a tool. When a document was changed is read before, so no example knows it.
fn inputs(view: &View, tool: &str) -> Vec<Value> {
    let messages = view.events.iter().filter_map(|event| match &event.body {
        EventBody::AssistantMessage { blocks, .. } => Some(blocks),
        _ => None,
    });
    let inputs = messages.flatten().filter_map(|block| match block {
        ContentBlock::ToolUse { name, input, .. } if name == tool => Some(input.clone()),
        _ => None,
    });
    inputs.map(without_change).collect()
}

fn without_change(mut input: Value) -> Value {
    if let Some(fields) = input.as_object_mut() {
        fields.remove("modified");
    }
    input
}
