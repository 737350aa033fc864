//! A toolset on the sample data, and its calls as the engine makes them.

use std::sync::Arc;

use agent::ports::{
    Audience, CallActor, CallOrigin, Progress, Screen, Tool, ToolCall, ToolExample, ToolSpec,
    Toolset,
};
use markets::{Live, Markets, TrailFilter, drawing::DrawingReader, intake};
use markets_testkit::{MemoryAlerts, MemoryCandles, MemoryDrawings, MemoryRecords};
use protocol::{
    CallId, ConversationId, ErrorBody, ErrorCode, MessageId, Timestamp, ToolOutput, TurnId, UserId,
};
use serde_json::{Value, json};
use testkit::FixedEnv;
use tokio::sync::mpsc;

/// A Wednesday among the newest candles.
pub(crate) const DAY: &str = "2017-12-27T12:00:00Z";

pub(crate) async fn markets() -> Markets {
    let (candles, records) = (MemoryCandles::default(), MemoryRecords::default());
    intake::samples(&candles, &records).await.unwrap();
    Markets::new(
        Live::still(Arc::new(candles)),
        Arc::new(records),
        Arc::new(MemoryDrawings::default()),
        Arc::new(MemoryAlerts::default()),
        Arc::new(FixedEnv::default()),
    )
}

pub(crate) fn turn(n: u128) -> TurnId {
    TurnId::new(Timestamp(1), n)
}

/// The model's call in a turn.
pub(crate) fn model(id: u128, of: u128, tool: &str, input: Value) -> ToolCall {
    ToolCall {
        id: CallId::new(Timestamp(1), id),
        name: tool.to_owned(),
        input,
        approval: None,
        origin: CallOrigin {
            conversation: ConversationId::new(Timestamp(1), 7),
            person: UserId::new(Timestamp(1), 1),
            turn: Some(turn(of)),
            message: Some(MessageId::new(Timestamp(1), of)),
            actor: CallActor::Model,
        },
    }
}

pub(crate) fn person(id: u128, tool: &str, input: Value) -> ToolCall {
    let mut call = model(id, 0, tool, input);
    call.origin = CallOrigin {
        turn: None,
        message: None,
        actor: CallActor::Person,
        ..call.origin
    };
    call
}

pub(crate) fn tool(markets: &Markets, name: &str) -> Arc<dyn Tool> {
    let mut tools = markets.tools().into_iter();
    tools.find(|tool| tool.spec().name == name).unwrap()
}

/// The texts of a definition, for a snapshot.
pub(crate) fn wording(spec: &ToolSpec) -> Value {
    let count = match spec.audience {
        Audience::Everyone => 2..=3,
        Audience::People => 0..=0,
    };
    assert!(count.contains(&spec.examples.len()), "{}", spec.name);
    json!({
        "name": spec.name,
        "description": spec.description,
        "input_schema": spec.input_schema,
        "examples": spec.examples.iter().map(ToolExample::question).collect::<Vec<_>>(),
    })
}

pub(crate) async fn run(markets: &Markets, call: ToolCall) -> Result<ToolOutput, ErrorBody> {
    let tool = tool(markets, &call.name);
    let validator = jsonschema::validator_for(&tool.spec().input_schema).unwrap();
    let fits = validator.validate(&call.input);
    fits.unwrap_or_else(|error| panic!("{}: {error}", call.input));
    let done = tool.call(call, Progress::ignored()).await;
    done.map_err(|error| error.0)
}

pub(crate) async fn data(markets: &Markets, call: ToolCall) -> Value {
    run(markets, call).await.unwrap().data
}

pub(crate) async fn refusal(markets: &Markets, call: ToolCall) -> (ErrorCode, String) {
    let error = run(markets, call).await.unwrap_err();
    (error.code, error.message)
}

pub(crate) fn line(price: f64) -> Value {
    json!({ "symbol": "EURUSD", "price": price, "reason": "two lows of December" })
}

pub(crate) fn change(id: &Value, version: u64, changes: Value) -> Value {
    json!({ "id": id, "expected_version": version, "reason": "the low moved", "changes": changes })
}

pub(crate) fn position(side: &str) -> Value {
    let (stop, target) = match side {
        "long" => (1.195, 1.21),
        _ => (1.205, 1.19),
    };
    json!({
        "symbol": "EURUSD", "start": DAY, "entry": 1.2, "stop": stop, "target": target,
        "account": 10_000, "risk": { "percent": 1 }, "leverage": 30,
        "reason": "a break; wrong beyond the stop",
    })
}

/// The current board.
pub(crate) async fn board(markets: &Markets) -> agent::ports::Picture {
    let (sender, mut pictures) = mpsc::unbounded_channel();
    let screen = Screen::new(move |picture| drop(sender.send(picture)));
    let board = markets.board().unwrap();
    tokio::select! {
        () = board.watch(screen) => unreachable!(),
        picture = pictures.recv() => picture.unwrap(),
    }
}

/// The whole trail as a reader sees it, in CSV.
pub(crate) async fn trail_of(
    markets: &Markets,
    reader: DrawingReader,
    filter: &TrailFilter,
) -> String {
    let mut text = String::new();
    let mut after = None;
    loop {
        let part = markets.trail(reader, filter, after).await.unwrap();
        text.push_str(&part.text);
        match part.next {
            Some(place) => after = Some(place),
            None => return text,
        }
    }
}
