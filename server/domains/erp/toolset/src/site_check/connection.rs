//! Connection, identity, rights and clock.

use std::sync::Arc;

use super::{SiteCheckOutcome, Tell, line};
use crate::{
    error::{ErpError, RefusalKind},
    identity::ErpIdentity,
    site::ErpSite,
    texts::site_check as say,
};

/// Types whose rights matter for the tools.
const TYPES: [&str; 14] = [
    "Customer",
    "Supplier",
    "Item",
    "Quotation",
    "Sales Order",
    "Delivery Note",
    "Sales Invoice",
    "Purchase Order",
    "Purchase Receipt",
    "Purchase Invoice",
    "Payment Entry",
    "Stock Entry",
    "GL Entry",
    "Stock Ledger Entry",
];

/// Clocks that differ by more make days and the age of an approval wrong.
const FAR_OFF_MS: i64 = 300_000;

/// The user behind the key. None, and told, if the site cannot be used.
pub(super) async fn identity(site: &ErpSite, tell: Tell<'_>) -> Option<Arc<ErpIdentity>> {
    let who = match site.identity().await {
        Ok(who) => who,
        Err(error) => {
            let topic = match error {
                // The site answered.
                ErpError::Own(_) | ErpError::Refused(_) => say::IDENTITY,
                _ => say::CONNECTION,
            };
            let body = error.body();
            let text = say::with_help(&body.message, body.help.as_deref());
            line(tell, topic, SiteCheckOutcome::Unusable(text));
            return None;
        }
    };
    let at = site.client.site();
    let versions = who.versions.iter();
    let versions: Vec<_> = versions.map(|(app, it)| format!("{app} {it}")).collect();
    let fine = |text: String| SiteCheckOutcome::Fine(text);
    line(tell, say::CONNECTION, fine(say::connected(at, &versions)));
    let narrowed = who.narrowed_to.iter();
    let narrowed: Vec<_> = narrowed
        .map(|(kind, names)| format!("{kind} {}", names.join(", ")))
        .collect();
    let zone = who.time_zone.iana_name().unwrap_or("UTC");
    line(
        tell,
        say::IDENTITY,
        fine(say::user(&who.user, &narrowed, zone)),
    );
    Some(who)
}

/// Rights of the user on each type.
pub(super) async fn rights(site: &ErpSite, who: &ErpIdentity, tell: Tell<'_>) {
    for doctype in TYPES {
        let outcome = match site.any_type(doctype).await {
            Ok(meta) => {
                let rights = meta.rights(who.roles());
                let words = |rights: &[crate::meta::TypeRight]| {
                    let words = rights.iter().map(|it| it.word());
                    words.collect::<Vec<_>>().join(", ")
                };
                let (all, own) = (words(&rights.on_all), words(&rights.on_own));
                SiteCheckOutcome::Fine(say::may(&all, &own))
            }
            Err(error) => {
                let reason = match error.kind() {
                    Some(RefusalKind::NotFound) => say::NO_SUCH_TYPE.to_owned(),
                    _ => error.body().message,
                };
                SiteCheckOutcome::NotTried(reason)
            }
        };
        line(tell, &say::rights_on(doctype), outcome);
    }
}

/// The difference of the clocks.
pub(super) fn clock(site: &ErpSite, tell: Tell<'_>) {
    let offset = site.client.clock_offset();
    let text = say::clock(offset / 1000);
    let outcome = if offset.abs() > FAR_OFF_MS {
        SiteCheckOutcome::Differs(text)
    } else {
        SiteCheckOutcome::Fine(text)
    };
    line(tell, say::CLOCK, outcome);
}
