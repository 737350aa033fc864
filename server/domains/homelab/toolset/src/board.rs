//! Live board of the cluster: polls faster while somebody is watching, and shows the known state.
//!
//! Every query has its own interval and fails independently: a node that hangs delays its own
//! figures and nothing else. The board has a separate connection, so it neither waits for the tools
//! nor delays them, and neither fills nor clears their cache.
//!
//! A node or guest that stops answering keeps its last figures with their time and the reason.
//! Figures that become forbidden are dropped and the missing privilege is named. A single lost
//! answer is ignored; two in a row are reported.

mod compose;
mod conditions;
mod measured;
mod progress;
mod reading;
mod ring;
mod seen;
mod traffic;
mod trend;

use std::{
    collections::{BTreeSet, HashMap},
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use agent::ports::{Board, Picture, Screen, Survey};
use async_trait::async_trait;
use futures::{StreamExt, future::BoxFuture, stream::FuturesUnordered};
use homelab_wire::OffersPart;
use protocol::Timestamp;
use tokio::time::Instant;

use crate::{
    Config, HomelabError,
    api::{Api, EntryKind},
    cluster_access::ClusterAccess,
    error::ProxmoxError,
    measurements::{MeasuredQuantity, MeasuredSubject, MeasurementError, STEP_SECONDS, StepMean},
    rights::Rights,
    task::Upid,
    tools::processor_celsius,
    wire::{
        BackupRow, ClusterRow, GuestRow, NodeStatus, ResourceRow, RrdRow, StorageRrdRow, TaskRow,
        UncoveredRow,
    },
};
use seen::{BoardSources, SeenTasks};

/// Request timeout of the board: a query that hangs is reported and retried.
const MAX_REQUEST_MS: u64 = 5_000;
/// Queries that may run at the same time.
const MAX_REQUESTS: usize = 16;
/// Factor by which intervals grow while nobody is watching and only notices need the data.
const SLOWER: u32 = 6;
/// Time before now that the sparklines need of Jarvis's own measurements, in seconds.
const OWN_SECONDS: i64 = ring::KEPT * ring::STEP + STEP_SECONDS;
/// Lines of a log read per request.
const LOG_LINES: usize = 200;
/// Answers that arrive within this time are shown together…
const GATHER: Duration = Duration::from_millis(300);
/// …and those of the first round within this time.
const GATHER_FIRST: Duration = Duration::from_millis(900);
/// The first picture waits this long for the states of VMs, whose nodes have to be asked one by one.
const STATES_FIRST: Duration = Duration::from_secs(3);

pub(crate) struct ClusterBoard {
    access: Arc<ClusterAccess>,
    api: Arc<Api>,
    pace: Duration,
    /// The actions on offer for each kind of entity; fixed by the configuration.
    offers: OffersPart,
    /// The known state; it outlives its viewers.
    seen: Mutex<SeenTasks>,
}

impl fmt::Debug for ClusterBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClusterBoard").finish_non_exhaustive()
    }
}

/// A query of the board.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum BoardQuestion {
    Quorum,
    Overview,
    Tasks,
    Rights,
    Node(String),
    /// The QMP status of each VM of a node, because the overview lists a paused VM as running.
    Vms(String),
    /// The last hour of a node; read once.
    History(String),
    /// The last hour of a node as Jarvis measured it itself; read once.
    OwnHistory(String),
    Celsius(String),
    /// The log of a running task, from a line on.
    Log {
        upid: String,
        from: usize,
    },
    /// The backups on a storage, read through a node; repeated when a backup task has ended.
    Backups {
        key: String,
        node: String,
        storage: String,
        after: i64,
    },
    /// The guests that no backup job covers.
    Uncovered,
    /// The last week of a storage.
    Trend {
        key: String,
        node: String,
        storage: String,
    },
}

enum BoardAnswer {
    Quorum(Result<Vec<ClusterRow>, ProxmoxError>),
    Overview(Result<Vec<ResourceRow>, ProxmoxError>),
    Tasks(Result<Vec<TaskRow>, ProxmoxError>),
    Rights(Rights),
    Node(String, Result<Box<NodeStatus>, ProxmoxError>),
    Vms(String, Result<Vec<GuestRow>, ProxmoxError>),
    History(String, Result<Vec<RrdRow>, ProxmoxError>),
    /// `None` if the store failed.
    OwnHistory(String, Option<OwnHour>),
    Celsius(String, Result<f64, String>),
    Log(String, Result<Vec<String>, ProxmoxError>),
    Backups(String, Result<Vec<BackupRow>, ProxmoxError>),
    Uncovered(Result<Vec<UncoveredRow>, ProxmoxError>),
    Trend {
        key: String,
        node: String,
        rows: Result<Vec<StorageRrdRow>, ProxmoxError>,
    },
}

/// The last hour of a node as Jarvis measured it itself.
#[derive(Debug, Default)]
struct OwnHour {
    cpu: Vec<StepMean>,
    /// In bytes.
    memory: Vec<StepMean>,
    io_wait: Vec<StepMean>,
}

impl BoardQuestion {
    /// Intervals between two answers.
    fn paces(&self) -> u32 {
        match self {
            Self::Quorum | Self::Overview | Self::Tasks | Self::Node(_) | Self::Log { .. } => 1,
            // The node queries every VM for it.
            Self::Vms(_) => 3,
            Self::Rights => 6,
            Self::Celsius(_) => 12,
            // Repeated only if the first answer was lost, which is not urgent.
            Self::History(_) | Self::OwnHistory(_) => 60,
            // Lists of backups are long, and the end of a backup task already triggers a new read.
            Self::Backups { .. } | Self::Uncovered => 60,
            Self::Trend { .. } => 360,
        }
    }
}

impl ClusterBoard {
    /// Builds the board; makes no request.
    pub(crate) fn new(access: Arc<ClusterAccess>) -> Result<Self, HomelabError> {
        let config = Config {
            cache_ms: 0,
            max_concurrent_requests: MAX_REQUESTS,
            request_timeout_ms: access.config.request_timeout_ms.min(MAX_REQUEST_MS),
            ..access.config.clone()
        };
        Ok(Self {
            api: Arc::new(Api::new(&config)?),
            pace: Duration::from_millis(access.config.board_ms),
            offers: compose::offers::part(&access),
            seen: Mutex::default(),
            access,
        })
    }

    /// The board's connection and its polling interval.
    pub(crate) fn connection(&self) -> (Arc<Api>, Duration) {
        (Arc::clone(&self.api), self.pace)
    }

    fn seen(&self) -> MutexGuard<'_, SeenTasks> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn ask(&self, question: BoardQuestion) -> BoardAnswer {
        let api = &self.api;
        match question {
            BoardQuestion::Quorum => BoardAnswer::Quorum(api.cluster_status().await),
            BoardQuestion::Overview => BoardAnswer::Overview(api.resources().await),
            BoardQuestion::Tasks => BoardAnswer::Tasks(api.cluster_tasks().await),
            BoardQuestion::Rights => BoardAnswer::Rights(api.rights().await),
            BoardQuestion::Node(node) => {
                let status = api.node_status(&node).await;
                BoardAnswer::Node(node, status.map(Box::new))
            }
            BoardQuestion::Vms(node) => {
                let rows = api.guests(&node, EntryKind::Qemu).await;
                BoardAnswer::Vms(node, rows)
            }
            BoardQuestion::History(node) => {
                let rows = api.node_history(&node).await;
                BoardAnswer::History(node, rows)
            }
            BoardQuestion::OwnHistory(node) => {
                let hour = self.own_hour(&node).await;
                BoardAnswer::OwnHistory(node, hour)
            }
            BoardQuestion::Celsius(node) => {
                let celsius = processor_celsius(&self.access, &node).await;
                BoardAnswer::Celsius(node, celsius)
            }
            BoardQuestion::Log { upid, from } => {
                let lines = match Upid::parse(&upid) {
                    Some(upid) => api.log_lines(&upid, from, LOG_LINES).await,
                    None => Ok(Vec::new()),
                };
                BoardAnswer::Log(upid, lines)
            }
            BoardQuestion::Backups {
                key, node, storage, ..
            } => BoardAnswer::Backups(key, api.backups(&node, &storage, None).await),
            BoardQuestion::Uncovered => BoardAnswer::Uncovered(api.uncovered().await),
            BoardQuestion::Trend { key, node, storage } => {
                let rows = api.storage_history(&node, &storage).await;
                BoardAnswer::Trend { key, node, rows }
            }
        }
    }

    /// Reads what was measured of a node in the last hour, before this start too.
    async fn own_hour(&self, node: &str) -> Option<OwnHour> {
        let Some((own, subject)) = self.access.measurements().zip(MeasuredSubject::node(node))
        else {
            return Some(OwnHour::default());
        };
        let now = self.access.now();
        let read = |quantity| own.series(&subject, quantity, now - OWN_SECONDS, now);
        let hour = async {
            Ok::<_, MeasurementError>(OwnHour {
                cpu: read(MeasuredQuantity::CpuPercent).await?,
                memory: read(MeasuredQuantity::MemoryBytes).await?,
                io_wait: read(MeasuredQuantity::IoWaitPercent).await?,
            })
        };
        hour.await
            .inspect_err(|error| tracing::warn!(%error, node, "last hour not read"))
            .ok()
    }

    fn picture(&self) -> Picture {
        let clock = Instant::now();
        let picture = compose::picture(&self.access, &self.seen(), &self.offers);
        let micros = clock.elapsed().as_micros();
        tracing::debug!(target: "homelab::board", micros, "composed");
        picture
    }
}

#[async_trait]
impl Board for ClusterBoard {
    async fn watch(&self, mut screen: Screen) {
        let mut asked: FuturesUnordered<BoxFuture<'_, (BoardQuestion, BoardAnswer)>> =
            FuturesUnordered::new();
        // When each query was answered; `None` while it is in flight.
        let mut answered: HashMap<BoardQuestion, Option<Instant>> = HashMap::new();
        // Deadline for showing the newest state; `None` while there is nothing new.
        let mut show_by: Option<Instant> = None;
        let mut gather = GATHER_FIRST;
        let sources = BoardSources {
            ssh: self.access.ssh.is_some(),
            measurements: self.access.measurements().is_some(),
        };
        let mut states_by = Some(Instant::now() + STATES_FIRST);
        loop {
            let now = Instant::now();
            let pace = if screen.is_looked_at() {
                self.pace
            } else {
                self.pace * SLOWER
            };
            let questions = self.seen().questions(sources);
            // Each further part of a log is a new query; forget queries that are no longer due.
            answered.retain(|question, at| at.is_none() || questions.contains(question));
            let mut next = now + pace;
            for question in questions {
                let due = answered
                    .get(&question)
                    .map(|at| at.map(|at| at + pace * question.paces()));
                match due {
                    Some(None) => {}
                    Some(Some(at)) if at > now => next = next.min(at),
                    _ => {
                        answered.insert(question.clone(), None);
                        asked.push(Box::pin(async move {
                            let answer = self.ask(question.clone()).await;
                            (question, answer)
                        }));
                    }
                }
            }
            let wake = match (show_by, states_by) {
                (Some(by), Some(states)) if by <= now => states.min(next),
                (Some(by), _) => by.min(next),
                (None, _) => next,
            };
            tokio::select! {
                Some((question, answer)) = asked.next() => {
                    let now = Instant::now();
                    answered.insert(question, Some(now));
                    let at = self.access.now();
                    if let Some(own) = self.access.measurements() {
                        own.note(at, measured::measured(&answer));
                    }
                    if self.seen().take(answer, at) {
                        show_by.get_or_insert(now + gather);
                    }
                }
                () = tokio::time::sleep_until(wake) => {}
                () = screen.looks_change() => {}
            }
            let late = show_by.is_some_and(|by| by <= Instant::now());
            let has_states = {
                let seen = self.seen();
                seen.is_ready()
                    && (seen.knows_states() || states_by.is_none_or(|by| by <= Instant::now()))
            };
            if show_by.is_some() && (late || asked.is_empty()) && has_states {
                show_by = None;
                states_by = None;
                gather = GATHER;
                screen.show(self.picture());
            }
        }
    }

    fn is_guarded(&self) -> bool {
        self.access.config.notices.enabled
    }

    fn answers(&self, picture: &Picture) -> Option<bool> {
        conditions::answers(picture)
    }

    fn survey(&self, picture: &Picture, known: &BTreeSet<String>, now: Timestamp) -> Survey {
        conditions::survey(&self.access.config, picture, known, now)
    }
}
