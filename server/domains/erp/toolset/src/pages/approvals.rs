//! The documents that wait for approval by the own key of the person who asks. The board, which everybody
//! sees, never has them: they are kept with the connection of that key, and go with it.

use std::time::Duration;

use erp_wire::{DocumentsPart, OwnApprovals};
use protocol::{ErrorBody, Known, PageQuery, UserId};
use serde_json::Value;
use tokio::time::timeout;

use super::{no_page, written};
use crate::{
    board,
    error::ErpError,
    personal_sites::{PersonalSites, SiteOfPerson},
    site::ErpSite,
};

const KIND: &str = "own";
const NAME: &str = "approvals";
/// Time for which a list serves the same key again: a person may have several tabs.
const LIFETIME: Duration = Duration::from_secs(5);
/// Time for the site to answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// True for a query of this page.
pub(crate) fn is_asked(query: &PageQuery) -> bool {
    query.kind == KIND
}

/// Answers a query for one person, by that person's own key.
pub(crate) async fn page(
    sites: Option<&PersonalSites>,
    person: UserId,
    query: &PageQuery,
) -> Result<Value, ErrorBody> {
    let with_list = match (query.name.as_str(), query.part.as_str()) {
        (NAME, "key") => false,
        (NAME, "list") => true,
        _ => return Err(no_page()),
    };
    let Some(sites) = sites else {
        return written(&OwnApprovals::default());
    };
    let own = match sites.of(person).await {
        Ok(SiteOfPerson { own_user: None, .. }) => OwnApprovals::default(),
        Ok(SiteOfPerson {
            site,
            own_user: Some(user),
            ..
        }) => OwnApprovals {
            user: Some(Known::Value(user)),
            list: if with_list {
                Some(list(sites, &site).await)
            } else {
                None
            },
        },
        // The list of the site's key is that of another user: it never takes the place of this one.
        Err(error) => {
            let reason = error.message.trim_end_matches('.');
            OwnApprovals {
                user: Some(Known::unknown(reason)),
                list: Some(board::unread(reason)),
            }
        }
    };
    written(&own)
}

/// The list of a person's key. One that was read before the last write of Jarvis is read anew.
async fn list(sites: &PersonalSites, site: &ErpSite) -> DocumentsPart {
    let writes = *site.client.written().borrow();
    let lifetime = match site.approvals.peek() {
        Some(Ok((_, before))) if before != writes => Duration::ZERO,
        _ => LIFETIME,
    };
    let read = async {
        let answer = timeout(PATIENCE, Box::pin(board::approvals(site))).await;
        let part = answer.unwrap_or_else(|_| {
            Err(ErpError::Timeout {
                site: site.client.site().to_owned(),
                after: PATIENCE,
            })
        })?;
        Ok((part, writes))
    };
    match Box::pin(site.approvals.get(lifetime, read)).await {
        Ok((part, _)) => with_makers(sites, part),
        Err(error) => board::unread(&error.reason()),
    }
}

/// Marks the documents that the site's own key made, as on the board, and not those of the person.
fn with_makers(sites: &PersonalSites, mut part: DocumentsPart) -> DocumentsPart {
    let robot = sites.shared().known_identity().and_then(Result::ok);
    let robot = robot.as_ref().map(|who| who.user.as_str());
    if let Known::Value(rows) = &mut part.rows {
        for row in rows {
            row.is_own = robot.is_some() && row.by.as_deref() == robot;
        }
    }
    part
}
