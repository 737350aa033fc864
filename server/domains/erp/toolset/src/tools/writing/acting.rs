//! Rules that all tools that write share: types that are never written, how long an outcome is open,
//! and how it is looked for. A write whose answer was lost is never sent again.

use std::{future::Future, time::Duration};

use agent::ports::{Assessment, InputValue, Progress, ToolError};
use protocol::{ErrorBody, ErrorCode, Tier};
use rust_decimal::Decimal;
use serde_json::Value;

use super::notes;
use crate::{
    client::ErpMethod,
    dates,
    decimal::decimal,
    error::ErpError,
    identity::ErpIdentity,
    meta::{MetaField, TypeMeta, TypeRight},
    plain_text::plain,
    site::{Document, ErpSite},
    texts::acting as say,
    tools::touched,
};

/// Timeout of a call that writes: the ERP itself may work for two minutes, and a call that is cut
/// off has an unknown outcome.
pub(crate) const WRITING: Duration = Duration::from_secs(150);
/// Time after the start of a call in which the ERP may still take it, in milliseconds.
pub(crate) const WINDOW: i64 = 150_000;
/// Waits before each look for what a lost answer may have done.
const LOOKS: [Duration; 4] = [
    Duration::from_millis(200),
    Duration::from_secs(2),
    Duration::from_secs(5),
    Duration::from_secs(10),
];
/// The most characters of a label.
const LABEL: usize = 60;
/// The most fields that are named as changed.
const MOST_FIELDS: usize = 8;

/// Refuses a type that is never written.
pub(crate) fn writable_type(site: &ErpSite, doctype: &str) -> Result<(), ErrorBody> {
    if site.reach.is_black(doctype) {
        let message = say::black_type(doctype);
        Err(ErrorBody::new(ErrorCode::ToolProtected, message))
    } else {
        Ok(())
    }
}

/// Refuses a call that touches something protected, named as a policy names it.
pub(crate) fn unprotected(site: &ErpSite, objects: &[String]) -> Result<(), ErrorBody> {
    match site.reach.protects(objects) {
        Some(message) => Err(ErrorBody::new(ErrorCode::ToolProtected, message)),
        None => Ok(()),
    }
}

/// Blackens the call if its type is never written.
pub(crate) fn weigh_type(site: &ErpSite, doctype: &str, assessment: &mut Assessment) {
    if site.reach.is_black(doctype) {
        assessment.tier = Tier::Black;
        assessment.risks.push(say::black_type(doctype));
    }
}

/// The meaning for the gate of a call that takes a document to another state: a person is always asked.
/// `weighed` are the pointers of the values whose origin matters; the text in `remark` becomes a comment,
/// and a call whose remark mentions somebody is refused with `refusal`.
pub(crate) fn assess_step(
    site: &ErpSite,
    input: &Value,
    weighed: &[&str],
    remark: &str,
    refusal: &str,
) -> Assessment {
    let mut assessment = Assessment::plain(Tier::Red, input);
    let counts = |it: &InputValue| weighed.contains(&it.path.as_str());
    assessment.values.retain(counts);
    if input[remark].as_str().is_some_and(notes::mentions) {
        assessment.refused = Some(refusal.to_owned());
    }
    let doctype = input["doctype"].as_str().unwrap_or_default();
    weigh_type(site, doctype, &mut assessment);
    assessment.protected = site.reach.protects(&touched(input));
    assessment
}

/// Refuses a call for which this user lacks the right. Without known roles the ERP decides.
pub(crate) fn demand(
    who: &ErpIdentity,
    meta: &TypeMeta,
    right: TypeRight,
) -> Result<(), ErrorBody> {
    let lacks = |roles: &Vec<String>| !meta.rights(roles).can(right);
    if who.roles.as_ref().is_some_and(lacks) {
        let message = say::lacks_right(right.word(), &meta.name);
        return Err(ErrorBody::new(ErrorCode::ToolPermission, message));
    }
    Ok(())
}

/// True when the ERP can no longer take a call that started at `since`, in milliseconds by the
/// site's clock.
pub(crate) fn is_over(site: &ErpSite, since: i64) -> bool {
    site.client.now() > since + WINDOW
}

/// Refuses a document that is not the copy that the call was made for, and says what has changed.
pub(crate) async fn same_copy(
    site: &ErpSite,
    meta: &TypeMeta,
    document: &Document,
    modified: &str,
) -> Result<(), ErrorBody> {
    let text = |field: &str| document.get(field).and_then(Value::as_str);
    let now = text("modified").unwrap_or_default();
    if now == modified {
        return Ok(());
    }
    let name = text("name").unwrap_or_default();
    let fields = changed_fields(site, meta, name, modified).await;
    let by = text("modified_by").unwrap_or("?");
    let who = site.identity().await?;
    let at = dates::moment(now, &who.time_zone);
    let message = say::has_changed(name, &at, by, &fields);
    Err(ErrorBody::new(ErrorCode::ToolFailed, message))
}

/// Labels of the fields that versions newer than `modified` changed; empty where the ERP keeps
/// none.
async fn changed_fields(
    site: &ErpSite,
    meta: &TypeMeta,
    name: &str,
    modified: &str,
) -> Vec<String> {
    let parameters = [("doctype", meta.name.clone()), ("name", name.to_owned())];
    let Ok(answer) = site.method(ErpMethod::DocumentInfo, &parameters).await else {
        return Vec::new();
    };
    let versions = answer.data["versions"].as_array().into_iter().flatten();
    let newer = versions.filter(|it| it["creation"].as_str().is_some_and(|at| at > modified));
    let mut names = Vec::new();
    for version in newer {
        let data = version["data"].as_str().unwrap_or_default();
        let data: Value = serde_json::from_str(data).unwrap_or_default();
        let list = |key: &str| data[key].as_array().cloned().unwrap_or_default();
        let fields = list("changed").into_iter();
        let tables = ["row_changed", "added", "removed"]
            .into_iter()
            .flat_map(list);
        names.extend(
            fields
                .chain(tables)
                .filter_map(|it| it[0].as_str().map(str::to_owned)),
        );
    }
    names.sort();
    names.dedup();
    names.retain(|name| name != "modified" && name != "docstatus");
    let labels = names.iter().map(|name| label(meta, name));
    labels.take(MOST_FIELDS).collect()
}

/// A field as people call it.
pub(crate) fn label(meta: &TypeMeta, name: &str) -> String {
    meta.field(name)
        .map_or_else(|| plain(name, LABEL), field_label)
}

/// The same of a field of a row.
pub(crate) fn field_label(field: &MetaField) -> String {
    let label = plain(&field.label, LABEL);
    if label.is_empty() {
        plain(&field.name, LABEL)
    } else {
        label
    }
}

/// Looks for what a lost answer may have done. `look` returns the result once it is there, None as
/// long as nothing can be told, or the reason why it cannot look.
pub(crate) async fn settle<T, Look>(
    lost: &ErpError,
    progress: &Progress,
    [looking, help]: [&str; 2],
    look: impl Fn() -> Look + Send + Sync,
) -> Result<T, ToolError>
where
    Look: Future<Output = Result<Option<T>, String>> + Send,
{
    progress.report(looking);
    let mut what = lost.body().message;
    for wait in LOOKS {
        tokio::time::sleep(wait).await;
        match look().await {
            Ok(Some(done)) => return Ok(done),
            Ok(None) => {}
            Err(reason) => what = reason,
        }
    }
    // The ERP may still be working on it, so that nothing is there is no proof yet.
    let message = say::outcome_unknown(&what);
    let error = ErrorBody::new(ErrorCode::ToolOutcomeUnknown, message);
    Err(ToolError(error.with_help(help)))
}

/// The total of a document in company currency; None if it has none.
pub(crate) fn base_total(document: &Document) -> Option<Decimal> {
    const TOTALS: [&str; 4] = [
        "base_grand_total",
        "base_paid_amount",
        "total_debit",
        "base_total",
    ];
    // Returns have negative ones.
    let totals = TOTALS
        .iter()
        .filter_map(|field| decimal(document.get(*field)?));
    totals.map(|it| it.abs()).next()
}
