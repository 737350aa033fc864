//! Queries of pages: everything covered, and values for whoever may see them, with a record of the look.

mod bundle;
mod device;
mod facts;
mod keys;
mod offers;
mod pieces;
mod proposal;
mod run;

use std::collections::{BTreeMap, BTreeSet};

use field_redaction::Pseudonym;
use field_wire::{FieldLookRow, RevealedToken};
use protocol::{ErrorBody, ErrorCode, PageQuery, Reference, UserId};
use serde_json::Value;

use crate::{
    board::value,
    parts::FieldParts,
    ports::{KnownDevice, LookOrder},
    texts::pages as say,
    things::{self, FieldThing},
};

/// Bundles, runs and proposals on the page of a device.
const NEWEST: u32 = 20;
/// Values of one look.
const MOST_VALUES: usize = 500;
const LOOKS: u32 = 50;

/// Answers a page's query.
///
/// | kind | parts |
/// | --- | --- |
/// | `device` | `device`, `looks` |
/// | `bundle` | `bundle`, `section/NAME` |
/// | `proposal` | `proposal`, `version/N` |
/// | `run` | `run`, and of `log/out` and `log/err` the end, `…/before/OFFSET`, and `…/STEP` |
/// | each | `values/TOKEN,TOKEN,…` |
/// | `keys` | `keys` |
/// | `enrolment`, named by the journal of the call that made it | `token`, once |
pub(crate) async fn page(
    parts: &FieldParts,
    person: UserId,
    query: &PageQuery,
) -> Result<Value, ErrorBody> {
    match (&*query.kind, &*query.part) {
        ("keys", "keys") => return Ok(value(&keys::page(parts, person).await?)),
        ("enrolment", "token") => return Ok(value(&keys::token(parts, person, &query.name)?)),
        _ => {}
    }
    let reference = Reference::new(&query.kind, &query.name);
    let thing = FieldThing::of(&reference).ok_or_else(no_page)?;
    let (part, rest) = match query.part.split_once('/') {
        Some((part, rest)) => (part, Some(rest)),
        None => (query.part.as_str(), None),
    };
    let answer = match (thing, part, rest) {
        (_, "values", Some(tokens)) => value(&values(parts, person, &thing, tokens).await?),
        (FieldThing::Device(id), "device", None) => value(&device::page(parts, person, id).await?),
        (FieldThing::Device(_), "looks", None) => value(&looks(parts, &thing).await?),
        (FieldThing::Bundle(id), "bundle", None) => value(&bundle::page(parts, id).await?),
        (FieldThing::Bundle(id), "section", Some(name)) => {
            let text = parts.ports.bundles.section(id, name).await?;
            value(&pieces::whole(&text))
        }
        (FieldThing::Proposal(id), "proposal", None) => {
            value(&proposal::newest(parts, person, id).await?)
        }
        (FieldThing::Proposal(id), "version", Some(version)) => {
            let version = version.parse().map_err(|_| no_page())?;
            value(&proposal::version(parts, person, id, version).await?)
        }
        (FieldThing::Run(id), "run", None) => value(&run::page(parts, person, id).await?),
        (FieldThing::Run(id), "log", Some(rest)) => value(&run::log(parts, id, rest).await?),
        _ => return Err(no_page()),
    };
    Ok(answer)
}

/// True for what tells hidden values, or the token of an enrolment.
pub(crate) fn tells_hidden(query: &PageQuery) -> bool {
    query.kind == "enrolment" || query.part == "values" || query.part.starts_with("values/")
}

/// The values of tokens on the page of a thing, for a person who may see them. Tokens that are none are
/// passed over.
async fn values(
    parts: &FieldParts,
    person: UserId,
    thing: &FieldThing<'_>,
    tokens: &str,
) -> Result<Vec<RevealedToken>, ErrorBody> {
    let site = things::site_of(parts, thing).await.ok_or_else(no_page)?;
    let tokens = tokens.split(',').filter_map(Pseudonym::parse);
    let mut tokens: Vec<_> = tokens.map(|token| token.to_string()).collect();
    tokens.sort();
    tokens.dedup();
    tokens.truncate(MOST_VALUES);
    let look = LookOrder {
        site,
        tokens,
        person,
        place: thing.place(),
    };
    let shown = parts.ports.values.reveal(&look).await?.into_iter();
    let shown = shown.map(|it| RevealedToken {
        token: it.token,
        class: it.class,
        value: it.value,
    });
    Ok(shown.collect())
}

/// The looks at values of a device's site.
async fn looks(
    parts: &FieldParts,
    device: &FieldThing<'_>,
) -> Result<Vec<FieldLookRow>, ErrorBody> {
    let site = things::site_of(parts, device).await.ok_or_else(no_page)?;
    let looks = parts.ports.values.looks(&site, LOOKS).await?;
    let people: BTreeSet<_> = looks.iter().map(|look| look.person).collect();
    let mut names = BTreeMap::new();
    for person in people {
        let name = parts.ports.administration.person_name(person).await;
        names.insert(person, name);
    }
    let looks = looks.into_iter().map(|look| FieldLookRow {
        at: look.at,
        // Somebody who is gone has no name any more.
        person: match names.get(&look.person) {
            Some(Some(name)) => name.clone(),
            _ => look.person.to_string(),
        },
        place: look.place,
        shown: look.shown,
    });
    Ok(looks.collect())
}

/// The names of a device and its site; their identifiers where nobody knows them.
async fn names(
    parts: &FieldParts,
    device: &str,
    site: &str,
) -> Result<(String, String), ErrorBody> {
    let name = device_name(parts, device).await?;
    let name = name.unwrap_or_else(|| device.to_owned());
    Ok((name, site_name(parts, site)))
}

/// The name of a device, also of a retired one.
async fn device_name(parts: &FieldParts, id: &str) -> Result<Option<String>, ErrorBody> {
    if let Some(device) = known(parts, id) {
        return Ok(Some(device.name));
    }
    let retired = parts.ports.administration.retired(id).await?;
    Ok(retired.map(|it| it.device.name))
}

fn site_name(parts: &FieldParts, site: &str) -> String {
    let snapshot = parts.snapshot();
    let name = snapshot.site(site).map(|it| it.name.clone());
    name.unwrap_or_else(|| site.to_owned())
}

/// A device that is still known.
fn known(parts: &FieldParts, id: &str) -> Option<KnownDevice> {
    parts.snapshot().device(id).cloned()
}

fn no_page() -> ErrorBody {
    ErrorBody::new(ErrorCode::ToolInputInvalid, say::NO_PAGE)
}
