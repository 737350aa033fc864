//! Tools that need an open page: shown once, carried out once, by one tab at a time.

use std::{sync::Arc, time::Duration};

use agent::{
    Subscription,
    ports::{Recovery, Staging},
};
use futures::{FutureExt, StreamExt};
use protocol::{
    CallId, Command, ConversationId, ErrorBody, ErrorCode, EventBody, Performed, ServerFrame,
    TabId, Tier, Timestamp, ToolOutcome, TurnOutcome,
};
use serde_json::{Value, json};
use testkit::{Ledger, Script, ScriptedModel, ScriptedTools, spec};
use tokio::time::{Instant, sleep};

use crate::world::{Watch, World};

fn tools() -> ScriptedTools {
    ScriptedTools::new()
        .with(spec("draw", Tier::Green, Recovery::Idempotent))
        .with_staging("draw", Staging::Shows)
        .with(spec("scroll", Tier::Green, Recovery::Pure))
        .with_staging("scroll", Staging::Runs)
}

fn world(tool: &str) -> World {
    let scripts = [
        Script::new().call("t", tool, json!({ "n": 1 })),
        Script::say("Sir."),
    ];
    World::new(ScriptedModel::in_order(scripts.into()), tools())
}

fn tab(n: u128) -> TabId {
    TabId::new(Timestamp(1), n)
}

/// An open page.
struct Page {
    tab: TabId,
    frames: Subscription,
}

impl Page {
    fn open(world: &World, n: u128, beside: Option<ConversationId>) -> Self {
        let person = world.user.into();
        let toolset = "scripted".to_owned();
        let stage = world
            .engine
            .subscribe_stage(&person, toolset, tab(n), beside, true);
        Self {
            tab: tab(n),
            frames: stage.unwrap(),
        }
    }

    /// The next call that it is asked for.
    async fn asked(&mut self) -> (CallId, Value) {
        let frame = self.frames.next().await.unwrap().unwrap();
        match serde_json::from_slice(frame.as_bytes()).unwrap() {
            ServerFrame::Perform {
                call, tab, data, ..
            } => {
                assert_eq!(tab, self.tab);
                (call, data)
            }
            other => panic!("{other:?}"),
        }
    }

    fn is_asked(&mut self) -> bool {
        self.frames.next().now_or_never().is_some()
    }
}

async fn says(
    world: &World,
    tab: TabId,
    (conversation, call): (ConversationId, CallId),
    result: Performed,
) -> Result<(), ErrorBody> {
    world
        .command(Command::Performed {
            conversation,
            call,
            tab,
            result,
        })
        .await
}

fn done() -> Performed {
    Performed::Done { note: None }
}

fn code(result: Result<(), ErrorBody>) -> ErrorCode {
    result.unwrap_err().code
}

/// A conversation that was begun in a tab.
async fn begun(world: &World, n: u128) -> (ConversationId, Watch) {
    let conversation = world.conversation_id();
    let start = Command::start(conversation, "Go");
    world.engine.came_from(world.user, &start, tab(n));
    world.command(start).await.unwrap();
    (conversation, world.watch(conversation).await)
}

/// The end of the only call.
fn end(world: &World, conversation: ConversationId) -> ToolOutcome {
    let events = world.journal.events(conversation);
    let mut ends = events.into_iter().filter_map(|event| match event.body {
        EventBody::ToolFinished { outcome, .. } => Some(outcome),
        _ => None,
    });
    let end = ends.next().unwrap();
    assert!(ends.next().is_none(), "one end");
    end
}

fn data(outcome: ToolOutcome) -> Value {
    match outcome {
        ToolOutcome::Succeeded { output } => output.data,
        other => panic!("{other:?}"),
    }
}

fn failure(outcome: ToolOutcome) -> ErrorCode {
    match outcome {
        ToolOutcome::Failed { error } => error.code,
        other => panic!("{other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_made_is_shown_by_the_page() {
    let world = world("draw");
    let mut page = Page::open(&world, 1, None);
    let (conversation, mut watch) = begun(&world, 1).await;
    let (call, asked) = page.asked().await;
    assert_eq!(asked, json!({ "n": 1 }));
    let word = Performed::Done {
        note: Some("2 bars\nwide".to_owned()),
    };
    says(&world, tab(1), (conversation, call), word.clone())
        .await
        .unwrap();
    // Repeating the answer is accepted; another tab's comes too late.
    says(&world, tab(1), (conversation, call), word)
        .await
        .unwrap();
    let late = says(&world, tab(2), (conversation, call), done()).await;
    assert_eq!(code(late), ErrorCode::CallEnded);
    watch.turn_end().await;
    assert_eq!(
        data(end(&world, conversation)),
        json!({ "n": 1, "shown": true, "page": "2 bars wide" })
    );
}

#[tokio::test(start_paused = true)]
async fn without_a_page_it_is_saved_and_not_yet_shown() {
    let world = world("draw");
    let clock = Instant::now();
    let (conversation, mut watch) = begun(&world, 1).await;
    watch.turn_end().await;
    assert!(
        clock.elapsed() < Duration::from_secs(1),
        "nobody waits for no page"
    );
    let data = data(end(&world, conversation));
    assert_eq!(data["shown"], json!(false));
    assert!(
        data["not_shown"]
            .as_str()
            .unwrap()
            .starts_with("Saved, not yet shown")
    );
}

#[tokio::test(start_paused = true)]
async fn a_page_that_is_silent_holds_nothing_up() {
    let world = world("draw");
    let mut page = Page::open(&world, 1, None);
    let clock = Instant::now();
    let (conversation, mut watch) = begun(&world, 1).await;
    let (call, _) = page.asked().await;
    watch.turn_end().await;
    assert_eq!(clock.elapsed().as_secs(), 5);
    assert_eq!(data(end(&world, conversation))["shown"], json!(false));
    let late = says(&world, tab(1), (conversation, call), done()).await;
    assert_eq!(code(late), ErrorCode::CallEnded);
}

#[tokio::test(start_paused = true)]
async fn what_only_a_page_can_do_waits_for_one() {
    let world = world("scroll");
    let clock = Instant::now();
    let (conversation, mut watch) = begun(&world, 1).await;
    sleep(Duration::from_secs(25)).await;
    let mut page = Page::open(&world, 7, None);
    let (call, _) = page.asked().await;
    says(&world, tab(7), (conversation, call), done())
        .await
        .unwrap();
    watch.turn_end().await;
    assert!(clock.elapsed() < Duration::from_secs(30));
    assert_eq!(data(end(&world, conversation)), json!({ "n": 1 }));
}

#[tokio::test(start_paused = true)]
async fn it_is_given_up_without_one() {
    let world = world("scroll");
    let clock = Instant::now();
    let (conversation, mut watch) = begun(&world, 1).await;
    watch.turn_end().await;
    assert_eq!(clock.elapsed().as_secs(), 30);
    assert_eq!(
        failure(end(&world, conversation)),
        ErrorCode::ToolUnreachable
    );
}

#[tokio::test(start_paused = true)]
async fn it_is_given_up_when_the_page_says_nothing_or_cannot() {
    let silent = world("scroll");
    let mut page = Page::open(&silent, 1, None);
    let clock = Instant::now();
    let (conversation, mut watch) = begun(&silent, 1).await;
    page.asked().await;
    watch.turn_end().await;
    assert_eq!(clock.elapsed().as_secs(), 20);
    assert_eq!(failure(end(&silent, conversation)), ErrorCode::ToolTimeout);

    let unable = world("scroll");
    let mut page = Page::open(&unable, 1, None);
    let (conversation, mut watch) = begun(&unable, 1).await;
    let (call, _) = page.asked().await;
    let word = Performed::Failed {
        message: "There are no candles there.".to_owned(),
    };
    says(&unable, tab(1), (conversation, call), word)
        .await
        .unwrap();
    watch.turn_end().await;
    assert_eq!(failure(end(&unable, conversation)), ErrorCode::ToolFailed);
}

#[tokio::test(start_paused = true)]
async fn the_tab_of_the_message_has_it_and_nobody_else() {
    let world = world("scroll");
    let mut own = Page::open(&world, 1, None);
    let mut other = Page::open(&world, 2, None);
    let (conversation, mut watch) = begun(&world, 1).await;
    let (call, _) = own.asked().await;
    assert!(!other.is_asked());
    let elsewhere = says(&world, tab(2), (conversation, call), done()).await;
    assert_eq!(code(elsewhere), ErrorCode::CallEnded);
    says(&world, tab(1), (conversation, call), done())
        .await
        .unwrap();
    watch.turn_end().await;
}

#[tokio::test(start_paused = true)]
async fn a_tab_that_is_loaded_again_is_asked_again() {
    let world = world("scroll");
    let mut page = Page::open(&world, 1, None);
    let mut other = Page::open(&world, 2, None);
    let (conversation, mut watch) = begun(&world, 1).await;
    let (call, _) = page.asked().await;
    drop(page);
    sleep(Duration::from_secs(3)).await;
    let mut page = Page::open(&world, 1, None);
    assert_eq!(page.asked().await.0, call);
    assert!(!other.is_asked());
    says(&world, tab(1), (conversation, call), done())
        .await
        .unwrap();
    watch.turn_end().await;
    end(&world, conversation);
}

#[tokio::test(start_paused = true)]
async fn a_tab_that_is_gone_is_replaced_after_a_while() {
    let world = world("scroll");
    let mut page = Page::open(&world, 1, None);
    let mut far = Page::open(&world, 2, None);
    let (conversation, mut watch) = begun(&world, 1).await;
    let mut beside = Page::open(&world, 3, Some(conversation));
    let (call, _) = page.asked().await;
    let clock = Instant::now();
    drop(page);
    assert_eq!(beside.asked().await.0, call);
    assert_eq!(clock.elapsed().as_secs(), 10);
    assert!(!far.is_asked());
    // The first one comes back too late.
    let mut page = Page::open(&world, 1, None);
    assert!(!page.is_asked());
    let late = says(&world, tab(1), (conversation, call), done()).await;
    assert_eq!(code(late), ErrorCode::CallEnded);
    says(&world, tab(3), (conversation, call), done())
        .await
        .unwrap();
    watch.turn_end().await;
    end(&world, conversation);
}

#[tokio::test(start_paused = true)]
async fn another_tab_takes_over() {
    let world = world("scroll");
    let mut own = Page::open(&world, 1, None);
    let mut other = Page::open(&world, 2, None);
    let (conversation, mut watch) = begun(&world, 1).await;
    let (call, _) = own.asked().await;
    let take = |n| Command::TakeOver {
        conversation,
        call,
        tab: tab(n),
    };
    assert_eq!(code(world.command(take(9)).await), ErrorCode::BoardNotFound);
    world.command(take(2)).await.unwrap();
    assert_eq!(other.asked().await.0, call);
    let late = says(&world, tab(1), (conversation, call), done()).await;
    assert_eq!(code(late), ErrorCode::CallEnded);
    says(&world, tab(2), (conversation, call), done())
        .await
        .unwrap();
    watch.turn_end().await;
    assert_eq!(code(world.command(take(1)).await), ErrorCode::CallEnded);
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_is_stopped_takes_no_answer() {
    let world = world("scroll");
    let mut page = Page::open(&world, 1, None);
    let (conversation, mut watch) = begun(&world, 1).await;
    let (call, _) = page.asked().await;
    let turn = world.last_turn(conversation);
    world
        .command(Command::Stop { conversation, turn })
        .await
        .unwrap();
    assert_eq!(watch.turn_end().await.1, TurnOutcome::Stopped);
    let late = says(&world, tab(1), (conversation, call), done()).await;
    assert_eq!(code(late), ErrorCode::CallEnded);
}

/// Others can neither answer for a conversation nor take its calls over.
#[tokio::test(start_paused = true)]
async fn it_is_the_persons_own_matter() {
    let world = world("scroll");
    let mut page = Page::open(&world, 1, None);
    let (conversation, _watch) = begun(&world, 1).await;
    let (call, _) = page.asked().await;
    let other = protocol::UserId::new(Timestamp(0), 2);
    for command in [
        Command::Performed {
            conversation,
            call,
            tab: tab(1),
            result: done(),
        },
        Command::TakeOver {
            conversation,
            call,
            tab: tab(1),
        },
    ] {
        let refused = world
            .engine
            .command(other, world.command_id(), command)
            .await;
        assert_eq!(code(refused), ErrorCode::CallEnded);
    }
}

/// A restarted server asks the page again, and there is one end.
#[tokio::test(start_paused = true)]
async fn a_server_that_starts_again_asks_again() {
    let former = world("scroll");
    let mut page = Page::open(&former, 1, None);
    let (conversation, _watch) = begun(&former, 1).await;
    let (call, _) = page.asked().await;
    former.engine.shutdown().await;

    let model = ScriptedModel::in_order(vec![Script::say("Sir.")]);
    let journal = Arc::clone(&former.journal);
    let env = Arc::clone(&former.env);
    let tools = tools().with_ledger(&Ledger::default());
    let world = World::on(journal, env, Arc::new(model), tools, |_| {});
    let mut page = Page::open(&world, 1, Some(conversation));
    world.engine.recover().await.unwrap();
    assert_eq!(page.asked().await.0, call);
    let mut watch = world.watch(conversation).await;
    says(&world, tab(1), (conversation, call), done())
        .await
        .unwrap();
    watch.turn_end().await;
    end(&world, conversation);
}
