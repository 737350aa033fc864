//! The simulated company: always as it was at the same moment, so that its documents have the same
//! names, and with a clock that runs.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use serde_json::{Value, json};
use simerp::{
    SimErp, SimErpClock, SimErpControl, SimErpFault, SimErpOptions, SimErpTrigger, SimErpUser,
};

/// Saturday, 21 November 2026, 15:30:04 UTC.
const MOMENT: Duration = Duration::from_secs(1_795_275_004);

/// The field for the id of the call that made a document.
pub(crate) const KEY_FIELD: &str = "jarvis_call";

/// The state of the company before the first request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CompanyStart {
    Plain,
    /// The first answer to an order is lost after the work was done; by a part of its path.
    AnswerLost(&'static str),
    /// A delivery was taken back. The answer to the order that makes another may be lost.
    DeliveryCancelled {
        is_answer_lost: bool,
    },
    /// Invoices have [`KEY_FIELD`], and the server is configured to use it.
    WithKeyField,
}

struct RunningClock(Instant);

impl SimErpClock for RunningClock {
    fn now(&self) -> Duration {
        MOMENT + self.0.elapsed()
    }
}

pub(crate) async fn start(start: CompanyStart) -> anyhow::Result<SimErp> {
    let options = SimErpOptions {
        clock: Arc::new(RunningClock(Instant::now())),
        ..SimErpOptions::default()
    };
    let company = SimErp::start(options).await?;
    match start {
        CompanyStart::Plain => {}
        CompanyStart::AnswerLost(path) => lose_answer(&company, path),
        CompanyStart::DeliveryCancelled { is_answer_lost } => {
            let note = delivery(&company.control())?;
            cancel(&company, "Delivery Note", &note["name"]).await?;
            if is_answer_lost {
                lose_answer(&company, "resource/Delivery Note");
            }
        }
        CompanyStart::WithKeyField => {
            company
                .control()
                .add_field("Sales Invoice", KEY_FIELD, true);
        }
    }
    Ok(company)
}

fn lose_answer(company: &SimErp, path: &str) {
    let trigger = SimErpTrigger::next(path, SimErpFault::LostAfter);
    company.control().fault(trigger.of_method("POST"));
}

/// A delivery to Harbour Wheels that can be taken back: older books are closed.
pub(crate) fn delivery(company: &SimErpControl) -> anyhow::Result<Value> {
    find(company, "Delivery Note", |it| {
        let is_open = it["posting_date"].as_str() > Some("2026-11-01");
        it["docstatus"] == 1 && it["customer"] == "Harbour Wheels" && is_open
    })
}

/// Another program of a person takes a document back.
async fn cancel(company: &SimErp, doctype: &str, name: &Value) -> anyhow::Result<()> {
    let client = reqwest::Client::builder().no_proxy().build()?;
    let token = company.token(SimErpUser::Manager);
    let answer = client
        .post(format!("{}/api/method/frappe.client.cancel", company.url()))
        .header("Authorization", format!("token {token}"))
        .header("Accept", "application/json")
        .json(&json!({ "doctype": doctype, "name": name }))
        .send()
        .await?;
    let status = answer.status();
    ensure!(
        status == 200,
        "it was not cancelled: {}",
        answer.text().await?
    );
    Ok(())
}

/// Finds the first document of a type that fits.
pub(crate) fn find(
    company: &SimErpControl,
    doctype: &str,
    fits: impl Fn(&Value) -> bool,
) -> anyhow::Result<Value> {
    let names = company.names(doctype).into_iter();
    let mut documents = names.filter_map(|name| company.document(doctype, &name));
    let found = documents.find(|it| fits(it));
    found.with_context(|| format!("the company has no such {doctype}"))
}
