//! Journal events: what happened in a conversation, in the order in which it happened.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    BudgetScope, CallId, Confirmation, ConversationId, Cost, DecidedVia, Effect, Effort, ErrorBody,
    Grant, GrantId, MessageId, Mode, Reference, Resolution, Seq, Timestamp, TurnId, Usage, UserId,
    Verdict,
};

/// One entry of a conversation's journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Dense within the conversation, from 1.
    pub seq: Seq,
    /// When it was written.
    pub at: Timestamp,
    /// What happened.
    #[serde(flatten)]
    pub body: EventBody,
}

/// What happened. Variants are added, never changed; a reader skips what it does not know.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum EventBody {
    /// Always the first. Toolsets and mode stay as they are here.
    ConversationStarted {
        title: String,
        model: String,
        mode: Mode,
        toolsets: Vec<String>,
        /// The conversation that it goes on from.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<ConversationId>,
    },
    /// The conversation has a new title.
    TitleChanged { title: String },
    /// A small model was asked for a title, once.
    TitleWritten {
        /// None if it was not taken: a person gave one meanwhile, or it was of no use.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        model: String,
        usage: Usage,
        /// Unknown if the price of the model is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cost: Option<Cost>,
    },
    /// Somebody chose who answers, from the next turn on.
    ModelChosen {
        model: String,
        /// None leaves the model's own default.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        effort: Option<Effort>,
        /// What the model can read and write in one call, in tokens, as it was known then.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        window: Option<u64>,
    },
    /// A message waits for the running turn to end.
    MessageQueued {
        message: MessageId,
        text: String,
        /// What the message is about, beside its words.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        references: Vec<Reference>,
    },
    /// A message waits for the next step of the running turn; if that ends before, for a turn of its
    /// own.
    MessageSteered {
        message: MessageId,
        text: String,
        /// What the message is about, beside its words.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        references: Vec<Reference>,
    },
    /// The running turn reads a waiting message: it leaves the queue and stands before the next step.
    MessageRead {
        turn: TurnId,
        message: MessageId,
        text: String,
        /// What the message is about, beside its words.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        references: Vec<Reference>,
    },
    /// What stands above is a copy of another conversation's history, in which nothing acts, waits or
    /// can be decided. What was used for it counts there.
    Branched {
        /// The other conversation.
        parent: ConversationId,
        /// The message there in whose place the next one stands.
        message: MessageId,
        title: String,
        /// The name of the person.
        by: String,
        /// Calls of other branches that acted, and are not above: their effects stand.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        effects: Vec<Effect>,
        /// Older ones that are not told.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        more: Option<u32>,
    },
    /// A queued message was taken back before its turn began.
    MessageWithdrawn { message: MessageId },
    /// A turn began with this message. A queued message leaves the queue by this event.
    TurnStarted {
        turn: TurnId,
        message: MessageId,
        text: String,
        /// What the message is about, beside its words.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        references: Vec<Reference>,
    },
    /// A person's own call, without a model: the one turn of a journal that holds nothing else.
    ActionStarted {
        turn: TurnId,
        /// In place of a message: the call stands in it alone.
        message: MessageId,
        call: CallId,
        tool: String,
        /// As the person sent it; not yet checked.
        input: Value,
        /// The name of the person.
        by: String,
    },
    /// From here on, requests come from a session that began with a sign-in link created by this other
    /// user, so they may be that user's own.
    AskedByLink { by: UserId },
    /// A failed or stopped turn goes on from where it was.
    TurnResumed { turn: TurnId },
    /// The model was asked; its answer will be `message`. `step` counts from 1 in the turn.
    StepStarted {
        turn: TurnId,
        step: u32,
        message: MessageId,
    },
    /// The answer `message` will not be finished: the server restarted or the call failed. The
    /// step is asked again under a new message, or the turn ends.
    StepInterrupted { turn: TurnId, message: MessageId },
    /// The model's answer is complete, or was cut short as `stop` says.
    AssistantMessage {
        turn: TurnId,
        message: MessageId,
        blocks: Vec<ContentBlock>,
        stop: StopReason,
        usage: Usage,
        /// Unknown for models without a price.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cost: Option<Cost>,
    },
    /// The gate lets a call run when those before it that act have ended.
    ToolQueued {
        turn: TurnId,
        call: CallId,
        tier: Tier,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        target: Option<String>,
    },
    /// A person is asked whether a call may run; or is asked again, with another digest.
    ConfirmationRequested {
        turn: TurnId,
        call: CallId,
        confirmation: Box<Confirmation>,
    },
    /// The question has an answer. An approved call runs when those before it have ended.
    ConfirmationDecided {
        turn: TurnId,
        call: CallId,
        digest: String,
        verdict: Verdict,
        /// The name of the person who decided; none for what no person decides.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
        /// The sign-in of that person.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        via: Option<DecidedVia>,
    },
    /// From now on the same call runs without a question.
    GrantGiven {
        grant: Grant,
        by: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        via: Option<DecidedVia>,
    },
    GrantRevoked {
        grant: GrantId,
        by: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        via: Option<DecidedVia>,
    },
    /// The gate let a call run, and its intent is recorded.
    ToolStarted {
        turn: TurnId,
        call: CallId,
        tier: Tier,
        /// What the call acts on or reads, such as `node pve`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        target: Option<String>,
        /// The standing grant that it ran under, in place of a decision.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        grant: Option<GrantId>,
        /// The input with which it runs, if it is not what the model wrote.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        input: Option<Value>,
    },
    /// The gate refused a call; it never ran.
    ToolBlocked {
        turn: TurnId,
        call: CallId,
        /// Unknown for a tool that does not exist.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tier: Option<Tier>,
        reason: BlockedReason,
        /// One sentence for a person and for the model.
        message: String,
    },
    /// A call that was started has ended. Exactly one for each call.
    ToolFinished {
        turn: TurnId,
        call: CallId,
        outcome: ToolOutcome,
        /// From its start to its end.
        elapsed_ms: u64,
    },
    /// What became of a call whose outcome was unknown.
    OutcomeResolved {
        call: CallId,
        resolution: Resolution,
        /// The name of the person who said so; none if it was found out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
        /// The sign-in of that person.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        via: Option<DecidedVia>,
        /// What is known, in one sentence.
        message: String,
    },
    /// A person wants the turn to end as soon as what acts has ended.
    StopRequested { turn: TurnId },
    /// Most of a budget is used. Told once for a conversation, and once a day.
    BudgetNear {
        turn: TurnId,
        scope: BudgetScope,
        /// One sentence for a person.
        message: String,
    },
    /// The turn has ended. Exactly one for each start or resumption.
    TurnFinished {
        turn: TurnId,
        outcome: TurnOutcome,
        /// Sum over the turn's steps.
        usage: Usage,
        /// Sum over the turn's steps; unknown if one of them is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cost: Option<Cost>,
    },
    /// Something that this build does not know.
    #[serde(other)]
    Unknown,
}

impl EventBody {
    /// Whether a person should come and look: a turn has ended, or waits for a decision.
    pub fn is_for_person(&self) -> bool {
        matches!(
            self,
            Self::TurnFinished { .. } | Self::ConfirmationRequested { .. }
        )
    }

    /// Whether it means something to turns after its own: a page of those begins with it, and the
    /// journal notes it beside its events. All others are read with their own turn alone.
    pub fn outlives_turn(&self) -> bool {
        match self {
            Self::ConversationStarted { .. }
            | Self::TitleChanged { .. }
            | Self::TitleWritten { .. }
            | Self::ModelChosen { .. }
            | Self::MessageQueued { .. }
            | Self::MessageSteered { .. }
            // It cuts off what the others above it left.
            | Self::Branched { .. }
            | Self::GrantGiven { .. }
            | Self::GrantRevoked { .. }
            | Self::OutcomeResolved { .. } => true,
            // It counts against its grant.
            Self::ToolStarted { grant, .. } => grant.is_some(),
            // It ends a message that waits, and such a one is known to the journal by itself.
            Self::MessageWithdrawn { .. }
            | Self::MessageRead { .. }
            | Self::TurnStarted { .. }
            | Self::ActionStarted { .. }
            | Self::AskedByLink { .. }
            | Self::TurnResumed { .. }
            | Self::StepStarted { .. }
            | Self::StepInterrupted { .. }
            | Self::AssistantMessage { .. }
            | Self::ToolQueued { .. }
            | Self::ConfirmationRequested { .. }
            | Self::ConfirmationDecided { .. }
            | Self::ToolBlocked { .. }
            | Self::ToolFinished { .. }
            | Self::StopRequested { .. }
            | Self::BudgetNear { .. }
            | Self::TurnFinished { .. }
            | Self::Unknown => false,
        }
    }
}

/// A part of an assistant's message, as a person sees it. The raw block that goes back to the
/// model is kept beside it in the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ContentBlock {
    Text {
        text: String,
    },
    /// What the model thought, or a summary of it; may be empty.
    Thinking {
        text: String,
    },
    ToolUse {
        call: CallId,
        name: String,
        /// As the model wrote it; not yet checked.
        input: Value,
    },
    /// A block kind that this build does not show.
    #[serde(other)]
    Other,
}

/// Why the model stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// It said all that it had to say.
    EndTurn,
    /// It waits for the results of its tool calls.
    ToolUse,
    /// The answer reached the limit on its length.
    MaxTokens,
    /// The model's window is full.
    ContextWindow,
    /// It declined to answer.
    Refusal,
    /// The vendor paused a long turn; the same request goes on.
    Pause,
    /// A person stopped it.
    Cancelled,
    /// The stream broke.
    Interrupted,
    /// A reason that this build does not know.
    #[serde(other)]
    Unknown,
}

/// How a tool is guarded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Runs at once.
    Green,
    /// Runs at once and is recorded prominently.
    Yellow,
    /// Waits for a person's confirmation.
    Red,
    /// Never runs.
    Black,
}

/// Why the gate refused a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BlockedReason {
    /// No such tool.
    UnknownTool,
    /// The input does not fit the tool's schema.
    InvalidInput,
    /// The conversation's mode forbids tools.
    Mode,
    /// The tier is not allowed here.
    Tier,
    /// The tool does not belong to this conversation.
    NotAllowed,
    /// The turn has used up its steps.
    StepLimit,
    /// The answer asked for too many calls, or too many questions are open.
    CallLimit,
    /// What it acts on is protected.
    Protected,
    /// The kill switch is on.
    KillSwitch,
    /// The role of the person does not include what acts.
    Role,
    /// Its effect or the state of its target could not be determined, so it is not offered.
    NotVerified,
    /// A call before it failed, or its outcome is unknown.
    NotExecuted,
    /// The model's answer was cut, so that the call may be incomplete.
    Truncated,
    /// A reason that this build does not know.
    #[serde(other)]
    Unknown,
}

/// How a call that ran has ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToolOutcome {
    Succeeded {
        output: ToolOutput,
    },
    Failed {
        error: ErrorBody,
    },
    /// Stopped by a person before it did anything.
    Cancelled,
    /// It may have taken effect, and that could not be found out.
    OutcomeUnknown {
        /// What is known, in one sentence.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        known: Option<String>,
    },
    #[serde(other)]
    Unknown,
}

/// What a tool brought back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolOutput {
    /// One line for the card, such as `4 nodes, quorate`.
    pub summary: String,
    /// The data that the model reads, cleaned and capped.
    pub data: Value,
    /// Images that belong to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<Reference>,
}

/// How a turn has ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TurnOutcome {
    /// The model gave its final answer.
    Answered,
    /// A person's own call has come to its end, whatever became of it.
    Done,
    /// The final answer was cut at a limit.
    Truncated,
    /// The model declined to answer.
    Refused,
    /// A person stopped the turn.
    Stopped,
    /// It ended at a limit that the error names, such as a budget; all results are kept, and
    /// `TurnResumed` goes on from there.
    Limited { error: ErrorBody },
    /// It could not go on; `TurnResumed` tries again.
    Failed { error: ErrorBody },
    #[serde(other)]
    Unknown,
}
