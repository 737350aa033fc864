//! The state that all conversations of an engine share, and the start of their actors.

use std::{
    collections::HashMap,
    panic::AssertUnwindSafe,
    sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, Weak},
    time::Duration,
};

use futures::{FutureExt, future::BoxFuture};
use protocol::{
    CallId, CommandId, ConversationId, ErrorBody, KillSwitch, MessageId, Seq, TurnId, UserId,
};
use tokio::sync::mpsc;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    config::EngineConfig,
    conversation_entry::ConversationEntry,
    driver::{ActorMessage, ConversationActor, Correlations, EndedActor},
    error,
    hub::{Boards, Lists, Names},
    live::LiveTurn,
    machine::{Conversation, Corrupt},
    notices::Notices,
    own_calls::OwnCalls,
    ports::{
        Correlation, Env, Epoch, Journal, JournalError, Model, Observer, Person, Record,
        StoredConversation,
    },
    stages::Stages,
    storage_outage::StorageOutage,
    sync::lock,
    tools::Tools,
};

/// Commands that may wait for one actor.
const MAILBOX: usize = 64;
/// Pause before a conversation whose actor ended by a fault gets another.
const REVIVE_AFTER: Duration = Duration::from_secs(2);

pub(crate) struct EngineShared {
    pub(crate) journal: Arc<dyn Journal>,
    pub(crate) model: Arc<dyn Model>,
    pub(crate) env: Arc<dyn Env>,
    pub(crate) tools: Tools,
    pub(crate) lists: Lists,
    pub(crate) names: Names,
    pub(crate) boards: Boards,
    pub(crate) notices: Notices,
    pub(crate) outage: StorageOutage,
    pub(crate) stages: Arc<Stages>,
    pub(crate) own_calls: OwnCalls,
    pub(crate) closing: CancellationToken,
    pub(crate) tasks: TaskTracker,
    /// None until it was read.
    kill_switch: tokio::sync::RwLock<Option<KillSwitch>>,
    entries: Mutex<HashMap<ConversationId, Weak<ConversationEntry>>>,
    live: RwLock<Arc<LiveTurn>>,
    /// Held while people are told of cards that wait for a second person, so that the newest comes
    /// last.
    pub(crate) telling: tokio::sync::Mutex<()>,
    /// None if nobody measures.
    pub(crate) observer: OnceLock<Arc<dyn Observer>>,
}

/// The reason why a conversation cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LoadError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Corrupt(#[from] Corrupt),
}

impl EngineShared {
    pub(crate) fn new(
        journal: Arc<dyn Journal>,
        model: Arc<dyn Model>,
        env: Arc<dyn Env>,
        tools: Tools,
        config: EngineConfig,
    ) -> Self {
        let closing = CancellationToken::new();
        let tasks = TaskTracker::new();
        let names = Names::new(&tools.toolsets);
        Self {
            boards: Boards::new(&tools.toolsets, &closing, &tasks),
            journal,
            model,
            env,
            tools,
            lists: Lists::default(),
            notices: Notices::default(),
            outage: StorageOutage::default(),
            stages: Arc::default(),
            own_calls: OwnCalls::default(),
            names,
            closing,
            tasks,
            kill_switch: tokio::sync::RwLock::default(),
            entries: Mutex::default(),
            live: RwLock::new(LiveTurn::new(config)),
            telling: tokio::sync::Mutex::default(),
            observer: OnceLock::new(),
        }
    }

    /// The configuration in force.
    pub(crate) fn live(&self) -> Arc<LiveTurn> {
        let live = self.live.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&live)
    }

    /// Puts another configuration in force, for everything that is decided from now on.
    pub(crate) fn change(&self, change: impl FnOnce(&mut EngineConfig)) {
        let mut live = self.live.write().unwrap_or_else(PoisonError::into_inner);
        let mut config = live.config.clone();
        change(&mut config);
        *live = LiveTurn::new(config);
    }

    pub(crate) fn new_turn(&self) -> TurnId {
        TurnId::new(self.env.now(), self.env.random())
    }

    pub(crate) fn new_message(&self) -> MessageId {
        MessageId::new(self.env.now(), self.env.random())
    }

    pub(crate) fn new_call(&self) -> CallId {
        CallId::new(self.env.now(), self.env.random())
    }

    /// Asks the toolsets in the background for the names of their things.
    pub(crate) fn learn_names(self: &Arc<Self>) {
        let shared = Arc::clone(self);
        self.tasks.spawn(async move {
            tokio::select! {
                () = shared.closing.cancelled() => {}
                () = shared.names.learn(&shared.lists) => {}
            }
        });
    }

    /// The kill switch; none if its state cannot be read.
    pub(crate) async fn kill_switch(&self) -> Option<KillSwitch> {
        if let Some(state) = &*self.kill_switch.read().await {
            return Some(state.clone());
        }
        let mut known = self.kill_switch.write().await;
        if known.is_none() {
            match self.journal.kill_switch().await {
                Ok(state) => *known = Some(state),
                Err(error) => tracing::error!(%error, "the kill switch cannot be read"),
            }
        }
        known.clone()
    }

    /// Sets the kill switch: while it is on, nothing that acts begins.
    pub(crate) async fn set_kill_switch(
        &self,
        on: bool,
        person: &Person,
        command: CommandId,
    ) -> Result<(), ErrorBody> {
        let state = KillSwitch {
            on,
            by: Some(person.name.clone()),
            at: Some(self.env.now()),
        };
        // Locked over the write: whoever reads the switch meanwhile waits for the outcome.
        let mut known = self.kill_switch.write().await;
        let journal = &self.journal;
        // Switching on what is on writes nothing, however often it is sent.
        if on && journal.kill_switch().await.is_ok_and(|state| state.on) {
            return Ok(());
        }
        match journal
            .set_kill_switch(state.clone(), person, command)
            .await
        {
            Ok(()) => {}
            Err(JournalError::Duplicate) => return Ok(()),
            Err(error) => {
                // On is on for this process, even if that cannot be saved.
                if on {
                    *known = Some(state.clone());
                    self.lists.kill_switch(&state);
                }
                return Err(error::of_journal(&error));
            }
        }
        *known = Some(state.clone());
        self.lists.kill_switch(&state);
        Ok(())
    }

    /// Tells the subscribers of a conversation that it is gone.
    pub(crate) fn removed(&self, entry: &ConversationEntry, owner: UserId) {
        entry.hub.end(error::conversation_not_found());
        self.lists.removed(owner, entry.id);
    }

    /// The one entry of a conversation.
    pub(crate) fn entry(&self, id: ConversationId) -> Arc<ConversationEntry> {
        let mut entries = lock(&self.entries);
        if let Some(entry) = entries.get(&id).and_then(Weak::upgrade) {
            return entry;
        }
        entries.retain(|_, entry| entry.strong_count() > 0);
        let entry = Arc::new(ConversationEntry::new(id));
        entries.insert(id, Arc::downgrade(&entry));
        entry
    }

    /// The stored part of a conversation, read once.
    pub(crate) async fn stored<'a>(
        &self,
        entry: &'a ConversationEntry,
    ) -> Result<&'a StoredConversation, JournalError> {
        entry
            .stored
            .get_or_try_init(|| self.journal.conversation(entry.id))
            .await
    }

    /// The sender to the actor of a conversation. If there is no actor, one is made, which takes
    /// the conversation over and continues what is unfinished. `actor` is the entry's own.
    pub(crate) async fn wake(
        self: &Arc<Self>,
        entry: &Arc<ConversationEntry>,
        actor: &mut Option<mpsc::Sender<Box<ActorMessage>>>,
    ) -> Result<mpsc::Sender<Box<ActorMessage>>, LoadError> {
        if let Some(sender) = actor.as_ref().filter(|sender| !sender.is_closed()) {
            return Ok(sender.clone());
        }
        let stored = self.stored(entry).await?.clone();
        // Claimed before it is read: a former writer can add nothing to what is read now.
        let epoch = self.journal.claim(entry.id).await?;
        let records = self.journal.records(entry.id).await?;
        let conversation = Conversation::from_records(&records)?;
        entry.hub.reset(conversation.head());
        let correlations = if conversation.is_at_rest() {
            Correlations::default()
        } else {
            self.correlations(entry.id, &records).await?
        };
        Ok(self.spawn(entry, actor, stored, epoch, conversation, correlations))
    }

    /// The requests behind what is unfinished in a journal.
    async fn correlations(
        &self,
        conversation: ConversationId,
        records: &[Record],
    ) -> Result<Correlations, JournalError> {
        let traces = self.journal.traces(conversation).await?;
        let known = traces.into_iter();
        let known = known.filter_map(|(seq, trace)| Some((seq, trace.correlation?)));
        let known: HashMap<Seq, Correlation> = known.collect();
        let events = records.iter().map(|record| &record.event);
        Ok(Correlations::of(
            events.map(|event| (&event.body, known.get(&event.seq))),
        ))
    }

    /// Starts the actor of a conversation.
    pub(crate) fn spawn(
        self: &Arc<Self>,
        entry: &Arc<ConversationEntry>,
        actor: &mut Option<mpsc::Sender<Box<ActorMessage>>>,
        stored: StoredConversation,
        epoch: Epoch,
        mut conversation: Conversation,
        correlations: Correlations,
    ) -> mpsc::Sender<Box<ActorMessage>> {
        let live = self.live();
        conversation.share(live.fresh(conversation.frozen().mode, &self.tools));
        let (sender, messages) = mpsc::channel(MAILBOX);
        *actor = Some(sender.clone());
        let work = ConversationActor::new(
            Arc::clone(self),
            Arc::clone(entry),
            messages,
            stored,
            epoch,
            conversation,
            correlations,
        );
        let supervised = Arc::clone(self).supervise(Arc::clone(entry), work);
        self.tasks.spawn(supervised);
        sender
    }

    /// Runs an actor, and starts another when it ends by a fault.
    fn supervise(
        self: Arc<Self>,
        entry: Arc<ConversationEntry>,
        actor: ConversationActor,
    ) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            let conversation = entry.id;
            match AssertUnwindSafe(actor.run()).catch_unwind().await {
                Ok(Ok(()) | Err(EndedActor::Deleted | EndedActor::Closing)) => return,
                Ok(Err(EndedActor::Fenced)) => {
                    tracing::warn!(%conversation, "another server has taken the conversation over");
                    return;
                }
                Ok(Err(EndedActor::Corrupt(error))) => {
                    tracing::error!(%conversation, %error, "the journal cannot be folded");
                    return;
                }
                Ok(Err(EndedActor::Stale)) => {
                    tracing::error!(%conversation, "the journal moved on without its writer");
                }
                Err(_panic) => tracing::error!(%conversation, "the actor panicked"),
            }
            tokio::select! {
                () = self.closing.cancelled() => return,
                () = tokio::time::sleep(REVIVE_AFTER) => {}
            }
            let mut actor = entry.actor.lock().await;
            if let Err(error) = self.wake(&entry, &mut actor).await {
                tracing::error!(%conversation, %error, "a conversation could not be resumed and is idle until its next use");
            }
        })
    }
}
