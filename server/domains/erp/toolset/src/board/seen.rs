//! The board's known state: the last answer to each query, and why there is no newer one.

use std::{collections::BTreeMap, time::Duration};

use erp_wire::DocumentsPart;
use protocol::Timestamp;
use tokio::time::Instant;

use super::query::{ErpBoardAnswer, ErpBoardQuery, ListedDocuments};
use crate::{
    error::{ErpError, RefusalKind},
    tools::list_approvals::ApprovalInbox,
};

/// Polls after which the documents of an unchanged inbox are read anew: their amounts may change.
const INBOX_POLLS: u32 = 10;

/// The last answer to a query.
#[derive(Debug, Clone, Default)]
pub(super) struct ListReading {
    pub(super) answer: Option<ErpBoardAnswer>,
    /// Time of that answer.
    pub(super) at: Option<Timestamp>,
    /// The reason why there is no newer one.
    pub(super) trouble: Option<String>,
    /// True if the key may not read it.
    pub(super) is_denied: bool,
    /// True if the site has no such type.
    pub(super) is_absent: bool,
    asked: Option<Instant>,
    /// Answers since the documents of the inbox were read.
    polls: u32,
}

/// The last answers.
#[derive(Debug, Default)]
pub(super) struct SeenLists {
    lists: BTreeMap<ErpBoardQuery, ListReading>,
    /// The reason why the site cannot be asked at all.
    pub(super) trouble: Option<String>,
    /// The way out of that, where there is one.
    pub(super) help: Option<String>,
    /// Our own writes that the lists, as far as they are not due, came after.
    writes: u64,
}

impl SeenLists {
    pub(super) fn get(&self, query: ErpBoardQuery) -> Option<&ListReading> {
        self.lists.get(&query)
    }

    /// The queries that are due.
    pub(super) fn due(&self, now: Instant, pace: Duration, is_watched: bool) -> Vec<ErpBoardQuery> {
        let is_due = |query: &ErpBoardQuery| match self.next(*query, pace) {
            Some(at) => at <= now,
            None => true,
        };
        wanted(is_watched).filter(is_due).collect()
    }

    /// The time at which the next one is due.
    pub(super) fn next_due(&self, pace: Duration, is_watched: bool) -> Option<Instant> {
        let times = wanted(is_watched).filter_map(|query| self.next(query, pace));
        times.min()
    }

    fn next(&self, query: ErpBoardQuery, pace: Duration) -> Option<Instant> {
        let asked = self.lists.get(&query)?.asked?;
        Some(asked + pace * query.paces())
    }

    /// Makes the lists due that a write of our own may have changed, if there were any since.
    /// `writes`: their number so far.
    pub(super) fn after_writes(&mut self, writes: u64) {
        if self.writes == writes {
            return;
        }
        self.writes = writes;
        for (query, reading) in &mut self.lists {
            if query.follows_writes() {
                reading.asked = None;
                // The same inbox, but perhaps with other amounts.
                reading.polls = INBOX_POLLS;
            }
        }
    }

    /// The inbox whose documents are known, with those, unless it is time to read them anew.
    pub(super) fn approvals(&self) -> Option<(ApprovalInbox, DocumentsPart)> {
        let reading = self.lists.get(&ErpBoardQuery::Approvals)?;
        match &reading.answer {
            Some(ErpBoardAnswer::Documents(listed)) if reading.polls < INBOX_POLLS => {
                Some((listed.inbox.clone()?, listed.part.clone()))
            }
            _ => None,
        }
    }

    /// Takes an answer. False if the site cannot be asked at all.
    pub(super) fn take(
        &mut self,
        query: ErpBoardQuery,
        answer: Result<ErpBoardAnswer, ErpError>,
        at: Timestamp,
    ) -> bool {
        let reading = self.lists.entry(query).or_default();
        reading.asked = Some(Instant::now());
        match answer {
            Ok(answer) => {
                let same_inbox = match (&reading.answer, &answer) {
                    (
                        Some(ErpBoardAnswer::Documents(ListedDocuments { inbox: before, .. })),
                        ErpBoardAnswer::Documents(ListedDocuments { inbox: now, .. }),
                    ) => before == now,
                    _ => false,
                };
                let polls = if same_inbox && reading.polls < INBOX_POLLS {
                    reading.polls + 1
                } else {
                    0
                };
                *reading = ListReading {
                    answer: Some(answer),
                    at: Some(at),
                    asked: reading.asked,
                    polls,
                    ..ListReading::default()
                };
                (self.trouble, self.help) = (None, None);
                true
            }
            Err(error) => {
                reading.trouble = Some(error.reason());
                reading.is_denied = error.kind() == Some(RefusalKind::Permission);
                reading.is_absent = error.kind() == Some(RefusalKind::NotFound);
                if reading.is_denied || reading.is_absent {
                    // What was readable before is not shown any more.
                    reading.answer = None;
                }
                if is_away(&error) {
                    self.trouble = Some(error.reason());
                    self.help = error.body().help;
                    return false;
                }
                if error.kind().is_some() {
                    (self.trouble, self.help) = (None, None);
                }
                true
            }
        }
    }
}

/// The queries of a board that is watched, or of one that only notices need.
fn wanted(is_watched: bool) -> impl Iterator<Item = ErpBoardQuery> {
    ErpBoardQuery::all().filter(move |query| is_watched || query.is_guarded())
}

/// True for an error that every other query would meet as well.
fn is_away(error: &ErpError) -> bool {
    match error {
        ErpError::Unreachable { .. } | ErpError::Untrusted { .. } => true,
        ErpError::Refused(refusal) => matches!(
            refusal.kind,
            RefusalKind::Authentication
                | RefusalKind::SessionExpired
                | RefusalKind::Maintenance
                | RefusalKind::RateLimited
                | RefusalKind::Busy
                | RefusalKind::Gateway
        ),
        // A key that is never used, whatever is asked.
        ErpError::Own(body) => body.code == protocol::ErrorCode::ToolPermission,
        ErpError::Timeout { .. } | ErpError::Unusable { .. } => false,
    }
}
