//! Snapshots of the frames on the socket and of the data that pages are rendered from.

use super::{AT, call, conversation, error, golden, id, message, turn, usage};
use crate::{
    Before, BlockKind, CallTrace, ClientFrame, CloseCode, Command, ConversationPage,
    ConversationSummary, Cost, Decision, Effort, Event, EventBody, Family, Fork, ForkWay,
    HistoryPage, HistoryPlace, KillSwitch, LiveBlockId, Mode, ModelChoice, ModelStatus, Name,
    NewShare, NoticeCount, OwnCall, PROTOCOL_VERSION, Pack, Performed, Questions, RaisedNotice,
    Reference, Resolution, Role, SecondCall, Seq, ServerFrame, Share, SharedBy, Shelf, Status,
    SystemStatus, Timestamp, Topic,
};

golden!(command: Command {
    Command::Start { .. } => "start": Command::Start {
        conversation: conversation(),
        mode: Mode::Default,
        text: "How is the cluster?".to_owned(), from: None, plan: None, choice: None,
        references: Vec::new(), packs: None },
    Command::Act { .. } => "act": Command::Act {
        conversation: conversation(),
        tool: "restart_vm".to_owned(),
        input: serde_json::json!({"node": "pve", "vmid": 101}),
    },
    Command::Send { .. } => "send": Command::Send {
        conversation: conversation(),
        text: "And the storage?".to_owned(), withdraw: false, references: Vec::new() },
    Command::Steer { .. } => "steer": Command::Steer {
        conversation: conversation(),
        text: "Only node pve.".to_owned(),
        references: Vec::new(),
    },
    Command::Branch { .. } => "branch": Command::Branch {
        conversation: conversation(),
        from: id("cnv_01HF7YAT00000000000000001A"),
        message: message(),
        text: Some("And node pve2?".to_owned()),
        known: vec![call()],
    },
    Command::Withdraw { .. } => "withdraw": Command::Withdraw {
        conversation: conversation(),
        message: message(),
    },
    Command::Stop { .. } => "stop": Command::Stop { conversation: conversation(), turn: turn() },
    Command::Retry { .. } => "retry": Command::Retry { conversation: conversation(), turn: turn() },
    Command::Choose { .. } => "choose": Command::Choose {
        conversation: conversation(),
        choice: ModelChoice { model: "claude-haiku-5-5".to_owned(), effort: Some(Effort::Low) },
    },
    Command::Decide { .. } => "decide": Command::Decide {
        conversation: conversation(),
        call: call(),
        digest: "5e".repeat(32),
        decision: Decision::Deny { comment: None },
    },
    Command::Edit { .. } => "edit": Command::Edit {
        conversation: conversation(),
        call: call(),
        digest: "5e".repeat(32),
        input: serde_json::json!({"node": "pve", "vmid": 102}),
    },
    Command::Revoke { .. } => "revoke": Command::Revoke {
        conversation: conversation(),
        grant: super::confirmations::grant().id,
    },
    Command::CheckOutcome { .. } => "check_outcome": Command::CheckOutcome {
        conversation: conversation(),
        call: call(),
    },
    Command::Resolve { .. } => "resolve": Command::Resolve {
        conversation: conversation(),
        call: call(),
        resolution: Resolution::Done,
    },
    Command::Performed { .. } => "performed": Command::Performed {
        conversation: conversation(),
        call: call(),
        tab: super::tab(),
        result: Performed::Done { note: Some("2 bars wide".to_owned()) },
    },
    Command::TakeOver { .. } => "take_over": Command::TakeOver {
        conversation: conversation(),
        call: call(),
        tab: super::tab(),
    },
    Command::KillSwitch { .. } => "kill_switch": Command::KillSwitch { on: true },
    Command::Acknowledge { .. } => "acknowledge": Command::Acknowledge { notice: super::notice() },
    Command::Unknown => "unknown": Command::Unknown,
});

golden!(topic: Topic {
    Topic::Conversation { .. } => "conversation": Topic::Conversation {
        conversation: conversation(),
        after: Seq(3),
    },
    Topic::Conversations { .. } => "conversations": Topic::Conversations { since: AT },
    Topic::Board { .. } => "board": Topic::Board { board: "homelab".to_owned() },
    Topic::Feed { .. } => "feed": Topic::Feed { after: 12 },
    Topic::Stage { .. } => "stage": Topic::Stage {
        toolset: "greenhouse".to_owned(),
        tab: super::tab(),
        conversation: Some(conversation()),
        visible: true,
    },
    Topic::Unknown => "unknown": Topic::Unknown,
});

golden!(client_frame: ClientFrame {
    ClientFrame::Subscribe { .. } => "subscribe": ClientFrame::Subscribe {
        topic: Topic::Conversations { since: AT },
    },
    ClientFrame::Unsubscribe { .. } => "unsubscribe": ClientFrame::Unsubscribe {
        topic: Topic::Conversation { conversation: conversation(), after: Seq(0) },
    },
    ClientFrame::Command { .. } => "command": ClientFrame::Command {
        id: super::command(),
        command: Command::Stop { conversation: conversation(), turn: turn() },
    },
    ClientFrame::Ping { .. } => "ping": ClientFrame::Ping { n: 5 },
    ClientFrame::Unknown => "unknown": ClientFrame::Unknown,
});

golden!(block_kind: BlockKind {
    BlockKind::Text => "text": BlockKind::Text,
    BlockKind::Thinking => "thinking": BlockKind::Thinking,
    BlockKind::ToolUse { .. } => "tool_use": BlockKind::ToolUse { name: "get_vms".to_owned() },
    BlockKind::Other => "other": BlockKind::Other,
});

golden!(server_frame: ServerFrame {
    ServerFrame::Hello { .. } => "hello": ServerFrame::Hello {
        protocol: PROTOCOL_VERSION,
        build: "0.1.0+abc".to_owned(),
        now: AT,
    },
    ServerFrame::Subscribed { .. } => "subscribed": ServerFrame::Subscribed {
        conversation: conversation(),
        head: Seq(9),
    },
    ServerFrame::Unsubscribed { .. } => "unsubscribed": ServerFrame::Unsubscribed {
        conversation: conversation(),
        error: error(),
    },
    ServerFrame::Events { .. } => "events": ServerFrame::Events {
        conversation: conversation(),
        events: vec![Event {
            seq: Seq(1),
            at: AT,
            body: EventBody::TurnResumed { turn: turn() },
        }],
    },
    ServerFrame::Block { .. } => "block": ServerFrame::Block {
        conversation: conversation(),
        block: LiveBlockId(4),
        message: message(),
        index: 0,
        kind: BlockKind::Text,
        text: "All is".to_owned(),
    },
    ServerFrame::Delta { .. } => "delta": ServerFrame::Delta {
        block: LiveBlockId(4),
        offset: 6,
        text: " well".to_owned(),
    },
    ServerFrame::Progress { .. } => "progress": ServerFrame::Progress {
        conversation: conversation(),
        call: call(),
        message: "2 of 4 nodes".to_owned(),
    },
    ServerFrame::Waiting { .. } => "waiting": ServerFrame::Waiting {
        conversation: conversation(),
        turn: turn(),
        error: error(),
        until: AT,
    },
    ServerFrame::Accepted { .. } => "accepted": ServerFrame::Accepted { id: super::command() },
    ServerFrame::Rejected { .. } => "rejected": ServerFrame::Rejected {
        id: super::command(),
        error: error(),
    },
    ServerFrame::Conversation { .. } => "conversation": ServerFrame::Conversation {
        summary: summary(),
    },
    ServerFrame::ConversationRemoved { .. } => "conversation_removed":
        ServerFrame::ConversationRemoved { conversation: conversation() },
    ServerFrame::KillSwitch { .. } => "kill_switch": ServerFrame::KillSwitch {
        state: KillSwitch { on: true, by: Some("Operator".to_owned()), at: Some(AT) },
    },
    ServerFrame::Notices { .. } => "notices": ServerFrame::Notices {
        count: NoticeCount { open: 3, grave: 1 },
        raised: Some(RaisedNotice {
            grave: true,
            text: "Node agent1 is offline.".to_owned(),
        }),
    },
    ServerFrame::Storage { .. } => "storage": ServerFrame::Storage { error: Some(error()) },
    ServerFrame::Names { .. } => "names": ServerFrame::Names {
        names: vec![Name { name: "nextcloud".to_owned(), of: Reference::new("guest", "101"), note: "VM 101 · pve".to_owned() }],
    },
    ServerFrame::Seconds { .. } => "seconds": ServerFrame::Seconds {
        calls: vec![SecondCall {
            conversation: conversation(),
            call: call(),
            tool: "stop_vm".to_owned(),
            confirmation: super::confirmations::of_two(),
        }],
    },
    ServerFrame::Board { .. } => "board": ServerFrame::Board {
        board: "homelab".to_owned(),
        whole: false,
        put: vec![super::boards::part()],
        gone: vec!["guest/101".to_owned()],
    },
    ServerFrame::Feed { .. } => "feed": ServerFrame::Feed {
        rev: 12,
        entries: vec![super::feed::entry()],
        gap: false,
    },
    ServerFrame::BoardRefused { .. } => "board_refused": ServerFrame::BoardRefused {
        board: "greenhouse".to_owned(),
        error: error(),
    },
    ServerFrame::Perform { .. } => "perform": ServerFrame::Perform {
        conversation: conversation(),
        call: call(),
        tab: super::tab(),
        tool: "look_there".to_owned(),
        data: serde_json::json!({ "at": "north bed" }),
        until: AT,
    },
    ServerFrame::Staged { .. } => "staged": ServerFrame::Staged {
        conversation: conversation(),
        call: call(),
        tab: Some(super::tab()),
    },
    ServerFrame::Error { .. } => "error": ServerFrame::Error { error: error() },
    ServerFrame::Pong { .. } => "pong": ServerFrame::Pong { n: 5 },
    ServerFrame::Unknown => "unknown": ServerFrame::Unknown,
});

golden!(performed: Performed {
    Performed::Done { .. } => "done": Performed::Done { note: None },
    Performed::Failed { .. } => "failed": Performed::Failed { message: "No such bed.".to_owned() },
    Performed::Unknown => "unknown": Performed::Unknown,
});

pub(super) fn summary() -> ConversationSummary {
    ConversationSummary {
        id: conversation(),
        title: "Cluster".to_owned(),
        model: "claude-sonnet-5".to_owned(),
        mode: Mode::Plan,
        created: AT,
        updated: Timestamp(AT.0 + 1),
        messages: 2,
        usage: usage(),
        cost: Some(Cost(1234)),
        running: true,
        waiting: Vec::new(),
        from: Some(conversation()),
        action: None,
        shelf: Shelf::Listed,
        imported: None,
        family: None,
        folder: None,
        unread: None,
    }
}

#[test]
fn ids_of_requests() {
    let command = super::command().to_string();
    super::check("error_of_request", &error().of_request(&command));
    super::check(
        "call_trace",
        &CallTrace {
            request: Some(command),
            decision: Some("job-17".to_owned()),
            model_request: Some("req_011CSHoEeqs5C35K2UUqR7Fy".to_owned()),
        },
    );
}

#[test]
fn pages() {
    super::check(
        "conversation_page",
        &ConversationPage {
            summary: ConversationSummary {
                cost: None,
                ..summary()
            },
            events: Vec::new(),
            head: Seq(0),
            next: Some(conversation()),
            forks: Vec::new(),
            before: None,
            window: None,
            shared: Some(SharedBy {
                name: "Ada".to_owned(),
                made: AT,
                at: AT,
            }),
        },
    );
    let share = Share {
        id: "0123456789abcdef".to_owned(),
        made: AT,
        expires: Some(AT),
    };
    let token = "x".to_owned();
    super::check("new_share", &NewShare { token, share });
    super::check(
        "branch_summary",
        &ConversationSummary {
            family: Some(Family {
                root: conversation(),
                front: true,
            }),
            ..summary()
        },
    );
    super::check(
        "fork",
        &Fork {
            message: message(),
            at: 0,
            ways: vec![ForkWay {
                conversation: conversation(),
                message: message(),
            }],
        },
    );
    let event = |body| Event {
        seq: Seq(3),
        at: AT,
        body,
    };
    let title = EventBody::TitleChanged {
        title: "Disks".to_owned(),
    };
    super::check(
        "conversation_page_later",
        &ConversationPage {
            summary: summary(),
            events: Vec::new(),
            head: Seq(40),
            next: None,
            forks: Vec::new(),
            before: Some(Box::new(Before {
                seq: Seq(40),
                events: vec![event(title)],
                usage: usage(),
                cost: Some(Cost(1234)),
            })),
            window: None,
            shared: None,
        },
    );
    super::check(
        "history_page",
        &HistoryPage {
            after: Seq(2),
            events: vec![event(EventBody::StopRequested {
                turn: super::turn(),
            })],
            late: vec![event(EventBody::OutcomeResolved {
                call: super::call(),
                resolution: Resolution::Done,
                by: None,
                via: None,
                message: "The task says so.".to_owned(),
            })],
        },
    );
    insta::with_settings!({
        prepend_module_to_snapshot => false,
        omit_expression => true,
        snapshot_path => "snapshots",
    }, {
        insta::assert_json_snapshot!("history_places", &[
            HistoryPlace::Until { seq: Seq(40) },
            HistoryPlace::After { seq: Seq(40) },
            HistoryPlace::Around { message: super::message() },
        ]);
    });
    super::check(
        "action_summary",
        &ConversationSummary {
            action: Some(Box::new(OwnCall {
                tool: "restart_vm".to_owned(),
                input: serde_json::json!({"node": "pve", "vmid": 101}),
            })),
            ..summary()
        },
    );
    super::check(
        "imported_summary",
        &ConversationSummary {
            imported: Some(AT),
            ..summary()
        },
    );
    super::check(
        "status",
        &Status {
            version: "0.1.0".to_owned(),
            user: "operator".to_owned(),
            role: Role::Operator,
            model: ModelStatus {
                id: "rehearsal".to_owned(),
                name: "Rehearsal model".to_owned(),
                rehearsal: true,
                context_window: None,
            },
            systems: vec![SystemStatus {
                toolset: "homelab".to_owned(),
                name: "Home".to_owned(),
                simulated: true,
            }],
            questions: vec![Questions {
                toolset: "homelab".to_owned(),
                suggested: vec!["Which VMs are stopped?".to_owned()],
                more: vec!["Why is pve slow?".to_owned()],
            }],
            packs: Vec::new(),
            kill_switch: KillSwitch::default(),
            notices: NoticeCount::default(),
        },
    );
    super::check(
        "pack",
        &Pack {
            toolset: "lamps-attic".to_owned(),
            label: "Attic".to_owned(),
            about: String::new(),
            lacks: None,
            usual: true,
        },
    );
    super::check(
        "pack_lacking",
        &Pack {
            toolset: "lamps-attic".to_owned(),
            label: "Attic".to_owned(),
            about: "Questions about lamps below the roof.".to_owned(),
            lacks: Some("This house has no attic.".to_owned()),
            usual: false,
        },
    );
}

/// A plan is named, not repeated: its text is not the person's.
#[test]
fn close_codes_are_their_numbers() {
    for (code, number) in [
        (CloseCode::Restart, 1012),
        (CloseCode::SignedOut, 4001),
        (CloseCode::TooSlow, 4002),
        (CloseCode::RateLimited, 4003),
        (CloseCode::Silent, 4004),
    ] {
        assert_eq!(code.number(), number);
        assert_eq!(CloseCode::from_number(number), Some(code));
    }
    assert_eq!(CloseCode::from_number(1000), None);
}
