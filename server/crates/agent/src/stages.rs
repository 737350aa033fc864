//! Calls that need an open page: the tab that carries each of them out, and its answer.
//!
//! Nothing of this is kept. The journal has the start and the end of a call; a server that starts
//! again asks the tabs again.
//!
//! A call belongs to the tab from which the person last spoke in its conversation. When that tab is
//! away for a while, another visible tab gets it, preferably one beside the same conversation. Only
//! the tab that has a call may answer; later answers change nothing, and repeating the same answer
//! is accepted. So tools of this kind are `Pure` or `Idempotent`.

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
    hub::{Post, SharedFrame, Subscription},
    sync::lock,
};

/// Time that a page has to show something.
const SHOW: Duration = Duration::from_secs(5);
/// Time that a tab has to carry a call out.
const RUN: Duration = Duration::from_secs(20);
/// Time that a call waits for a tab when there is none.
const ABSENT: Duration = Duration::from_secs(30);
/// Time for which the tab that the message came from may be away, for instance while it reloads,
/// before another one takes its place.
const GRACE: Duration = Duration::from_secs(10);
/// The most conversations whose last tab is remembered, and the most answered calls.
const REMEMBERED: usize = 1024;

/// The need of a call for a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// To be shown, if there is a page.
    Shown,
    /// To be carried out.
    Run,
}

/// A call that needs a page.
#[derive(Debug, Clone)]
pub(crate) struct AskedPage {
    pub(crate) user: UserId,
    pub(crate) conversation: ConversationId,
    pub(crate) call: CallId,
    pub(crate) toolset: &'static str,
    pub(crate) tool: String,
    pub(crate) data: Value,
    pub(crate) need: Need,
}

/// The reason why no page has answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unheard {
    /// No page with the stage was open.
    NoPage,
    /// A page had it and did not answer.
    Silent,
}

/// A page that shows the stage of a toolset.
struct PageStage {
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
struct OpenPage {
    asked: AskedPage,
    /// The tab that has it now.
    at: Option<TabId>,
    /// Time since which that tab has it, or no tab does.
    since: Instant,
    /// Time before which only the tab that it belongs to may have it.
    grace: Instant,
    answer: Option<oneshot::Sender<Performed>>,
    /// Tells whoever follows the conversation where the call is.
    tell: Arc<dyn Fn(Option<TabId>) + Send + Sync>,
    now: Arc<dyn Fn() -> Timestamp + Send + Sync>,
}

#[derive(Default)]
struct StagesState {
    stages: Vec<PageStage>,
    number: u64,
    open: HashMap<CallId, OpenPage>,
    /// The tabs from which people last spoke.
    owners: Owners,
    /// Calls that were answered, with the tab that did.
    answered: VecDeque<(CallId, TabId)>,
}

/// The stages of all open pages, and the calls that wait for one.
#[derive(Default)]
pub(crate) struct Stages {
    inner: Mutex<StagesState>,
    /// A tab came, went or took something over.
    changed: Notify,
}

/// Removes the stage of a page that goes away.
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

/// Closes a call that nobody waits for any longer.
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
    /// Takes in a page that shows a stage, or whose view of it has changed. Calls that wait for
    /// this tab are sent at once.
    pub(crate) fn enter(
        self: &Arc<Self>,
        user: UserId,
        toolset: String,
        tab: TabId,
        conversation: Option<ConversationId>,
        visible: bool,
    ) -> Subscription {
        let mut inner = lock(&self.inner);
        inner.number += 1;
        let number = inner.number;
        let leaves = Arc::new(Leaves {
            stages: Arc::downgrade(self),
            number,
        });
        let (post, subscription) = Subscription::posted(leaves);
        inner.stages.push(PageStage {
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

    /// Notes the tab from which a person speaks in a conversation: its calls belong there.
    pub(crate) fn spoke(&self, user: UserId, conversation: ConversationId, tab: TabId) {
        let mut inner = lock(&self.inner);
        let of = (user, conversation);
        inner.owners.retain(|(known, _)| *known != of);
        inner.owners.push_back((of, tab));
        if inner.owners.len() > REMEMBERED {
            inner.owners.pop_front();
        }
    }

    /// Has a page show or carry out a call. `now` is the server's clock, for the page; `tell` is
    /// called with the tab that has it.
    pub(crate) async fn perform(
        &self,
        asked: AskedPage,
        now: Arc<dyn Fn() -> Timestamp + Send + Sync>,
        tell: Arc<dyn Fn(Option<TabId>) + Send + Sync>,
    ) -> Result<Performed, Unheard> {
        let (call, need) = (asked.call, asked.need);
        let begun = Instant::now();
        let (answer, mut answered) = oneshot::channel();
        // Checked, opened and handed out under one lock, so that no page that comes meanwhile
        // misses it.
        {
            let mut inner = lock(&self.inner);
            let grace = match inner.owner(&asked) {
                Some(_) => begun + GRACE,
                None => begun,
            };
            if need == Need::Shown && !inner.stages.iter().any(|stage| stage.is_for(&asked)) {
                return Err(Unheard::NoPage);
            }
            let open = OpenPage {
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
            // Made before the state is read, so that no change in between goes unnoticed.
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
            // Biased: an answer that is there counts, even if the time is up as well.
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
                        return Err(if silent { Unheard::Silent } else { Unheard::NoPage });
                    }
                }
            }
        }
    }

    /// Takes in the answer of a tab. Repeating the same answer changes nothing.
    pub(crate) fn performed(
        &self,
        user: UserId,
        conversation: ConversationId,
        call: CallId,
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
            return if inner.answered.contains(&(call, tab)) {
                Ok(())
            } else {
                Err(error::call_ended())
            };
        };
        if open.asked.user != user || open.asked.conversation != conversation {
            return Err(error::call_ended());
        }
        // A tab that lost the call may have done half of what another one repeats now.
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

    /// Gives a call to a tab in place of another one.
    pub(crate) fn take_over(
        &self,
        user: UserId,
        conversation: ConversationId,
        call: CallId,
        tab: TabId,
    ) -> Result<(), ErrorBody> {
        let mut inner = lock(&self.inner);
        let StagesState { stages, open, .. } = &mut *inner;
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

impl PageStage {
    fn is_for(&self, asked: &AskedPage) -> bool {
        self.user == asked.user && self.toolset == asked.toolset
    }
}

impl OpenPage {
    /// Sends the call to a tab.
    fn give(&mut self, stage: &PageStage) {
        let patience = match self.asked.need {
            Need::Shown => SHOW,
            Need::Run => RUN,
        };
        let patience = i64::try_from(patience.as_millis()).unwrap_or_default();
        stage.post.send(SharedFrame::new(&ServerFrame::Perform {
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

impl StagesState {
    /// The tab that a call belongs to, if somebody has spoken in the conversation since the server
    /// started.
    fn owner(&self, asked: &AskedPage) -> Option<TabId> {
        owner(&self.owners, asked)
    }

    /// Time at which a call that no tab has is given up.
    fn lost(&self, call: CallId) -> Instant {
        match self.open.get(&call) {
            Some(open) => open.since + ABSENT,
            None => Instant::now(),
        }
    }

    /// Gives each call that no open tab has to a tab that is open.
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

fn owner(owners: &Owners, asked: &AskedPage) -> Option<TabId> {
    let of = (asked.user, asked.conversation);
    let mut owners = owners.iter();
    owners.find(|(known, _)| *known == of).map(|(_, tab)| *tab)
}

/// The tab that a call belongs to. If that is away and others may have it, a visible one,
/// preferably beside the same conversation.
fn choose<'a>(
    stages: &'a [PageStage],
    asked: &AskedPage,
    owner: Option<TabId>,
    others: bool,
) -> Option<&'a PageStage> {
    let newest_first = || stages.iter().rev().filter(|stage| stage.is_for(asked));
    let own = newest_first().find(|stage| Some(stage.tab) == owner);
    if own.is_some() || !others {
        return own;
    }
    let beside = |stage: &&PageStage| stage.conversation == Some(asked.conversation);
    let seen = || newest_first().filter(|stage| stage.visible);
    seen().find(beside).or_else(|| seen().next())
}
