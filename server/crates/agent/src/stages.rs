//! Tools that need an open page: which tab carries a call out, and what it says of it.
//!
//! Nothing of this is kept. That a call runs and how it ended stands in the journal; a server that
//! starts again asks the tabs again.
//!
//! A call belongs to the tab from which the person last spoke there. When that tab is away for a
//! while, another visible tab gets it, preferably one beside the same conversation. Only the tab
//! that has a call may answer; later answers change nothing, and repeating the same answer is
//! accepted. So tools of this kind are `Pure` or `Idempotent`.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, Weak},
    time::Duration,
};

use protocol::{
    CallId, ConversationId, ErrorBody, MAX_WORD_BYTES, Performed, ServerFrame, TabId, Timestamp,
    UserId,
};
use serde_json::Value;
use tokio::{
    sync::{Notify, oneshot},
    time::{Instant, sleep_until},
};

use crate::{
    error,
    hub::{Frame, Post, Subscription},
    sync::lock,
};

/// How long a page has to show something.
const SHOW: Duration = Duration::from_secs(5);
/// How long a tab has to carry a call out.
const RUN: Duration = Duration::from_secs(20);
/// How long a call waits for a tab when there is none.
const ABSENT: Duration = Duration::from_secs(30);
/// How long the tab that the message came from may be away, such as while it is loaded again, before
/// another one takes its place.
const GRACE: Duration = Duration::from_secs(10);
/// Tabs that are remembered as those from which conversations were last spoken in, and calls whose
/// ends are.
const REMEMBERED: usize = 1024;

/// What a call needs of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// To be shown, if there is a page.
    Shown,
    /// To be carried out.
    Run,
}

/// A call that needs a page.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) user: UserId,
    pub(crate) conversation: ConversationId,
    pub(crate) call: CallId,
    pub(crate) toolset: &'static str,
    pub(crate) tool: String,
    pub(crate) data: Value,
    pub(crate) need: Need,
}

/// Why no page has answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unheard {
    /// No page with the stage was open.
    NoPage,
    /// A page had it and did not say what came of it.
    Silent,
}

/// A page that shows the stage of a toolset.
struct Stage {
    /// Tells subscriptions of one tab apart.
    number: u64,
    user: UserId,
    toolset: String,
    tab: TabId,
    conversation: Option<ConversationId>,
    visible: bool,
    post: Post,
}

/// A call that waits for a page.
struct Open {
    asked: Asked,
    /// Which tab has it now.
    at: Option<TabId>,
    /// Since when it has been there, or nowhere.
    since: Instant,
    /// Before this only the tab that it belongs to may have it.
    grace: Instant,
    answer: Option<oneshot::Sender<Performed>>,
    /// Tells whoever follows the conversation where the call is.
    tell: Arc<dyn Fn(Option<TabId>) + Send + Sync>,
    now: Arc<dyn Fn() -> Timestamp + Send + Sync>,
}

#[derive(Default)]
struct Inner {
    stages: Vec<Stage>,
    number: u64,
    open: HashMap<CallId, Open>,
    /// The tabs from which people last spoke.
    owners: Owners,
    /// Calls that were answered, and by which tab.
    answered: VecDeque<(CallId, TabId)>,
}

/// The stages of all open pages, and the calls that wait for one.
#[derive(Default)]
pub(crate) struct Stages {
    inner: Mutex<Inner>,
    /// A tab came, went or took something over.
    changed: Notify,
}

/// A page that is leaving takes its stage along.
struct Leaves {
    stages: Weak<Stages>,
    number: u64,
}

impl Drop for Leaves {
    fn drop(&mut self) {
        if let Some(stages) = self.stages.upgrade() {
            lock(&stages.inner)
                .stages
                .retain(|stage| stage.number != self.number);
            stages.changed.notify_waiters();
        }
    }
}

/// A call that nobody waits for any more is not open.
struct Closes<'a> {
    stages: &'a Stages,
    call: CallId,
}

impl Drop for Closes<'_> {
    fn drop(&mut self) {
        lock(&self.stages.inner).open.remove(&self.call);
    }
}

impl Stages {
    /// A page shows a stage, or shows it otherwise than before. What waits for this tab is asked at
    /// once.
    pub(crate) fn enter(
        self: &Arc<Self>,
        user: UserId,
        toolset: String,
        tab: TabId,
        (conversation, visible): (Option<ConversationId>, bool),
    ) -> Subscription {
        let mut inner = lock(&self.inner);
        inner.number += 1;
        let number = inner.number;
        let leaves = Arc::new(Leaves {
            stages: Arc::downgrade(self),
            number,
        });
        let (post, subscription) = Subscription::posted(leaves);
        inner.stages.push(Stage {
            number,
            user,
            toolset,
            tab,
            conversation,
            visible,
            post,
        });
        // The page may have been loaded again in the middle of a call.
        for open in inner.open.values_mut() {
            if open.at == Some(tab) && open.asked.user == user {
                open.at = None;
            }
        }
        inner.dispatch();
        drop(inner);
        self.changed.notify_waiters();
        subscription
    }

    /// A person speaks in a conversation from a tab: its calls belong there.
    pub(crate) fn spoke(&self, user: UserId, conversation: ConversationId, tab: TabId) {
        let mut inner = lock(&self.inner);
        let of = (user, conversation);
        inner.owners.retain(|(known, _)| *known != of);
        inner.owners.push_back((of, tab));
        if inner.owners.len() > REMEMBERED {
            inner.owners.pop_front();
        }
    }

    /// Lets a page show or carry out a call. `now` is the clock of the server, for the page; `tell`
    /// hears which tab has it.
    pub(crate) async fn perform(
        &self,
        asked: Asked,
        now: Arc<dyn Fn() -> Timestamp + Send + Sync>,
        tell: Arc<dyn Fn(Option<TabId>) + Send + Sync>,
    ) -> Result<Performed, Unheard> {
        let (call, need) = (asked.call, asked.need);
        let begun = Instant::now();
        let (answer, mut answered) = oneshot::channel();
        {
            let mut inner = lock(&self.inner);
            let grace = match inner.owner(&asked) {
                Some(_) => begun + GRACE,
                None => begun,
            };
            if need == Need::Shown && !inner.stages.iter().any(|stage| stage.is_for(&asked)) {
                return Err(Unheard::NoPage);
            }
            let open = Open {
                asked,
                at: None,
                since: begun,
                grace,
                answer: Some(answer),
                tell,
                now,
            };
            inner.open.insert(call, open);
            inner.dispatch();
        }
        let _closes = Closes { stages: self, call };
        loop {
            let changed = self.changed.notified();
            let (until, silent) = {
                let mut inner = lock(&self.inner);
                inner.dispatch();
                let Some(open) = inner.open.get(&call) else {
                    return Err(Unheard::Silent);
                };
                match (need, open.at) {
                    (Need::Shown, at) => (begun + SHOW, at.is_some()),
                    (Need::Run, Some(_)) => (open.since + RUN, true),
                    (Need::Run, None) => match open.grace.checked_duration_since(Instant::now()) {
                        // Another look when others may have it.
                        Some(left) if !left.is_zero() => (open.grace, false),
                        _ => (open.since + ABSENT, false),
                    },
                }
            };
            tokio::select! {
                biased;
                result = &mut answered => return result.map_err(|_| Unheard::Silent),
                () = changed => {}
                () = sleep_until(until) => {
                    let over = match need {
                        Need::Shown => true,
                        Need::Run => silent || Instant::now() >= lock(&self.inner).lost(call),
                    };
                    if over {
                        return Err(match silent {
                            true => Unheard::Silent,
                            false => Unheard::NoPage,
                        });
                    }
                }
            }
        }
    }

    /// A tab says what came of a call. The same word again changes nothing.
    pub(crate) fn performed(
        &self,
        user: UserId,
        (conversation, call): (ConversationId, CallId),
        tab: TabId,
        result: Performed,
    ) -> Result<(), ErrorBody> {
        let words = match &result {
            Performed::Done { note } => note.as_deref().unwrap_or_default(),
            Performed::Failed { message } => message,
            Performed::Unknown => return Err(error::unknown_command()),
        };
        if words.len() > MAX_WORD_BYTES {
            return Err(error::message_too_long(words.len()));
        }
        let mut inner = lock(&self.inner);
        let Some(open) = inner.open.get_mut(&call) else {
            return match inner.answered.contains(&(call, tab)) {
                true => Ok(()),
                false => Err(error::call_ended()),
            };
        };
        if open.asked.user != user || open.asked.conversation != conversation {
            return Err(error::call_ended());
        }
        if open.at != Some(tab) {
            return Err(error::call_elsewhere());
        }
        let Some(answer) = open.answer.take() else {
            return Ok(());
        };
        if answer.send(result).is_err() {
            return Err(error::call_ended());
        }
        inner.answered.push_back((call, tab));
        if inner.answered.len() > REMEMBERED {
            inner.answered.pop_front();
        }
        Ok(())
    }

    /// A tab carries a call out in place of another one.
    pub(crate) fn take_over(
        &self,
        user: UserId,
        (conversation, call): (ConversationId, CallId),
        tab: TabId,
    ) -> Result<(), ErrorBody> {
        let mut inner = lock(&self.inner);
        let Inner { stages, open, .. } = &mut *inner;
        let Some(open) = open.get_mut(&call) else {
            return Err(error::call_ended());
        };
        if open.asked.user != user || open.asked.conversation != conversation {
            return Err(error::call_ended());
        }
        if open.at == Some(tab) {
            return Ok(());
        }
        let Some(stage) = stages
            .iter()
            .rev()
            .find(|stage| stage.tab == tab && stage.is_for(&open.asked))
        else {
            return Err(error::no_stage());
        };
        open.give(stage);
        drop(inner);
        self.spoke(user, conversation, tab);
        self.changed.notify_waiters();
        Ok(())
    }
}

impl Stage {
    fn is_for(&self, asked: &Asked) -> bool {
        self.user == asked.user && self.toolset == asked.toolset
    }
}

impl Open {
    /// Asks a tab.
    fn give(&mut self, stage: &Stage) {
        let patience = match self.asked.need {
            Need::Shown => SHOW,
            Need::Run => RUN,
        };
        let patience = i64::try_from(patience.as_millis()).unwrap_or_default();
        stage.post.send(Frame::new(&ServerFrame::Perform {
            conversation: self.asked.conversation,
            call: self.asked.call,
            tab: stage.tab,
            tool: self.asked.tool.clone(),
            data: self.asked.data.clone(),
            until: Timestamp((self.now)().0 + patience),
        }));
        self.at = Some(stage.tab);
        self.since = Instant::now();
        (self.tell)(self.at);
    }
}

impl Inner {
    /// The tab that a call belongs to, if somebody spoke in the conversation since the start.
    fn owner(&self, asked: &Asked) -> Option<TabId> {
        owner(&self.owners, asked)
    }

    /// When a call that no tab has is given up.
    fn lost(&self, call: CallId) -> Instant {
        match self.open.get(&call) {
            Some(open) => open.since + ABSENT,
            None => Instant::now(),
        }
    }

    /// Gives every call that no open tab has to one that is there.
    fn dispatch(&mut self) {
        let now = Instant::now();
        let Self {
            stages,
            open,
            owners,
            ..
        } = self;
        for open in open.values_mut() {
            if let Some(at) = open.at {
                if stages
                    .iter()
                    .any(|stage| stage.tab == at && stage.is_for(&open.asked))
                {
                    continue;
                }
                open.at = None;
                open.since = now;
                open.grace = now + GRACE;
                (open.tell)(None);
            }
            let owner = owner(owners, &open.asked);
            if let Some(stage) = choose(stages, &open.asked, owner, now >= open.grace) {
                open.give(stage);
            }
        }
    }
}

type Owners = VecDeque<((UserId, ConversationId), TabId)>;

fn owner(owners: &Owners, asked: &Asked) -> Option<TabId> {
    let of = (asked.user, asked.conversation);
    let mut owners = owners.iter();
    owners.find(|(known, _)| *known == of).map(|(_, tab)| *tab)
}

/// The tab that a call belongs to; if that is away and others may have it, one that can be seen, best
/// beside the same conversation.
fn choose<'a>(
    stages: &'a [Stage],
    asked: &Asked,
    owner: Option<TabId>,
    others: bool,
) -> Option<&'a Stage> {
    let newest_first = || stages.iter().rev().filter(|stage| stage.is_for(asked));
    let own = newest_first().find(|stage| Some(stage.tab) == owner);
    if own.is_some() || !others {
        return own;
    }
    let beside = |stage: &&Stage| stage.conversation == Some(asked.conversation);
    let seen = || newest_first().filter(|stage| stage.visible);
    seen().find(beside).or_else(|| seen().next())
}
