//! Decisions as tables: the same call, under other facts.

mod tool_terms;

use std::sync::Arc;

use protocol::{
    BlockedReason, CallId, ContentBlock, Decision, Event, EventBody, GrantId, GrantTerms,
    MessageId, Mode, Role, Seq, StopReason, Tier, Timestamp, TurnId, Usage, UserId, Verdict,
};
use serde_json::{Value, json, value::RawValue};

use super::{DecisionFacts, Edited, Moment};
use crate::{
    EngineConfig,
    fixed_tools::Fixed,
    live::LiveTurn,
    machine::{Conversation, Frozen, Said, turn_started},
    ports::{NewRecord, Person, Preview, Record, ToolSpec},
    tools::Tools,
};

const AT: Timestamp = Timestamp(1_000_000);
const TEN_MINUTES: i64 = 600_000;

/// A conversation whose answer has called tools, with the facts of the moment.
struct World {
    conversation: Conversation,
    facts: DecisionFacts,
    owner: UserId,
    turn: TurnId,
    now: Timestamp,
}

impl World {
    /// Calls of tools on nodes; the person has named the nodes.
    fn new(calls: &[(&str, &str)]) -> Self {
        let spec = |name: &str, tier| ToolSpec {
            tier,
            ..ToolSpec::with_schema(
                name,
                "",
                json!({
                    "type": "object",
                    "additionalProperties": false,
                    "properties": { "node": { "type": "string" } },
                    "required": ["node"],
                }),
            )
        };
        let specs = vec![
            spec("look", Tier::Green),
            spec("restart", Tier::Yellow),
            spec("stop", Tier::Red),
            spec("wipe", Tier::Black),
        ];
        let allowed: Vec<_> = specs.iter().map(|spec| spec.name.clone()).collect();
        let tools = Tools::new(vec![Arc::new(Fixed(specs))]).unwrap();
        let definitions: Vec<_> = allowed.iter().map(|name| json!({ "name": name })).collect();
        let frozen = Frozen {
            model: "m".to_owned(),
            mode: Mode::Default,
            toolsets: vec!["fixed".to_owned()],
            system: "s".into(),
            tools: Some(raw(&definitions.into()).into()),
            allowed,
            digests: Default::default(),
            history_limit: 20,
            history_tokens: None,
        };
        let started = NewRecord {
            body: EventBody::ConversationStarted {
                title: String::new(),
                model: "m".to_owned(),
                mode: Mode::Default,
                toolsets: frozen.toolsets.clone(),
                from: None,
            },
            raw: Some(frozen.to_raw()),
            audit: None,
            trace: Default::default(),
        };
        let turn = TurnId::new(AT, 1);
        let nodes: Vec<_> = calls.iter().map(|(_, node)| *node).collect();
        let said = Said {
            text: format!("Do it on {}.", nodes.join(" and ")),
            references: Vec::new(),
            files: Vec::new(),
        };
        let mut world = Self {
            conversation: Conversation::from_records(&[record(1, started)]).unwrap(),
            facts: DecisionFacts {
                live: LiveTurn::new(EngineConfig::new("m")),
                tools: tools.snapshot(),
                kill_switch: Some(false),
                role: Some(Role::Operator),
            },
            owner: UserId::new(AT, 1),
            turn,
            now: AT,
        };
        let message = MessageId::new(AT, 2);
        let (blocks, raws): (Vec<_>, Vec<_>) = calls
            .iter()
            .enumerate()
            .map(|(n, (name, node))| {
                let input = json!({ "node": node });
                let block = ContentBlock::ToolUse {
                    call: id(n),
                    name: (*name).to_owned(),
                    input: input.clone(),
                };
                let use_id = format!("toolu_{n}");
                let raw = json!({ "type": "tool_use", "id": use_id, "name": name, "input": input });
                (block, raw)
            })
            .unzip();
        world.write(turn_started(turn, MessageId::new(AT, 1), said));
        world.write(NewRecord::event(EventBody::StepStarted {
            turn,
            step: 1,
            message,
        }));
        world.write(NewRecord {
            body: EventBody::AssistantMessage {
                turn,
                message,
                blocks,
                stop: StopReason::ToolUse,
                usage: Usage::default(),
                cost: None,
            },
            raw: Some(raw(&raws.into())),
            audit: None,
            trace: Default::default(),
        });
        world
    }

    fn write(&mut self, new: NewRecord) {
        let seq = self.conversation.head().0 + 1;
        self.conversation.apply(&record(seq, new)).unwrap();
    }

    fn moment(&self) -> Moment<'_> {
        Moment {
            conversation: &self.conversation,
            facts: &self.facts,
            owner: self.owner,
            owner_name: Some("ada"),
            now: self.now,
        }
    }

    /// The events of a judgement of all calls, and the calls whose target is read.
    fn judge(&self) -> (Vec<&'static str>, Vec<CallId>) {
        let plan = self.conversation.plan();
        let batch = self.moment().judge(self.turn, &plan.judge, |_| false);
        let events = batch.records.iter().map(|record| outcome(&record.body));
        let look = batch.look.iter().map(|call| call.id);
        (events.collect(), look.collect())
    }

    /// The record for the first call after a look at its target.
    fn previewed(&self, state: u64) -> NewRecord {
        let call = self.conversation.open_call(id(0)).unwrap();
        self.moment()
            .previewed(self.turn, call, Ok(&preview(state)))
    }

    /// Shows a card for the first call.
    fn ask(&mut self) {
        let card = self.previewed(1);
        assert_eq!(outcome(&card.body), "asked");
        self.write(card);
    }

    fn digest(&self) -> String {
        let call = self.conversation.open_call(id(0)).unwrap();
        call.asked.as_ref().unwrap().digest.clone()
    }

    fn answer(&self, decision: Decision) -> Result<Vec<NewRecord>, protocol::ErrorBody> {
        let person = Person::from(self.owner);
        let grant = GrantId::new(self.now, 9);
        let digest = self.digest();
        self.moment()
            .answered(id(0), &digest, decision, &person, grant)
    }

    /// Shows a card for the first call and approves it.
    fn approve(&mut self, grant: Option<GrantTerms>) {
        self.ask();
        for record in self
            .answer(Decision::Approve { grant, word: None })
            .unwrap()
        {
            self.write(record);
        }
    }
}

fn id(n: usize) -> CallId {
    CallId::new(AT, n as u128 + 1)
}

fn raw(value: &Value) -> Box<RawValue> {
    RawValue::from_string(value.to_string()).unwrap()
}

fn record(seq: u64, new: NewRecord) -> Record {
    Record {
        event: Event {
            seq: Seq(seq),
            at: AT,
            body: new.body,
        },
        raw: new.raw,
    }
}

fn preview(state: u64) -> Preview {
    Preview {
        state: json!({ "since": state }),
        ..Preview::of_reading("stop", Some("node pve".to_owned()))
    }
}

fn outcome(body: &EventBody) -> &'static str {
    match body {
        EventBody::ToolStarted { .. } => "runs",
        EventBody::ToolQueued { .. } => "queued",
        EventBody::ConfirmationRequested { .. } => "asked",
        EventBody::ToolBlocked { reason, .. } => match reason {
            BlockedReason::Tier => "blocked: tier",
            BlockedReason::Role => "blocked: role",
            BlockedReason::KillSwitch => "blocked: kill switch",
            BlockedReason::CallLimit => "blocked: limit",
            BlockedReason::NotVerified => "blocked: not verified",
            BlockedReason::Protected => "blocked: protected",
            _ => "blocked",
        },
        EventBody::ConfirmationDecided { verdict, .. } => match verdict {
            Verdict::Approved => "approved",
            Verdict::Denied { .. } => "denied",
            _ => "expired",
        },
        EventBody::GrantGiven { .. } => "granted",
        _ => "something else",
    }
}

type Change = fn(&mut World);

/// Changes of the facts, each with what becomes of a call that a person has approved.
const CHANGES: [(&str, Change, &str); 6] = [
    ("nothing", |_| {}, "runs"),
    (
        "the role was taken away",
        |world| world.facts.role = Some(Role::Viewer),
        "blocked: role",
    ),
    (
        "the role cannot be read",
        |world| world.facts.role = None,
        "blocked: role",
    ),
    (
        "the kill switch is on",
        |world| world.facts.kill_switch = Some(true),
        "blocked: kill switch",
    ),
    (
        "the kill switch cannot be read",
        |world| world.facts.kill_switch = None,
        "blocked: kill switch",
    ),
    (
        "the policy changed",
        |world| {
            let mut config = EngineConfig::new("m");
            config.policy = "another".to_owned();
            world.facts.live = LiveTurn::new(config);
        },
        "asked",
    ),
];

#[test]
fn an_approval_counts_only_under_the_facts_that_were_shown() {
    for (what, change, expected) in CHANGES {
        let mut world = World::new(&[("stop", "pve")]);
        world.approve(None);
        change(&mut world);
        assert_eq!(outcome(&world.previewed(1).body), expected, "{what}");
        // Whatever else changed, a changed target never runs.
        assert_ne!(outcome(&world.previewed(2).body), "runs", "{what}");
    }
}

#[test]
fn a_target_that_cannot_be_read_is_not_offered() {
    let error = protocol::ErrorBody::new(protocol::ErrorCode::ToolTimeout, "No answer.");
    let mut world = World::new(&[("stop", "pve")]);
    for approved in [false, true] {
        if approved {
            world.approve(None);
        }
        let call = world.conversation.open_call(id(0)).unwrap();
        let record = world.moment().previewed(world.turn, call, Err(&error));
        assert_eq!(outcome(&record.body), "blocked: not verified");
    }
}

/// What only the system knows of a call's target is protected like what its input names.
#[test]
fn a_protected_thing_found_while_reading_the_target_blocks_the_call() {
    let mut world = World::new(&[("stop", "pve")]);
    let mut config = EngineConfig::new("m");
    config.rules.protected = ["guest/100".to_owned()].into();
    world.facts.live = LiveTurn::new(config);
    let call = world.conversation.open_call(id(0)).unwrap();
    for (object, expected) in [("guest/101", "asked"), ("Guest/100", "blocked: protected")] {
        let found = Preview {
            objects: vec![object.to_owned()],
            ..preview(1)
        };
        let record = world.moment().previewed(world.turn, call, Ok(&found));
        assert_eq!(outcome(&record.body), expected, "{object}");
    }
}

#[test]
fn calls_of_one_answer_are_judged_together() {
    for (calls, events, looks) in [
        (
            &[("look", "pve"), ("look", "nas")][..],
            &["runs", "runs"][..],
            0,
        ),
        (
            &[("restart", "pve"), ("look", "pve")],
            &["queued", "runs"],
            0,
        ),
        (&[("wipe", "pve"), ("stop", "pve")], &["blocked: tier"], 1),
        (&[("stop", "pve"), ("stop", "nas")], &[], 2),
    ] {
        let world = World::new(calls);
        let (found, look) = world.judge();
        assert_eq!((&*found, look.len()), (events, looks), "{calls:?}");
    }
    // Bounds on calls and on cards count over the whole answer.
    let mut world = World::new(&[("stop", "pve"), ("stop", "nas"), ("look", "pve")]);
    let mut config = EngineConfig::new("m");
    config.max_calls = 2;
    config.max_cards = 1;
    world.facts.live = LiveTurn::new(config);
    let (events, look) = world.judge();
    assert_eq!(events, ["blocked: limit", "blocked: limit"]);
    assert_eq!(look, [id(0)]);
}

#[test]
fn a_grant_covers_the_very_same_call_within_its_terms() {
    let until = |minutes: i64| Timestamp(AT.0 + minutes * 60_000);
    let terms = GrantTerms {
        uses: 2,
        until: until(5),
    };
    for (other, minutes, is_covered) in [("pve", 0, true), ("nas", 0, false), ("pve", 5, false)] {
        let mut world = World::new(&[("stop", "pve"), ("stop", other)]);
        world.approve(Some(terms));
        world.now = until(minutes);
        let call = world.conversation.open_call(id(1)).unwrap().clone();
        let batch = world
            .moment()
            .judge(world.turn, std::slice::from_ref(&call), |_| false);
        let queued = batch.records.iter().map(|record| outcome(&record.body));
        let expected: &[_] = if is_covered { &["queued"] } else { &[] };
        assert_eq!(queued.collect::<Vec<_>>(), expected, "{other} {minutes}");
        assert_eq!(batch.look.is_empty(), is_covered, "{other} {minutes}");
        // Before it runs, its target is read whatever covers it.
        assert!(world.moment().act(world.turn, &call).is_none());
    }
}

#[test]
fn a_grant_stays_within_its_bounds() {
    let terms = |uses, minutes: i64| GrantTerms {
        uses,
        until: Timestamp(AT.0 + minutes * 60_000),
    };
    let mut world = World::new(&[("stop", "pve")]);
    world.ask();
    let most = world.facts.live.policy().grants.limit();
    let minutes = i64::from(most.minutes);
    for (terms, is_given) in [
        (terms(1, 1), true),
        (terms(most.uses, minutes), true),
        (terms(0, 1), false),
        (terms(most.uses + 1, 1), false),
        (terms(1, minutes + 1), false),
        (terms(1, 0), false),
        (terms(1, -1), false),
    ] {
        let approve = Decision::Approve {
            grant: Some(terms),
            word: None,
        };
        assert_eq!(world.answer(approve).is_ok(), is_given, "{terms:?}");
    }
}

#[test]
fn a_decision_needs_an_open_card_and_an_approval_a_switch_that_is_off() {
    let approve = || Decision::Approve {
        grant: None,
        word: None,
    };
    let deny = || Decision::Deny { comment: None };
    for (switch, approves) in [(Some(false), true), (Some(true), false), (None, false)] {
        let mut world = World::new(&[("stop", "pve")]);
        world.ask();
        world.facts.kill_switch = switch;
        assert_eq!(world.answer(approve()).is_ok(), approves, "{switch:?}");
        assert!(world.answer(deny()).is_ok(), "{switch:?}");
        // An expired card takes neither.
        world.now = Timestamp(AT.0 + TEN_MINUTES);
        assert!(world.answer(approve()).is_err(), "{switch:?}");
        assert!(world.answer(deny()).is_err(), "{switch:?}");
        let expired = world.conversation.expired(world.turn, world.now);
        assert_eq!(outcome(&expired[0].body), "expired");
    }
}

#[test]
fn an_edit_binds_the_card_to_the_new_input() {
    let mut world = World::new(&[("stop", "pve")]);
    world.ask();
    let person = Person::from(world.owner);
    let digest = world.digest();
    let edit = |world: &World, digest: &str, node: &str| {
        let call = world.conversation.open_call(id(0)).unwrap();
        let input = json!({ "node": node });
        let edit = Edited {
            digest,
            input: &input,
            person: &person,
        };
        world
            .moment()
            .edited(world.turn, call, &edit, Ok(&preview(1)))
    };
    assert!(edit(&world, "another", "nas").is_err());
    let records = edit(&world, &digest, "nas").unwrap();
    for record in records {
        world.write(record);
    }
    assert_ne!(world.digest(), digest);
    let call = world.conversation.open_call(id(0)).unwrap();
    assert_eq!(call.effective_input(), &json!({ "node": "nas" }));
    // The card before the edit is gone, and an input that the gate blocks never gets one.
    assert!(edit(&world, &digest, "pve").is_err());
    world.facts.role = Some(Role::Viewer);
    assert!(edit(&world, &world.digest(), "pve").is_err());
}
