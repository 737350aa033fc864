//! Calls that programs relay for models elsewhere: nothing in them is the person's word.

use agent::ports::{Audience, Person, Recovery, Scope, ToolError, ToolSpec, Via};
use protocol::{
    BlockedReason, Command, ConversationId, ErrorBody, ErrorCode, EventBody, Mode, OriginSource,
    OwnCall, Role, Tier, ToolOutput, TurnOutcome,
};
use serde_json::{Value, json};
use testkit::{Ledger, ListedValues, ScriptedModel, ScriptedTools, spec};

use crate::{
    confirm::{APPROVE, DENY, code, question, tools, world},
    world::World,
};

impl World {
    fn relaying(&self, role: Role) -> Person {
        Person {
            role,
            via: Via::Token {
                id: "tok_1".into(),
                decides: true,
            },
            ..self.user.into()
        }
    }

    async fn relay(&self, person: Person, tool: &str) -> Result<ConversationId, ErrorBody> {
        let conversation = self.conversation_id();
        let own = OwnCall {
            tool: tool.to_owned(),
            input: json!({ "node": "pve" }),
        };
        let begun = self
            .engine
            .relay(person, self.command_id(), conversation, own);
        begun.await.map(|()| conversation)
    }
}

fn with_tools_of_people(ledger: &Ledger) -> ScriptedTools {
    let people = ToolSpec {
        audience: Audience::People,
        ..spec("take_back", Tier::Yellow, Recovery::Idempotent)
    };
    let black = spec("black", Tier::Black, Recovery::Unsafe);
    tools(ledger).with(people).with(black)
}

#[tokio::test(start_paused = true)]
async fn whatever_acts_is_asked_for_and_the_card_says_why() {
    for tool in ["yellow", "red"] {
        for (decision, runs) in [(APPROVE, 1), (DENY, 0)] {
            let ledger = Ledger::default();
            let world = world(Vec::new(), tools(&ledger));
            let person = world.relaying(Role::Operator);
            let conversation = world.relay(person, tool).await.unwrap();
            let mut watch = world.watch(conversation).await;
            let (call, card) = question(&mut watch).await;
            assert_eq!(watch.transcript.title(), "A program's call");
            assert!(ledger.entries().is_empty(), "{tool}");
            assert_eq!(card.tier, Tier::Red);
            assert!(
                card.risks.iter().any(|risk| risk.contains("A program")),
                "{tool}: {:?}",
                card.risks
            );
            let is_model = |source: &OriginSource| *source == OriginSource::Model;
            assert!(card.origins.iter().all(|it| is_model(&it.source)), "{tool}");
            let decided = world.decide(conversation, call, &card.digest, decision);
            decided.await.unwrap();
            assert_eq!(watch.turn_end().await.1, TurnOutcome::Done);
            assert_eq!(ledger.entries().len(), runs, "{tool}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn reading_runs_at_once_and_tools_of_people_are_none() {
    let ledger = Ledger::default();
    let world = world(Vec::new(), with_tools_of_people(&ledger));
    for (tool, expect) in [
        ("green", None),
        ("take_back", Some(BlockedReason::UnknownTool)),
        ("black", Some(BlockedReason::Tier)),
        ("purple", Some(BlockedReason::UnknownTool)),
    ] {
        let before = ledger.entries().len();
        let person = world.relaying(Role::Operator);
        let conversation = world.relay(person, tool).await.unwrap();
        world.watch(conversation).await.turn_end().await;
        let events = world.journal.events(conversation).into_iter();
        let mut blocked = events.filter_map(|event| match event.body {
            EventBody::ToolBlocked { reason, .. } => Some(reason),
            _ => None,
        });
        assert_eq!(blocked.next(), expect, "{tool}");
        let runs = ledger.entries().len() - before;
        assert_eq!(runs, usize::from(expect.is_none()), "{tool}");
    }
    let offered = |role| {
        let tools = world.engine.relayed_tools(&Scope::All, role, None);
        tools.into_iter().map(|tool| tool.name).collect::<Vec<_>>()
    };
    assert_eq!(offered(Role::Operator), ["green", "yellow", "red"]);
    // None of these says that it only reads.
    assert!(offered(Role::Viewer).is_empty());
    let reader = world.relaying(Role::Viewer);
    let refused = world.relay(reader, "green").await;
    assert_eq!(refused.unwrap_err().code, ErrorCode::RoleNotEnough);
}

#[tokio::test(start_paused = true)]
async fn a_sign_in_the_rules_of_a_run_and_its_mode_narrow_what_is_relayed() {
    let names = |world: &World, scope: &Scope, only: Option<&[String]>| {
        let tools = world.engine.relayed_tools(scope, Role::Operator, only);
        tools.into_iter().map(|tool| tool.name).collect::<Vec<_>>()
    };
    let ledger = Ledger::default();
    let narrowed = World::with(
        ScriptedModel::in_order(Vec::new()),
        tools(&ledger),
        |config| config.run.disallowed = vec!["red".to_owned()],
    );
    assert_eq!(names(&narrowed, &Scope::All, None), ["green", "yellow"]);
    let elsewhere = Scope::Only(["elsewhere".to_owned()].into());
    assert!(names(&narrowed, &elsewhere, None).is_empty());
    let door = ["elsewhere".to_owned()];
    assert!(names(&narrowed, &Scope::All, Some(&door)).is_empty());
    // The gate knows the rules too, whatever a program asks for.
    let person = narrowed.relaying(Role::Operator);
    let conversation = narrowed.relay(person, "red").await.unwrap();
    narrowed.watch(conversation).await.turn_end().await;
    assert!(ledger.entries().is_empty());
    let outside = Person {
        scope: elsewhere,
        ..narrowed.relaying(Role::Operator)
    };
    let refused = narrowed.relay(outside, "green").await;
    assert_eq!(refused.unwrap_err().code, ErrorCode::RoleNotEnough);

    let plans = World::with(
        ScriptedModel::in_order(Vec::new()),
        tools(&ledger),
        |config| config.run.mode = Mode::Plan,
    );
    assert!(names(&plans, &Scope::All, None).is_empty());
    let refused = plans.relay(plans.relaying(Role::Operator), "green").await;
    assert_eq!(refused.unwrap_err().code, ErrorCode::RoleNotEnough);
    assert!(ledger.entries().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_command_that_is_sent_again_is_the_same_call() {
    let ledger = Ledger::default();
    let world = world(Vec::new(), tools(&ledger));
    let (id, conversation) = (world.command_id(), world.conversation_id());
    for input in [json!({ "node": "pve" }), Value::Null] {
        let own = OwnCall {
            tool: "green".to_owned(),
            input,
        };
        let person = world.relaying(Role::Operator);
        let begun = world.engine.relay(person, id, conversation, own);
        begun.await.unwrap();
    }
    world.watch(conversation).await.turn_end().await;
    assert_eq!(ledger.entries().len(), 1);
    // Another command cannot take its journal.
    let own = OwnCall {
        tool: "green".to_owned(),
        input: json!({}),
    };
    let person = world.relaying(Role::Operator);
    let other = world
        .engine
        .relay(person, world.command_id(), conversation, own);
    assert_eq!(code(other.await), ErrorCode::Malformed);
}

/// Its result is a model's: whoever reads its journal with the program's token reads tokens.
#[tokio::test(start_paused = true)]
async fn the_journal_of_a_relayed_call_has_tokens_and_that_of_a_persons_own_has_values() {
    let listed = ListedValues::new(&[("nightjar", "name-1")]);
    let green = spec("green", Tier::Green, Recovery::Pure);
    let broken = spec("broken", Tier::Green, Recovery::Pure);
    let tools = ScriptedTools::new()
        .hiding(&listed)
        .with_body(green, async |_, _| {
            Ok(ToolOutput {
                summary: "A nightjar sings.".to_owned(),
                data: json!({ "nightjar": ["nightjar"] }),
                images: Vec::new(),
            })
        })
        .with_body(broken, async |_, _| {
            let error = ErrorBody::new(ErrorCode::ToolFailed, "No nightjar.");
            Err(ToolError(error.with_help("Ask the nightjar.")))
        });
    let world = world(Vec::new(), tools);
    let journal = |conversation| {
        let events = world.journal.events(conversation);
        serde_json::to_string(&events).unwrap()
    };
    for tool in ["green", "broken"] {
        let relayed = world.relay(world.relaying(Role::Operator), tool).await;
        let relayed = relayed.unwrap();
        world.watch(relayed).await.turn_end().await;
        let told = journal(relayed);
        assert!(!told.contains("nightjar"), "{tool}: {told}");
        assert!(told.contains("name-1"), "{tool}: {told}");

        let conversation = world.conversation_id();
        let act = Command::Act {
            conversation,
            tool: tool.to_owned(),
            input: json!({ "node": "pve" }),
        };
        world.command(act).await.unwrap();
        world.watch(conversation).await.turn_end().await;
        assert!(journal(conversation).contains("nightjar"), "{tool}");
    }
    let scopes = listed.scopes();
    assert!(!scopes.is_empty() && scopes.iter().all(|scope| scope.is_relayed));
}
