//! Quotas for each user, across all sockets and tokens of that user.
//!
//! They are per user, not per tab or token: a user who exhausts them harms nobody else. A permit
//! to read a file comes before its first byte; its size counts once it is read, before it is stored.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use agent::MAX_RESULT_BYTES;
use axum::{
    Extension,
    extract::{Request, State},
    http::{Method, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use protocol::{Command, Decision, ErrorBody, ErrorCode, UserId};
use sign_in::SignedIn;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{Http, MAX_BODY, api::RequestRefusal, bearer::only_reads, limited::Limited};
use crate::{
    bucket::{Bucket, QuotaLevel},
    config::UserLimits,
    texts,
};

/// The burst of a user's commands, as a fraction of those per minute.
const AT_ONCE: f64 = 0.5;
const MEBIBYTE: f64 = 1024.0 * 1024.0;
const DAY: f64 = 24.0 * 60.0 * 60.0;
/// Imports in a burst, and per second in the long run: one every three minutes.
const IMPORTS: (f64, f64) = (20.0, 1.0 / 180.0);
/// The least size of a command that is charged: it is stored with some metadata, even if it has no
/// text.
const LEAST_BYTES: usize = 1024;
/// The largest result of a person's own call: kept for people, and as the model would read it.
pub(super) const RESULT: usize = 2 * MAX_RESULT_BYTES;
/// The header of a request whose answer is stored.
const KEY: &str = "idempotency-key";

/// The most uploads of one user that are read at once; others wait.
const UPLOADS: usize = 2;
/// The most uploads of one user that are read or wait. Waiting ones take no memory.
const UPLOADS_WAITING: usize = 16;
/// The most uploads of all users that are read at once.
const UPLOADS_OF_ALL: usize = 32;
/// The most imports of all users that are read at once; each takes up to 16 MiB.
const IMPORTS_OF_ALL: usize = 4;
/// The most files of one user that are in memory to be sent; others wait. A browser asks for six at
/// once.
const DOWNLOADS: usize = 8;
/// The longest wait for one of them: what is read is sent in less.
const DOWNLOAD_WAIT: Duration = Duration::from_secs(2);
/// The longest wait for a turn; nobody should wait longer than for a page.
const WAIT: Duration = Duration::from_secs(20);

/// The remaining quotas of one user.
#[derive(Debug)]
struct Account {
    sockets: usize,
    commands: Bucket,
    /// Requests for the outcome of a call, apart from commands: whoever waits must not hold up who acts.
    outcomes: Bucket,
    /// Messages of feeds, in the same way.
    feeds: Bucket,
    bytes: Bucket,
    imports: Bucket,
    uploads: Arc<Semaphore>,
    uploading: Arc<Semaphore>,
    importing: Arc<Semaphore>,
    downloads: Arc<Semaphore>,
}

impl Account {
    fn new(limits: UserLimits) -> Self {
        let commands = f64::from(limits.commands);
        let as_commands = || Bucket::new(commands * AT_ONCE, commands / 60.0);
        let stored = f64::from(limits.stored_mb) * MEBIBYTE;
        Self {
            sockets: 0,
            commands: as_commands(),
            outcomes: as_commands(),
            feeds: as_commands(),
            bytes: Bucket::new(stored, stored / DAY),
            imports: Bucket::new(IMPORTS.0, IMPORTS.1),
            uploads: Arc::new(Semaphore::new(UPLOADS)),
            uploading: Arc::new(Semaphore::new(UPLOADS_WAITING)),
            importing: Arc::new(Semaphore::new(1)),
            downloads: Arc::new(Semaphore::new(DOWNLOADS)),
        }
    }
}

#[derive(Debug)]
struct Shared {
    limits: UserLimits,
    /// One account per user; only admins create users.
    accounts: Mutex<HashMap<UserId, Account>>,
    /// Sockets of all users together.
    sockets: Arc<Semaphore>,
    uploads: Arc<Semaphore>,
    imports: Arc<Semaphore>,
}

/// Quotas for each user. Clones share them.
#[derive(Debug, Clone)]
pub(crate) struct Allowances(Arc<Shared>);

impl Allowances {
    /// Creates the quotas for a server that may have this many sockets open.
    pub(crate) fn new(limits: UserLimits, sockets: usize) -> Self {
        Self(Arc::new(Shared {
            limits,
            accounts: Mutex::default(),
            sockets: Arc::new(Semaphore::new(sockets)),
            uploads: Arc::new(Semaphore::new(UPLOADS_OF_ALL)),
            imports: Arc::new(Semaphore::new(IMPORTS_OF_ALL)),
        }))
    }

    fn with<T>(&self, user: UserId, work: impl FnOnce(&mut Account) -> T) -> T {
        let mut accounts = self
            .0
            .accounts
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let account = accounts.entry(user);
        work(account.or_insert_with(|| Account::new(self.0.limits)))
    }

    /// Reserves a place for one more socket or stream of a sign-in.
    pub(crate) fn socket_for(&self, signed_in: &SignedIn) -> Result<SocketPlace, ErrorBody> {
        if signed_in.is_program() {
            self.waiting_program(signed_in.user.id)
        } else {
            self.socket(signed_in.user.id)
        }
    }

    /// Reserves a place for one more socket of a user.
    pub(crate) fn socket(&self, user: UserId) -> Result<SocketPlace, ErrorBody> {
        self.place(user, self.places())
    }

    /// Reserves a place for a program that waits or follows. Half of a user's places stay free for
    /// pages: where the cards and the emergency stop are.
    pub(crate) fn waiting_program(&self, user: UserId) -> Result<SocketPlace, ErrorBody> {
        self.place(user, self.places() / 2)
    }

    fn places(&self) -> usize {
        usize::try_from(self.0.limits.sockets).unwrap_or(usize::MAX)
    }

    fn place(&self, user: UserId, most: usize) -> Result<SocketPlace, ErrorBody> {
        let Ok(of_all) = Arc::clone(&self.0.sockets).try_acquire_owned() else {
            let message = texts::http::TOO_MANY_OPEN_PAGES;
            return Err(limited(message, texts::http::CLOSE_TAB_OR_TRY_AGAIN_LATER));
        };
        let has_room = self.with(user, |account| {
            let has_room = account.sockets < most;
            account.sockets += usize::from(has_room);
            has_room
        });
        if !has_room {
            let message = texts::http::TOO_MANY_CONNECTIONS;
            return Err(limited(message, texts::http::CLOSE_SOME_AND_RELOAD));
        }
        Ok(SocketPlace {
            allowances: self.clone(),
            user,
            _of_all: of_all,
        })
    }

    /// The number of open sockets, of all users.
    pub(crate) fn open_sockets(&self) -> usize {
        let accounts = &self.0.accounts;
        let accounts = accounts.lock().unwrap_or_else(PoisonError::into_inner);
        accounts.values().map(|account| account.sockets).sum()
    }

    /// Charges a user's quotas for a command. Stopping something is free.
    pub(crate) fn command(&self, user: UserId, command: &Command) -> Result<(), Limited> {
        if matches!(
            command,
            Command::Stop { .. } | Command::KillSwitch { on: true } | Command::Performed { .. }
        ) {
            return Ok(());
        }
        self.with(user, |account| {
            let sent = account.commands.take(1.0);
            sent.map_err(|wait| Limited::new(texts::http::TOO_MANY_COMMANDS, wait))?;
            account.keep(LEAST_BYTES + kept_of(command))
        })
    }

    /// Charges a user's quota for a request for the outcome of a call. Each reads a journal and
    /// covers its values.
    pub(super) fn outcome(&self, user: UserId) -> Result<(), Limited> {
        self.with(user, |account| {
            let asked = account.outcomes.take(1.0);
            asked.map_err(|wait| Limited::new(texts::http::TOO_MANY_OUTCOMES, wait))
        })
    }

    /// Charges a user's quota for a message of a feed, of which nothing is stored.
    fn feed(&self, user: UserId) -> Result<(), Limited> {
        self.with(user, |account| {
            let sent = account.feeds.take(1.0);
            sent.map_err(|wait| Limited::new(texts::http::TOO_MANY_FEED_MESSAGES, wait))
        })
    }

    /// Charges a user's quotas for a change by a request of this many bytes.
    fn change(&self, user: UserId, bytes: usize) -> Result<(), Limited> {
        self.with(user, |account| {
            let sent = account.commands.take(1.0);
            sent.map_err(|wait| Limited::new(texts::http::TOO_MANY_CHANGES, wait))?;
            account.keep(LEAST_BYTES + bytes)
        })
    }

    /// Charges a user's quota for bytes about to be stored.
    pub(crate) fn keep(&self, user: UserId, bytes: usize) -> Result<(), Limited> {
        self.with(user, |account| account.keep(bytes))
    }

    /// The levels of the quotas of a user for changes, and for bytes to store.
    pub(super) fn levels(&self, user: UserId) -> [QuotaLevel; 2] {
        self.with(user, |account| {
            [account.commands.level(), account.bytes.level()]
        })
    }

    /// Waits for the permit to read an upload of a user.
    pub(super) async fn upload(&self, user: UserId) -> Result<Reading, ErrorBody> {
        let (own, line) = self.with(user, |account| {
            (
                Arc::clone(&account.uploads),
                Arc::clone(&account.uploading).try_acquire_owned(),
            )
        });
        let Ok(line) = line else {
            let message = texts::http::TOO_MANY_UPLOADS;
            return Err(limited(message, texts::http::WAIT_FOR_OTHERS));
        };
        let turn = async {
            let own = own.acquire_owned().await.ok()?;
            let of_all = Arc::clone(&self.0.uploads).acquire_owned().await.ok()?;
            Some(Reading {
                _permits: vec![line, own, of_all],
            })
        };
        in_turn(turn).await
    }

    /// Waits for the permit to read an import of a user, one at a time.
    pub(super) async fn import(&self, user: UserId) -> Result<Reading, ErrorBody> {
        let own = self.with(user, |account| {
            let Ok(own) = Arc::clone(&account.importing).try_acquire_owned() else {
                let message = texts::http::ANOTHER_IMPORT_IS_RUNNING;
                return Err(limited(message, texts::http::WAIT_UNTIL_IT_HAS_ENDED));
            };
            let taken = account.imports.take(1.0);
            taken.map_err(|wait| Limited::new(texts::http::TOO_MANY_IMPORTS, wait))?;
            Ok(own)
        })?;
        let turn = async {
            let of_all = Arc::clone(&self.0.imports).acquire_owned().await.ok()?;
            Some(Reading {
                _permits: vec![own, of_all],
            })
        };
        in_turn(turn).await
    }

    /// Waits for the permit to send a file to a user. It is held for as long as the file takes
    /// memory, so a client that does not read delays only its own user's.
    pub(super) async fn download(&self, user: UserId) -> Result<OwnedSemaphorePermit, ErrorBody> {
        let own = self.with(user, |account| Arc::clone(&account.downloads));
        match tokio::time::timeout(DOWNLOAD_WAIT, own.acquire_owned()).await {
            Ok(Ok(permit)) => Ok(permit),
            Ok(Err(_)) | Err(_) => Err(limited(
                texts::http::TOO_MANY_DOWNLOADS,
                texts::http::WAIT_FOR_OTHERS,
            )),
        }
    }
}

impl Account {
    fn keep(&mut self, bytes: usize) -> Result<(), Limited> {
        // No body is anywhere near the limit of a u32.
        let bytes = f64::from(u32::try_from(bytes).unwrap_or(u32::MAX));
        let kept = self.bytes.take(bytes);
        kept.map_err(|wait| Limited::new(texts::http::STORED_TOO_MUCH, wait))
    }
}

async fn in_turn(turn: impl Future<Output = Option<Reading>>) -> Result<Reading, ErrorBody> {
    match tokio::time::timeout(WAIT, turn).await {
        Ok(Some(reading)) => Ok(reading),
        Ok(None) | Err(_) => Err(limited(
            texts::http::TOO_MANY_READS,
            texts::http::TRY_AGAIN_IN_MOMENT,
        )),
    }
}

/// A permit to read a body, until it is dropped.
#[derive(Debug)]
pub(super) struct Reading {
    _permits: Vec<OwnedSemaphorePermit>,
}

/// The place of an open socket, released when it is dropped.
#[derive(Debug)]
pub(crate) struct SocketPlace {
    allowances: Allowances,
    user: UserId,
    _of_all: OwnedSemaphorePermit,
}

impl Drop for SocketPlace {
    fn drop(&mut self) {
        self.allowances.with(self.user, |account| {
            account.sockets = account.sockets.saturating_sub(1);
        });
    }
}

/// Returns the bytes that a command stores: those that a person wrote into it, and for a call of
/// their own the most that its result takes.
fn kept_of(command: &Command) -> usize {
    if let Some(message) = command.message() {
        return message.text.len();
    }
    match command {
        Command::Branch { text, .. } => text.as_ref().map_or(0, String::len),
        // The call may run at once, and its size is known only when it has been stored.
        Command::Act { tool, input, .. } => tool.len() + input.to_string().len() + RESULT,
        Command::Edit { input, .. } => input.to_string().len(),
        Command::Decide {
            decision: Decision::Deny { comment },
            ..
        } => comment.as_ref().map_or(0, String::len),
        _ => 0,
    }
}

/// Passes a request that changes nothing, or whose user has quota left for changes: each change
/// adds a row to the audit chain, which is never deleted.
pub(super) async fn charge(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
    request: Request,
    next: Next,
) -> Response {
    let path = request.uri().path();
    // Signing out is always possible.
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    let is_change = !reads && !only_reads(path) && path != "/sign-out";
    if is_change {
        let length = request.headers().get(header::CONTENT_LENGTH);
        let length = length.and_then(|length| length.to_str().ok()?.parse().ok());
        let bytes = length.unwrap_or(MAX_BODY);
        if let Err(limited) = http.allowances.change(signed_in.user.id, bytes) {
            return RequestRefusal::from(limited).into_response();
        }
    }
    next.run(request).await
}

/// Passes a request that leaves a record, whose user has quota left for changes.
pub(super) async fn charge_record(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
    request: Request,
    next: Next,
) -> Response {
    match http.allowances.change(signed_in.user.id, 0) {
        Ok(()) => next.run(request).await,
        Err(limited) => RequestRefusal::from(limited).into_response(),
    }
}

/// Passes a message of a feed whose user has quota left for those; the answer carries its level. With a
/// key its answer is stored, and it counts as every change.
pub(super) async fn charge_feed(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
    request: Request,
    next: Next,
) -> Response {
    if request.headers().contains_key(KEY) {
        return charge(State(http), Extension(signed_in), request, next).await;
    }
    let user = signed_in.user.id;
    let mut response = match http.allowances.feed(user) {
        Ok(()) => next.run(request).await,
        Err(limited) => RequestRefusal::from(limited).into_response(),
    };
    let level = http.allowances.with(user, |account| account.feeds.level());
    response.extensions_mut().insert(level);
    response
}

fn limited(message: &str, help: &str) -> ErrorBody {
    ErrorBody::new(ErrorCode::RateLimited, message).with_help(help)
}

#[cfg(test)]
mod tests;
