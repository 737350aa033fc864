//! The tab's only websocket: its subscriptions, its reconnection, and the commands to send.

mod backoff;
mod dispatch;
mod socket;
mod stage;

use std::sync::Arc;

use futures::channel::mpsc;
use kit::{PageClock, Toasts, WordPaths, browser};
use leptos::{leptos_dom::helpers::window_event_listener_untyped, prelude::*};
use protocol::{
    BoardPart, CallId, ClientFrame, Command, CommandId, ConversationId, ErrorBody, FeedEntry,
    KillSwitch, LiveBlockId, NoticeCount, Pack, RaisedNotice, Role, TabId, Timestamp, Topic,
};

pub(crate) use outbox::{Pending, PendingState};
pub(crate) use stage::{StagePlace, WantedStage};

use crate::{
    conversation::{Chosen, Conversation},
    conversations::{ConversationList, Opened},
    names::Names,
    texts::api as texts,
};
use outbox::Outbox;
use stage::Stage;

/// The tab's storage key for its outbox, across a reload.
const OUTBOX: &str = "jarvis.outbox";

/// The state of the tab's connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Connection {
    /// The first connection is being made.
    Connecting,
    Live,
    /// The connection is lost; the next attempt is at this time of this device.
    Waiting {
        until: Timestamp,
    },
    /// An attempt to reconnect is in progress.
    Reconnecting,
    /// The device has no network.
    Offline,
    /// The session has ended.
    SignedOut,
    /// The page is too old for the server's protocol.
    Outdated,
}

/// Requests of the rest of the app to the socket's task.
enum Signal {
    Send(String),
    /// The page may have slept: check whether the connection is still alive, or connect at once.
    Wake,
    /// Time to check whether the connection is still alive.
    Check,
}

/// A handle on the tab's connection. Does nothing on the server.
#[derive(Clone, Copy)]
pub(crate) struct Channel {
    pub(crate) connection: RwSignal<Connection>,
    /// Commands that the server has not answered, and refused ones until they are dismissed.
    pub(crate) pending: RwSignal<Vec<Pending>>,
    /// True if the server has a newer build than this page.
    pub(crate) newer: RwSignal<bool>,
    /// The kill switch, as this tab last received it.
    pub(crate) kill_switch: RwSignal<KillSwitch>,
    /// The reason why the server cannot save, while it cannot.
    pub(crate) unsaved: RwSignal<Option<ErrorBody>>,
    /// The number of unacknowledged notices.
    pub(crate) noticed: RwSignal<NoticeCount>,
    /// The latest notice that was raised while this page was open.
    pub(crate) raised: RwSignal<Option<RaisedNotice>>,
    /// Role of this sign-in when the page was rendered; unknown if it came without its data.
    pub(crate) role: RwSignal<Role>,
    /// The latest branch that this tab asked for: the conversation it is from, and its own.
    pub(crate) branched: RwSignal<Option<(ConversationId, ConversationId)>>,
    /// The model of new conversations when the page was rendered.
    pub(crate) usual: RwSignal<Option<Chosen>>,
    /// The packs that the server has; the usual ones are those of the next conversation.
    pub(crate) packs: RwSignal<Vec<Pack>>,
    /// The last command that was refused.
    pub(crate) refused: RwSignal<Option<CommandId>>,
    /// The tabs that have the running calls that need one.
    staged: RwSignal<Vec<(CallId, Option<TabId>)>>,
    has_stage: RwSignal<bool>,
    stage: StoredValue<Stage>,
    state: StoredValue<ChannelState>,
    pub(crate) clock: PageClock,
    pub(crate) list: ConversationList,
    pub(crate) opened: Opened,
    pub(crate) toasts: Toasts,
    names: StoredValue<Names>,
    /// Notifies of changed names.
    pub(crate) named: RwSignal<()>,
}

/// An update of a board.
pub(crate) struct BoardNews {
    /// True if this is the whole board.
    pub(crate) whole: bool,
    pub(crate) put: Vec<BoardPart>,
    pub(crate) gone: Vec<String>,
}

/// An update of the feed.
pub(crate) struct FeedNews {
    /// New and changed entries.
    pub(crate) entries: Vec<FeedEntry>,
    /// True if more was missed than is here.
    pub(crate) gap: bool,
}

#[derive(Clone)]
struct FollowedTopic {
    /// Revision up to which the page has the feed.
    rev: u64,
    show: Arc<dyn Fn(FeedNews) + Send + Sync>,
}

#[derive(Clone)]
struct Watched {
    board: &'static str,
    show: Arc<dyn Fn(BoardNews) + Send + Sync>,
}

#[derive(Default)]
struct ChannelState {
    /// None before the channel is opened.
    signals: Option<mpsc::UnboundedSender<Signal>>,
    outbox: Outbox,
    /// Conversations on view, as a page, beside it or on it, by the number of the view.
    followed: Vec<(u64, Conversation)>,
    /// Number of views so far.
    views: u64,
    /// Conversations whose subscriptions are being answered: live frames before the end of that are
    /// ignored.
    catching_up: Vec<ConversationId>,
    /// The board that the page shows.
    board: Option<Watched>,
    /// The feed, if the page shows it.
    feed: Option<FollowedTopic>,
    /// The conversations of the live blocks on this socket.
    blocks: Vec<(LiveBlockId, ConversationId)>,
}

impl Channel {
    /// Returns the packs that a person chose for the next conversation; none if there is nothing to choose.
    pub(crate) fn chosen_packs(self) -> Option<Vec<String>> {
        let packs = self.packs.get_untracked();
        let chosen = |pack: &Pack| pack.usual.then(|| pack.toolset.clone());
        (!packs.is_empty()).then(|| packs.iter().filter_map(chosen).collect())
    }

    pub(crate) fn new(list: ConversationList, opened: Opened, toasts: Toasts) -> Self {
        Self {
            connection: RwSignal::new(Connection::Connecting),
            pending: RwSignal::new(Vec::new()),
            newer: RwSignal::new(false),
            kill_switch: RwSignal::new(KillSwitch::default()),
            unsaved: RwSignal::new(None),
            noticed: RwSignal::new(NoticeCount::default()),
            raised: RwSignal::new(None),
            role: RwSignal::new(Role::Unknown),
            branched: RwSignal::new(None),
            usual: RwSignal::new(None),
            packs: RwSignal::new(Vec::new()),
            refused: RwSignal::new(None),
            staged: RwSignal::new(Vec::new()),
            has_stage: RwSignal::new(false),
            stage: StoredValue::new(Stage::default()),
            state: StoredValue::new(ChannelState::default()),
            clock: PageClock::default(),
            list,
            opened,
            toasts,
            names: StoredValue::new(Names::default()),
            named: RwSignal::new(()),
        }
    }

    /// Provides the channel, and what pieces of a page need of it, as contexts.
    pub(crate) fn provide(self) {
        provide_context(self);
        provide_context(self.clock);
        provide_context(self.toasts);
        provide_context(WordPaths::new(move |word| self.names().path(word)));
    }

    /// Returns the names by which texts mention things that have a page.
    pub(crate) fn names(self) -> Names {
        self.names.try_get_value().unwrap_or_default()
    }

    /// Connects, and stays connected until the page is closed. Call it once, in the browser.
    pub(crate) fn open(self) {
        let (signals, inbox) = mpsc::unbounded();
        self.state.update_value(|state| {
            state.signals = Some(signals);
            state.outbox = Outbox::restore(browser::recall(OUTBOX).as_deref());
        });
        self.show_pending();
        self.start_stage();
        for event in ["online", "offline", "pageshow", "focus"] {
            window_event_listener_untyped(event, move |_| self.signal(Signal::Wake));
        }
        // The event bubbles from the document to the window.
        window_event_listener_untyped("visibilitychange", move |_| {
            if browser::visible() {
                self.signal(Signal::Wake);
            }
        });
        set_interval(move || self.signal(Signal::Check), socket::CHECK_EVERY);
        leptos::task::spawn_local(socket::run(self, inbox));
    }

    /// Connects at once instead of waiting.
    pub(crate) fn reconnect(self) {
        self.signal(Signal::Wake);
    }

    /// Sends a command, now or once the connection is back.
    pub(crate) fn command(self, command: Command) -> CommandId {
        let id = browser::new_command_id();
        let frame = ClientFrame::Command {
            id,
            command: command.clone(),
        };
        self.change_outbox(|outbox| outbox.add(id, command));
        if self.connection.get_untracked() == Connection::Live {
            self.send(&frame);
        }
        id
    }

    /// Returns the reason why this person can neither decide nor act, if there is one.
    pub(crate) fn bars(self) -> Option<&'static str> {
        // A page without its data does not know the role: then only the server decides.
        (self.role.get() == Role::Viewer).then_some(texts::YOUR_ROLE_IS_READ_ONLY)
    }

    /// Returns the reason why this person cannot lift the kill switch, if there is one.
    pub(crate) fn bars_lifting(self) -> Option<&'static str> {
        matches!(self.role.get(), Role::Viewer | Role::Operator)
            .then_some(texts::ONLY_AN_ADMIN_CAN_LIFT_IT)
    }

    /// Dismisses a refused command.
    pub(crate) fn dismiss(self, id: CommandId) {
        self.change_outbox(|outbox| outbox.remove(id));
    }

    /// Returns whether a command about a call waits for the server's answer.
    pub(crate) fn is_asking(self, call: CallId) -> bool {
        let pending = self.pending.read();
        pending
            .iter()
            .any(|pending| pending.command.call() == Some(call))
    }

    /// Subscribes a view to a conversation. Returns the number of the view for [`Self::leave`].
    pub(crate) fn follow(self, conversation: &Conversation) -> u64 {
        let id = conversation.id();
        let shown = self.state.try_update_value(|state| {
            state.views += 1;
            let known = state.followed.iter().any(|(_, it)| it.id() == id);
            state.followed.push((state.views, conversation.clone()));
            (state.views, known)
        });
        let Some((view, known)) = shown else {
            return 0;
        };
        if !known {
            self.subscribe(conversation);
        }
        view
    }

    /// Ends a view of a conversation. Its events continue if another view shows the same one, as
    /// when the conversation beside a page becomes the page.
    pub(crate) fn leave(self, view: u64) {
        let left = self.state.try_update_value(|state| {
            let at = state.followed.iter().position(|(it, _)| *it == view)?;
            let (_, conversation) = state.followed.remove(at);
            let id = conversation.id();
            if state.followed.iter().any(|(_, it)| it.id() == id) {
                return None;
            }
            state.catching_up.retain(|other| *other != id);
            Some(conversation)
        });
        let Some(conversation) = left.flatten() else {
            return;
        };
        conversation.forget_live();
        if self.connection.get_untracked() == Connection::Live {
            self.send(&ClientFrame::Unsubscribe {
                topic: topic(&conversation),
            });
        }
    }

    /// Subscribes to a board: its updates go to `show`.
    pub(crate) fn watch(
        self,
        board: &'static str,
        show: impl Fn(BoardNews) + Send + Sync + 'static,
    ) {
        let show = Arc::new(show);
        self.state
            .try_update_value(|state| state.board = Some(Watched { board, show }));
        self.subscribe_board();
    }

    /// Ends the subscription to the board.
    pub(crate) fn unwatch(self) {
        let left = self.state.try_update_value(|state| state.board.take());
        if let Some(Watched { board, .. }) = left.flatten()
            && self.connection.get_untracked() == Connection::Live
        {
            let board = board.to_owned();
            self.send(&ClientFrame::Unsubscribe {
                topic: Topic::Board { board },
            });
        }
    }

    fn watched(self) -> Option<Watched> {
        self.state
            .try_with_value(|state| state.board.clone())
            .flatten()
    }

    fn subscribe_board(self) {
        if let Some(Watched { board, .. }) = self.watched()
            && self.connection.get_untracked() == Connection::Live
        {
            let board = board.to_owned();
            self.send(&ClientFrame::Subscribe {
                topic: Topic::Board { board },
            });
        }
    }

    /// Subscribes to the feed: updates after `rev` go to `show`.
    pub(crate) fn follow_feed(self, rev: u64, show: impl Fn(FeedNews) + Send + Sync + 'static) {
        let show = Arc::new(show);
        self.state
            .try_update_value(|state| state.feed = Some(FollowedTopic { rev, show }));
        self.subscribe_feed();
    }

    /// Ends the subscription to the feed.
    pub(crate) fn leave_feed(self) {
        let left = self.state.try_update_value(|state| state.feed.take());
        if let Some(FollowedTopic { rev: after, .. }) = left.flatten()
            && self.connection.get_untracked() == Connection::Live
        {
            let topic = Topic::Feed { after };
            self.send(&ClientFrame::Unsubscribe { topic });
        }
    }

    fn subscribe_feed(self) {
        let followed = self
            .state
            .try_with_value(|state| state.feed.as_ref().map(|feed| feed.rev));
        if let Some(after) = followed.flatten()
            && self.connection.get_untracked() == Connection::Live
        {
            let topic = Topic::Feed { after };
            self.send(&ClientFrame::Subscribe { topic });
        }
    }

    /// Handles an update of the feed.
    fn fed(self, rev: u64, news: FeedNews) {
        let show = self.state.try_update_value(|state| {
            let feed = state.feed.as_mut()?;
            feed.rev = rev;
            Some(Arc::clone(&feed.show))
        });
        if let Some(show) = show.flatten() {
            show(news);
        }
    }

    /// Returns whether a conversation waits to be started by a command of this tab.
    pub(crate) fn is_starting(self, id: ConversationId) -> bool {
        self.state
            .try_with_value(|state| state.outbox.is_starting(id))
            .unwrap_or(false)
    }

    /// Requests the events of a conversation after the newest that it has.
    fn subscribe(self, conversation: &Conversation) {
        let id = conversation.id();
        if self.connection.get_untracked() != Connection::Live || self.is_starting(id) {
            return;
        }
        self.state.update_value(|state| {
            state.catching_up.retain(|other| *other != id);
            state.catching_up.push(id);
        });
        self.send(&ClientFrame::Subscribe {
            topic: topic(conversation),
        });
    }

    /// Returns the conversations on view, each once.
    fn followed(self) -> Vec<Conversation> {
        let mut shown: Vec<Conversation> = Vec::new();
        self.state.try_with_value(|state| {
            for (_, conversation) in state.followed.iter().rev() {
                if !shown.iter().any(|it| it.id() == conversation.id()) {
                    shown.push(conversation.clone());
                }
            }
        });
        shown
    }

    /// Returns the conversation with this id, if it is on view.
    fn shown(self, id: ConversationId) -> Option<Conversation> {
        let find = |state: &ChannelState| {
            let mut newest = state.followed.iter().rev();
            let found = newest.find(|(_, it)| it.id() == id);
            found.map(|(_, conversation)| conversation.clone())
        };
        self.state.try_with_value(find).flatten()
    }

    fn send(self, frame: &ClientFrame) {
        match serde_json::to_string(frame) {
            Ok(text) => self.signal(Signal::Send(text)),
            Err(error) => leptos::logging::error!("{error}"),
        }
    }

    fn signal(self, signal: Signal) {
        self.state.try_with_value(|state| {
            // An outdated page has closed its connection and will not make another.
            if let Some(signals) = &state.signals
                && signals.unbounded_send(signal).is_err()
                && self.connection.try_get_untracked() != Some(Connection::Outdated)
            {
                leptos::logging::warn!("the connection's task has ended");
            }
        });
    }

    /// Changes the outbox, stores it for a reload, and shows it.
    fn change_outbox<T>(self, change: impl FnOnce(&mut Outbox) -> T) -> Option<T> {
        let (result, kept) = self.state.try_update_value(|state| {
            let result = change(&mut state.outbox);
            (result, state.outbox.kept())
        })?;
        browser::remember(OUTBOX, &kept);
        self.show_pending();
        Some(result)
    }

    fn show_pending(self) {
        if let Some(pending) = self
            .state
            .try_with_value(|state| state.outbox.pending().to_vec())
        {
            self.pending.try_set(pending);
        }
    }
}

fn topic(conversation: &Conversation) -> Topic {
    Topic::Conversation {
        conversation: conversation.id(),
        after: conversation.head(),
    }
}
