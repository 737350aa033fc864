//! A submitted document that is taken back: its lines reversed, what stands in the way, and the
//! payments that come loose.

mod blockers;
mod loose;

use futures::join;
use protocol::{Assurance, CardSection, ErrorBody, Fact, RiskReason, RiskWeight};
use serde_json::{Value, json};

use self::loose::LoosePayment;
use super::{ErpSubject, digits, refused};
use crate::tools::writing::posting::{CLOSING, Posting, StockChanges};
use crate::{
    currency::AmountCurrency,
    decimal::number,
    site::{Document, ErpSite},
    texts::{plan as say, posting as lines, reversal},
};

/// Types whose payments come loose when they are cancelled, instead of standing in the way.
const PAID: [&str; 4] = [
    "Purchase Invoice",
    "Purchase Order",
    "Sales Invoice",
    "Sales Order",
];
const PAYMENTS: [&str; 2] = ["Journal Entry", "Payment Entry"];
/// Types, each with one that holds on to it and lets go by itself: hours are no longer billed.
const FREED: [(&str, &str); 1] = [("Sales Invoice", "Timesheet")];

/// The effect of cancelling a document, whether by a cancel or by a step of a workflow.
pub(crate) struct Reversal {
    pub(crate) posting: Posting,
    stock: StockChanges,
    loose: Vec<LoosePayment>,
    /// That of the company.
    currency: AmountCurrency,
    /// The day on which the lines are reversed; None if the ERP does not tell.
    day: Option<String>,
}

impl Reversal {
    /// # Errors
    /// Something stands in the way of the cancel, or its effect cannot be read.
    pub(crate) async fn read(site: &ErpSite, subject: &ErpSubject) -> Result<Self, ErrorBody> {
        if subject.raw("status") == Some("Closed") {
            return Err(refused(reversal::is_closed(&subject.name)));
        }
        if subject.meta.name == CLOSING {
            return Err(refused(reversal::is_closing(&subject.name)));
        }
        let mut linked = blockers::linked(site, subject).await?;
        linked.retain(|it| !FREED.contains(&(subject.meta.name.as_str(), it.0.as_str())));
        let is_paid = PAID.contains(&subject.meta.name.as_str());
        let (payments, mut blocking): (Vec<_>, Vec<_>) = linked
            .into_iter()
            .partition(|(doctype, _)| is_paid && PAYMENTS.contains(&doctype.as_str()));
        blocking.extend(blockers::drafts(site, subject).await?);
        if !blocking.is_empty() {
            let blockers = blockers::readable(site, blocking).await;
            let message = reversal::blocked(&subject.name, &blockers.named, blockers.hidden);
            return Err(refused(message));
        }
        let (posting, loose, is_immutable) = join!(
            Posting::of_reversal(site, subject),
            async {
                match is_paid.then(|| loose::payments(site, subject, &payments)) {
                    Some(read) => read.await,
                    None => Ok(Vec::new()),
                }
            },
            immutable_ledger(site),
        );
        let posting = posting?;
        // What the lines say was there after them, was long ago.
        let stock = StockChanges::of_now(site, &posting).await;
        let day = match is_immutable {
            Some(true) => {
                let who = site.identity().await?;
                Some(crate::dates::today(site.client.now(), &who.time_zone).to_string())
            }
            Some(false) => subject.raw("posting_date").map(str::to_owned),
            None => None,
        };
        Ok(Self {
            day: day.filter(|_| !posting.is_empty()),
            loose: loose?,
            currency: subject.values().company_currency(),
            posting,
            stock,
        })
    }

    pub(crate) fn facts(&self) -> Vec<Fact> {
        let mut facts = Vec::new();
        let mut fact = |label: &str, value: String| {
            facts.push(Fact {
                label: label.to_owned(),
                value,
            });
        };
        if !self.posting.is_empty() {
            let day = self.day.clone();
            fact(
                reversal::REVERSED_ON,
                day.unwrap_or_else(|| reversal::DAY_UNKNOWN.to_owned()),
            );
            fact(
                say::LINES,
                lines::counted(self.posting.counts(), &self.posting.debit()),
            );
        }
        if !self.loose.is_empty() {
            fact(reversal::COME_LOOSE, self.loose.len().to_string());
        }
        facts.extend(self.stock.facts(None));
        facts
    }

    pub(crate) fn sections(&self) -> Vec<CardSection> {
        let mut sections = self.posting.sections();
        sections.extend(loose::section(&self.loose, &self.currency));
        sections
    }

    pub(crate) fn risks(&self) -> Vec<RiskReason> {
        let mut risks = vec![if self.posting.is_empty() {
            RiskReason::new("reverses_nothing", RiskWeight::Note, reversal::NO_LINES)
        } else {
            let sentence = reversal::reverses(self.posting.counts());
            RiskReason::new("reverses", RiskWeight::Warning, sentence)
                .meaning(reversal::REVERSES_DETAIL)
        }];
        if !self.loose.is_empty() {
            let sentence = reversal::loose(self.loose.len());
            risks.push(
                RiskReason::new("loose", RiskWeight::Grave, sentence)
                    .meaning(reversal::LOOSE_DETAIL),
            );
        }
        if self.posting.is_cut() {
            risks.push(
                RiskReason::new("cut", RiskWeight::Grave, lines::CUT).meaning(lines::CUT_DETAIL),
            );
        }
        risks
    }

    /// Always a word: nobody cancels by habit.
    pub(crate) fn assurance(subject: &ErpSubject) -> Assurance {
        Assurance::Type {
            word: digits(&subject.name),
        }
    }

    pub(crate) fn bound(&self) -> Value {
        let loose: Vec<_> = self
            .loose
            .iter()
            .map(|it| {
                let amount = it.amount.map(|it| number(it).to_string());
                json!([it.doctype, it.name, amount])
            })
            .collect();
        json!({ "reversed_on": self.day, "lines": self.posting.bound(), "loose": loose })
    }
}

/// True if reversals are posted on the day of the cancel. None if the ERP does not tell.
async fn immutable_ledger(site: &ErpSite) -> Option<bool> {
    const SETTINGS: &str = "Accounts Settings";
    let meta = site.readable_type(SETTINGS).await.ok()?;
    let settings: Document = site.document(&meta, SETTINGS).await.ok()?;
    let flag = settings.get("enable_immutable_ledger");
    Some(flag.is_some_and(|it| *it == 1 || *it == true))
}
