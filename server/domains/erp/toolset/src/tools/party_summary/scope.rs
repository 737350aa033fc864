//! The parties and the companies that a call is about: those that it names, or those that fit.

use futures::{future::try_join_all, join};
use serde_json::{Value, json};

use super::PartyKind;
use crate::{
    client::ErpMethod,
    error::{ErpError, RefusalKind},
    meta::TypeMeta,
    plain_text::plain,
    site::{Document, ErpSite, ListQuery},
    texts::readings as say,
};

/// The most parties of one part of a name that are all told.
const MOST_PARTIES: usize = 3;
/// Rows of the search, which also finds other words about a party.
const MOST_FOUND: usize = 20;
/// More companies than one party trades with.
const MOST_COMPANIES: usize = 50;

/// A party that is there.
pub(super) struct NamedParty {
    pub(super) name: String,
    /// As people call it: where names are numbers, with the name that people gave it.
    pub(super) title: String,
    pub(super) document: Document,
}

impl NamedParty {
    async fn read(
        site: &ErpSite,
        kind: PartyKind,
        meta: &TypeMeta,
        name: String,
    ) -> Result<Self, ErpError> {
        let document = site.document(meta, &name).await?;
        let label = document.get(kind.title()).and_then(Value::as_str);
        let label = label.map(|it| plain(it, 140));
        let label = label.filter(|it| !it.is_empty() && *it != name);
        Ok(Self {
            title: label.map_or_else(|| name.clone(), |label| say::titled(&label, &name)),
            document,
            name,
        })
    }
}

/// The party of this exact name; without one, the few whose names have it as a part.
pub(super) async fn parties(
    site: &ErpSite,
    kind: PartyKind,
    text: &str,
) -> Result<Vec<NamedParty>, ErpError> {
    let meta = site.readable_type(kind.doctype()).await?;
    let missing = match NamedParty::read(site, kind, &meta, text.to_owned()).await {
        Ok(party) => return Ok(vec![party]),
        Err(error) if error.kind() == Some(RefusalKind::NotFound) => error,
        Err(error) => return Err(error),
    };
    let names = alike(site, &meta, text).await.unwrap_or_default();
    match names.len() {
        0 => Err(missing),
        1..=MOST_PARTIES => {
            let read = names.into_iter();
            try_join_all(read.map(|name| NamedParty::read(site, kind, &meta, name))).await
        }
        _ => {
            let first = names.get(..MOST_PARTIES).unwrap_or_default().join(", ");
            Err(ErpError::input(say::which_party(
                &meta.name,
                &plain(text, 140),
                &first,
            )))
        }
    }
}

/// Names of parties that have the text in what they are called.
async fn alike(site: &ErpSite, meta: &TypeMeta, text: &str) -> Result<Vec<String>, ErpError> {
    let filters: Vec<Value> = site.reach.filter(meta).into_iter().collect();
    let parameters = [
        ("doctype", meta.name.clone()),
        ("txt", text.to_owned()),
        ("filters", json!(filters).to_string()),
        ("page_length", MOST_FOUND.to_string()),
    ];
    let answer = site.method(ErpMethod::SearchLink, &parameters).await?;
    let wanted = text.trim().to_lowercase();
    // The search also looks at groups and territories, which are no names.
    let is_called = |row: &&Value| {
        let mut texts = ["value", "label"]
            .into_iter()
            .filter_map(|it| row[it].as_str());
        texts.any(|it| it.to_lowercase().contains(&wanted))
    };
    let rows = answer.data.as_array().into_iter().flatten();
    let names = rows.filter(is_called).filter_map(|it| it["value"].as_str());
    Ok(names.map(str::to_owned).collect())
}

/// The companies that a call is about.
#[derive(Debug, Default)]
pub(super) struct PartyCompanies {
    pub(super) names: Vec<String>,
    /// Others in which the party has entries.
    pub(super) others: Vec<String>,
    /// True if it is the ERP user's default, and not one that the call names.
    pub(super) is_default: bool,
}

/// The company that is asked for; else the default of the ERP user, and where the party has entries in others
/// alone, those.
pub(super) async fn companies(
    site: &ErpSite,
    kind: PartyKind,
    party: &str,
    asked: Option<&str>,
) -> Result<PartyCompanies, ErpError> {
    let of = |names: Vec<String>| PartyCompanies {
        names,
        ..PartyCompanies::default()
    };
    if let Some(asked) = asked {
        return Ok(of(vec![asked.to_owned()]));
    }
    let (own, posted) = join!(site.default_company(), posted_in(site, kind, party));
    match (own, posted) {
        (Some(own), Ok(posted)) if posted.is_empty() || posted.contains(&own) => {
            Ok(PartyCompanies {
                others: posted.into_iter().filter(|it| *it != own).collect(),
                names: vec![own],
                is_default: true,
            })
        }
        (Some(own), Err(_)) => Ok(PartyCompanies {
            is_default: true,
            ..of(vec![own])
        }),
        (_, Ok(posted)) if !posted.is_empty() => Ok(of(posted)),
        (_, posted) => {
            let known = site.currencies().await?;
            let names: Vec<String> = known.keys().cloned().collect();
            match (names.len(), posted) {
                (1, _) => Ok(of(names)),
                (_, Ok(_)) => Ok(PartyCompanies::default()),
                (_, Err(error)) => {
                    let message = say::name_the_company(&names.join(", "), &error.reason());
                    Err(ErpError::input(message))
                }
            }
        }
    }
}

/// The companies in which a party has live ledger entries or open orders.
async fn posted_in(site: &ErpSite, kind: PartyKind, party: &str) -> Result<Vec<String>, ErpError> {
    let entries = vec![
        json!(["party_type", "=", kind.doctype()]),
        json!(["party", "=", party]),
        json!(["is_cancelled", "=", 0]),
    ];
    let (ledger, orders) = join!(
        companies_of(site, "GL Entry", entries),
        companies_of(site, kind.order(), kind.open_orders(party)),
    );
    let mut names = ledger?;
    // Who may not read orders has no figures of them either.
    names.extend(orders.unwrap_or_default());
    names.sort();
    names.dedup();
    Ok(names)
}

async fn companies_of(
    site: &ErpSite,
    doctype: &str,
    filters: Vec<Value>,
) -> Result<Vec<String>, ErpError> {
    let meta = site.readable_type(doctype).await?;
    let query = ListQuery {
        doctype,
        fields: vec![json!("company")],
        filters,
        group_by: "company",
        order: "company asc".to_owned(),
        limit: MOST_COMPANIES,
        ..ListQuery::default()
    };
    let found = site.list(&meta, query).await?;
    let names = found.rows.iter();
    let names = names.filter_map(|row| row.get("company")?.as_str());
    Ok(names
        .filter(|it| !it.is_empty())
        .map(str::to_owned)
        .collect())
}
