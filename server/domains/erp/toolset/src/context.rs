//! Context for every message, from memory alone: a request before the model's answer would delay it.

use agent::ports::ContextPart;
use serde_json::json;

use crate::{cell, dates, site::ErpSite, texts::site as say};

/// The most documents that are named.
const MOST_NAMED: usize = 8;

pub(crate) fn context(site: &ErpSite) -> ContextPart {
    let data = match site.known_identity() {
        None => Err(say::NOT_READ_YET.to_owned()),
        Some(Err(error)) => Err(error.reason()),
        Some(Ok(who)) => {
            let now = site.client.now();
            let mut part = json!({
                "erp": site.client.site(),
                "erp_user": who.user,
                "today": dates::today(now, &who.time_zone).to_string(),
                "version": who.versions.get("erpnext").or_else(|| who.versions.get("frappe")),
                "companies": site.reach.companies(),
                "narrowed_to": who.narrowed_to.keys().collect::<Vec<_>>(),
            });
            let read = site
                .memory
                .all()
                .into_iter()
                .take(MOST_NAMED)
                .map(|document| {
                    let status = ["workflow_state", "status", "docstatus"];
                    let status = status.iter().find_map(|name| document.facts.get(*name));
                    json!({
                        "document": format!("{}/{}", document.doctype, document.name),
                        "status": status.map(|it| match it {
                            number if number.is_number() => json!(cell::docstatus(number)),
                            other => other.clone(),
                        }),
                        "read_at": dates::utc(document.read_at),
                    })
                });
            part["read_last"] = read.collect();
            if site.config.is_simulated {
                part["simulated"] = true.into();
            }
            Ok(part)
        }
    };
    ContextPart {
        source: "erp",
        data,
    }
}
