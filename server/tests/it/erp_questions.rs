//! Questions and orders of people who keep books or a shop, as they put them: each leads the rehearsal model
//! to the tool that answers, with everything else on beside it, and the first sentence has the answer.

use protocol::{Command, EventBody, Mode, Seq};

use crate::{
    client::new_conversation,
    examples::WITH_ERP,
    harness::{Folder, Server},
    socket::Socket,
    suggestions::{first_sentence, tools},
};

/// A question, the tool that is called, and what the first sentence has.
type Asked = (&'static str, &'static str, &'static [&'static str]);

const QUESTIONS: &[Asked] = &[
    (
        "who is overdue?",
        "search_doc",
        &["Sales Invoice", " EUR", "outstanding"],
    ),
    (
        "Which customers owe us money?",
        "search_doc",
        &["Sales Invoice", " EUR", "outstanding"],
    ),
    (
        "who owes us money",
        "search_doc",
        &["Sales Invoice", " EUR", "outstanding"],
    ),
    (
        "what do customers owe us?",
        "search_doc",
        &["Sales Invoice", " EUR", "outstanding"],
    ),
    (
        "how much does merlin bikes owe us?",
        "party_summary",
        &["Merlin Bikes", " EUR"],
    ),
    (
        "Which bills do we have to pay?",
        "search_doc",
        &["Purchase Invoice", " EUR"],
    ),
    (
        "which payments came in",
        "search_doc",
        &["Payment Entry", " EUR"],
    ),
    ("stock of PUMP", "search_doc", &["Bin", "in stock"]),
    ("stock of SUB-FRAME-AL", "search_doc", &["Bin"]),
    (
        "How much stock do we have of pump?",
        "search_doc",
        &["Bin", "in stock"],
    ),
    (
        "What is the price of the item PUMP?",
        "search_doc",
        &[" EUR in Retail EUR"],
    ),
    (
        "Show the trial balance",
        "run_report",
        &["Trial Balance", " EUR"],
    ),
    (
        "Run the report Trial Balance for Aldergate Cycles.",
        "run_report",
        &["Trial Balance", " EUR"],
    ),
    (
        "Show the accounts receivable",
        "run_report",
        &["Accounts Receivable", " EUR"],
    ),
    (
        "What are our payables?",
        "run_report",
        &["Accounts Payable", " EUR"],
    ),
    ("Show the balance sheet", "run_report", &["Balance Sheet"]),
    ("show the general ledger", "run_report", &["General Ledger"]),
    (
        "What is our profit this year?",
        "run_report",
        &["Profit and Loss", " EUR"],
    ),
    (
        "How is the company doing?",
        "run_report",
        &["Profit and Loss", " EUR"],
    ),
    (
        "Which deliveries are late?",
        "search_doc",
        &["Sales Order", " EUR"],
    ),
    (
        "which orders are late",
        "search_doc",
        &["Sales Order", " EUR"],
    ),
    (
        "Show me the history of Kestrel Cycles",
        "search_doc",
        &["Sales Order", " EUR"],
    ),
    (
        "Show the invoices of Merlin Bikes",
        "search_doc",
        &["Sales Invoice", " EUR"],
    ),
    (
        "which sales orders are still drafts?",
        "search_doc",
        &["Sales Order"],
    ),
    (
        "Which tills are open?",
        "search_doc",
        &["POS Opening Entry"],
    ),
    (
        "show me invoice {invoice}",
        "get_doc",
        &["Sales Invoice", "{invoice}"],
    ),
    (
        "why is {order} not delivered",
        "trace_doc",
        &["Sales Order {order}"],
    ),
    (
        "What does Kestrel Cycles owe us, and why is {order} not delivered?",
        "trace_doc",
        &["Kestrel Cycles", " EUR"],
    ),
    // The name that is meant is looked for.
    (
        "What does Kestrel Cicles owe us?",
        "find_link",
        &["Do you mean Kestrel Cycles"],
    ),
    (
        "How much does Merlin Bykes owe us?",
        "find_link",
        &["Do you mean Merlin Bikes"],
    ),
];

/// Orders; the words are anywhere in the answer, if no card asks.
const ORDERS: &[Asked] = &[
    (
        "Take a payment of 1000.60 for invoice {invoice}",
        "make_from",
        &["with the reference"],
    ),
    (
        "Change the price of PUMP to 25 EUR",
        "search_doc",
        &["To do it", "Set the item price"],
    ),
    (
        "Close the till",
        "search_doc",
        &["To do it", "till session"],
    ),
    ("Cancel the invoice {invoice}", "cancel_doc", &[]),
    ("Could you deliver sales order {order}?", "make_from", &[]),
    ("Make an invoice of sales order {order}", "make_from", &[]),
    (
        "Create a sales order for Kestrel Cycles with 5 PUMP",
        "create_doc",
        &["delivery on"],
    ),
];

/// Questions that no tool answers, each with texts of the reply.
const NONE: &[(&str, &[&str])] = &[
    (
        "Welche Rechnungen sind noch offen?",
        &["I read English only", "(/erp)"],
    ),
    (
        "Run the report of the sins of Kestrel Cycles.",
        &["in the words of my examples", "(/erp)"],
    ),
    (
        "Which rooms are free from 2026-11-24 to 2026-11-27?",
        &["That needs the tools of Hospitality"],
    ),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_who_keep_books_are_understood() {
    let folder = Folder::new();
    let server = Server::start_with(&folder, WITH_ERP).await;
    let browser = server.sign_in().await;
    let control = server.simulation::<simerp::SimErp>().control();
    let submitted = |doctype: &str| {
        let names = control.names(doctype);
        let fits = |name: &&String| {
            let document = control.document(doctype, name).unwrap();
            document["docstatus"] == 1 && document["currency"] == "EUR"
        };
        names.iter().find(fits).unwrap().clone()
    };
    let (invoice, order) = (submitted("Sales Invoice"), submitted("Sales Order"));
    let named = |text: &str| {
        text.replace("{invoice}", &invoice)
            .replace("{order}", &order)
    };
    let mut wrong = Vec::new();
    let questions = QUESTIONS.iter().map(|it| (it, true));
    for ((question, tool, says), is_first) in questions.chain(ORDERS.iter().map(|it| (it, false))) {
        let question = named(question);
        let mut tab = browser.socket().await;
        let is_asked = ask(&mut tab, &question).await;
        let said = tab.view.said();
        let answer = said.last().copied().unwrap_or_default();
        let text = if is_first {
            first_sentence(answer)
        } else {
            answer
        };
        let called = tools(&tab.view);
        let says_all = says.iter().all(|it| text.contains(&named(it)));
        let fits = called.contains(tool) && (says_all || is_asked && !is_first);
        if !fits {
            wrong.push(format!("{question}\n{called:?}\n{answer}"));
        }
    }
    for (question, says) in NONE {
        let mut tab = browser.socket().await;
        let is_asked = ask(&mut tab, question).await;
        let said = tab.view.said();
        let answer = said.last().copied().unwrap_or_default();
        let called = tools(&tab.view);
        let says_all = says.iter().all(|it| answer.contains(it));
        if is_asked || !called.is_empty() || !says_all {
            wrong.push(format!("{question}\n{called:?}\n{answer}"));
        }
    }
    server.stop().await;
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Asks in a conversation without packs; true if a card asks in turn.
async fn ask(tab: &mut Socket, question: &str) -> bool {
    let conversation = new_conversation();
    tab.command(Command::Start {
        conversation,
        mode: Mode::Default,
        text: question.to_owned(),
        from: None,
        plan: None,
        choice: None,
        references: Vec::new(),
        packs: Some(Vec::new()),
    })
    .await
    .unwrap();
    tab.subscribe(conversation, Seq(0)).await.unwrap();
    let asks = |body: &EventBody| matches!(body, EventBody::ConfirmationRequested { .. });
    tab.see(|view| view.finished() == 1 || view.count(asks) > 0)
        .await;
    tab.view.count(asks) > 0
}
