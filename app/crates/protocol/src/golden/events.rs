//! Snapshots of journal events.

use serde_json::json;

use super::{
    AT, call,
    confirmations::{confirmation, grant, token},
    conversation, error, golden, id, message, turn, usage,
};
use crate::{
    BlockedReason, BudgetScope, ContentBlock, Cost, Effect, EffectOutcome, Effort, Event,
    EventBody, FileNote, Mode, Reference, Resolution, Seq, StopReason, Tier, ToolOutcome,
    ToolOutput, TurnOutcome, Verdict,
};

fn image() -> Reference {
    Reference {
        file: Some(FileNote {
            name: "disk usage.png".to_owned(),
            bytes: 70,
        }),
        ..Reference::new("image/png", "0f".repeat(32))
    }
}

golden!(event: EventBody {
    EventBody::ConversationStarted { .. } => "conversation_started": EventBody::ConversationStarted {
        title: "How is the cluster?".to_owned(),
        model: "claude-sonnet-5".to_owned(),
        mode: Mode::Default,
        toolsets: vec!["homelab".to_owned()], from: None },
    EventBody::TitleChanged { .. } => "title_changed": EventBody::TitleChanged {
        title: "Cluster".to_owned(),
    },
    EventBody::TitleWritten { .. } => "title_written": EventBody::TitleWritten {
        title: Some("Cluster".to_owned()),
        model: "claude-haiku-5-5".to_owned(),
        usage: super::usage(),
        cost: Some(Cost(12)),
    },
    EventBody::ModelChosen { .. } => "model_chosen": EventBody::ModelChosen {
        model: "claude-haiku-5-5".to_owned(),
        effort: Some(Effort::ExtraHigh),
        window: Some(1_000_000),
    },
    EventBody::MessageQueued { .. } => "message_queued": EventBody::MessageQueued {
        message: message(),
        text: "And the storage?".to_owned(),
        references: vec![image()],
    },
    EventBody::MessageSteered { .. } => "message_steered": EventBody::MessageSteered {
        message: message(),
        text: "Only node pve.".to_owned(),
        references: Vec::new(),
    },
    EventBody::MessageRead { .. } => "message_read": EventBody::MessageRead {
        turn: turn(),
        message: message(),
        text: "Only node pve.".to_owned(),
        references: Vec::new(),
    },
    EventBody::Branched { .. } => "branched": EventBody::Branched {
        parent: conversation(),
        message: message(),
        title: "Cluster".to_owned(),
        by: "Operator".to_owned(),
        effects: vec![Effect {
            call: call(),
            tool: "restart_vm".to_owned(),
            input: json!({"node": "pve", "vmid": 101}),
            target: Some("guest 101".to_owned()),
            tier: Tier::Red,
            outcome: EffectOutcome::Done,
        }],
        more: None,
    },
    EventBody::MessageWithdrawn { .. } => "message_withdrawn": EventBody::MessageWithdrawn {
        message: message(),
    },
    EventBody::TurnStarted { .. } => "turn_started": EventBody::TurnStarted {
        turn: turn(),
        message: message(),
        text: "How is the cluster?\n“Umlauts: äöü”".to_owned(),
        references: Vec::new(),
    },
    EventBody::ActionStarted { .. } => "action_started": EventBody::ActionStarted {
        turn: turn(),
        message: message(),
        call: call(),
        tool: "restart_vm".to_owned(),
        input: json!({"node": "pve", "vmid": 101}),
        by: "Operator".to_owned(),
        relayed: true,
    },
    EventBody::TurnResumed { .. } => "turn_resumed": EventBody::TurnResumed { turn: turn() },
    EventBody::StepStarted { .. } => "step_started": EventBody::StepStarted {
        turn: turn(),
        step: 1,
        message: message(),
    },
    EventBody::StepInterrupted { .. } => "step_interrupted": EventBody::StepInterrupted {
        turn: turn(),
        message: message(),
    },
    EventBody::AssistantMessage { .. } => "assistant_message": EventBody::AssistantMessage {
        turn: turn(),
        message: message(),
        blocks: vec![ContentBlock::Text { text: "All is well, sir.".to_owned() }],
        stop: StopReason::EndTurn,
        usage: usage(),
        cost: Some(Cost(1234)),
    },
    EventBody::ToolStarted { .. } => "tool_started": EventBody::ToolStarted {
        turn: turn(),
        call: call(),
        tier: Tier::Green,
        target: Some("node pve".to_owned()), grant: None, input: None },
    EventBody::ToolQueued { .. } => "tool_queued": EventBody::ToolQueued {
        turn: turn(),
        call: call(),
        tier: Tier::Yellow,
        target: Some("node pve".to_owned()),
    },
    EventBody::ConfirmationRequested { .. } => "confirmation_requested":
        EventBody::ConfirmationRequested {
            turn: turn(),
            call: call(),
            confirmation: Box::new(confirmation()),
        },
    EventBody::ConfirmationDecided { .. } => "confirmation_decided":
        EventBody::ConfirmationDecided {
            turn: turn(),
            call: call(),
            digest: "5e".repeat(32),
            verdict: Verdict::Approved,
            by: Some("Operator".to_owned()),
            via: None,
        },
    EventBody::GrantGiven { .. } => "grant_given": EventBody::GrantGiven {
        grant: grant(),
        by: "Operator".to_owned(),
        via: None,
    },
    EventBody::GrantRevoked { .. } => "grant_revoked": EventBody::GrantRevoked {
        grant: grant().id,
        by: "Operator".to_owned(),
        via: None,
    },
    EventBody::OutcomeResolved { .. } => "outcome_resolved": EventBody::OutcomeResolved {
        call: call(),
        resolution: Resolution::NotDone,
        by: Some("Operator".to_owned()),
        via: None,
        message: "It did not take effect.".to_owned(),
    },
    EventBody::AskedByLink { .. } => "asked_by_link": EventBody::AskedByLink {
        by: id("usr_01HF7YAT00000000000000000H"),
    },
    EventBody::StopRequested { .. } => "stop_requested": EventBody::StopRequested { turn: turn() },
    EventBody::ToolBlocked { .. } => "tool_blocked": EventBody::ToolBlocked {
        turn: turn(),
        call: call(),
        tier: Some(Tier::Red),
        reason: BlockedReason::Tier,
        message: "This tool needs a confirmation.".to_owned(),
    },
    EventBody::ToolFinished { .. } => "tool_finished": EventBody::ToolFinished {
        turn: turn(),
        call: call(),
        outcome: ToolOutcome::Cancelled,
        elapsed_ms: 42,
    },
    EventBody::BudgetNear { .. } => "budget_near": EventBody::BudgetNear {
        turn: turn(),
        scope: BudgetScope::Day,
        message: "80 % of your budget for today is used.".to_owned(),
    },
    EventBody::TurnFinished { .. } => "turn_finished": EventBody::TurnFinished {
        turn: turn(),
        outcome: TurnOutcome::Answered,
        usage: usage(),
        cost: Some(Cost(1234)),
    },
    EventBody::Unknown => "unknown": EventBody::Unknown,
});

golden!(content_block: ContentBlock {
    ContentBlock::Text { .. } => "text": ContentBlock::Text { text: "Sir,".to_owned() },
    ContentBlock::Thinking { .. } => "thinking": ContentBlock::Thinking { text: String::new() },
    ContentBlock::ToolUse { .. } => "tool_use": ContentBlock::ToolUse {
        call: call(),
        name: "get_node_status".to_owned(),
        input: json!({"node": "pve", "depth": 1.5, "deep": {"b": null, "a": [true]}}),
    },
    ContentBlock::Other => "other": ContentBlock::Other,
});

golden!(tool_outcome: ToolOutcome {
    ToolOutcome::Succeeded { .. } => "succeeded": ToolOutcome::Succeeded {
        output: ToolOutput {
            summary: "4 nodes, quorate".to_owned(),
            data: json!({"nodes": 4}),
            images: vec![image()],
        },
    },
    ToolOutcome::Failed { .. } => "failed": ToolOutcome::Failed { error: error() },
    ToolOutcome::Cancelled => "cancelled": ToolOutcome::Cancelled,
    ToolOutcome::OutcomeUnknown { .. } => "outcome_unknown": ToolOutcome::OutcomeUnknown { known: None },
    ToolOutcome::Unknown => "unknown": ToolOutcome::Unknown,
});

golden!(turn_outcome: TurnOutcome {
    TurnOutcome::Answered => "answered": TurnOutcome::Answered,
    TurnOutcome::Done => "done": TurnOutcome::Done,
    TurnOutcome::Truncated => "truncated": TurnOutcome::Truncated,
    TurnOutcome::Refused => "refused": TurnOutcome::Refused,
    TurnOutcome::Stopped => "stopped": TurnOutcome::Stopped,
    TurnOutcome::Limited { .. } => "limited": TurnOutcome::Limited { error: error() },
    TurnOutcome::Failed { .. } => "failed": TurnOutcome::Failed { error: error() },
    TurnOutcome::Unknown => "unknown": TurnOutcome::Unknown,
});

/// The sign-in is recorded beside the name, so that a program is never taken for a person.
#[test]
fn a_decision_names_its_sign_in() {
    let by = || "Operator".to_owned();
    super::check(
        "decided_via",
        &vec![
            EventBody::ConfirmationDecided {
                turn: turn(),
                call: call(),
                digest: "5e".repeat(32),
                verdict: Verdict::Approved,
                by: Some(by()),
                via: Some(token()),
            },
            EventBody::GrantGiven {
                grant: grant(),
                by: by(),
                via: Some(token()),
            },
            EventBody::GrantRevoked {
                grant: grant().id,
                by: by(),
                via: Some(token()),
            },
            EventBody::OutcomeResolved {
                call: call(),
                resolution: Resolution::Done,
                by: Some(by()),
                via: Some(token()),
                message: "It took effect.".to_owned(),
            },
        ],
    );
}

#[test]
fn an_event_is_flat() {
    let event = Event {
        seq: Seq(7),
        at: AT,
        body: EventBody::TurnResumed { turn: turn() },
    };
    super::check("event_with_number_and_time", &event);
}

/// Unknown values are omitted, and may be missing.
#[test]
fn unknown_values_are_left_out() {
    let assistant = EventBody::AssistantMessage {
        turn: turn(),
        message: message(),
        blocks: Vec::new(),
        stop: StopReason::Refusal,
        usage: usage(),
        cost: None,
    };
    let started = EventBody::ToolStarted {
        turn: turn(),
        call: id("call_7ZZZZZZZZZZZZZZZZZZZZZZZZZ"),
        tier: Tier::Yellow,
        target: None,
        grant: None,
        input: None,
    };
    let blocked = EventBody::ToolBlocked {
        turn: turn(),
        call: call(),
        tier: None,
        reason: BlockedReason::UnknownTool,
        message: "No such tool.".to_owned(),
    };
    let finished = EventBody::TurnFinished {
        turn: turn(),
        outcome: TurnOutcome::Stopped,
        usage: usage(),
        cost: None,
    };
    super::check(
        "event_without_unknown_values",
        &vec![assistant, started, blocked, finished],
    );
}
