//! Every example question of every tool leads the rehearsal model to that tool, with an input that
//! fits, and to a first sentence that answers.

use futures::{StreamExt, stream};
use protocol::{BlockedReason, Command, ContentBlock, EventBody, Mode, Reference, Seq};
use rehearsal::AreaExample;
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
    "No tool here covers",
    "That belongs on",
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

/// The lamps alone: their words are everyday ones.
const WITH_LAMPS: &str =
    "[notices]\nenabled = false\n[domains]\nenabled = [\"lamps\"]\n[lamps]\nenabled = true\n";

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
const ACTS: [(&str, u8); 21] = [
    ("add_comment", 1),
    ("amend_doc", 2),
    ("apply_workflow", 0),
    ("book_room", 1),
    ("cancel_doc", 1),
    ("create_doc", 1),
    ("delete_doc", 0),
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

/// The choice of the tools of a run, by the path of their page and their name. Packs have no page.
type IsMeant = fn(&str, &str) -> bool;

/// All runs; that of the field devices is in `field/examples.rs`.
const RUNS: [IsMeant; 8] = [
    is_of_systems,
    is_reading_of_company,
    is_order_to_company,
    is_of_pack,
    is_of_prices,
    is_of_chart,
    is_of_lamps,
    is_of_field,
];

fn is_of_systems(path: &str, _: &str) -> bool {
    is_page_of("homelab", path)
}

fn is_reading_of_company(path: &str, tool: &str) -> bool {
    is_page_of("erp", path) && READS.contains(&tool)
}

fn is_order_to_company(path: &str, tool: &str) -> bool {
    is_page_of("erp", path) && ACTS.iter().any(|(act, _)| *act == tool)
}

fn is_of_pack(path: &str, _: &str) -> bool {
    path.is_empty()
}

fn is_of_prices(path: &str, tool: &str) -> bool {
    is_page_of("markets", path) && tool.starts_with("get_")
}

fn is_of_chart(path: &str, tool: &str) -> bool {
    is_page_of("markets", path) && !tool.starts_with("get_")
}

fn is_of_lamps(path: &str, _: &str) -> bool {
    is_page_of("lamps", path)
}

pub(crate) fn is_of_field(path: &str, _: &str) -> bool {
    is_page_of("field", path)
}

fn is_page_of(domain: &str, path: &str) -> bool {
    app::tab(domain).is_some_and(|(_, own)| own == path)
}

/// A domain or a tool without a run here would never be asked.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_tool_of_every_domain_is_asked() {
    let folder = Folder::new();
    let more = format!("{WITH_ERP}\n[field]\nsimulated = true\n\n[lamps]\nenabled = true\n");
    let server = Server::start_with(&folder, &more).await;
    let tools: Vec<(&str, &str)> = server
        .areas()
        .iter()
        .flat_map(|area| {
            let path = area.page.as_ref().map_or("", |(_, path)| path.as_str());
            let tools = area.tools.iter();
            tools.map(move |(tool, _)| (path, tool.as_str()))
        })
        .collect();
    for section in server::domains::sections() {
        let mut own = tools.iter();
        let is_there = own.any(|(path, _)| is_page_of(section.name, path));
        assert!(is_there, "{} has no tools here", section.name);
    }
    for (path, tool) in &tools {
        let mut runs = RUNS.iter();
        assert!(runs.any(|is_meant| is_meant(path, tool)), "{path} {tool}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_example_about_systems_leads_to_its_tool() {
    assert_eq!(strays(WITH_ERP, is_of_systems, &[], AT_ONCE).await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_example_about_a_company_leads_to_its_tool_and_says_its_figures() {
    assert_eq!(
        strays(WITH_ERP, is_reading_of_company, &[], AT_ONCE).await,
        [""; 0]
    );
}

/// A change names the copy of the document that was read last, so the rehearsal model reads it first.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_order_to_a_company_leads_to_its_tool() {
    assert_eq!(strays(WITH_ERP, is_order_to_company, &[], 1).await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_example_of_a_pack_leads_to_its_tool() {
    assert_eq!(strays(WITH_ERP, is_of_pack, &[], 1).await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_example_about_prices_leads_to_its_tool() {
    assert_eq!(
        strays(WITH_ERP, is_of_prices, &["EURUSD/H4"], AT_ONCE).await,
        [""; 0]
    );
}

/// The examples of a tool are asked on different charts, so that none finds drawn what it asks for, and
/// one after the other, so that what changes a drawing finds one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_example_about_a_chart_leads_to_its_tool() {
    let charts = ["EURUSD/H4", "EURUSD/H1"];
    assert_eq!(strays(WITH_ERP, is_of_chart, &charts, 1).await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_example_about_lamps_leads_to_its_tool() {
    assert_eq!(strays(WITH_LAMPS, is_of_lamps, &[], 1).await, [""; 0]);
}

/// The examples of some tools that do not lead to them.
async fn strays(more: &str, is_meant: IsMeant, charts: &[&str], at_once: usize) -> Vec<String> {
    let folder = Folder::new();
    let server = Server::start_with(&folder, more).await;
    let browser = &server.sign_in().await;
    let mut asked = Vec::new();
    for area in server.areas() {
        let path = area.page.as_ref().map_or("", |(_, path)| path);
        let tools = area.tools.iter();
        for (tool, examples) in tools.filter(|(tool, _)| is_meant(path, tool)) {
            assert!((2..=24).contains(&examples.len()), "{tool}");
            for (number, example) in examples.iter().enumerate() {
                let chart = charts.iter().cycle().nth(number);
                let about = chart.map(|chart| Reference::new("chart", *chart));
                let packs = if path.is_empty() { &PACKS[..] } else { &[] };
                asked.push((tool, existing(example, tool, &server), about, packs));
            }
        }
    }
    assert!(asked.len() > 3, "{asked:?}");
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
            return with(example, number, name.unwrap());
        }
    }
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let now = i64::try_from(now.unwrap().as_secs()).unwrap();
    with(example, "2026", &units::civil::rfc3339(now)[..4])
}

/// The example with another text in place of one.
pub(crate) fn with(example: &AreaExample, from: &str, to: &str) -> AreaExample {
    AreaExample {
        question: example.question.replace(from, to),
        input: example.input.as_ref().map(|input| {
            let input = input.to_string().replace(from, to);
            serde_json::from_str(&input).unwrap()
        }),
    }
}

/// Asks, and returns what is wrong.
pub(crate) async fn check(
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
        let meant = without_change(meant.clone());
        if !made.iter().any(|made| is_same(made, &meant)) {
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

/// True if an input is the one that is meant. It has a token for the name of a host that its toolset hides
/// from models.
fn is_same(made: &Value, meant: &Value) -> bool {
    match (made, meant) {
        (Value::String(made), Value::String(_)) if made.starts_with("host-s") => true,
        (Value::Array(made), Value::Array(meant)) => {
            made.len() == meant.len() && made.iter().zip(meant).all(|(a, b)| is_same(a, b))
        }
        (Value::Object(made), Value::Object(meant)) => {
            let is_meant = |(name, made): (&String, &Value)| {
                let meant = meant.get(name);
                meant.is_some_and(|meant| is_same(made, meant))
            };
            made.len() == meant.len() && made.iter().all(is_meant)
        }
        (made, meant) => made == meant,
    }
}

fn without_change(mut input: Value) -> Value {
    if let Some(fields) = input.as_object_mut() {
        fields.remove("modified");
    }
    input
}
