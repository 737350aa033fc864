//! The simulated company: always as it was at the same moment, so that its documents have the same
//! names, and with a clock that runs.

mod till;

use std::{
    sync::{Arc, OnceLock},
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
    /// The first answer to an order is lost after the work was done; by the order's name in the ledger.
    AnswerLost(&'static str),
    /// A delivery was taken back. The answer to the order that makes another may be lost.
    DeliveryCancelled {
        is_answer_lost: bool,
    },
    /// The closing of a till's session is drafted, with this many sales more than at first; of ten or more
    /// the company posts it in the background. The answer to its submit may be lost.
    Counted {
        more: u8,
        is_answer_lost: bool,
    },
    /// The server has the key of a manager, who may set prices. The answer to the order may be lost.
    WithManager {
        is_answer_lost: bool,
    },
    /// The server has the key of an auditor, who writes nothing, and the person an own one. The answer to
    /// the order may be lost.
    WithOwnKey {
        is_answer_lost: bool,
    },
    /// Invoices have [`KEY_FIELD`], and the server is configured to use it.
    WithKeyField,
}

impl CompanyStart {
    /// The user whose key the server has.
    pub(crate) fn user(self) -> SimErpUser {
        match self {
            Self::WithManager { .. } => SimErpUser::Manager,
            Self::WithOwnKey { .. } => SimErpUser::Reader,
            _ => SimErpUser::Agent,
        }
    }

    /// The user whose key the person has; none if the person has no own key.
    pub(crate) fn own_user(self) -> Option<SimErpUser> {
        matches!(self, Self::WithOwnKey { .. }).then_some(SimErpUser::Clerk)
    }
}

/// Runs from when the company is as it has to be: the times of what was made until then are the same, too.
struct RunningClock {
    runs_since: Arc<OnceLock<Instant>>,
    speed: u32,
}

impl SimErpClock for RunningClock {
    fn now(&self) -> Duration {
        let since = self.runs_since.get();
        MOMENT + since.map_or(Duration::ZERO, |since| since.elapsed() * self.speed)
    }
}

pub(crate) async fn start(start: CompanyStart) -> anyhow::Result<SimErp> {
    let runs_since = Arc::new(OnceLock::new());
    let clock = RunningClock {
        runs_since: Arc::clone(&runs_since),
        // The background takes twenty seconds.
        speed: match start {
            CompanyStart::Counted { more: 1.., .. } => 10,
            _ => 1,
        },
    };
    let options = SimErpOptions {
        clock: Arc::new(clock),
        ..SimErpOptions::default()
    };
    let company = SimErp::start(options).await?;
    match start {
        CompanyStart::Plain => {}
        CompanyStart::AnswerLost(order) => lose_answer(&company, order)?,
        CompanyStart::DeliveryCancelled { is_answer_lost } => {
            let note = delivery(&company.control())?;
            cancel(&company, "Delivery Note", &note["name"]).await?;
            if is_answer_lost {
                lose_answer(&company, "POST resource/Delivery Note")?;
            }
        }
        CompanyStart::Counted {
            more,
            is_answer_lost,
        } => {
            till::draft_closing(&company, more).await?;
            if is_answer_lost {
                lose_answer(&company, "POST method/frappe.client.submit")?;
            }
        }
        CompanyStart::WithManager { is_answer_lost } => {
            if is_answer_lost {
                lose_answer(&company, "POST resource/Item Price")?;
            }
        }
        CompanyStart::WithOwnKey { is_answer_lost } => {
            if is_answer_lost {
                lose_answer(&company, "POST resource/Sales Invoice")?;
            }
        }
        CompanyStart::WithKeyField => {
            company
                .control()
                .add_field("Sales Invoice", KEY_FIELD, true);
        }
    }
    runs_since.get_or_init(Instant::now);
    Ok(company)
}

/// `order`: method and path, as in the ledger.
fn lose_answer(company: &SimErp, order: &str) -> anyhow::Result<()> {
    let (method, path) = order.split_once(' ').context("an order without a path")?;
    let trigger = SimErpTrigger::next(path, SimErpFault::LostAfter);
    company.control().fault(trigger.of_method(method));
    Ok(())
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
    let named = json!({ "doctype": doctype, "name": name });
    post(
        company,
        SimErpUser::Manager,
        "method/frappe.client.cancel",
        &named,
    )
    .await
}

/// An order of another program, as this user.
async fn post(company: &SimErp, user: SimErpUser, path: &str, body: &Value) -> anyhow::Result<()> {
    let client = reqwest::Client::builder().no_proxy().build()?;
    let token = company.token(user);
    let answer = client
        .post(format!("{}/api/{path}", company.url()))
        .header("Authorization", format!("token {token}"))
        .header("Accept", "application/json")
        .json(body)
        .send()
        .await?;
    let status = answer.status();
    ensure!(
        status == 200,
        "{path} was refused: {}",
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
