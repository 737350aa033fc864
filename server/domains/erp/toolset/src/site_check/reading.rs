//! Checks that only read: the shape of types, lists without a limit, methods of unsaved documents.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{SiteCheckMode, SiteCheckOutcome, made};
use crate::{
    client::{ErpMethod, ErpRoute, SiteTrial, TrialVerb},
    config::RestVersion,
    error::{ErpError, RefusalKind},
    site::ErpSite,
    texts::site_check as say,
};

/// The type with the most fields and tables.
const LARGEST_TYPE: &str = "Sales Invoice";

/// Small types that most users may read, none of which belongs to a company.
const SMALL_TYPES: [&str; 3] = ["Currency", "UOM", "Territory"];

/// `getdoctype`: first the type, then those of all its tables, with fields and rights.
pub(super) async fn shape_of_types(site: &ErpSite) -> Result<SiteCheckOutcome, ErpError> {
    let route = ErpRoute::Method(ErpMethod::TypeMeta);
    let query = [("doctype", LARGEST_TYPE.to_owned())];
    let docs = site.client.get(route, &query).await?.data;
    let fields = |doc: &Value| doc["fields"].as_array().cloned().unwrap_or_default();
    let Some((first, rest)) = docs.as_array().and_then(|docs| docs.split_first()) else {
        return Ok(SiteCheckOutcome::Differs(say::NO_TYPES.to_owned()));
    };
    let own = fields(first);
    let named = own.iter().filter(|it| it["fieldname"].is_string()).count();
    let rows: BTreeSet<_> = rest.iter().filter_map(|doc| doc["name"].as_str()).collect();
    let tables: BTreeSet<_> = own
        .iter()
        .filter(|it| it["fieldtype"] == "Table")
        .filter_map(|it| it["options"].as_str())
        .collect();
    let without: Vec<_> = tables.difference(&rows).copied().collect();
    let rights = first["permissions"].as_array().map_or(0, Vec::len);
    Ok(if first["name"] != LARGEST_TYPE {
        SiteCheckOutcome::Differs(say::FIRST_IS_ANOTHER.to_owned())
    } else if named == 0 || own.iter().all(|it| !it["fieldtype"].is_string()) {
        SiteCheckOutcome::Differs(say::NO_FIELDS.to_owned())
    } else if !without.is_empty() {
        SiteCheckOutcome::Differs(say::tables_without_types(&without))
    } else if rights == 0 {
        SiteCheckOutcome::Differs(say::NO_RIGHTS_IN_TYPES.to_owned())
    } else {
        SiteCheckOutcome::Fine(say::type_has(LARGEST_TYPE, named, tables.len(), rights))
    })
}

/// `limit=0`: everything in v1, nothing in v2.
pub(super) async fn no_limit(site: &ErpSite) -> Result<SiteCheckOutcome, ErpError> {
    if site.client.is_v2_alone() {
        return Ok(SiteCheckOutcome::NotTried(say::NEEDS_V1.to_owned()));
    }
    let mut reason = say::NO_SMALL_TYPE.to_owned();
    for doctype in SMALL_TYPES {
        let query = [
            ("doctype", doctype.to_owned()),
            ("filters", "[]".to_owned()),
        ];
        let total = match site.method(ErpMethod::Count, &query).await {
            Ok(answer) => answer.data.as_u64().unwrap_or_default(),
            Err(error) if error.kind() == Some(RefusalKind::Permission) => {
                reason = error.body().message;
                continue;
            }
            Err(error) => return Err(error),
        };
        if total == 0 {
            continue;
        }
        let rows = async |rest| {
            let asked = SiteTrial::Unlimited { doctype, rest };
            let answer = site.client.try_out(asked).await?;
            let rows = answer.data.as_array().map_or(0, Vec::len);
            Ok::<_, ErpError>(u64::try_from(rows).unwrap_or(u64::MAX))
        };
        let (v1, v2) = (rows(RestVersion::V1).await?, rows(RestVersion::V2).await?);
        let text = say::rows_without_limit(doctype, total, v1, v2);
        return Ok(if v1 == total && v2 == 0 {
            SiteCheckOutcome::Fine(text)
        } else {
            SiteCheckOutcome::Differs(text)
        });
    }
    Ok(SiteCheckOutcome::NotTried(reason))
}

/// `run_doc_method` of a document that is not saved: it comes back with what the ERP fills in.
pub(super) async fn unsaved(
    site: &ErpSite,
    mode: SiteCheckMode,
) -> Result<SiteCheckOutcome, ErpError> {
    // Version 2 has a method of this name with other arguments.
    if site.client.is_v2_alone() {
        return Ok(SiteCheckOutcome::NotTried(say::NEEDS_V1.to_owned()));
    }
    let company = made::company(site).await?;
    let customer = made::first(site, "Customer", &[("disabled", 0)]).await?;
    let item = made::item(site).await?;
    let (Some(company), Some(customer), Some(item)) = (company, customer, item) else {
        return Ok(SiteCheckOutcome::NotTried(say::NO_MASTERS.to_owned()));
    };
    let document = json!({
        "doctype": "Sales Invoice", "__islocal": 1, "company": company, "customer": customer,
        "items": [{"doctype": "Sales Invoice Item", "item_code": item, "qty": 1}],
    });
    let ask = async |verb| {
        let method = "set_missing_values";
        let asked = SiteTrial::Unsaved {
            document: &document,
            method,
            verb,
        };
        site.client.try_out(asked).await
    };
    let (answer, text) = match ask(TrialVerb::Get).await {
        Err(error) if error.kind() == Some(RefusalKind::Permission) => match mode {
            // By POST a site keeps what such a method did; this one does nothing to keep.
            SiteCheckMode::WithOwnDocuments => (ask(TrialVerb::Post).await?, say::BY_POST_ONLY),
            SiteCheckMode::ReadOnly => {
                return Ok(SiteCheckOutcome::NotTried(say::POST_NEEDS_WRITE.to_owned()));
            }
        },
        answer => (answer?, say::BY_GET),
    };
    let filled = ["debit_to", "currency", "due_date", "price_list_currency"];
    let found = filled.iter().filter(|field| {
        let value = &answer.data[0][**field];
        value.as_str().is_some_and(|text| !text.is_empty())
    });
    let found: Vec<_> = found.copied().collect();
    Ok(if found.is_empty() {
        SiteCheckOutcome::Differs(say::FILLS_NOTHING.to_owned())
    } else {
        SiteCheckOutcome::Fine(say::filled_in(text, &found))
    })
}
