//! Enums that are a single word: all their words in one snapshot.

use crate::{
    BlockedReason, BudgetScope, CodeKind, EffectOutcome, Effort, ErrorCode, Mode, ModelClass,
    Resolution, Role, Shelf, StopReason, Tier,
};

/// All variants, from a match without a wildcard, so that a new one must be named here.
macro_rules! words {
    ($test:ident: $type:ident { $($variant:ident),* $(,)? }) => {
        #[test]
        fn $test() {
            let known = |value: $type| match value {
                $($type::$variant => value,)*
            };
            let all = vec![$(known($type::$variant)),*];
            super::check(concat!("words_", stringify!($test)), &all);
        }
    };
}

words!(mode: Mode { Default, Plan, Unknown });

words!(effect_outcome: EffectOutcome { Done, Failed, NotDone, Unknown });

words!(resolution: Resolution { Done, NotDone, Unknown });

words!(role: Role { Viewer, Operator, Admin, Unknown });

words!(shelf: Shelf { Listed, Pinned, Archived, Unknown });

words!(effort: Effort { Low, Medium, High, ExtraHigh, Max, Unknown });

words!(model_class: ModelClass { Smart, Fast, Unknown });

words!(budget_scope: BudgetScope { Conversation, Day, Unknown });

words!(tier: Tier { Green, Yellow, Red, Black });

words!(stop_reason: StopReason {
    EndTurn, ToolUse, MaxTokens, ContextWindow, Refusal, Pause, Cancelled, Interrupted, Unknown,
});

words!(blocked_reason: BlockedReason {
    UnknownTool, InvalidInput, Mode, Tier, NotAllowed, StepLimit, CallLimit, Truncated, Protected,
    KillSwitch, NotVerified, NotExecuted, Role, Unknown,
});

words!(code_kind: CodeKind {
    Plain, Comment, Keyword, Text, Number, Name, Head, Added, Removed, Bad, Warning, Unknown,
});

words!(error_code: ErrorCode {
    Malformed, UnknownCommand, MessageEmpty, MessageTooLong, ConversationNotFound, TurnNotFound,
    MessageNotQueued, TurnRunning, EffectsStand, QueueFull, AlreadyDecided, CardChanged, DecisionNotAllowed, GrantNotFound, CallEnded, BoardNotFound,
    ConversationClosed, ImportRefused, PromptRefused, ShareNotFound, ShareRefused, NoticeNotFound, EventNotFound, PackNotFound, RateLimited,
    NotSignedIn, RoleNotEnough, Forbidden, ShuttingDown, StorageFailed,
    Internal, ModelAuthentication, ModelPermission, ModelNotFound, ModelRateLimited,
    ModelOverloaded, ModelUnreachable, ModelTimeout, ModelContextOverflow, ModelRefused,
    ModelInvalidRequest, ModelProtocol, ModelFailed, ToolInputInvalid, ToolUnreachable,
    ToolPermission, ToolProtected, ToolOutcomeUnknown, ToolTimeout, ToolFailed, Unknown,
    ModelNotOffered, EffortNotSupported, StepLimit, BudgetReached, FileRefused, FileNotFound,
    ImagesNotSupported, WordNotTyped, TokenCannotDecide, RequestWithheld, NotAConversation,
});
