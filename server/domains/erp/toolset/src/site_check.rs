//! Check of a site: what this toolset takes for granted, and what was only ever tried with the simulated one.

mod connection;
mod made;
mod reading;
mod writing;

use std::fmt;

use crate::{
    error::{ErpError, RefusalKind},
    site::ErpSite,
    texts::site_check as say,
};

/// Extent of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SiteCheckMode {
    /// Reads alone.
    ReadOnly,
    /// Also makes documents of its own, and takes them back.
    WithOwnDocuments,
}

/// The result of one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteCheckLine {
    pub topic: String,
    pub outcome: SiteCheckOutcome,
}

/// Outcome of one check, each with what was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SiteCheckOutcome {
    /// The site behaves as expected.
    Fine(String),
    /// It behaves in another way.
    Differs(String),
    /// Nothing was found out; the reason.
    NotTried(String),
    /// The site cannot be used with this configuration; the reason and the help.
    Unusable(String),
}

impl fmt::Display for SiteCheckLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, text) = match &self.outcome {
            SiteCheckOutcome::Fine(text) => (say::OK, text),
            SiteCheckOutcome::Differs(text) => (say::DIFFERS, text),
            SiteCheckOutcome::NotTried(text) => (say::NOT_TRIED, text),
            SiteCheckOutcome::Unusable(text) => (say::UNUSABLE, text),
        };
        write!(f, "{word:<9}  {}: {text}", self.topic)
    }
}

/// The receiver of lines as they are found.
type Tell<'a> = &'a mut (dyn FnMut(SiteCheckLine) + Send);

/// Checks the site.
pub(crate) async fn run(site: &ErpSite, mode: SiteCheckMode, tell: Tell<'_>) {
    let Some(who) = connection::identity(site, tell).await else {
        for topic in say::UNTRIED {
            line(
                tell,
                topic,
                SiteCheckOutcome::NotTried(say::NO_CONNECTION.to_owned()),
            );
        }
        return;
    };
    connection::rights(site, &who, tell).await;
    connection::clock(site, tell);
    line(
        tell,
        say::SHAPE_OF_TYPES,
        settled(reading::shape_of_types(site).await),
    );
    line(tell, say::NO_LIMIT, settled(reading::no_limit(site).await));
    line(
        tell,
        say::UNSAVED,
        settled(reading::unsaved(site, mode).await),
    );
    match mode {
        SiteCheckMode::ReadOnly => {
            for topic in [say::OWN_NAME, say::LOCKED_CANCEL] {
                line(
                    tell,
                    topic,
                    SiteCheckOutcome::NotTried(say::NEEDS_WRITE.to_owned()),
                );
            }
        }
        SiteCheckMode::WithOwnDocuments => {
            line(
                tell,
                say::OWN_NAME,
                settled(writing::own_name(site, &who).await),
            );
            line(
                tell,
                say::LOCKED_CANCEL,
                settled(writing::locked_cancel(site, &who).await),
            );
        }
    }
}

fn line(tell: Tell<'_>, topic: &str, outcome: SiteCheckOutcome) {
    tell(SiteCheckLine {
        topic: topic.to_owned(),
        outcome,
    });
}

/// An error that no check expects: without the right, nothing was found out; else the site differs.
fn settled(found: Result<SiteCheckOutcome, ErpError>) -> SiteCheckOutcome {
    found.unwrap_or_else(|error| match error.kind() {
        Some(RefusalKind::Permission) | None => SiteCheckOutcome::NotTried(error.body().message),
        Some(_) => SiteCheckOutcome::Differs(error.body().message),
    })
}
