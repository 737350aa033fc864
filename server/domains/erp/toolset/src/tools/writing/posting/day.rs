//! The day on which a document posts: the ERP sets it to the day of the submit, unless the document
//! holds on to its own.

use jiff::civil::Date;

use super::{CLOSING, Posting};
use crate::tools::writing::plan::ErpSubject;
use crate::{dates, error::ErpError, identity::ErpIdentity, site::ErpSite};

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
        let mut day = Self::reckoned(site, subject).await?;
        // The ERP's own posting run knows better.
        if day.day.is_some()
            && let Some(told) = posting.day()
        {
            day.day = Some(told.to_owned());
        }
        Ok(day)
    }

    /// The same by the document and the clock alone.
    pub(super) async fn reckoned(site: &ErpSite, subject: &ErpSubject) -> Result<Self, ErpError> {
        let who = site.identity().await?;
        let today = dates::today(site.client.now(), &who.time_zone);
        let own = subject.raw("posting_date");
        let moves = own.is_some() && is_dated_anew(&who, subject);
        Ok(Self {
            day: own.map(|own| {
                if moves {
                    today.to_string()
                } else {
                    own.to_owned()
                }
            }),
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

/// True if the ERP overwrites the day with every save. Since v16 it does so with closings of tills, which
/// have no field that holds on to it.
fn is_dated_anew(who: &ErpIdentity, subject: &ErpSubject) -> bool {
    if subject.meta.name == CLOSING {
        return who.is_v16();
    }
    let holds = subject.document.get("set_posting_time");
    subject.meta.field("set_posting_time").is_some()
        && holds.is_none_or(|it| *it != 1 && *it != true)
}
