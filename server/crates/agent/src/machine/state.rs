//! The state of a conversation.

use std::{
    collections::{BTreeSet, HashMap, HashSet, VecDeque},
    sync::Arc,
};

use protocol::{
    CallId, Confirmation, Cost, MessageId, ModelChoice, OriginSource, Reference, Seq, Spent,
    StopReason, Tier, Timestamp, TurnId, TurnOutcome, Usage, UserId, Verdict,
};
use serde_json::{Value, value::RawValue};

use super::{block::Block, frozen::Frozen, grants::Grants, images::Images};
use crate::{
    ports::{Approval, ObservedCall},
    taint::ConversationTexts,
    texts,
};

/// A journal that this machine did not write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Corrupt {
    #[error("the journal does not begin with the start of a conversation")]
    NoStart,
    #[error("an event is missing")]
    Gap,
    #[error("a record's raw part cannot be read")]
    Raw,
    #[error("an event does not fit the ones before it")]
    Order,
}

/// A conversation: the fold of its journal.
#[derive(Debug, Clone)]
pub(crate) struct Conversation {
    pub(super) frozen: Frozen,
    pub(super) head: Seq,
    /// The turns that the model still sees, oldest first; the newest is the one that runs or that
    /// ran last.
    pub(super) turns: VecDeque<Turn>,
    pub(super) queue: VecDeque<Queued>,
    /// The queue waits for a person, because the last turn failed and the next would as well.
    pub(super) held: bool,
    /// The model and effort from the next turn on.
    pub(super) choice: ModelChoice,
    /// Usage and cost of all answers; of a branch, of its own alone.
    pub(super) spent: Spent,
    /// Set once the person was told that most of the budget is used.
    pub(super) told: bool,
    /// Tokens that the last answer read and wrote.
    pub(super) tokens: u64,
    /// Set once the title is no longer the first words, or if it never was.
    pub(super) titled: bool,
    /// Turns that ended with an answer.
    pub(super) answered: u32,
    /// All texts of all turns, by their source.
    pub(super) heard: ConversationTexts,
    pub(super) grants: Grants,
    /// Keys of denied calls with the event of the denial, until the person sends something; see
    /// [`crate::taint::denied_key`].
    pub(super) denied: HashMap<String, Seq>,
    /// Number and size of its images.
    pub(super) images: Images,
    /// The verdict on each decided card, and the name of the person who gave it.
    pub(super) decided: HashMap<CallId, (Verdict, Option<String>)>,
    /// Calls whose card asks for a second person.
    pub(super) second_calls: HashSet<CallId>,
    /// The other users whose sign-in links began sessions in which the person asked.
    pub(super) link_makers: BTreeSet<UserId>,
    /// Calls whose outcome is unknown.
    pub(super) unknown: HashMap<CallId, UnknownCall>,
    /// News for the model, told with the next message.
    pub(super) news: Vec<String>,
    /// News that the model was told in the newest turn.
    pub(super) old_news: Vec<String>,
}

/// A call whose outcome is unknown.
#[derive(Debug, Clone)]
pub(crate) struct UnknownCall {
    pub(crate) place: CallPlace,
    pub(crate) own: bool,
    pub(crate) name: String,
    pub(crate) input: Value,
    pub(crate) approval: Option<Approval>,
    pub(crate) since: Timestamp,
}

/// The content of a person's message.
#[derive(Debug, Clone)]
pub(crate) struct Said {
    pub(crate) text: String,
    /// The things that it points at, and the files that came with it.
    pub(crate) references: Vec<Reference>,
    /// The blocks of those files.
    pub(crate) files: Vec<Arc<RawValue>>,
}

impl Said {
    /// Its text, or a stand-in for an empty one: a content block cannot be without text.
    pub(crate) fn words(&self) -> &str {
        if self.text.trim().is_empty() {
            texts::calls::FILES_WITHOUT_WORDS
        } else {
            &self.text
        }
    }
}

/// A message that waits for its turn.
#[derive(Debug, Clone)]
pub(crate) struct Queued {
    pub(crate) message: MessageId,
    pub(crate) said: Said,
    /// The event with which it was sent.
    pub(crate) seq: Seq,
    /// The running turn reads it at its next step, if there is one.
    pub(crate) steers: bool,
}

/// One turn.
#[derive(Debug, Clone)]
pub(super) struct Turn {
    pub(super) id: TurnId,
    /// The model and effort that answer in it.
    pub(super) choice: ModelChoice,
    /// The blocks of the message that began it.
    pub(super) opening: Vec<Block>,
    /// The things and files that came with that message.
    pub(super) references: Vec<Reference>,
    pub(super) steps: Vec<Step>,
    /// Messages sent meanwhile that no step has read.
    pub(super) unsaid: Vec<Block>,
    /// Context that was sent with an interrupted first step, and the time: it is sent again
    /// unchanged.
    pub(super) context: Option<(Block, Timestamp)>,
    /// The first step of this run: zero, or where the turn was resumed.
    pub(super) run_from: usize,
    /// Interruptions since the last answer.
    pub(super) interruptions: u32,
    /// A person has stopped the turn; it ends when the actions under way have ended.
    pub(super) stopping: bool,
    pub(super) usage: Usage,
    /// None if the cost of any answer is unknown.
    pub(super) cost: Option<Cost>,
    /// None while it runs.
    pub(super) outcome: Option<TurnOutcome>,
    /// The number of its first steps whose thinking may no longer be sent: the history before it
    /// has changed, or another model answers.
    pub(super) stripped: usize,
    /// A person's own call: no model has a part in it.
    pub(super) own: bool,
}

/// One call of the model and the tool calls that it asked for.
#[derive(Debug, Clone)]
pub(super) struct Step {
    pub(super) message: MessageId,
    pub(super) began: Timestamp,
    /// Messages that it reads, sent while the turn ran.
    pub(super) said: Vec<Block>,
    /// Blocks sent in the user's name before the answer, such as context.
    pub(super) preface: Vec<Block>,
    /// None until the model has answered.
    pub(super) answer: Option<Answer>,
}

/// An answer of the model.
#[derive(Debug, Clone)]
pub(super) struct Answer {
    pub(super) content: Vec<Block>,
    pub(super) stop: StopReason,
    pub(super) calls: Vec<Call>,
}

/// The place of a call in its conversation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CallPlace {
    pub(crate) turn: TurnId,
    pub(crate) message: MessageId,
}

/// A tool call.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) id: CallId,
    pub(crate) place: CallPlace,
    /// The model's own id of it.
    pub(super) use_id: String,
    pub(crate) name: String,
    /// As the model wrote it.
    pub(crate) input: Value,
    /// A person made it, not the model.
    pub(crate) own: bool,
    /// It is such a call, relayed by a program for a model elsewhere.
    pub(crate) relayed: bool,
    /// The model's text just before it.
    pub(crate) reason: Option<Arc<str>>,
    /// The newest card for it.
    pub(crate) asked: Option<Arc<Confirmation>>,
    /// The approval that it runs with.
    pub(crate) approval: Option<Approval>,
    pub(super) state: CallState,
}

/// The state of a tool call.
#[derive(Debug, Clone)]
pub(super) enum CallState {
    /// The gate has not decided.
    Proposed,
    /// The gate lets it run once the actions before it have ended.
    Queued,
    /// A person is asked.
    Waiting,
    /// A person has approved what was asked.
    Approved,
    /// Its start is in the journal.
    Running { since: Timestamp, tier: Tier },
    /// Blocked or ended, with the `tool_result` block.
    Closed {
        result: Arc<RawValue>,
        /// It acted, and failed or left its outcome unknown: nothing after it may act.
        broke: bool,
    },
}

impl Conversation {
    pub(crate) fn frozen(&self) -> &Frozen {
        &self.frozen
    }

    /// See [`Frozen::share`].
    pub(crate) fn share(&mut self, fresh: &Frozen) {
        self.frozen.share(fresh);
    }

    pub(crate) fn head(&self) -> Seq {
        self.head
    }

    /// The other users who may be the one who asked: see [`EventBody::AskedByLink`].
    pub(crate) fn link_makers(&self) -> &BTreeSet<UserId> {
        &self.link_makers
    }

    /// True for a person's own call, which is no conversation.
    pub(crate) fn is_action(&self) -> bool {
        self.turns.back().is_some_and(|turn| turn.own)
    }

    /// The call that a program relays, if this is its journal.
    pub(crate) fn relayed_call(&self) -> Option<&Call> {
        self.last_calls().find(|call| call.relayed)
    }

    /// The turn that runs.
    pub(super) fn running(&self) -> Option<&Turn> {
        self.turns.back().filter(|turn| turn.outcome.is_none())
    }

    /// The turn that runs.
    pub(crate) fn running_turn(&self) -> Option<TurnId> {
        self.running().map(|turn| turn.id)
    }

    /// True if a person has stopped the running turn, which ends after the calls that act.
    pub(crate) fn is_stopping(&self) -> bool {
        self.running().is_some_and(|turn| turn.stopping)
    }

    /// The things and files that came with the message of the running turn.
    pub(crate) fn references(&self) -> &[Reference] {
        self.running().map_or(&[], |turn| &turn.references)
    }

    /// A call that was started and has not ended, with its start.
    pub(crate) fn running_call(&self, id: CallId) -> Option<(&Call, Timestamp)> {
        self.last_calls().find_map(|call| match call.state {
            CallState::Running { since, .. } if call.id == id => Some((call, since)),
            _ => None,
        })
    }

    /// The tool of a call of the newest answer, and its tier as far as that is known.
    pub(crate) fn observed_call(&self, id: CallId) -> Option<ObservedCall<'_>> {
        let call = self.last_calls().find(|call| call.id == id)?;
        let asked = call.asked.as_ref().map(|asked| asked.tier);
        Some(ObservedCall {
            tool: &call.name,
            tier: match call.state {
                CallState::Running { tier, .. } => Some(tier),
                _ => asked,
            },
        })
    }

    pub(super) fn last_calls(&self) -> impl Iterator<Item = &Call> {
        self.turns
            .back()
            .and_then(|turn| turn.steps.last())
            .and_then(|step| step.answer.as_ref())
            .into_iter()
            .flat_map(|answer| &answer.calls)
    }

    /// The number of calls before this one in the newest answer.
    pub(crate) fn place_in_answer(&self, id: CallId) -> usize {
        self.last_calls().take_while(|call| call.id != id).count()
    }

    /// A call that waits for a person.
    pub(crate) fn waiting_call(&self, id: CallId) -> Option<&Call> {
        self.last_calls()
            .find(|call| call.id == id && matches!(call.state, CallState::Waiting))
    }

    /// A call of the newest answer that has not ended.
    pub(crate) fn open_call(&self, id: CallId) -> Option<&Call> {
        self.last_calls()
            .find(|call| call.id == id && call.is_open())
    }

    /// A call whose outcome is unknown.
    pub(crate) fn unknown_call(&self, id: CallId) -> Option<&UnknownCall> {
        self.unknown.get(&id)
    }

    /// True if a second person may decide on a call, or could have.
    pub(crate) fn is_second(&self, id: CallId) -> bool {
        self.second_calls.contains(&id)
    }

    pub(crate) fn heard(&self) -> &ConversationTexts {
        &self.heard
    }

    /// True if a call with this key was denied since the person's last message.
    pub(crate) fn is_denied(&self, key: &str) -> bool {
        self.denied.contains_key(key)
    }

    pub(crate) fn grants(&self) -> &Grants {
        &self.grants
    }
}

impl Turn {
    /// The steps of this run.
    pub(super) fn run(&self) -> &[Step] {
        self.steps.get(self.run_from..).unwrap_or_default()
    }

    /// The user messages and final answers in it.
    pub(super) fn weight(&self) -> u32 {
        match self.outcome {
            Some(TurnOutcome::Answered | TurnOutcome::Truncated | TurnOutcome::Limited { .. }) => 2,
            _ => 1,
        }
    }
}

impl Step {
    pub(super) fn calls(&self) -> &[Call] {
        self.answer.as_ref().map_or(&[], |answer| &answer.calls)
    }
}

impl Call {
    pub(super) fn is_open(&self) -> bool {
        !matches!(self.state, CallState::Closed { .. })
    }

    /// The input with which it runs: the model's, or the one that a person changed it to.
    pub(crate) fn effective_input(&self) -> &Value {
        self.asked
            .as_ref()
            .map_or(&self.input, |asked| &asked.input)
    }

    /// Closes the call as refused or denied. Returns what the model reads of that, which is data:
    /// it may list valid values or quote a person's comment.
    pub(super) fn close_without_effect(
        &mut self,
        raw: Option<&RawValue>,
    ) -> Result<(OriginSource, Arc<RawValue>), Corrupt> {
        let result: Arc<RawValue> = raw.ok_or(Corrupt::Raw)?.to_owned().into();
        self.state = CallState::Closed {
            result: Arc::clone(&result),
            broke: false,
        };
        let name = self.name.clone();
        Ok((OriginSource::Refusal { name }, result))
    }

    /// True if a person has changed the input.
    pub(crate) fn is_edited(&self) -> bool {
        self.asked
            .as_ref()
            .is_some_and(|asked| asked.original.is_some())
    }

    /// True if a person has approved it.
    pub(crate) fn is_approved(&self) -> bool {
        matches!(self.state, CallState::Approved)
    }
}
