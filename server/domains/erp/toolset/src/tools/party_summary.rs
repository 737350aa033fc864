//! Tool that shows a customer or supplier at a glance.

mod figures;
mod scope;

use std::{collections::BTreeSet, time::Duration};

use agent::ports::ToolExample;
use async_trait::async_trait;
use futures::future::{join_all, try_join_all};
use protocol::{ErrorBody, ToolOutput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use self::figures::PartyAt;
use super::{LONG, drop_empty, told};
use crate::{
    dates, error::ErpError, plain_text::plain, reading::ErpReading, site::ErpSite,
    texts::readings as say,
};

/// The most rows of one party in one company.
const MOST_ROWS: usize = 6;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PartySummaryInput {
    /// Customer or Supplier.
    party_type: PartyKind,
    /// Its name, or a part of it: up to three that have it are all shown.
    #[schemars(length(min = 1, max = 140))]
    party: String,
    /// If not given: the default company of the ERP user, or each that has entries of the party.
    #[schemars(length(min = 1, max = 140))]
    company: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
enum PartyKind {
    Customer,
    Supplier,
}

impl PartyKind {
    const fn doctype(self) -> &'static str {
        match self {
            Self::Customer => "Customer",
            Self::Supplier => "Supplier",
        }
    }

    const fn field(self) -> &'static str {
        match self {
            Self::Customer => "customer",
            Self::Supplier => "supplier",
        }
    }

    const fn order(self) -> &'static str {
        match self {
            Self::Customer => "Sales Order",
            Self::Supplier => "Purchase Order",
        }
    }

    const fn invoice(self) -> &'static str {
        match self {
            Self::Customer => "Sales Invoice",
            Self::Supplier => "Purchase Invoice",
        }
    }

    /// The field with the name that people gave it.
    const fn title(self) -> &'static str {
        match self {
            Self::Customer => "customer_name",
            Self::Supplier => "supplier_name",
        }
    }

    /// The filters of a party's orders that are neither done nor closed.
    fn open_orders(self, party: &str) -> Vec<Value> {
        vec![
            json!([self.field(), "=", party]),
            json!(["docstatus", "=", 1]),
            json!(["status", "not in", ["Completed", "Closed"]]),
        ]
    }
}

pub(crate) struct PartySummary;

#[async_trait]
impl ErpReading for PartySummary {
    const NAME: &'static str = "party_summary";
    const DESCRIPTION: &'static str = "Shows a customer or supplier of the ERP at a glance: open orders, \
        outstanding, overdue, credit limit left, last payment, each with its definition.";
    const TIMEOUT: Duration = LONG;
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::worked(
            "How much does the customer Kestrel Cycles owe Aldergate Cycles?",
            r#"{"party_type": "Customer", "party": "Kestrel Cycles", "company": "Aldergate Cycles"}"#,
        ),
        ToolExample::worked(
            "What does Kestrel Cycles owe us?",
            r#"{"party_type": "Customer", "party": "Kestrel Cycles"}"#,
        ),
        ToolExample::worked(
            "Kestrel Cycles paid its invoice.",
            r#"{"party_type": "Customer", "party": "Kestrel Cycles"}"#,
        ),
        ToolExample::worked(
            "How do we stand with the supplier Rimfire Wheels at Aldergate Cycles?",
            r#"{"party_type": "Supplier", "party": "Rimfire Wheels", "company": "Aldergate Cycles"}"#,
        ),
    ];
    type Input = PartySummaryInput;

    async fn read(site: &ErpSite, input: PartySummaryInput) -> Result<ToolOutput, ErrorBody> {
        Box::pin(summarise(site, &input)).await
    }
}

async fn summarise(site: &ErpSite, input: &PartySummaryInput) -> Result<ToolOutput, ErrorBody> {
    if let Some(company) = &input.company {
        site.reach.company(company)?;
    }
    let kind = input.party_type;
    // First, because a party that is not there has zeros everywhere.
    let parties = Box::pin(scope::parties(site, kind, &input.party)).await?;
    let asked = input.company.as_deref();
    let companies = parties
        .iter()
        .map(|party| scope::companies(site, kind, &party.name, asked));
    let companies = Box::pin(try_join_all(companies)).await?;
    let pairs: Vec<_> = parties.iter().zip(&companies).collect();
    let mut places = Vec::new();
    for (party, of) in &pairs {
        places.extend(of.names.iter().map(|company| {
            let at = PartyAt {
                kind,
                party: &party.name,
                title: &party.title,
                company,
            };
            (at, &party.document)
        }));
    }
    if places.len() > MOST_ROWS {
        return Err(ErpError::input(say::TOO_MANY_COMPANIES).into());
    }
    let read = places
        .into_iter()
        .map(|(at, document)| figures::read(site, at, document));
    let rows = join_all(read).await;
    let mut sentences: Vec<String> = rows.iter().map(|it| it.sentence.clone()).collect();
    for (party, of) in &pairs {
        if of.names.is_empty() {
            sentences.push(say::no_entries(&party.title));
        }
        if !of.others.is_empty() {
            sentences.push(say::also_in(&party.title, &say::and(&of.others)));
        }
    }
    if parties.len() > 1 {
        let text = plain(&input.party, 140);
        sentences.push(say::several_match(parties.len(), kind.doctype(), &text));
    }
    let is_default = companies.iter().any(|it| it.is_default);
    let others = companies.iter().flat_map(|it| &it.others);
    let mut data = json!({
        "party_type": kind.doctype(),
        "company_chosen": is_default.then_some(say::DEFAULT_COMPANY),
        "other_companies": others.collect::<BTreeSet<_>>(),
    });
    for field in ["company_chosen", "other_companies"] {
        drop_empty(&mut data, field);
    }
    let mut rows: Vec<Value> = rows.into_iter().map(|it| it.data).collect();
    if rows.len() == 1
        && let (Some(Value::Object(only)), Some(data)) = (rows.pop(), data.as_object_mut())
    {
        data.extend(only);
    } else {
        data["rows"] = rows.into();
    }
    data["as_of"] = dates::utc(site.client.now()).into();
    told(sentences.join(". "), data)
}
