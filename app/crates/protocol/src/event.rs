//! Journal events: the history of a conversation, in order.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    BudgetScope, CallId, Confirmation, ConversationId, Cost, DecidedVia, Effect, Effort, ErrorBody,
    FromJson, Grant, GrantId, MessageId, Mode, Reference, Resolution, Seq, Timestamp, TurnId,
    Usage, UserId, Verdict,
};

/// One entry of a conversation's journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct Event {
    /// Dense within the conversation, from 1.
    pub seq: Seq,
    /// Time at which it was written.
    pub at: Timestamp,
    /// The content of the event.
    #[serde(flatten)]
    pub body: EventBody,
}

/// The content of an event. Variants are added, never changed; a reader skips unknown ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum EventBody {
    /// Always the first. Toolsets and mode stay as they are here.
    ConversationStarted {
        title: String,
        model: String,
        mode: Mode,
        toolsets: Vec<String>,
        /// The conversation that this one continues.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<ConversationId>,
    },
    /// The conversation has a new title.
    TitleChanged { title: String },
    /// A small model was asked for a title, once.
    TitleWritten {
        /// None if it was not used: a person gave one meanwhile, or it was unusable.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        model: String,
        usage: Usage,
        /// Unknown if the model's price is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cost: Option<Cost>,
    },
    /// Somebody chose the model, from the next turn on.
    ModelChosen {
        model: String,
        /// None uses the model's own default.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        effort: Option<Effort>,
        /// Tokens that the model can read and write in one call, as known at the time.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        window: Option<u64>,
    },
    /// A message waits for the running turn to end.
    MessageQueued {
        message: MessageId,
        text: String,
        /// Things that the message refers to, apart from its text.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        references: Vec<Reference>,
    },
    /// A message waits for the next step of the running turn; if that ends first, for its own turn.
    MessageSteered {
        message: MessageId,
        text: String,
        /// Things that the message refers to, apart from its text.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        references: Vec<Reference>,
    },
    /// The running turn reads a waiting message: it leaves the queue and comes before the next
    /// step.
    MessageRead {
        turn: TurnId,
        message: MessageId,
        text: String,
        /// Things that the message refers to, apart from its text.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        references: Vec<Reference>,
    },
    /// Everything above is a copy of another conversation's history, in which nothing acts, waits
    /// or can be decided. Its usage counts there.
    Branched {
        /// The other conversation.
        parent: ConversationId,
        /// The message there that the next one replaces.
        message: MessageId,
        title: String,
        /// The name of the person.
        by: String,
        /// Calls of other branches that acted and are not above: their effects remain.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        effects: Vec<Effect>,
        /// Number of older ones that are left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        more: Option<u32>,
    },
    /// A queued message was withdrawn before its turn began.
    MessageWithdrawn { message: MessageId },
    /// A turn began with this message. A queued message leaves the queue by this event.
    TurnStarted {
        turn: TurnId,
        message: MessageId,
        text: String,
        /// Things that the message refers to, apart from its text.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        references: Vec<Reference>,
    },
    /// A person's own call, without a model: the only turn of its journal.
    ActionStarted {
        turn: TurnId,
        /// Takes the place of a message: the call is its only content.
        message: MessageId,
        call: CallId,
        tool: String,
        /// As the person sent it; not yet checked.
        input: Value,
        /// The name of the person.
        by: String,
        /// True if a program relays it for a model elsewhere: nothing in the input is the person's
        /// word, and whatever acts is asked for.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        relayed: bool,
    },
    /// From here on, requests come from a session that began with a sign-in link created by this other
    /// user, so they may be that user's own.
    AskedByLink { by: UserId },
    /// A failed or stopped turn continues from where it was.
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
    /// The gate lets a call run once the acting calls before it have ended.
    ToolQueued {
        turn: TurnId,
        call: CallId,
        tier: Tier,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        target: Option<String>,
    },
    /// A person is asked whether a call may run; or is asked again, with a different digest.
    ConfirmationRequested {
        turn: TurnId,
        call: CallId,
        confirmation: Box<Confirmation>,
    },
    /// The request is decided. An approved call runs once those before it have ended.
    ConfirmationDecided {
        turn: TurnId,
        call: CallId,
        digest: String,
        verdict: Verdict,
        /// The name of the person who decided; none if no person did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
        /// The sign-in of that person.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        via: Option<DecidedVia>,
    },
    /// From now on the same call runs without asking.
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
        /// Target that the call acts on or reads, such as `node pve`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        target: Option<String>,
        /// The standing grant that it ran under, instead of a decision.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        grant: Option<GrantId>,
        /// The input with which it runs, if it differs from the model's.
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
    /// A started call has ended. Exactly one for each call.
    ToolFinished {
        turn: TurnId,
        call: CallId,
        outcome: ToolOutcome,
        /// From its start to its end.
        elapsed_ms: u64,
    },
    /// The outcome of a call became known after having been unknown.
    OutcomeResolved {
        call: CallId,
        resolution: Resolution,
        /// The name of the person who said so; none if the server found it out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
        /// The sign-in of that person.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        via: Option<DecidedVia>,
        /// One sentence that says what is known.
        message: String,
    },
    /// A person wants the turn to end as soon as the calls that act have ended.
    StopRequested { turn: TurnId },
    /// Most of a budget is used. Reported once for a conversation, and once a day.
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
    /// An event that this build does not know.
    #[serde(other)]
    Unknown,
}

impl EventBody {
    /// Returns whether a person should come and look: a turn has ended or waits for a decision.
    pub fn is_for_person(&self) -> bool {
        matches!(
            self,
            Self::TurnFinished { .. } | Self::ConfirmationRequested { .. }
        )
    }

    /// Returns whether it matters to turns after its own: a page of those begins with it, and the
    /// journal keeps it in a separate list too. All other events are read only with their own turn.
    pub fn outlives_turn(&self) -> bool {
        match self {
            Self::ConversationStarted { .. }
            | Self::TitleChanged { .. }
            | Self::TitleWritten { .. }
            | Self::ModelChosen { .. }
            | Self::MessageQueued { .. }
            | Self::MessageSteered { .. }
            // It cuts off what the events above left open.
            | Self::Branched { .. }
            | Self::GrantGiven { .. }
            | Self::GrantRevoked { .. }
            | Self::OutcomeResolved { .. } => true,
            // It counts against its grant.
            Self::ToolStarted { grant, .. } => grant.is_some(),
            // It ends a waiting message, and the journal keeps track of those separately.
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ContentBlock {
    Text {
        text: String,
    },
    /// The model's thinking, or a summary of it; may be empty.
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

/// The reason why the model stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, FromJson)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// It finished its answer.
    EndTurn,
    /// It waits for the results of its tool calls.
    ToolUse,
    /// The answer reached the limit on its length.
    MaxTokens,
    /// The model's context window is full.
    ContextWindow,
    /// It declined to answer.
    Refusal,
    /// The vendor paused a long turn; the same request continues.
    Pause,
    /// A person stopped it.
    Cancelled,
    /// The stream broke.
    Interrupted,
    /// A reason that this build does not know.
    #[serde(other)]
    Unknown,
}

/// The tier of a tool: how the gate treats its calls.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, FromJson,
)]
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

/// The reason why the gate refused a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, FromJson)]
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
    /// The answer asked for too many calls, or too many requests are open.
    CallLimit,
    /// The target is protected.
    Protected,
    /// The kill switch is on.
    KillSwitch,
    /// The person's role does not include tools that act.
    Role,
    /// Its effect or the state of its target could not be determined, so it is not offered.
    NotVerified,
    /// A call before it failed, or that call's outcome is unknown.
    NotExecuted,
    /// The model's answer was cut off, so the call may be incomplete.
    Truncated,
    /// A reason that this build does not know.
    #[serde(other)]
    Unknown,
}

/// The outcome of a call that ran.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
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
    /// It may have taken effect, and that could not be determined.
    OutcomeUnknown {
        /// One sentence that says what is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        known: Option<String>,
    },
    #[serde(other)]
    Unknown,
}

/// The output of a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct ToolOutput {
    /// One line for the card, such as `4 nodes, quorate`.
    pub summary: String,
    /// The data that the model reads, cleaned and capped.
    pub data: Value,
    /// Images that belong to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<Reference>,
}

/// The outcome of a turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TurnOutcome {
    /// The model gave its final answer.
    Answered,
    /// A person's own call has ended, with any outcome.
    Done,
    /// The final answer was cut at a limit.
    Truncated,
    /// The model declined to answer.
    Refused,
    /// A person stopped the turn.
    Stopped,
    /// It ended at a limit that the error names, such as a budget; all results are kept, and
    /// `TurnResumed` continues from there.
    Limited { error: ErrorBody },
    /// It could not go on; `TurnResumed` tries again.
    Failed { error: ErrorBody },
    #[serde(other)]
    Unknown,
}
