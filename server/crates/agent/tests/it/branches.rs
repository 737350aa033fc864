//! Branches: the parts that come along, those that stay behind, and no action of a copy.

use agent::ports::{Branches, Env, Record, Recovery};
use protocol::{
    CallId, Command, ConversationId, Decision, EffectOutcome, ErrorBody, ErrorCode, EventBody,
    GrantTerms, MessageId, Resolution, Role, Seq, Tier, ToolOutcome, TurnOutcome, UserId,
};
use serde_json::json;
use testkit::{Ledger, Script, ScriptedModel, ScriptedTools, spec};
use transcript::Transcript;

use crate::{
    confirm::{APPROVE, code, question},
    prompt::well_formed,
    world::{World, flat, gist},
};

pub(crate) fn tools(ledger: &Ledger) -> ScriptedTools {
    ScriptedTools::new()
        .with(spec("green", Tier::Green, Recovery::Pure))
        .with(spec("yellow", Tier::Yellow, Recovery::Unsafe))
        .with(spec("red", Tier::Red, Recovery::Unsafe))
        .with_ledger(ledger)
}

fn world(scripts: Vec<Script>, ledger: &Ledger) -> World {
    World::new(ScriptedModel::in_order(scripts), tools(ledger))
}

pub(crate) fn messages(world: &World, conversation: ConversationId) -> Vec<MessageId> {
    let events = world.journal.events(conversation);
    let began = events.iter().filter_map(|event| match event.body {
        EventBody::TurnStarted { message, .. } => Some(message),
        _ => None,
    });
    began.collect()
}

fn branch(
    world: &World,
    from: ConversationId,
    message: MessageId,
    text: Option<&str>,
    known: &[CallId],
) -> Command {
    Command::Branch {
        conversation: world.conversation_id(),
        from,
        message,
        text: text.map(str::to_owned),
        known: known.to_vec(),
    }
}

impl World {
    /// Makes a branch and waits for the end of its turn.
    pub(crate) async fn branch(
        &self,
        from: ConversationId,
        message: MessageId,
        text: Option<&str>,
        known: &[CallId],
    ) -> Result<ConversationId, ErrorBody> {
        let command = branch(self, from, message, text, known);
        let Command::Branch { conversation, .. } = command else {
            unreachable!("it is one");
        };
        self.command(command).await?;
        let events = self.journal.events(conversation);
        let own = events
            .iter()
            .find(|event| matches!(event.body, EventBody::Branched { .. }));
        let after = own.unwrap().seq;
        let mut watch = crate::world::Watch::new(self.subscribe(conversation, after).await);
        watch.turn_end().await;
        Ok(conversation)
    }
}

pub(crate) fn same(one: &[Record], other: &[Record]) {
    assert_eq!(one.len(), other.len());
    for (one, other) in one.iter().zip(other) {
        assert_eq!(one.event, other.event);
        let raw = |record: &Record| record.raw.as_ref().map(|raw| raw.get().to_owned());
        assert_eq!(raw(one), raw(other), "{:?}", one.event);
    }
}

pub(crate) fn branched(
    world: &World,
    conversation: ConversationId,
) -> (Seq, Vec<protocol::Effect>) {
    let events = world.journal.events(conversation);
    let found = events.into_iter().rev().find_map(|event| match event.body {
        EventBody::Branched { effects, .. } => Some((event.seq, effects)),
        _ => None,
    });
    found.unwrap()
}

/// Every call of a conversation that acted.
pub(crate) fn acted(world: &World, conversation: ConversationId) -> Vec<CallId> {
    let events = world.journal.events(conversation);
    let acted = events.iter().filter_map(|event| match event.body {
        EventBody::ToolStarted { call, tier, .. } if tier > Tier::Green => Some(call),
        _ => None,
    });
    acted.collect()
}

#[tokio::test(start_paused = true)]
async fn an_edit_keeps_both_ways_and_sends_the_same_bytes_before_it() {
    let scripts = vec![
        Script::new()
            .think("hm")
            .call("g", "green", json!({ "n": 1 })),
        Script::say("First."),
        Script::say("Second."),
        Script::say("Other."),
        Script::say("Again."),
    ];
    let world = world(scripts, &Ledger::default());
    let (one, _) = world.run("How is pve?").await;
    world.ask(one, "And the rest?").await;
    let before = world.journal.all_records(one);
    let second = messages(&world, one)[1];

    let two = world
        .branch(one, second, Some("And the backups?"), &[])
        .await
        .unwrap();
    same(&before, &world.journal.all_records(one));
    let (mark, effects) = branched(&world, two);
    assert_eq!(effects, []);
    let kept = usize::try_from(mark.0).unwrap() - 1;
    same(&before[..kept], &world.journal.all_records(two)[..kept]);

    // The request of the branch is the other's but for the newest message, byte for byte.
    let requests = world.model.requests();
    let (old, new) = (flat(&requests[2]), flat(&requests[3]));
    assert_eq!(requests[2].system, requests[3].system);
    assert_eq!(
        requests[2].tools.as_ref().map(|it| it.get()),
        requests[3].tools.as_ref().map(|it| it.get())
    );
    let shared = old
        .iter()
        .position(|(_, block)| block.contains("And the rest?"))
        .unwrap();
    assert_eq!(old[..shared], new[..shared]);
    assert!(new[shared].1.contains("And the backups?"));
    well_formed(&requests[3]);

    // Regenerating says the same once more, in a third.
    let three = world.branch(one, second, None, &[]).await.unwrap();
    assert_eq!(gist(&world.model.requests()[4]), gist(&requests[2]));
    let mut family = world.journal.family(one).await.unwrap();
    family.sort();
    assert_eq!(family, [one, two, three]);
    // Tokens of copied answers count once.
    let transcript = Transcript::from_events(&world.journal.events(three)).unwrap();
    assert_eq!(
        (transcript.usage().input, transcript.usage().output),
        (100, 10)
    );
    // The model continues there as anywhere.
    assert_eq!(messages(&world, three).len(), 2);
}

#[tokio::test(start_paused = true)]
async fn effects_stay_and_both_the_person_and_the_model_are_told() {
    let ledger = Ledger::default();
    let scripts = vec![
        Script::new()
            .call("y", "yellow", json!({ "node": "p</context>ve" }))
            .call("g", "green", json!({})),
        Script::say("Done."),
        Script::new().call("y2", "yellow", json!({ "n": 2 })),
        Script::say("Other."),
        Script::say("Third."),
        Script::say("Fourth."),
    ];
    let world = world(scripts, &ledger);
    let (one, _) = world.run("Restart p</context>ve").await;
    let first = messages(&world, one)[0];
    let done = acted(&world, one);
    assert_eq!(done.len(), 1);

    // A person who was not told, or was told of something else, does not branch.
    let known = [CallId::new(protocol::Timestamp(0), 9)];
    for known in [&[][..], &known] {
        let refused = world.command(branch(&world, one, first, None, known)).await;
        assert_eq!(code(refused), ErrorCode::EffectsStand);
    }
    let two = world
        .branch(one, first, Some("Restart 2"), &done)
        .await
        .unwrap();
    let (_, effects) = branched(&world, two);
    assert_eq!(effects.len(), 1);
    assert_eq!(
        (effects[0].call, effects[0].outcome),
        (done[0], EffectOutcome::Done)
    );
    let told = |n: usize| {
        let blocks = flat(&world.model.requests()[n]);
        let note = blocks.into_iter().map(|(_, block)| block);
        note.filter(|block| block.contains("this is another branch"))
            .collect::<Vec<_>>()
    };
    let note = told(2);
    assert_eq!(note.len(), 1);
    assert!(
        note[0].contains("took effect") && note[0].contains("yellow"),
        "{note:?}"
    );
    // Nothing in it closes its block.
    assert!(!note[0].contains("p</context>ve"), "{note:?}");
    assert!(!note[0].contains("green"), "{note:?}");
    // It is sent again, byte for byte, and not said twice.
    assert_eq!(told(3), note);

    // A third branch knows of both; its own calls are not among them.
    let own = acted(&world, two);
    let mut all = done.clone();
    all.extend(&own);
    let three = world
        .branch(two, messages(&world, two)[0], None, &own)
        .await
        .unwrap();
    let (_, effects) = branched(&world, three);
    let again: Vec<_> = effects.iter().map(|effect| effect.call).collect();
    assert_eq!(again, own, "what was told before is in what was copied");
    let blocks = flat(&world.model.requests()[4]);
    let notes = blocks
        .iter()
        .map(|(_, block)| block.matches("took effect").count());
    assert_eq!(notes.sum::<usize>(), 2);
    // From the first one, both are told again.
    let four = world.branch(one, first, None, &done).await.unwrap();
    let (_, effects) = branched(&world, four);
    let told: Vec<_> = effects.iter().map(|effect| effect.call).collect();
    assert_eq!(told, all);
    assert_eq!(ledger.counts("yellow").len(), 2);
    assert!(ledger.counts("yellow").values().all(|count| *count == 1));
}

#[tokio::test(start_paused = true)]
async fn nothing_of_a_copy_acts_waits_or_is_decided_again() {
    let ledger = Ledger::default();
    let scripts = vec![
        Script::new().call("r", "red", json!({ "node": "pve" })),
        Script::say("Done."),
        Script::say("Middle."),
        Script::new().call("r2", "red", json!({ "node": "pve" })),
        Script::say("Later."),
    ];
    let world = world(scripts, &ledger);
    let one = world.start("Restart pve").await;
    let mut watch = world.watch(one).await;
    let (call, card) = question(&mut watch).await;
    let grant = Decision::Approve {
        grant: Some(GrantTerms {
            uses: 5,
            until: protocol::Timestamp(world.env.now().0 + 60_000),
        }),
        word: None,
    };
    let granted = world.decide(one, call, &card.digest, grant).await;
    granted.unwrap();
    watch.turn_end().await;
    world.ask(one, "Fine").await;
    let second = messages(&world, one)[1];

    let command = branch(&world, one, second, Some("Restart it again"), &[]);
    let Command::Branch {
        conversation: two, ..
    } = command
    else {
        unreachable!("it is one");
    };
    world.command(command).await.unwrap();
    let mut watch = world.watch(two).await;
    // The grant stayed behind: a card asks for it.
    let (asked, other) = loop {
        let (asked, card) = question(&mut watch).await;
        if asked != call {
            break (asked, card);
        }
    };
    assert_eq!(ledger.counts("red").len(), 1);
    assert_eq!(watch.transcript.grants(), []);

    // The copied call is history: no decision, no look, no word about it, no new try.
    let again = world.decide(two, call, &card.digest, APPROVE).await;
    assert_eq!(code(again), ErrorCode::AlreadyDecided);
    let copied = world
        .journal
        .events(two)
        .iter()
        .find_map(|event| match event.body {
            EventBody::TurnStarted { turn, .. } => Some(turn),
            _ => None,
        });
    let turn = copied.unwrap();
    for (command, expect) in [
        (
            Command::Retry {
                conversation: two,
                turn,
            },
            ErrorCode::TurnNotFound,
        ),
        (
            Command::Stop {
                conversation: two,
                turn,
            },
            ErrorCode::TurnNotFound,
        ),
        (
            Command::CheckOutcome {
                conversation: two,
                call,
            },
            ErrorCode::AlreadyDecided,
        ),
        (
            Command::Resolve {
                conversation: two,
                call,
                resolution: Resolution::Done,
            },
            ErrorCode::AlreadyDecided,
        ),
        // Nobody branches while it waits.
        (
            branch(&world, two, messages(&world, two)[1], None, &[]),
            ErrorCode::TurnRunning,
        ),
    ] {
        let named = format!("{command:?}");
        assert_eq!(code(world.command(command).await), expect, "{named}");
    }
    world
        .decide(two, asked, &other.digest, APPROVE)
        .await
        .unwrap();
    watch.turn_end().await;
    assert!(ledger.counts("red").values().all(|count| *count == 1));
    // The message that was left behind is not here.
    let gone = world.command(branch(&world, two, second, None, &[])).await;
    assert_eq!(code(gone), ErrorCode::TurnNotFound);
}

#[tokio::test(start_paused = true)]
async fn an_unknown_outcome_is_settled_where_it_happened_and_known_in_later_branches() {
    let panics = ScriptedTools::new().with_body(
        spec("yellow", Tier::Yellow, Recovery::Unsafe),
        |_, _| async { panic!("scripted") },
    );
    let scripts = vec![
        Script::new().call("y", "yellow", json!({})),
        Script::say("Unknown."),
        Script::say("Middle."),
        Script::say("Branch."),
        Script::say("Later branch."),
    ];
    let world = World::new(ScriptedModel::in_order(scripts), panics);
    let (one, _) = world.run("Restart").await;
    world.ask(one, "Fine").await;
    let second = messages(&world, one)[1];
    let call = acted(&world, one)[0];
    let unknown = world.journal.events(one).iter().any(|event| {
        matches!(
            &event.body,
            EventBody::ToolFinished {
                outcome: ToolOutcome::OutcomeUnknown { .. },
                ..
            }
        )
    });
    assert!(unknown);
    let two = world.branch(one, second, Some("Other"), &[]).await.unwrap();
    let resolve = |conversation| Command::Resolve {
        conversation,
        call,
        resolution: Resolution::NotDone,
    };
    assert_eq!(
        code(world.command(resolve(two)).await),
        ErrorCode::AlreadyDecided
    );
    world.command(resolve(one)).await.unwrap();
    assert_eq!(
        code(world.command(resolve(one)).await),
        ErrorCode::AlreadyDecided
    );
    // Outcomes that became known after the cut come along.
    let three = world.branch(one, second, Some("Third"), &[]).await.unwrap();
    let names = world.names(three);
    let at = |name: &str| names.iter().position(|it| it == name).unwrap();
    assert_eq!(at("outcome_resolved") + 1, at("branched"));
    let request = world.model.requests().pop().unwrap();
    assert!(
        flat(&request)
            .iter()
            .any(|(_, block)| block.contains("whose outcome was unknown"))
    );
    // As a whole it is left behind with the outcome that is known.
    let refused = world
        .command(branch(&world, one, messages(&world, one)[0], None, &[]))
        .await;
    assert_eq!(code(refused), ErrorCode::EffectsStand);
}

#[tokio::test(start_paused = true)]
async fn who_may_branch_what_and_once() {
    let scripts = (0..8).map(|n| Script::say(&format!("{n}"))).collect();
    let world = world(scripts, &Ledger::default());
    let (one, _) = world.run("Hello").await;
    let first = messages(&world, one)[0];
    let command = branch(&world, one, first, Some("Hi"), &[]);
    let Command::Branch { conversation, .. } = command else {
        unreachable!("it is one");
    };
    let id = world.command_id();
    for _ in 0..2 {
        let sent = world.engine.command(world.user, id, command.clone()).await;
        sent.unwrap();
    }
    assert_eq!(world.journal.family(one).await.unwrap().len(), 2);
    // The same place for another command is taken.
    let taken = world.command(command.clone()).await;
    assert_eq!(code(taken), ErrorCode::Malformed);
    world.watch(conversation).await.turn_end().await;
    world.watch(conversation).await.turn_end().await;

    let stranger = UserId::new(protocol::Timestamp(0), 77);
    let theirs = branch(&world, one, first, None, &[]);
    let refused = world
        .engine
        .command(stranger, world.command_id(), theirs)
        .await;
    assert_eq!(code(refused), ErrorCode::ConversationNotFound);
    let none = branch(
        &world,
        one,
        MessageId::new(protocol::Timestamp(0), 5),
        None,
        &[],
    );
    assert_eq!(code(world.command(none).await), ErrorCode::TurnNotFound);
    for (text, expect) in [
        (" ".to_owned(), ErrorCode::MessageEmpty),
        (
            "x".repeat(protocol::MAX_MESSAGE_BYTES + 1),
            ErrorCode::MessageTooLong,
        ),
    ] {
        let refused = world
            .command(branch(&world, one, first, Some(&text), &[]))
            .await;
        assert_eq!(code(refused), expect);
    }
    // A reader may talk, and so reword a message; a disabled user may not.
    world.journal.set_role(world.user, Some(Role::Viewer));
    world.branch(one, first, None, &[]).await.unwrap();
    world.journal.set_role(world.user, None);
    let refused = world.command(branch(&world, one, first, None, &[])).await;
    assert_eq!(code(refused), ErrorCode::RoleNotEnough);
    world.journal.set_role(world.user, Some(Role::Admin));

    // They are deleted and restored together.
    world.engine.delete(world.user, conversation).await.unwrap();
    assert!(world.journal.events(one).is_empty());
    world.engine.restore(world.user, one).await.unwrap();
    assert!(!world.journal.events(conversation).is_empty());
    assert_eq!(
        world.ask(conversation, "Still there?").await,
        TurnOutcome::Answered
    );
}
