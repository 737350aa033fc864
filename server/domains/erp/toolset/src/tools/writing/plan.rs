//! A document that a call acts on, as it was read just now, and what the call would do to it. Card, call
//! and the check after a crash all go by the same plan.

mod finality;
mod hazard;
mod reversal;
mod rows;

use std::{collections::BTreeSet, sync::Arc};

use agent::ports::{Preview, ToolCall, read_input};
use futures::join;
use jiff::tz::TimeZone;
use protocol::{CardSection, ErrorBody, ErrorCode, Fact};
use rust_decimal::Decimal;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

pub(crate) use self::{finality::Finality, reversal::Reversal};
use crate::tools::writing::{
    acting,
    cells::CardValues,
    draft,
    posting::{CLOSING, is_about_stock},
};
use crate::{
    cell,
    currency::Currencies,
    dates,
    decimal::decimal,
    meta::TypeMeta,
    site::{Document, ErpSite},
    texts::{acting as shared, plan as say},
};

const PARTIES: [&str; 5] = ["customer", "supplier", "party_name", "party", "employee"];
const TOTALS: [&str; 3] = ["grand_total", "paid_amount", "total_debit"];
const DAYS: [&str; 4] = [
    "transaction_date",
    "due_date",
    "delivery_date",
    "schedule_date",
];

/// A document that a call acts on.
#[derive(Clone)]
pub(crate) struct ErpSubject {
    pub(crate) meta: Arc<TypeMeta>,
    pub(crate) name: String,
    pub(crate) document: Document,
    currencies: Arc<Currencies>,
    /// That of the site's times.
    zone: TimeZone,
}

impl ErpSubject {
    /// Reads a document of a type that may be written.
    pub(crate) async fn read(site: &ErpSite, doctype: &str, name: &str) -> Result<Self, ErrorBody> {
        acting::writable_type(site, doctype)?;
        let meta = site.readable_type(doctype).await?;
        let zone = site.identity().await?.time_zone.clone();
        let (document, currencies) = join!(site.document(&meta, name), site.known_currencies());
        let subject = Self {
            document: document?,
            meta,
            name: name.to_owned(),
            currencies,
            zone,
        };
        acting::unprotected(site, &subject.objects())?;
        Ok(subject)
    }

    /// The same document as it is now.
    pub(crate) async fn again(&self, site: &ErpSite) -> Result<Self, ErrorBody> {
        Ok(Self {
            meta: Arc::clone(&self.meta),
            name: self.name.clone(),
            document: site.document(&self.meta, &self.name).await?,
            currencies: Arc::clone(&self.currencies),
            zone: self.zone.clone(),
        })
    }

    /// The refusal of a copy that is not the one that the call was made for.
    pub(crate) async fn demand_copy(
        &self,
        site: &ErpSite,
        modified: &str,
    ) -> Result<(), ErrorBody> {
        acting::same_copy(site, &self.meta, &self.document, modified).await
    }

    /// True if it is the very copy with this `modified`.
    pub(crate) fn is_copy(&self, modified: &str) -> bool {
        self.raw("modified") == Some(modified)
    }

    pub(crate) fn docstatus(&self) -> &'static str {
        cell::docstatus(self.document.get("docstatus").unwrap_or(&Value::Null))
    }

    /// A text that is not empty, as it is stored.
    pub(crate) fn raw(&self, field: &str) -> Option<&str> {
        let value = self.document.get(field)?.as_str()?;
        (!value.is_empty()).then_some(value)
    }

    /// Its values as a card says them.
    pub(crate) fn values(&self) -> CardValues<'_> {
        CardValues {
            meta: &self.meta,
            document: &self.document,
            currencies: &self.currencies,
        }
    }

    /// A value as a person reads it.
    pub(crate) fn shown(&self, field: &str) -> Option<String> {
        let value = self.document.get(field)?;
        let shown = cell::cell(self.meta.field(field), value, cell::IN_LIST)?;
        Some(text(&shown))
    }

    /// The state of its workflow.
    pub(crate) fn workflow_state(&self) -> Option<&str> {
        self.raw(&self.meta.workflow.as_ref()?.state_field)
    }

    pub(crate) fn party(&self) -> Option<String> {
        PARTIES.iter().find_map(|field| self.shown(field))
    }

    /// In company currency.
    pub(crate) fn base_total(&self) -> Option<Decimal> {
        if self.meta.name == CLOSING {
            // It has one total, in the currency of its company.
            return Some(decimal(self.document.get("grand_total")?)?.abs());
        }
        acting::base_total(&self.document)
    }

    /// With its currency.
    pub(crate) fn total(&self) -> Option<String> {
        let mut fields = TOTALS.iter();
        let (name, value) = fields.find_map(|name| {
            let value = self.document.get(*name)?;
            decimal(value).is_some().then_some((*name, value))
        })?;
        Some(self.values().own(name, value).whole())
    }

    /// The same document is always the same text.
    pub(crate) fn target(&self) -> String {
        format!("{} {}", self.meta.name, self.name)
    }

    /// Its state now, for a card: a change of it is worth a word.
    pub(crate) fn facts(&self) -> Vec<Fact> {
        labelled([
            (say::TOTAL.to_owned(), self.total()),
            (say::STATUS.to_owned(), self.shown("status")),
            (
                say::STATE.to_owned(),
                self.workflow_state().map(str::to_owned),
            ),
            (say::CHANGED_BY.to_owned(), self.shown("modified_by")),
        ])
    }

    /// The section of a card about the document, with `more` at its end.
    pub(crate) fn section(&self, more: impl IntoIterator<Item = Fact>) -> CardSection {
        let mut fields = labelled([
            (say::PARTY.to_owned(), self.party()),
            (say::COMPANY.to_owned(), self.shown("company")),
        ]);
        fields.extend(labelled(
            DAYS.map(|field| (acting::label(&self.meta, field), self.shown(field))),
        ));
        fields.extend(labelled([
            (say::MADE_BY.to_owned(), self.shown("owner")),
            (
                say::CHANGED_AT.to_owned(),
                self.raw("modified").map(|it| dates::moment(it, &self.zone)),
            ),
        ]));
        fields.extend(more);
        CardSection::Fields {
            title: say::DOCUMENT.to_owned(),
            fields,
        }
    }

    /// The facts that must still be true when the call runs.
    pub(crate) fn bound(&self) -> Value {
        json!({
            "modified": self.document.get("modified"),
            "docstatus": self.document.get("docstatus"),
            "workflow_state": self.workflow_state(),
        })
    }

    /// Everything that it and its rows name, as a policy names it.
    pub(crate) fn objects(&self) -> Vec<String> {
        draft::linked_objects(&self.meta, &self.document)
    }

    /// The same with what its ledger lines name. A protected one refuses the call.
    pub(crate) fn objects_with(
        &self,
        site: &ErpSite,
        lines: BTreeSet<String>,
    ) -> Result<Vec<String>, ErrorBody> {
        let mut objects = self.objects();
        let known: Vec<_> = lines
            .into_iter()
            .filter(|it| !objects.contains(it))
            .collect();
        objects.extend(known);
        acting::unprotected(site, &objects)?;
        Ok(objects)
    }

    /// Refuses a type whose documents are never submitted.
    pub(crate) fn demand_submittable(&self) -> Result<(), ErrorBody> {
        if self.meta.is_submittable {
            Ok(())
        } else {
            Err(refused(say::is_never_submitted(&self.meta.name)))
        }
    }
}

/// The input of a call that names a document by type and name, and the document as it is now: for the check
/// after a crash.
///
/// # Errors
/// The reason why it cannot be seen.
pub(crate) async fn found<I: DeserializeOwned>(
    site: &ErpSite,
    call: &ToolCall,
) -> Result<(I, ErpSubject), String> {
    let cannot = |error: ErrorBody| shared::cannot_look(&error.message);
    let input = read_input(call.input.clone()).map_err(cannot)?;
    let text = |field: &str| call.input[field].as_str().unwrap_or_default();
    let subject = ErpSubject::read(site, text("doctype"), text("name")).await;
    Ok((input, subject.map_err(cannot)?))
}

fn labelled(facts: impl IntoIterator<Item = (String, Option<String>)>) -> Vec<Fact> {
    let facts = facts.into_iter();
    facts
        .filter_map(|(label, value)| {
            Some(Fact {
                label,
                value: value?,
            })
        })
        .collect()
}

/// A value of a result as a text.
pub(crate) fn text(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// The refusal of a call that makes no sense for this document.
pub(crate) fn refused(message: impl Into<String>) -> ErrorBody {
    ErrorBody::new(ErrorCode::ToolFailed, message)
}

/// The last digits of a name, for a person to type.
pub(crate) fn digits(name: &str) -> String {
    let tail: Vec<char> = name
        .chars()
        .rev()
        .take_while(char::is_ascii_digit)
        .take(6)
        .collect();
    if tail.is_empty() {
        say::WORD_WITHOUT_DIGITS.to_owned()
    } else {
        tail.into_iter().rev().collect()
    }
}

/// The facts of a card that are others now, in one sentence.
pub(crate) fn drift(shown: &[Fact], now: &Preview) -> Option<String> {
    let of = |facts: &[Fact], label: &str| {
        let fact = facts.iter().find(|it| it.label == label);
        fact.map(|it| it.value.clone())
    };
    let mut changes = Vec::new();
    for fact in shown.iter().filter(|it| !is_about_stock(it)) {
        let after = of(&now.facts, &fact.label);
        if after.as_deref() != Some(fact.value.as_str()) {
            changes.push(say::was(&fact.label, &fact.value, after.as_deref()));
        }
    }
    // Only the lines that will post can differ then.
    Some(if changes.is_empty() {
        say::LINES_DIFFER.to_owned()
    } else {
        say::changes(&changes)
    })
}
