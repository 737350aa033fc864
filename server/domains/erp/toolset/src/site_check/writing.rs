//! Checks on documents of their own: a name of the caller's, and a cancel that is locked.

use serde_json::{Value, json};

use super::{SiteCheckOutcome, made};
use crate::{
    client::SiteTrial,
    config::RestVersion,
    dates,
    error::{ErpError, RefusalKind},
    identity::ErpIdentity,
    meta::TypeRight,
    site::ErpSite,
    texts::site_check as say,
};

/// A note to oneself, which every user may make and delete.
const NOTE: &str = "ToDo";

/// A request to buy: it posts nothing, and can be submitted and cancelled.
const REQUEST: &str = "Material Request";

/// A time at which nothing was saved.
const LONG_AGO: &str = "2000-01-01 00:00:00.000000";

/// A caller's own name over v2: v16 takes it, and refuses it a second time; v15 ignores it.
pub(super) async fn own_name(
    site: &ErpSite,
    who: &ErpIdentity,
) -> Result<SiteCheckOutcome, ErpError> {
    if let Some(reason) = lacks(site, who, NOTE, &[TypeRight::Create]).await? {
        return Ok(SiteCheckOutcome::NotTried(reason));
    }
    let wanted = format!("jarvis-check-{}", site.client.now());
    let document = json!({ "name": wanted, "description": say::OF_THE_CHECK });
    let create = async || {
        let rest = RestVersion::V2;
        let asked = SiteTrial::Create {
            doctype: NOTE,
            rest,
            document: &document,
        };
        site.client.try_out(asked).await
    };
    let first = name_of(&create().await?.data);
    let second = create().await;
    let mut left: Vec<_> = made::delete(site, NOTE, &first).await.into_iter().collect();
    let outcome = match (first == wanted, second) {
        (true, Err(error)) if error.kind() == Some(RefusalKind::Duplicate) => {
            SiteCheckOutcome::Fine(say::NAME_IS_A_KEY.to_owned())
        }
        (_, Err(error)) => SiteCheckOutcome::Differs(say::second_was(&error.reason())),
        (is_taken, Ok(again)) => {
            left.extend(made::delete(site, NOTE, &name_of(&again.data)).await);
            match is_taken {
                _ if is_taken => SiteCheckOutcome::Differs(say::NAME_TAKEN_TWICE.to_owned()),
                _ if who.is_v16() => SiteCheckOutcome::Differs(say::NAME_IS_IGNORED.to_owned()),
                _ => SiteCheckOutcome::Fine(say::NAME_IS_IGNORED_AS_BEFORE.to_owned()),
            }
        }
    };
    Ok(with(outcome, &left))
}

/// A cancel by PUT: refused with a `modified` that is not the newest, done with the newest.
pub(super) async fn locked_cancel(
    site: &ErpSite,
    who: &ErpIdentity,
) -> Result<SiteCheckOutcome, ErpError> {
    let rights = [TypeRight::Create, TypeRight::Submit, TypeRight::Cancel];
    if let Some(reason) = lacks(site, who, REQUEST, &rights).await? {
        return Ok(SiteCheckOutcome::NotTried(reason));
    }
    let company = made::company(site).await?;
    let item = made::item(site).await?;
    let warehouse = made::first(site, "Warehouse", &[("is_group", 0)]).await?;
    let (Some(company), Some(item), Some(warehouse)) = (company, item, warehouse) else {
        return Ok(SiteCheckOutcome::NotTried(say::NO_MASTERS.to_owned()));
    };
    let day = dates::today(site.client.now(), &who.time_zone).to_string();
    let draft = json!({
        "material_request_type": "Purchase", "company": company, "transaction_date": day,
        "schedule_date": day,
        "items": [{"item_code": item, "qty": 1, "warehouse": warehouse, "schedule_date": day}],
    });
    let asked = SiteTrial::Create {
        doctype: REQUEST,
        rest: site.client.rest(),
        document: &draft,
    };
    let mut document = site.client.try_out(asked).await?.data;
    document["doctype"] = json!(REQUEST);
    let name = name_of(&document);
    let outcome = cancel_by_put(site, &document, &name).await;
    // Whatever came of it, nothing of it may count.
    let status = status(site, &name).await;
    if status.as_ref().is_ok_and(|it| *it == Some(1)) {
        let asked = SiteTrial::Cancel {
            doctype: REQUEST,
            name: &name,
        };
        if let Err(error) = site.client.try_out(asked).await {
            let left = say::is_left(REQUEST, &name, &error.reason());
            return Ok(with(super::settled(outcome), &[left]));
        }
    }
    let left: Vec<_> = made::delete(site, REQUEST, &name)
        .await
        .into_iter()
        .collect();
    Ok(with(super::settled(outcome), &left))
}

async fn cancel_by_put(
    site: &ErpSite,
    document: &Value,
    name: &str,
) -> Result<SiteCheckOutcome, ErpError> {
    let submitted = site.client.try_out(SiteTrial::Submit { document }).await?;
    let cancel = async |modified: &str| {
        let asked = SiteTrial::CancelIfUnchanged {
            doctype: REQUEST,
            name,
            modified,
        };
        site.client.try_out(asked).await
    };
    let stale = cancel(LONG_AGO).await;
    let is_refused = stale.is_err_and(|error| error.kind() == Some(RefusalKind::Stale));
    if status(site, name).await? != Some(1) {
        return Ok(SiteCheckOutcome::Differs(
            say::CANCELLED_UNLOCKED.to_owned(),
        ));
    }
    let modified = submitted.data["modified"].as_str().unwrap_or_default();
    cancel(modified).await?;
    Ok(match (is_refused, status(site, name).await?) {
        (true, Some(2)) => SiteCheckOutcome::Fine(say::CANCEL_IS_LOCKED.to_owned()),
        (false, Some(2)) => SiteCheckOutcome::Differs(say::STALE_IS_ANOTHER_ERROR.to_owned()),
        _ => SiteCheckOutcome::Differs(say::NOT_CANCELLED_BY_PUT.to_owned()),
    })
}

async fn status(site: &ErpSite, name: &str) -> Result<Option<i64>, ErpError> {
    let meta = site.readable_type(REQUEST).await?;
    let document = site.document(&meta, name).await?;
    Ok(document.get("docstatus").and_then(Value::as_i64))
}

/// The reason that this user cannot try it: a missing right, or a workflow that governs the type.
async fn lacks(
    site: &ErpSite,
    who: &ErpIdentity,
    doctype: &str,
    rights: &[TypeRight],
) -> Result<Option<String>, ErpError> {
    let meta = match site.readable_type(doctype).await {
        Ok(meta) => meta,
        Err(error) if error.kind() == Some(RefusalKind::NotFound) => {
            return Ok(Some(say::no_type(doctype)));
        }
        Err(error) => return Err(error),
    };
    if meta.workflow.is_some() {
        return Ok(Some(say::has_workflow(doctype)));
    }
    let have = meta.rights(who.roles());
    let has = |right: &&TypeRight| have.on_all.contains(right) || have.on_own.contains(right);
    let missing: Vec<_> = rights
        .iter()
        .filter(|it| !has(it))
        .map(|it| it.word())
        .collect();
    Ok((!missing.is_empty()).then(|| say::lacks_rights(&missing, doctype)))
}

fn name_of(document: &Value) -> String {
    document["name"].as_str().unwrap_or_default().to_owned()
}

/// The outcome, with what could not be taken back.
fn with(outcome: SiteCheckOutcome, left: &[String]) -> SiteCheckOutcome {
    let add = |text: String| {
        let parts = std::iter::once(text).chain(left.iter().cloned());
        parts.collect::<Vec<_>>().join(" ")
    };
    match outcome {
        SiteCheckOutcome::Fine(text) => SiteCheckOutcome::Fine(add(text)),
        SiteCheckOutcome::Differs(text) => SiteCheckOutcome::Differs(add(text)),
        SiteCheckOutcome::NotTried(text) => SiteCheckOutcome::NotTried(add(text)),
        SiteCheckOutcome::Unusable(text) => SiteCheckOutcome::Unusable(add(text)),
    }
}
