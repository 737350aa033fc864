//! Turns as frames of a subscription.

use protocol::{
    Assurance, BlockKind, BlockedReason, CallId, Confirmation, ContentBlock, ConversationId,
    ErrorBody, ErrorCode, Event, EventBody, LiveBlockId, MessageId, Mode, Seq, ServerFrame,
    StopReason, Tier, Timestamp, ToolOutcome, ToolOutput, TurnId, TurnOutcome, Usage, Verdict,
};
use serde_json::{Value, json};

const AT: Timestamp = Timestamp(1_700_000_000_000);

pub(super) fn conversation() -> ConversationId {
    ConversationId::new(AT, 1)
}

pub(super) fn subscribed() -> ServerFrame {
    ServerFrame::Subscribed {
        conversation: conversation(),
        head: Seq(0),
    }
}

/// A card of a revision, with the digest `d` and its number.
pub(super) fn card(revision: u32) -> Confirmation {
    let value = json!({
        "revision": revision,
        "digest": format!("d{revision}"),
        "sentence": "Start VM 7.",
        "target": "VM 7",
        "tier": Tier::Red,
        "input": { "vmid": 7 },
        "risk": {
            "level": "warning",
            "reasons": [{ "rule": "backup_missing", "weight": "warning", "sentence": "No backup" }],
        },
        "sections": [{
            "type": "fields",
            "title": "Network",
            "fields": [{ "label": "Bridge", "value": "vmbr0" }],
        }],
        "irreversible": "Sessions that are open end.",
        "editable": ["/vmid"],
        "assurance": Assurance::Press,
        "expires": AT,
    });
    serde_json::from_value(value).unwrap()
}

/// Frames, which begin with a conversation.
pub(super) struct Script {
    pub(super) frames: Vec<ServerFrame>,
    /// True if the usage of its answers is an estimate.
    estimates: bool,
    seq: u64,
    step: u32,
    /// The number of its newest turn.
    turns: u128,
}

impl Default for Script {
    fn default() -> Self {
        let mut script = Self {
            frames: Vec::new(),
            estimates: false,
            seq: 0,
            step: 0,
            turns: 1,
        };
        script.event(EventBody::ConversationStarted {
            title: "Hello".to_owned(),
            model: "rehearsal-1".to_owned(),
            mode: Mode::Default,
            toolsets: vec!["homelab".to_owned()],
            from: None,
        });
        script.event(EventBody::TurnStarted {
            turn: script.turn(),
            message: MessageId::new(AT, 99),
            text: "Hello".to_owned(),
            references: Vec::new(),
        });
        script.frames.push(subscribed());
        script
    }
}

impl Script {
    /// One whose model's server leaves usage out, or not.
    pub(super) fn estimating(estimates: bool) -> Self {
        Self {
            estimates,
            ..Self::default()
        }
    }

    pub(super) fn turn(&self) -> TurnId {
        TurnId::new(AT, self.turns)
    }

    pub(super) fn call(&self) -> CallId {
        self.call_of(0)
    }

    fn call_of(&self, n: u128) -> CallId {
        CallId::new(AT, 100 * u128::from(self.step) + n)
    }

    fn message(&self) -> MessageId {
        MessageId::new(AT, u128::from(self.step))
    }

    pub(super) fn events(&self) -> Vec<Event> {
        let events = self.frames.iter().filter_map(|frame| match frame {
            ServerFrame::Events { events, .. } => Some(events.clone()),
            _ => None,
        });
        events.flatten().collect()
    }

    fn event(&mut self, body: EventBody) {
        self.seq += 1;
        self.frames.push(ServerFrame::Events {
            conversation: conversation(),
            events: vec![Event {
                seq: Seq(self.seq),
                at: AT,
                body,
            }],
        });
    }

    fn step(&mut self) {
        self.step += 1;
        self.event(EventBody::StepStarted {
            turn: self.turn(),
            step: self.step,
            message: self.message(),
        });
    }

    fn block(&mut self, index: u32, kind: BlockKind, pieces: &[&str]) {
        let block = LiveBlockId(u64::from(10 * self.step + index));
        let mut sent = 0;
        for (at, piece) in pieces.iter().enumerate() {
            let text = (*piece).to_owned();
            self.frames.push(if at == 0 {
                ServerFrame::Block {
                    conversation: conversation(),
                    block,
                    message: self.message(),
                    index,
                    kind: kind.clone(),
                    text,
                }
            } else {
                ServerFrame::Delta {
                    block,
                    offset: sent,
                    text,
                }
            });
            sent += piece.len() as u64;
        }
    }

    fn answer(&mut self, blocks: Vec<ContentBlock>, stop: StopReason) {
        self.event(EventBody::AssistantMessage {
            turn: self.turn(),
            message: self.message(),
            blocks,
            stop,
            usage: Usage {
                input: 10,
                output: 7,
                cache_read: 100,
                cache_write: 1,
                estimated: self.estimates,
            },
            cost: None,
        });
    }

    pub(super) fn end(&mut self, outcome: TurnOutcome) {
        self.event(EventBody::TurnFinished {
            turn: self.turn(),
            outcome,
            usage: Usage::default(),
            cost: None,
        });
    }

    /// A message that waits behind the turn.
    pub(super) fn queues(&mut self, text: &str) {
        self.event(EventBody::MessageQueued {
            message: MessageId::new(AT, 97),
            text: text.to_owned(),
            references: Vec::new(),
        });
    }

    /// The beginning of its turn.
    pub(super) fn begins(&mut self, text: &str) {
        self.turns += 1;
        self.event(EventBody::TurnStarted {
            turn: self.turn(),
            message: MessageId::new(AT, 97),
            text: text.to_owned(),
            references: Vec::new(),
        });
    }

    pub(super) fn says(&mut self, text: &str) {
        self.step();
        let (first, rest) = text.split_at(text.len() / 2);
        self.block(0, BlockKind::Text, &[first, rest]);
        self.answer(vec![words(text)], StopReason::EndTurn);
    }

    fn calls(&mut self, names: &[&str]) {
        self.step();
        self.block(0, BlockKind::Text, &["", "One moment."]);
        let mut blocks = vec![words("One moment.")];
        for (n, name) in (0..).zip(names) {
            let kind = BlockKind::ToolUse {
                name: (*name).to_owned(),
            };
            self.block(n + 1, kind, &["{\"vm", "id\":7}"]);
            blocks.push(ContentBlock::ToolUse {
                call: self.call_of(n.into()),
                name: (*name).to_owned(),
                input: json!({ "vmid": 7 }),
            });
        }
        self.answer(blocks, StopReason::ToolUse);
    }

    fn runs(&mut self, call: CallId, outcome: ToolOutcome) {
        let turn = self.turn();
        self.event(EventBody::ToolStarted {
            turn,
            call,
            tier: Tier::Green,
            target: Some("VM 7".to_owned()),
            grant: None,
            input: None,
        });
        self.frames.push(ServerFrame::Progress {
            conversation: conversation(),
            call,
            message: "Half of it".to_owned(),
        });
        self.event(EventBody::ToolFinished {
            turn,
            call,
            outcome,
            elapsed_ms: 12,
        });
    }

    fn asks(&mut self, call: CallId, revision: u32) {
        self.event(EventBody::ConfirmationRequested {
            turn: self.turn(),
            call,
            confirmation: Box::new(card(revision)),
        });
    }

    pub(super) fn decides(&mut self, call: CallId, verdict: Verdict) {
        self.event(EventBody::ConfirmationDecided {
            turn: self.turn(),
            call,
            digest: "d1".to_owned(),
            verdict,
            by: Some("Ada".to_owned()),
            via: None,
        });
    }

    /// Ends with a card that waits.
    pub(super) fn asked(&mut self) {
        self.calls(&["start_vm"]);
        self.asks(self.call(), 1);
    }

    /// The same as a call of its own, which a program may relay.
    pub(super) fn acts(&mut self, relayed: bool) {
        self.event(EventBody::ActionStarted {
            turn: self.turn(),
            message: MessageId::new(AT, 98),
            call: self.call(),
            tool: "start_vm".to_owned(),
            input: json!({ "vmid": 7 }),
            by: "Ada".to_owned(),
            relayed,
        });
        self.asks(self.call(), 1);
    }
}

fn words(text: &str) -> ContentBlock {
    ContentBlock::Text {
        text: text.to_owned(),
    }
}

fn done() -> ToolOutcome {
    ToolOutcome::Succeeded {
        output: ToolOutput {
            summary: "One guest".to_owned(),
            data: json!({ "guests": 1 }),
            images: Vec::new(),
        },
    }
}

fn failure() -> ErrorBody {
    ErrorBody::new(ErrorCode::ModelOverloaded, "The model is overloaded.").with_help("Try later.")
}

/// Every kind of turn, by name.
pub(super) fn scripts() -> Vec<(&'static str, Script)> {
    let script = |work: &dyn Fn(&mut Script)| {
        let mut script = Script::default();
        work(&mut script);
        script
    };
    vec![
        (
            "an answer with reasoning",
            script(&|it| {
                it.step();
                it.block(0, BlockKind::Thinking, &["Hm."]);
                it.block(1, BlockKind::Text, &["", "All is ", "well,"]);
                let thinking = ContentBlock::Thinking {
                    text: "Hm.".to_owned(),
                };
                let blocks = vec![thinking, words("All is well, sir.")];
                it.answer(blocks, StopReason::EndTurn);
                it.end(TurnOutcome::Answered);
            }),
        ),
        (
            "two reads and an answer",
            script(&|it| {
                it.calls(&["get_vms", "get_nodes"]);
                let [first, second] = [0, 1].map(|n| it.call_of(n));
                it.runs(first, done());
                let error = failure();
                it.runs(second, ToolOutcome::Failed { error });
                it.says("Done.");
                it.end(TurnOutcome::Answered);
            }),
        ),
        (
            "a refused, a cancelled and an uncertain call",
            script(&|it| {
                it.calls(&["a", "b", "c"]);
                let turn = it.turn();
                it.event(EventBody::ToolBlocked {
                    turn,
                    call: it.call_of(0),
                    tier: None,
                    reason: BlockedReason::UnknownTool,
                    message: "There is no such tool.".to_owned(),
                });
                it.runs(it.call_of(1), ToolOutcome::Cancelled);
                let known = Some("The task began.".to_owned());
                it.runs(it.call_of(2), ToolOutcome::OutcomeUnknown { known });
                it.says("Hm.");
                it.end(TurnOutcome::Truncated);
            }),
        ),
        ("a card that waits", script(&|it| it.asked())),
        (
            "two cards that wait",
            script(&|it| {
                it.calls(&["start_vm", "stop_vm"]);
                it.asks(it.call_of(0), 1);
                it.asks(it.call_of(1), 1);
            }),
        ),
        (
            "a step that is asked again",
            script(&|it| {
                it.step();
                it.block(0, BlockKind::Text, &["Half an "]);
                let (turn, message) = (it.turn(), it.message());
                it.event(EventBody::StepInterrupted { turn, message });
                it.says("A whole answer.");
                it.end(TurnOutcome::Answered);
            }),
        ),
        (
            "a stop in the middle",
            script(&|it| {
                it.step();
                it.block(0, BlockKind::Text, &["Half an "]);
                it.answer(vec![words("Half an ")], StopReason::Cancelled);
                it.end(TurnOutcome::Stopped);
            }),
        ),
        (
            "a failure",
            script(&|it| {
                it.step();
                it.block(0, BlockKind::Thinking, &["Hm"]);
                it.end(TurnOutcome::Failed { error: failure() });
            }),
        ),
        (
            "a limit",
            script(&|it| {
                it.says("Well.");
                it.end(TurnOutcome::Limited { error: failure() });
            }),
        ),
        (
            "a message of another tab, and one that is read in the middle",
            script(&|it| {
                it.step();
                let (turn, text) = (it.turn(), "Also this".to_owned());
                it.event(EventBody::MessageSteered {
                    message: MessageId::new(AT, 98),
                    text: text.clone(),
                    references: Vec::new(),
                });
                it.event(EventBody::MessageRead {
                    turn,
                    message: MessageId::new(AT, 98),
                    text,
                    references: Vec::new(),
                });
                it.says("Both.");
                it.end(TurnOutcome::Answered);
            }),
        ),
        (
            "a denial that the model reads, which was decided before anybody looked",
            {
                let mut decided = script(&|it| {
                    it.asked();
                    let comment = Some("Not now".to_owned());
                    it.decides(it.call(), Verdict::Denied { comment });
                    it.says("As you wish.");
                    it.end(TurnOutcome::Answered);
                });
                // It had all happened when the stream began.
                decided.frames.retain(|frame| *frame != subscribed());
                decided.frames.push(subscribed());
                decided
            },
        ),
    ]
}

#[test]
fn the_card_of_scripts_has_its_fields() {
    let card: Value = serde_json::to_value(card(1)).unwrap();
    assert_eq!(card["tier"], "red");
}
