//! Subscribers: whenever one joins, it gets everything exactly once.

use agent::SubscriptionEnd;
use agent::ports::{ModelEvent, ModelReply};
use futures::{FutureExt, StreamExt};
use proptest::prelude::*;
use protocol::{BlockKind, Seq, ServerFrame, StopReason, TurnOutcome, Usage};
use serde_json::{json, value::to_raw_value};
use testkit::{Act, Hold, Script, ScriptedModel, ScriptedTools};
use transcript::{BlockState, RowContent};

use crate::world::{Watch, World};

/// An event of a run, in order.
#[derive(Debug, Clone)]
enum Happening {
    /// The model says more.
    Says(String),
    /// A tab opens, and reads at once or later.
    Joins { from_start: bool },
    /// The tabs read all frames that wait.
    Reads,
}

fn happening() -> impl Strategy<Value = Happening> {
    prop_oneof![
        3 => "[a-zö👍 ]{1,6}".prop_map(Happening::Says),
        1 => any::<bool>().prop_map(|from_start| Happening::Joins { from_start }),
        1 => Just(Happening::Reads),
    ]
}

/// The text of the answer as a tab shows it.
fn text(watch: &Watch) -> Vec<(String, BlockState)> {
    let rows = watch.transcript.rows().iter();
    rows.filter_map(|row| match &row.content {
        RowContent::Text { text, state } => Some((text.clone(), *state)),
        _ => None,
    })
    .collect()
}

/// Reads all frames that wait.
async fn read(watch: &mut Watch) {
    while watch.frame().now_or_never().is_some() {}
}

async fn run(happenings: Vec<Happening>) {
    let pieces: Vec<_> = happenings
        .iter()
        .filter_map(|happening| match happening {
            Happening::Says(text) => Some(text.clone()),
            _ => None,
        })
        .collect();
    let whole = format!("{}.", pieces.concat());
    let holds: Vec<_> = pieces.iter().map(|_| Hold::new()).collect();
    let end = Hold::new();
    let mut script = Script::new().act(Act::Event(ModelEvent::BlockStarted {
        index: 0,
        kind: BlockKind::Text,
    }));
    for (piece, hold) in pieces.iter().zip(&holds) {
        script = script.hold(hold).act(Act::Event(ModelEvent::Delta {
            index: 0,
            text: piece.clone(),
        }));
    }
    let block = to_raw_value(&json!({ "type": "text", "text": whole })).unwrap();
    script = script
        .hold(&end)
        .act(Act::Event(ModelEvent::Delta {
            index: 0,
            text: ".".to_owned(),
        }))
        .act(Act::Event(ModelEvent::Finished(ModelReply {
            content: vec![block.into()],
            stop: StopReason::EndTurn,
            explanation: None,
            invalid_inputs: Vec::new(),
            usage: Usage::default(),
            request_id: None,
            id: None,
            model: None,
        })))
        .without_end();
    let world = World::new(ScriptedModel::in_order(vec![script]), ScriptedTools::new());
    let conversation = world.start("Go").await;
    holds.first().unwrap_or(&end).reached().await;

    let mut tabs: Vec<Watch> = Vec::new();
    let mut said = 0;
    let mut so_far = String::new();
    for happening in happenings {
        match happening {
            Happening::Says(piece) => {
                holds[said].open();
                said += 1;
                holds.get(said).unwrap_or(&end).reached().await;
                so_far.push_str(&piece);
            }
            Happening::Joins { from_start } => {
                let after = if from_start { Seq(0) } else { Seq(2) };
                let mut tab = Watch::new(world.subscribe(conversation, after).await);
                if !from_start {
                    // The page that it comes with had the first two events.
                    for event in &world.journal.events(conversation)[..2] {
                        tab.transcript.apply(event).unwrap();
                    }
                }
                tabs.push(tab);
            }
            Happening::Reads => {
                for tab in &mut tabs {
                    read(tab).await;
                    // A block that has begun and has no text yet is there as well.
                    assert_eq!(text(tab), [(so_far.clone(), BlockState::Streaming)]);
                }
            }
        }
    }
    // One more, in the middle of all that happens next.
    tabs.push(Watch::new(world.subscribe(conversation, Seq(0)).await));
    end.open();
    for tab in &mut tabs {
        assert_eq!(tab.turn_end().await.1, TurnOutcome::Answered);
        assert_eq!(text(tab), [(whole.clone(), BlockState::Done)]);
        let subscribed = |frame: &&ServerFrame| matches!(frame, ServerFrame::Subscribed { .. });
        assert_eq!(tab.frames.iter().filter(subscribed).count(), 1);
        let mut seqs = tab.frames.iter().filter_map(|frame| match frame {
            ServerFrame::Events { events, .. } => Some(events.iter().map(|event| event.seq.0)),
            _ => None,
        });
        let seqs: Vec<_> = seqs.by_ref().flatten().collect();
        assert!(
            seqs.windows(2).all(|pair| pair[1] == pair[0] + 1),
            "{seqs:?}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_subscriber_has_everything_once(happenings in prop::collection::vec(happening(), 0..24)) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        runtime.block_on(run(happenings));
    }
}

#[tokio::test(start_paused = true)]
async fn a_join_in_mid_stream_gets_what_waits_and_what_runs() {
    let hold = Hold::new();
    let error = protocol::ErrorBody::new(protocol::ErrorCode::ModelOverloaded, "busy");
    let until = protocol::Timestamp(1);
    let waiting = ModelEvent::Waiting { error, until };
    let model = ScriptedModel::in_order(vec![
        Script::new()
            .act(Act::Event(waiting))
            .hold(&hold)
            .text("Sir."),
    ]);
    let world = World::new(model, ScriptedTools::new());
    let conversation = world.start("Go").await;
    hold.reached().await;
    let mut watch = world.watch(conversation).await;
    read(&mut watch).await;
    assert!(matches!(
        watch.frames.last(),
        Some(ServerFrame::Waiting { .. })
    ));
    hold.open();
    watch.turn_end().await;
    let mut later = world.watch(conversation).await;
    read(&mut later).await;
    assert!(matches!(
        later.frames.last(),
        Some(ServerFrame::Subscribed { .. })
    ));
}

/// Half of an input says nothing, and what redacts a call must see the whole.
#[tokio::test(start_paused = true)]
async fn the_input_of_a_call_is_sent_once_it_is_whole() {
    let written = Hold::new();
    let script = Script::new()
        .text("I look.")
        .call("c1", "get_vms", json!({ "node": "pve-seven" }))
        .hold(&written);
    let world = World::new(
        ScriptedModel::in_order(vec![script, Script::new().text("Done.")]),
        ScriptedTools::new(),
    );
    let conversation = world.start("Go").await;
    let mut from_the_start = world.watch(conversation).await;
    written.reached().await;
    let mut later = world.watch(conversation).await;
    for tab in [&mut from_the_start, &mut later] {
        read(tab).await;
        let sent = serde_json::to_string(&tab.frames).unwrap();
        assert!(sent.contains("get_vms") && !sent.contains("pve"), "{sent}");
    }
    written.open();
    later.turn_end().await;
    let sent = serde_json::to_string(&later.frames).unwrap();
    assert!(sent.contains("pve-seven"), "{sent}");
}

#[tokio::test(start_paused = true)]
async fn who_does_not_read_is_dropped_and_told() {
    let hold = Hold::new();
    // Different blocks cannot be joined while they wait.
    let blocks = (0..1100).fold(Script::new().hold(&hold), |script, _| script.text("x y"));
    let model = ScriptedModel::in_order(vec![blocks]);
    let world = World::new(model, ScriptedTools::new());
    let conversation = world.start("Go").await;
    hold.reached().await;
    let mut slow = world.watch(conversation).await;
    let mut quick = world.watch(conversation).await;
    read(&mut slow).await;
    hold.open();
    assert_eq!(quick.turn_end().await.1, TurnOutcome::Answered);
    let end = slow.subscription.next().await;
    assert_eq!(end, Some(Err(SubscriptionEnd::TooSlow)));
    assert!(slow.subscription.next().await.is_none());
    // It comes back and catches up.
    let head = slow.transcript.head();
    let mut back = Watch::new(world.subscribe(conversation, head).await);
    assert_eq!(back.turn_end().await.1, TurnOutcome::Answered);
}

#[tokio::test(start_paused = true)]
async fn deltas_that_wait_are_joined() {
    let hold = Hold::new();
    let end = Hold::new();
    let words = "word ".repeat(5000);
    let script = Script::new().hold(&hold).text(&words).hold(&end);
    let world = World::new(ScriptedModel::in_order(vec![script]), ScriptedTools::new());
    let conversation = world.start("Go").await;
    hold.reached().await;
    let mut slow = world.watch(conversation).await;
    read(&mut slow).await;
    let before = slow.frames.len();
    hold.open();
    end.reached().await;
    read(&mut slow).await;
    assert!(slow.frames.len() - before < 5, "{}", slow.frames.len());
    assert_eq!(text(&slow), [(words, BlockState::Streaming)]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn joins_while_it_streams_miss_nothing() {
    let start = Hold::new();
    let half = Hold::new();
    let words: Vec<String> = (0..4000).map(|n| format!("{n} ")).collect();
    let (one, two) = (words[..2000].concat(), words[2000..].concat());
    let script = Script::new().hold(&start).text(&one).hold(&half).text(&two);
    let world = World::new(ScriptedModel::in_order(vec![script]), ScriptedTools::new());
    let conversation = world.start("Go").await;
    start.reached().await;
    let tab = |engine: agent::Engine, user| async move {
        let mut texts = 0;
        let subscribed = engine.subscribe(user, conversation, Seq(0));
        let mut watch = Watch::new(subscribed.await.unwrap());
        assert_eq!(watch.turn_end().await.1, TurnOutcome::Answered);
        // Frames alone, without the message at the end, make the whole text as well.
        let mut streamed = std::collections::BTreeMap::<_, String>::new();
        for frame in &watch.frames {
            match frame {
                ServerFrame::Block { block, text, .. } => {
                    streamed.insert(*block, text.clone());
                }
                ServerFrame::Delta {
                    block,
                    offset,
                    text,
                } => {
                    let so_far = streamed.get_mut(block).unwrap();
                    assert_eq!(so_far.len() as u64, *offset);
                    so_far.push_str(text);
                    texts += 1;
                }
                _ => {}
            }
        }
        (streamed.into_values().collect::<Vec<_>>(), texts)
    };
    let spawn = || tokio::spawn(tab(world.engine.clone(), world.user));
    let mut tabs: Vec<_> = (0..20).map(|_| spawn()).collect();
    start.open();
    tabs.extend((0..20).map(|_| spawn()));
    half.reached().await;
    tabs.extend((0..10).map(|_| spawn()));
    half.open();
    tabs.extend((0..20).map(|_| spawn()));
    let mut deltas = 0;
    for tab in tabs {
        let (texts, count) = tab.await.unwrap();
        deltas += count;
        // A tab that came after the end has no live blocks.
        assert!(texts.is_empty() || texts == [one.clone(), two.clone()]);
    }
    assert!(deltas > 0, "nobody saw it stream");
}
