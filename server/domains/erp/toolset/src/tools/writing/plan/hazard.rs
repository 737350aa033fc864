//! Facts to know before a document becomes final, which its lines do not show: each a sentence, and
//! the graver ones want a word typed.

mod credit;
mod duplicate;
mod stock;

use futures::join;
use protocol::{RiskReason, RiskWeight};

use super::ErpSubject;
use crate::tools::writing::{
    party_warnings,
    posting::{Posting, PostingDay},
};
use crate::{error::ErpError, site::ErpSite, texts::hazard as say};

/// Days that a document may be back-dated without a word.
const BACK_DATED: i32 = 3;

/// One thing to know.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Hazard {
    pub(super) reason: RiskReason,
    /// True if the card wants a word typed because of it.
    pub(super) wants_word: bool,
}

impl Hazard {
    fn new(rule: &str, weight: RiskWeight, sentence: impl Into<String>, detail: &str) -> Self {
        Self {
            reason: RiskReason::new(rule, weight, sentence).meaning(detail),
            wants_word: false,
        }
    }

    fn with_word(self) -> Self {
        Self {
            wants_word: true,
            ..self
        }
    }

    /// A check that could not be made is said, and never taken for a good one.
    fn unchecked(rule: &str, what: &str, error: &ErpError) -> Self {
        let sentence = say::not_checked(what, &error.reason());
        Self::new(rule, RiskWeight::Warning, sentence, say::NOT_CHECKED_DETAIL)
    }
}

/// All of them, the checks side by side.
pub(super) async fn all(
    site: &ErpSite,
    subject: &ErpSubject,
    posting: &Posting,
    day: &PostingDay,
) -> Vec<Hazard> {
    let (credit, duplicates, bank, stock) = join!(
        credit::check(site, subject),
        duplicate::check(site, subject),
        bank(site, subject),
        stock::check(site, posting),
    );
    let mut hazards = dated(day);
    hazards.extend(
        credit.unwrap_or_else(|error| Some(Hazard::unchecked("credit", say::CREDIT, &error))),
    );
    hazards.extend(
        duplicates
            .unwrap_or_else(|error| vec![Hazard::unchecked("duplicate", say::DUPLICATES, &error)]),
    );
    hazards.extend(bank);
    hazards
        .extend(stock.unwrap_or_else(|error| vec![Hazard::unchecked("stock", say::STOCK, &error)]));
    if posting.is_from_own_rows {
        hazards.push(Hazard::new(
            "own_rows",
            RiskWeight::Note,
            say::OWN_ROWS,
            say::OWN_ROWS_DETAIL,
        ));
    }
    hazards.extend(posting.warnings.iter().map(|words| {
        Hazard::new(
            "erp_warns",
            RiskWeight::Warning,
            say::erp_warns(words),
            say::ERP_WARNS_DETAIL,
        )
    }));
    hazards
}

/// Bank details of the party that have changed, or cannot be seen: the usual fraud, so a word.
async fn bank(site: &ErpSite, subject: &ErpSubject) -> Option<Hazard> {
    let who = site.identity().await.ok()?;
    let reason = party_warnings::bank_changes(site, &who, &subject.document).await?;
    Some(Hazard {
        reason,
        wants_word: true,
    })
}

fn dated(day: &PostingDay) -> Vec<Hazard> {
    let (Some(date), Some(age)) = (&day.day, day.age()) else {
        return Vec::new();
    };
    let hazard = |sentence: String, detail| {
        vec![Hazard::new("day", RiskWeight::Grave, sentence, detail).with_word()]
    };
    match age {
        ..0 => hazard(say::future(date), say::FUTURE_DETAIL),
        0..=BACK_DATED => Vec::new(),
        _ => hazard(say::back_dated(date, age), say::BACK_DATED_DETAIL),
    }
}
