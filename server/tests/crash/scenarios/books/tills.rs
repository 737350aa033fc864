//! Scenarios about the closing of a till, which makes further documents.

use super::{copy, of_company, text};
use crate::{
    company::{self, CompanyStart},
    scenario::{Act, End, Scenario},
};

const CLOSING: &str = "POS Closing Entry";

/// Closings that are posted with their submit, and one that is posted in the background.
pub(super) async fn all() -> anyhow::Result<Vec<Scenario>> {
    Ok(vec![
        closing("books: a closing", 0, false, AT_ONCE).await?,
        closing("books: a closing, answer lost", 0, true, AT_ONCE)
            .await?
            .short(&["ordered, not followed"]),
        closing("books: a closing of many sales", 6, false, QUEUED).await?,
    ])
}

/// The changes beside the closing itself, with their numbers: the session is closed; its four sales are in an
/// invoice and a credit note, which one log names, with the lines of both.
const AT_ONCE: &[(&str, usize)] = &[
    ("submitted POS Opening Entry", 1),
    ("submitted POS Invoice", 4),
    ("submitted POS Invoice Merge Log", 1),
    ("submitted Sales Invoice", 2),
    ("submitted GL Entry", 11),
    ("submitted Payment Ledger Entry", 4),
    ("saved Bin", 3),
    ("saved Version", 2),
];
/// The same of ten sales, by a job that changes the closing once more.
const QUEUED: &[(&str, usize)] = &[
    ("saved RQ Job", 1),
    ("deleted RQ Job", 1),
    ("submitted POS Closing Entry", 1),
    ("submitted POS Opening Entry", 1),
    ("submitted POS Invoice", 10),
    ("submitted POS Invoice Merge Log", 1),
    ("submitted Sales Invoice", 2),
    ("submitted GL Entry", 11),
    ("submitted Payment Ledger Entry", 4),
    ("saved Bin", 3),
    ("saved Version", 2),
];

/// The sales of a session are posted by one invoice and one credit note, and the session is closed.
async fn closing(
    name: &'static str,
    more: u8,
    is_answer_lost: bool,
    with: &[(&'static str, usize)],
) -> anyhow::Result<Scenario> {
    let start = CompanyStart::Counted {
        more,
        is_answer_lost,
    };
    let running = company::start(start).await?;
    let draft = company::find(&running.control(), CLOSING, |it| it["docstatus"] == 0)?;
    running.shutdown().await;
    let effect = "submitted POS Closing Entry";
    let with = with.iter().flat_map(|&(what, times)| vec![what; times]);
    let with: Vec<&'static str> = with.collect();
    let act = Act::new("submit_doc", copy(CLOSING, &draft), effect, End::Authorised)
        // Scenarios are there until the program ends.
        .with(Vec::leak(with))
        .followed_by(&["POST method/frappe.client.submit"]);
    let says = format!("Books: close the till with {}.", text(&draft, "name"));
    Ok(of_company(name, says, vec![act], start))
}
