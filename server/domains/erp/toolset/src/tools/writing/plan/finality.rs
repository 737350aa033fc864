//! A draft that becomes final: the lines that it posts, on which day, and what a person has to know.

use futures::join;
use protocol::{Assurance, CardSection, ErrorBody, Fact, RiskReason, RiskWeight};
use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::{ErpSubject, digits, hazard};
use crate::tools::writing::posting::{Posting, PostingDay, StockChanges};
use crate::{
    site::ErpSite,
    texts::{plan as say, posting as lines},
};

/// The effect of making a draft final, whether by a submit or by a step of a workflow.
pub(crate) struct Finality {
    pub(crate) posting: Posting,
    pub(crate) day: PostingDay,
    hazards: Vec<hazard::Hazard>,
    stock: StockChanges,
    total: Option<Decimal>,
    /// True if the total is above the limit of the configuration.
    is_large: bool,
}

impl Finality {
    /// # Errors
    /// The lines cannot be read, so the effect cannot be shown; also if the ERP itself would
    /// refuse it, as in a closed period.
    pub(crate) async fn read(site: &ErpSite, subject: &ErpSubject) -> Result<Self, ErrorBody> {
        // What only the document tells is asked while the ERP previews: a person waits for this card.
        let (posting, of_document) = join!(
            Box::pin(Posting::of_draft(site, subject)),
            Box::pin(hazard::of_document(site, subject)),
        );
        let posting = posting?;
        let (day, stock) = join!(
            PostingDay::of_draft(site, subject, &posting),
            Box::pin(StockChanges::of_draft(site, &posting)),
        );
        let day = day?;
        let mut hazards = hazard::of_day(&day);
        hazards.extend(of_document);
        hazards.extend(hazard::of_lines(&posting, &stock));
        let total = subject.base_total();
        Ok(Self {
            is_large: total.is_some_and(|it| it.abs() > Decimal::from(site.config.type_above)),
            total,
            posting,
            day,
            hazards,
            stock,
        })
    }

    /// Facts for the head of a card.
    pub(crate) fn facts(&self) -> Vec<Fact> {
        let mut facts = Vec::new();
        facts.extend(self.day.day.clone().map(|value| Fact {
            label: say::POSTS_ON.to_owned(),
            value,
        }));
        if let Some(told) = self.posting.told() {
            facts.push(Fact {
                label: say::LINES.to_owned(),
                value: if self.posting.accounting.is_empty() {
                    told
                } else {
                    lines::with_debit(&told, &self.posting.debit())
                },
            });
        }
        let day = self
            .day
            .day
            .as_deref()
            .filter(|_| self.day.age() != Some(0));
        facts.extend(self.stock.facts(day));
        facts
    }

    pub(crate) fn sections(&self) -> Vec<CardSection> {
        self.posting.sections()
    }

    pub(crate) fn risks(&self) -> Vec<RiskReason> {
        let mut risks = vec![match self.posting.told() {
            None => RiskReason::new("posts_nothing", RiskWeight::Note, lines::POSTS_NOTHING)
                .meaning(lines::POSTS_NOTHING_DETAIL),
            Some(told) => RiskReason::new("posts", RiskWeight::Warning, lines::posts(&told))
                .meaning(lines::POSTS_DETAIL),
        }];
        if self.is_large {
            risks.push(
                RiskReason::new("large", RiskWeight::Grave, say::LARGE).meaning(say::LARGE_DETAIL),
            );
        }
        if self.posting.is_cut() {
            risks.push(
                RiskReason::new("cut", RiskWeight::Grave, lines::CUT).meaning(lines::CUT_DETAIL),
            );
        }
        if self.day.moves {
            risks.push(
                RiskReason::new("moves", RiskWeight::Note, say::DAY_MOVES)
                    .meaning(say::DAY_MOVES_DETAIL),
            );
        }
        risks.extend(self.hazards.iter().map(|it| it.reason.clone()));
        risks.push(
            RiskReason::new("follows", RiskWeight::Note, lines::FOLLOWS)
                .meaning(lines::FOLLOWS_DETAIL),
        );
        risks
    }

    /// A large or suspicious one wants its amount typed, so that nobody approves it by habit.
    pub(crate) fn assurance(&self, subject: &ErpSubject) -> Assurance {
        let is_suspicious = self.hazards.iter().any(|it| it.wants_word);
        if self.is_large || is_suspicious || self.posting.is_cut() {
            let total = self.total.filter(|it| !it.is_zero());
            // As the card shows it, but for the commas.
            let amount = total.map(|it| format!("{:.2}", it.round_dp(2)));
            return Assurance::Type {
                word: amount.unwrap_or_else(|| digits(&subject.name)),
            };
        }
        if self.posting.is_empty() {
            Assurance::Press
        } else {
            Assurance::Hold
        }
    }

    pub(crate) fn irreversible(&self) -> Option<String> {
        (!self.posting.is_empty()).then(|| lines::IRREVERSIBLE.to_owned())
    }

    /// The facts that have to be the same when the call runs.
    pub(crate) fn bound(&self) -> Value {
        json!({ "posts_on": self.day.day, "lines": self.posting.bound() })
    }
}
