//! The day on which a document posts: the ERP sets it to the day of the submit, unless the document
//! holds on to its own.

use jiff::civil::Date;

use super::Posting;
use crate::tools::writing::plan::ErpSubject;
use crate::{dates, error::ErpError, site::ErpSite};

/// The effective posting date of a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PostingDay {
    /// None for types that have no posting date.
    pub(crate) day: Option<String>,
    /// True if it is the day of the submit, so that it moves with every day that passes.
    pub(crate) moves: bool,
    /// By the site's clock and zone.
    pub(crate) today: Date,
}

impl PostingDay {
    /// The day on which a draft posts if it is submitted now.
    pub(crate) async fn of_draft(
        site: &ErpSite,
        subject: &ErpSubject,
        posting: &Posting,
    ) -> Result<Self, ErpError> {
        let who = site.identity().await?;
        let today = dates::today(site.client.now(), &who.time_zone);
        let Some(own) = subject.raw("posting_date") else {
            return Ok(Self {
                day: None,
                moves: false,
                today,
            });
        };
        let holds = subject.document.get("set_posting_time");
        let moves = subject.meta.field("set_posting_time").is_some()
            && holds.is_none_or(|it| *it != 1 && *it != true);
        let reckoned = if moves {
            today.to_string()
        } else {
            own.to_owned()
        };
        Ok(Self {
            // The ERP's own posting run knows better.
            day: Some(posting.day().map_or(reckoned, str::to_owned)),
            moves,
            today,
        })
    }

    /// Days from the posting date to today; negative if it is still to come.
    pub(crate) fn age(&self) -> Option<i32> {
        let day = dates::day(self.day.as_deref()?)?;
        Some(day.until(self.today).ok()?.get_days())
    }
}
