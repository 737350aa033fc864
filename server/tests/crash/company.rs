//! The simulated company: always as it was at the same moment, so that its documents have the same
//! names, and with a clock that runs.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::Context;
use serde_json::Value;
use simerp::{SimErp, SimErpClock, SimErpControl, SimErpFault, SimErpOptions, SimErpTrigger};

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
        CompanyStart::AnswerLost(path) => {
            let trigger = SimErpTrigger::next(path, SimErpFault::LostAfter);
            company.control().fault(trigger.of_method("POST"));
        }
        CompanyStart::WithKeyField => {
            company
                .control()
                .add_field("Sales Invoice", KEY_FIELD, true);
        }
    }
    Ok(company)
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
