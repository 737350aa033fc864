//! Shared conversations: what readers with a link see, and what is left out.
//!
//! Everybody who is signed in may read, whatever their role; a token reads only conversations of
//! its toolsets. The page is a snapshot, without a socket. Private data of the owner is removed
//! event by event, in a match without a wildcard; the events keep their numbers.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use agent::Sight;
use app::CurrentUser;
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use protocol::{
    ConversationId, ConversationPage, ConversationSummary, Cost, ErrorBody, ErrorCode, Event,
    EventBody, HistoryPage, HistoryPlace, MAX_SHARE_DAYS, MAX_SHARES, NewShare, Role, Share,
    SharedBy, Shelf, Timestamp, TurnOutcome, Usage, UserId,
};
use sha2::{Digest, Sha256};
use store::{SharedRow, StoredSecret, User};

use super::{ServerBackend, error};
use crate::texts;

/// Random bytes in a link.
const TOKEN_BYTES: usize = 24;
const HOUR: Duration = Duration::from_secs(60 * 60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Recently opened links by reader. Reloading a shared page leaves one audit record an hour, not one
/// each time.
#[derive(Debug, Default)]
pub(crate) struct Openings(Mutex<HashMap<(String, UserId), Timestamp>>);

impl Openings {
    fn is_new(&self, share: &str, reader: UserId, now: Timestamp) -> bool {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let hour = i64::try_from(HOUR.as_millis()).unwrap_or(i64::MAX);
        // There are at most as many entries as pairs of readers and links.
        known.retain(|_, at| now.0.saturating_sub(at.0) < hour);
        match known.entry((share.to_owned(), reader)) {
            Entry::Occupied(_) => false,
            Entry::Vacant(place) => {
                place.insert(now);
                true
            }
        }
    }
}

impl ServerBackend {
    pub(crate) async fn make_share(
        &self,
        user: &CurrentUser,
        id: ConversationId,
        days: Option<u32>,
    ) -> Result<NewShare, ErrorBody> {
        self.is_own(user, id).await?;
        if days.is_some_and(|days| !(1..=MAX_SHARE_DAYS).contains(&days)) {
            let message = texts::http::link_lasts(MAX_SHARE_DAYS);
            return Err(ErrorBody::new(ErrorCode::ShareRefused, message));
        }
        // The page shows what the person typed and what their cards say, and readers are others.
        if self.engine.hides_values(id).await? {
            let message = texts::http::HIDES_VALUES;
            return Err(ErrorBody::new(ErrorCode::ShareRefused, message));
        }
        let now = self.env.now();
        let expires = days.map(|days| {
            let life = i64::try_from((DAY * days).as_millis()).unwrap_or(i64::MAX);
            Timestamp(now.0.saturating_add(life))
        });
        let token = BASE64_URL_SAFE_NO_PAD.encode(rand::random::<[u8; TOKEN_BYTES]>());
        let owner = as_user(user);
        let made = self
            .store
            .make_share(&owner, id, hash(&token), expires, now);
        match made.await {
            Ok(share) => Ok(NewShare { token, share }),
            Err(store::Error::TooMany) => {
                let message = texts::http::too_many_links(MAX_SHARES);
                Err(ErrorBody::new(ErrorCode::ShareRefused, message)
                    .with_help(texts::http::END_ONE_FIRST))
            }
            Err(failed) => Err(error(failed)),
        }
    }

    pub(crate) async fn list_shares(
        &self,
        user: &CurrentUser,
        id: ConversationId,
    ) -> Result<Vec<Share>, ErrorBody> {
        self.is_own(user, id).await?;
        let shares = self.store.shares_of(user.id, id, self.env.now()).await;
        shares.map_err(error)
    }

    pub(crate) async fn end_share(
        &self,
        user: &CurrentUser,
        id: ConversationId,
        share: &str,
    ) -> Result<(), ErrorBody> {
        self.is_own(user, id).await?;
        let (owner, now) = (as_user(user), self.env.now());
        match self.store.end_share(&owner, id, share, now).await {
            Err(store::Error::NotFound) => {
                let message = texts::http::THIS_LINK_HAS_ENDED_ALREADY;
                Err(ErrorBody::new(ErrorCode::ShareNotFound, message))
            }
            ended => ended.map_err(error),
        }
    }

    /// Returns the newest turns behind a link, and records that somebody read them.
    pub(crate) async fn open_share(
        &self,
        user: &CurrentUser,
        token: &str,
    ) -> Result<ConversationPage, ErrorBody> {
        let now = self.env.now();
        let shared = self.good_share(user, token).await?;
        let page = self
            .store
            .conversation_page(shared.owner, shared.conversation);
        let page = page.await.map_err(nowhere_if_gone)?;
        let page = page.by(self.sight_of_readers(&shared).await?);
        if self.openings.is_new(&shared.share.id, user.id, now) {
            let noted = self.store.note_opened(&shared, &as_user(user), now).await;
            noted.map_err(error)?;
        }
        Ok(for_readers(page, shared, now))
    }

    /// Returns some older turns behind a link.
    pub(crate) async fn read_share(
        &self,
        user: &CurrentUser,
        token: &str,
        place: HistoryPlace,
    ) -> Result<HistoryPage, ErrorBody> {
        let shared = self.good_share(user, token).await?;
        let (owner, id) = (shared.owner, shared.conversation);
        let page = self.store.history(owner, id, place).await;
        let page = page.map_err(nowhere_if_gone)?;
        let HistoryPage {
            after,
            events,
            late,
        } = page.by(self.sight_of_readers(&shared).await?);
        Ok(HistoryPage {
            after,
            events: plain(events, id),
            late: plain(late, id),
        })
    }

    /// Returns the conversation behind a link, if the user may read it.
    async fn good_share(&self, user: &CurrentUser, token: &str) -> Result<SharedRow, ErrorBody> {
        let shared = self.store.share_of(hash(token), self.env.now()).await;
        let shared = shared.map_err(nowhere_if_gone)?;
        let line = self
            .store
            .conversation_head(shared.owner, shared.conversation);
        let (line, _) = line.await.map_err(nowhere_if_gone)?;
        self.reaches(user, line).await?;
        Ok(shared)
    }

    /// Returns the sight of readers: whatever their role, it is not for them to decide.
    async fn sight_of_readers(&self, shared: &SharedRow) -> Result<Sight, ErrorBody> {
        self.engine.sight(Role::Viewer, shared.conversation).await
    }

    /// Refuses a conversation that is not the user's, or that is out of the scope of their sign-in.
    async fn is_own(&self, user: &CurrentUser, id: ConversationId) -> Result<(), ErrorBody> {
        let line = self.store.conversation_head(user.id, id).await;
        let (line, _) = line.map_err(error)?;
        self.reaches(user, line).await
    }
}

/// Returns the hash of a link, for the database.
fn hash(token: &str) -> StoredSecret {
    StoredSecret(Sha256::digest(token.as_bytes()).into())
}

fn as_user(user: &CurrentUser) -> User {
    User {
        id: user.id,
        name: user.name.clone(),
        role: user.role,
    }
}

/// Gives the same error for a link that never existed and for one that has ended.
fn nowhere_if_gone(failed: store::Error) -> ErrorBody {
    match failed {
        store::Error::NotFound => ErrorBody::new(
            ErrorCode::ShareNotFound,
            texts::http::THIS_LINK_NO_LONGER_WORKS,
        ),
        failed => error(failed),
    }
}

/// Returns a page as other people than its owner may read it.
fn for_readers(page: ConversationPage, shared: SharedRow, now: Timestamp) -> ConversationPage {
    let ConversationPage {
        summary,
        events,
        head,
        before,
        next: _,
        forks: _,
        window: _,
        shared: _,
    } = page;
    let id = summary.id;
    let before = before.map(|mut before| {
        before.events = plain(std::mem::take(&mut before.events), id);
        (before.usage, before.cost) = (Usage::default(), None);
        before
    });
    ConversationPage {
        summary: ConversationSummary {
            usage: Usage::default(),
            cost: None,
            running: false,
            waiting: Vec::new(),
            from: None,
            action: None,
            shelf: Shelf::default(),
            family: None,
            folder: None,
            unread: None,
            ..summary
        },
        events: plain(events, id),
        head,
        next: None,
        forks: Vec::new(),
        before,
        window: None,
        shared: Some(SharedBy {
            name: shared.by,
            made: shared.share.made,
            at: now,
        }),
    }
}

fn plain(events: Vec<Event>, id: ConversationId) -> Vec<Event> {
    let events = events.into_iter();
    events.map(|event| without(event, id)).collect()
}

/// Removes private data of the owner from an event: grants, other conversations, usage and limits,
/// messages that were not sent yet. Its number stays, so that a reader sees that nothing is
/// missing.
fn without(mut event: Event, id: ConversationId) -> Event {
    let none = (Usage::default(), None::<Cost>);
    match &mut event.body {
        EventBody::ConversationStarted { from, .. } => *from = None,
        EventBody::TitleWritten { usage, cost, .. }
        | EventBody::AssistantMessage { usage, cost, .. } => (*usage, *cost) = none,
        EventBody::TurnFinished {
            outcome,
            usage,
            cost,
            ..
        } => {
            (*usage, *cost) = none;
            if let TurnOutcome::Limited { error } = outcome
                && error.code == ErrorCode::BudgetReached
            {
                *error = ErrorBody::new(ErrorCode::BudgetReached, texts::http::BUDGET_WAS_USED_UP);
            }
        }
        EventBody::Branched {
            parent,
            effects,
            more,
            ..
        } => {
            *parent = id;
            effects.clear();
            *more = None;
        }
        EventBody::ConfirmationRequested { confirmation, .. } => {
            confirmation.grantable = false;
            confirmation.grant_limit = None;
        }
        // Readers do not see the sign-ins of others.
        EventBody::ConfirmationDecided { via, .. } | EventBody::OutcomeResolved { via, .. } => {
            *via = None;
        }
        EventBody::GrantGiven { .. }
        | EventBody::GrantRevoked { .. }
        | EventBody::AskedByLink { .. }
        | EventBody::BudgetNear { .. }
        | EventBody::MessageQueued { .. }
        | EventBody::MessageSteered { .. }
        | EventBody::MessageWithdrawn { .. } => event.body = EventBody::Unknown,
        EventBody::TitleChanged { .. }
        | EventBody::ModelChosen { .. }
        | EventBody::MessageRead { .. }
        | EventBody::TurnStarted { .. }
        | EventBody::ActionStarted { .. }
        | EventBody::TurnResumed { .. }
        | EventBody::StepStarted { .. }
        | EventBody::StepInterrupted { .. }
        | EventBody::ToolQueued { .. }
        | EventBody::ToolStarted { .. }
        | EventBody::ToolBlocked { .. }
        | EventBody::ToolFinished { .. }
        | EventBody::StopRequested { .. }
        | EventBody::Unknown => {}
    }
    event
}

#[cfg(test)]
mod tests {
    use protocol::{BudgetScope, GrantId, MessageId, TurnId};

    use super::*;

    const AT: Timestamp = Timestamp(1_700_000_000_000);

    #[test]
    fn readers_get_nothing_that_is_the_owners() {
        let id = ConversationId::new(AT, 1);
        let (turn, message) = (TurnId::new(AT, 1), MessageId::new(AT, 1));
        let read = |body| {
            let seq = protocol::Seq(1);
            without(Event { seq, at: AT, body }, id).body
        };
        for body in [
            EventBody::GrantRevoked {
                grant: GrantId::new(AT, 1),
                by: "Ada".to_owned(),
                via: None,
            },
            EventBody::BudgetNear {
                turn,
                scope: BudgetScope::Day,
                message: "9 of 10 cents".to_owned(),
            },
            EventBody::MessageQueued {
                message,
                text: "Not sent yet".to_owned(),
                references: Vec::new(),
            },
        ] {
            assert_eq!(read(body), EventBody::Unknown);
        }
        let branched = EventBody::Branched {
            parent: ConversationId::new(AT, 2),
            message,
            title: "T".to_owned(),
            by: "Ada".to_owned(),
            effects: Vec::new(),
            more: Some(3),
        };
        let EventBody::Branched { parent, more, .. } = read(branched) else {
            panic!("it still cuts off what stands above it");
        };
        assert_eq!((parent, more), (id, None));
        let limited = EventBody::TurnFinished {
            turn,
            outcome: TurnOutcome::Limited {
                error: ErrorBody::new(ErrorCode::BudgetReached, "10 of 10 cents"),
            },
            usage: Usage {
                input: 1,
                ..Usage::default()
            },
            cost: Some(Cost(1)),
        };
        let text = format!("{:?}", read(limited));
        assert!(
            !text.contains("cents") && !text.contains("Cost(1)"),
            "{text}"
        );
    }
}
