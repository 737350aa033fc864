//! Live board of the ERP: one list for each part, polled only while somebody watches.
//!
//! A site has few workers, so at most two of its lists are asked for at a time, over the connection
//! that the tools share. For notices alone, a few of them are read at a slow pace.
//!
//! After a write of our own, the lists that are watched are read again at once: what a call has just
//! submitted must not stand among the drafts. What others change in the ERP is seen at the usual pace.
//!
//! A list that cannot be read again keeps its rows with their time and the reason. What becomes
//! forbidden is dropped, and the missing right is named. The board knows no person: it shows what
//! the configured key may read.

mod compose;
mod conditions;
mod lists;
mod query;
mod seen;
mod stock;

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use agent::ports::{Board, Picture, Screen, Survey};
use async_trait::async_trait;
use erp_wire::DocumentsPart;
use futures::{StreamExt, stream};
use protocol::Timestamp;
use tokio::time::{Instant, sleep, sleep_until, timeout};

pub(crate) use compose::unread;

use self::{
    query::{ErpBoardAnswer, ErpBoardQuery},
    seen::SeenLists,
};
use crate::{coalesced::Coalesced, error::ErpError, site::ErpSite};

/// Lists that are asked for at the same time. The tools have the rest of the connection.
const AT_ONCE: usize = 2;
/// Time for a list to answer: one that hangs is reported, and asked for again.
const PATIENCE: Duration = Duration::from_secs(20);
/// Factor by which intervals grow while nobody watches and only notices need the data.
const SLOWER: u32 = 10;
/// Answers that arrive within this time are shown together.
const GATHER: Duration = Duration::from_millis(900);

/// Reads once what waits for approval by the key of a site: for the person whose own key it is.
pub(crate) async fn approvals(site: &ErpSite) -> Result<DocumentsPart, ErpError> {
    Ok(lists::approvals(site, None).await?.part)
}

pub(crate) struct ErpBoard {
    site: Arc<ErpSite>,
    /// Warehouses of the companies within reach.
    warehouses: Coalesced<Arc<Vec<String>>>,
    /// The known state; it outlives its viewers.
    seen: Mutex<SeenLists>,
}

impl ErpBoard {
    /// Builds the board; makes no request.
    pub(crate) fn new(site: Arc<ErpSite>) -> Self {
        Self {
            site,
            warehouses: Coalesced::default(),
            seen: Mutex::default(),
        }
    }

    fn seen(&self) -> MutexGuard<'_, SeenLists> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn picture(&self) -> Picture {
        compose::picture(&self.site, &self.seen())
    }

    fn pace(&self, is_looked_at: bool) -> Duration {
        let pace = Duration::from_millis(self.site.config.board_ms);
        if is_looked_at { pace } else { pace * SLOWER }
    }

    async fn ask(&self, query: ErpBoardQuery) -> Result<ErpBoardAnswer, ErpError> {
        let answer = timeout(PATIENCE, Box::pin(self.answer(query)));
        answer.await.unwrap_or_else(|_| {
            Err(ErpError::Timeout {
                site: self.site.client.site().to_owned(),
                after: PATIENCE,
            })
        })
    }

    async fn answer(&self, query: ErpBoardQuery) -> Result<ErpBoardAnswer, ErpError> {
        let site = &self.site;
        Ok(match query {
            ErpBoardQuery::Approvals => {
                let known = self.seen().approvals();
                ErpBoardAnswer::Documents(lists::approvals(site, known).await?)
            }
            ErpBoardQuery::Receivables => {
                ErpBoardAnswer::Documents(lists::owed(site, lists::RECEIVABLES).await?)
            }
            ErpBoardQuery::Payables => {
                ErpBoardAnswer::Documents(lists::owed(site, lists::PAYABLES).await?)
            }
            ErpBoardQuery::Deliveries => ErpBoardAnswer::Documents(lists::deliveries(site).await?),
            ErpBoardQuery::Drafts(doctype) => {
                ErpBoardAnswer::Documents(lists::drafts(site, doctype).await?)
            }
            ErpBoardQuery::Shortages => {
                ErpBoardAnswer::Shortages(Box::pin(stock::shortages(site, &self.warehouses)).await?)
            }
            ErpBoardQuery::LastPosting => ErpBoardAnswer::Posting(lists::last_posting(site).await?),
            ErpBoardQuery::Balance => ErpBoardAnswer::Balanced(lists::is_balanced(site).await?),
            ErpBoardQuery::Queue => ErpBoardAnswer::Failed(lists::failed_in_queue(site).await?),
        })
    }

    /// Asks for what is due, and shows it. False if the site cannot be asked at all.
    async fn look(&self, screen: &Screen) -> bool {
        let now = Instant::now();
        let pace = self.pace(screen.is_looked_at());
        let due = self.seen().due(now, pace, screen.is_looked_at());
        let asked = due.into_iter().map(|query| async move {
            let answer = self.ask(query).await;
            (query, answer)
        });
        let mut answers = stream::iter(asked).buffer_unordered(AT_ONCE);
        let mut show_at = now + GATHER;
        loop {
            tokio::select! {
                answer = answers.next() => {
                    let Some((query, answer)) = answer else { return true };
                    let at = Timestamp(self.site.client.own_now());
                    let is_there = self.seen().take(query, answer, at);
                    if !is_there {
                        // The other lists would wait for the same nothing.
                        return false;
                    }
                }
                () = sleep_until(show_at) => {
                    show_at = Instant::now() + GATHER;
                    screen.show(self.picture());
                }
            }
        }
    }
}

#[async_trait]
impl Board for ErpBoard {
    async fn watch(&self, mut screen: Screen) {
        let mut written = self.site.client.written();
        loop {
            // Before the look, so that a write during it leads to another one.
            let writes = *written.borrow_and_update();
            self.seen().after_writes(writes);
            let is_there = Box::pin(self.look(&screen)).await;
            screen.show(self.picture());
            let pace = self.pace(screen.is_looked_at());
            let wait = if is_there {
                let next = self.seen().next_due(pace, screen.is_looked_at());
                next.map_or(pace, |next| next.saturating_duration_since(Instant::now()))
            } else {
                pace
            };
            tokio::select! {
                () = sleep(wait) => {}
                () = screen.looks_change() => {}
                // Where nobody looks, no call costs the site more than itself.
                Ok(()) = written.changed(), if screen.is_looked_at() => {}
            }
        }
    }

    fn is_guarded(&self) -> bool {
        self.site.config.notices.enabled
    }

    fn answers(&self, picture: &Picture) -> Option<bool> {
        conditions::answers(picture)
    }

    fn survey(&self, picture: &Picture, known: &BTreeSet<String>, now: Timestamp) -> Survey {
        conditions::survey(&self.site.config.notices, picture, known, now)
    }
}
