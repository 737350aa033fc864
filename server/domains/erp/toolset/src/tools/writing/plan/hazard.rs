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
    posting::{LineSource, Posting, PostingDay, StockChanges},
    tax_warning,
};
use crate::{dates, error::ErpError, site::ErpSite, texts::hazard as say};

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

/// Those that the document alone tells, whatever it posts: their checks side by side.
pub(super) async fn of_document(site: &ErpSite, subject: &ErpSubject) -> Vec<Hazard> {
    let (credit, duplicates, bank, untaxed) = join!(
        credit::check(site, subject),
        duplicate::check(site, subject),
        bank(site, subject),
        tax_warning::stays_untaxed(site, &subject.meta, &subject.document),
    );
    let mut hazards = Vec::new();
    hazards.extend(
        credit.unwrap_or_else(|error| Some(Hazard::unchecked("credit", say::CREDIT, &error))),
    );
    hazards.extend(
        duplicates
            .unwrap_or_else(|error| vec![Hazard::unchecked("duplicate", say::DUPLICATES, &error)]),
    );
    hazards.extend(bank);
    hazards.extend(untaxed.map(|reason| Hazard {
        reason,
        wants_word: false,
    }));
    hazards
}

/// Those of the lines.
pub(super) fn of_lines(posting: &Posting, stock: &StockChanges) -> Vec<Hazard> {
    let mut hazards = Vec::new();
    let stock = stock::check(posting, stock);
    hazards
        .extend(stock.unwrap_or_else(|error| vec![Hazard::unchecked("stock", say::STOCK, error)]));
    let source = |rule, sentence: String, detail| {
        let hazard = Hazard::new(rule, RiskWeight::Note, sentence, detail);
        Some(hazard)
    };
    hazards.extend(match posting.source {
        LineSource::Ledger => None,
        LineSource::OwnRows => source("own_rows", say::OWN_ROWS.to_owned(), say::OWN_ROWS_DETAIL),
        LineSource::Sales(count) => source("sales", say::of_sales(count), say::OF_SALES_DETAIL),
    });
    if posting.source == LineSource::OwnRows && posting.accounting.is_empty() {
        let (rule, weight) = ("accounts_unknown", RiskWeight::Warning);
        let hazard = Hazard::new(
            rule,
            weight,
            say::ACCOUNTS_UNKNOWN,
            say::ACCOUNTS_UNKNOWN_DETAIL,
        );
        hazards.push(hazard);
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

/// Those of the day on which they post.
pub(super) fn of_day(day: &PostingDay) -> Vec<Hazard> {
    let (Some(date), Some(age)) = (&day.day, day.age()) else {
        return Vec::new();
    };
    let hazard = |sentence: String, detail| {
        vec![Hazard::new("day", RiskWeight::Grave, sentence, detail).with_word()]
    };
    match age {
        ..0 => hazard(say::future(&dates::in_words(date)), say::FUTURE_DETAIL),
        0..=BACK_DATED => Vec::new(),
        _ => hazard(
            say::back_dated(&dates::in_words(date), age),
            say::BACK_DATED_DETAIL,
        ),
    }
}
