//! Lines in, requests out, lines back.

use reqwest::{
    Response, StatusCode,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE},
};
use serde_json::Value;
use tokio::{
    io::{
        AsyncBufRead, AsyncBufReadExt, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader, stdin,
        stdout,
    },
    task::{AbortHandle, JoinSet},
};

use crate::{
    asked_cards::{AskedCards, CardAnswer, UnopenedCard, can_be_asked, tells_state},
    message::{MessageParts, error},
    target::BridgeTarget,
    texts,
};

/// The longest message of a client, in bytes.
const MAX_LINE: usize = 1024 * 1024;
/// The longest answer of the server, in bytes.
const MAX_ANSWER: usize = 4 * 1024 * 1024;
/// Requests that are under way at once; the next line is read when one has ended.
const AT_ONCE: usize = 16;

const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const INTERNAL_ERROR: i32 = -32603;

/// The end of a bridge that was not its input's.
#[derive(Debug, thiserror::Error)]
#[error("standard input or output broke: {0}")]
pub struct RelayError(#[from] std::io::Error);

/// A request under way.
struct UnderwayMessage {
    id: Value,
    task: AbortHandle,
}

/// The answer to a message, if it has one.
struct MessageAnswer {
    id: Option<Value>,
    line: Option<String>,
    /// The version that the server has agreed on with an older client.
    negotiated: Option<String>,
    /// The card that the call waits for, if the client may be asked to open it.
    card: Option<UnopenedCard>,
    /// True if it is the outcome of a call whose card the client was asked to open.
    is_outcome: bool,
}

/// Does the same as [`relay`] with the standard input and output of this process.
///
/// # Errors
/// As [`relay`].
pub async fn relay_standard(target: &BridgeTarget) -> Result<(), RelayError> {
    relay(target, BufReader::new(stdin()), stdout()).await
}

/// Passes messages on until the input ends, and the answers to those that were sent.
///
/// # Errors
/// Input or output broke.
pub async fn relay(
    target: &BridgeTarget,
    mut input: impl AsyncBufRead + Unpin,
    mut output: impl AsyncWrite + Unpin,
) -> Result<(), RelayError> {
    let mut tasks: JoinSet<MessageAnswer> = JoinSet::new();
    let mut underway: Vec<UnderwayMessage> = Vec::new();
    let mut negotiated: Option<String> = None;
    let mut opens = false;
    let mut cards = AskedCards::default();
    // What was read of a line stays here when an answer comes first.
    let mut line = Vec::new();
    let mut is_open = true;
    while is_open || !tasks.is_empty() {
        tokio::select! {
            biased;
            Some(ended) = tasks.join_next() => {
                // One that the client has cancelled has no answer.
                let Ok(answer) = ended else { continue };
                underway.retain(|it| Some(&it.id) != answer.id.as_ref());
                negotiated = answer.negotiated.or(negotiated);
                let (Some(id), Some(line)) = (answer.id, answer.line) else { continue };
                if answer.is_outcome {
                    // The client has refused the card in between, and has its answer.
                    let Some(asked) = cards.ended(&id) else { continue };
                    if answer.card.is_none() {
                        write(&mut output, &asked.settled().to_string()).await?;
                    }
                    write(&mut output, &line).await?;
                    continue;
                }
                let can_ask = can_be_asked(opens, negotiated.as_deref());
                let Some(card) = answer.card.filter(|_| can_ask) else {
                    write(&mut output, &line).await?;
                    continue;
                };
                let asks = card.outcome(&id);
                let question = cards.ask(card.clone(), id.clone(), line.clone());
                write(&mut output, &question.to_string()).await?;
                let parts = MessageParts::of(&asks, negotiated.as_deref());
                let task = tasks.spawn(outcome(target.clone(), parts, asks, card, line));
                underway.push(UnderwayMessage { id, task });
            }
            read = next_line(&mut input, &mut line), if is_open && tasks.len() < AT_ONCE => {
                let end = read?;
                if end == LineEnd::Closed && line.is_empty() {
                    is_open = false;
                    continue;
                }
                let text = std::mem::take(&mut line);
                if end == LineEnd::TooLong {
                    let answer = error(None, INVALID_REQUEST, texts::LINE_TOO_LONG);
                    write(&mut output, &answer.to_string()).await?;
                    skip_line(&mut input).await?;
                    continue;
                }
                if text.iter().all(u8::is_ascii_whitespace) {
                    continue;
                }
                let Ok(message) = serde_json::from_slice::<Value>(&text) else {
                    let answer = error(None, PARSE_ERROR, texts::NO_MESSAGE);
                    write(&mut output, &answer.to_string()).await?;
                    continue;
                };
                if let Some(answer) = cards.answer(&message) {
                    if let CardAnswer::Refused(asked) = answer {
                        abort(&mut underway, &asked.request);
                        write(&mut output, &asked.waiting).await?;
                    }
                    continue;
                }
                let parts = MessageParts::of(&message, negotiated.as_deref());
                if let Some(cancelled) = &parts.cancels {
                    abort(&mut underway, cancelled);
                    cards.ended(cancelled);
                    continue;
                }
                let id = parts.id.clone();
                let negotiates = parts.negotiates;
                opens = parts.opens || (opens && !negotiates);
                let task = tasks.spawn(answered(target.clone(), parts, text));
                if negotiates && let Some(answer) = tasks.join_next().await {
                    // What follows needs the version, and nothing else is sent before it is there.
                    if let Ok(answer) = answer {
                        negotiated = answer.negotiated.or(negotiated);
                        if let Some(line) = answer.line {
                            write(&mut output, &line).await?;
                        }
                    }
                } else if let Some(id) = id {
                    underway.push(UnderwayMessage { id, task });
                }
            }
        }
    }
    Ok(())
}

/// Ends a request that is under way, without an answer.
fn abort(underway: &mut Vec<UnderwayMessage>, id: &Value) {
    for it in underway.iter().filter(|it| it.id == *id) {
        it.task.abort();
    }
    underway.retain(|it| it.id != *id);
}

/// The end of what was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineEnd {
    Newline,
    TooLong,
    Closed,
}

/// Reads on to the end of a line. Dropping it in between loses nothing: what was read is in `line`.
async fn next_line(
    input: &mut (impl AsyncBufRead + Unpin),
    line: &mut Vec<u8>,
) -> std::io::Result<LineEnd> {
    loop {
        let left = MAX_LINE.saturating_sub(line.len());
        if left == 0 {
            return Ok(LineEnd::TooLong);
        }
        let buffer = input.fill_buf().await?;
        if buffer.is_empty() {
            return Ok(LineEnd::Closed);
        }
        let piece = buffer.get(..left).unwrap_or(buffer);
        let (taken, is_end) = match piece.iter().position(|byte| *byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (piece.len(), false),
        };
        line.extend_from_slice(&piece[..taken]);
        input.consume(taken);
        if is_end {
            return Ok(LineEnd::Newline);
        }
    }
}

/// Drops the rest of a line.
async fn skip_line(input: &mut (impl AsyncBufRead + Unpin)) -> std::io::Result<()> {
    let mut piece = Vec::new();
    loop {
        piece.clear();
        let mut some = (&mut *input).take(64 * 1024);
        let read = some.read_until(b'\n', &mut piece).await?;
        if read == 0 || piece.ends_with(b"\n") {
            return Ok(());
        }
    }
}

async fn write(output: &mut (impl AsyncWrite + Unpin), line: &str) -> std::io::Result<()> {
    output.write_all(line.as_bytes()).await?;
    output.write_all(b"\n").await?;
    output.flush().await
}

/// Posts a message, and waits for its answer.
async fn answered(target: BridgeTarget, parts: MessageParts, text: Vec<u8>) -> MessageAnswer {
    let id = parts.id.clone();
    let answer = match post(&target, &parts, text).await {
        Ok(answer) => answer,
        Err(sentence) => Some(error(id.as_ref(), INTERNAL_ERROR, &sentence)),
    };
    let version = answer
        .as_ref()
        .filter(|_| parts.negotiates)
        .and_then(|answer| answer.get("result")?.get("protocolVersion")?.as_str());
    let card = answer.as_ref().filter(|_| parts.may_wait);
    MessageAnswer {
        negotiated: version.map(str::to_owned),
        card: card.and_then(UnopenedCard::of),
        is_outcome: false,
        // Nobody waits for an answer to anything but a request.
        line: answer
            .filter(|_| id.is_some())
            .map(|answer| answer.to_string()),
        id,
    }
}

/// Asks for the outcome of a call that waits for a card. If that fails, the answer is `waiting`: the call
/// goes on.
async fn outcome(
    target: BridgeTarget,
    parts: MessageParts,
    asks: Value,
    card: UnopenedCard,
    waiting: String,
) -> MessageAnswer {
    let id = parts.id.clone();
    let read = post(&target, &parts, asks.to_string().into_bytes()).await;
    let read = read.ok().flatten();
    let read = read.filter(tells_state);
    MessageAnswer {
        id,
        negotiated: None,
        card: read.as_ref().map_or(Some(card), UnopenedCard::of),
        is_outcome: true,
        line: Some(read.map_or(waiting, |answer| answer.to_string())),
    }
}

async fn post(
    target: &BridgeTarget,
    parts: &MessageParts,
    text: Vec<u8>,
) -> Result<Option<Value>, String> {
    let mut request = target
        .client
        .post(target.url.clone())
        .header(AUTHORIZATION, format!("Bearer {}", target.token()))
        .header(ACCEPT, "application/json, text/event-stream")
        .header(CONTENT_TYPE, "application/json")
        .body(text);
    for (name, value) in &parts.headers {
        request = request.header(*name, value);
    }
    let sent = request.send().await;
    let response = sent.map_err(|error| texts::not_reached(&root_of(&error)))?;
    let status = response.status();
    if status == StatusCode::ACCEPTED {
        return Ok(None);
    }
    let body = body(response).await?;
    let Ok(answer) = serde_json::from_slice::<Value>(&body) else {
        return Err(texts::refused(status.as_u16()));
    };
    if answer.get("jsonrpc").is_some() {
        return Ok(Some(answer));
    }
    // A refusal of the server before the protocol: code, message and help.
    let text = |name: &str| answer.get(name).and_then(Value::as_str);
    Err(match (text("message"), text("help")) {
        (Some(message), Some(help)) => format!("{message} {help}"),
        (Some(message), None) => message.to_owned(),
        (None, _) => texts::refused(status.as_u16()),
    })
}

async fn body(mut response: Response) -> Result<Vec<u8>, String> {
    let mut body = Vec::new();
    loop {
        let piece = response.chunk().await;
        match piece.map_err(|error| texts::not_reached(&root_of(&error)))? {
            None => return Ok(body),
            Some(piece) if body.len() + piece.len() > MAX_ANSWER => {
                return Err(texts::ANSWER_TOO_LONG.to_owned());
            }
            Some(piece) => body.extend_from_slice(&piece),
        }
    }
}

/// The innermost cause of a failure: the outer ones name the address.
fn root_of(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn lines_are_read_whole_and_long_ones_are_left_out() {
        let long = "x".repeat(MAX_LINE + 10);
        let text = format!("one\n\n{long}\ntwo\nthree");
        let mut input = BufReader::new(text.as_bytes());
        let mut read = Vec::new();
        loop {
            let mut line = Vec::new();
            let end = next_line(&mut input, &mut line).await.unwrap();
            match end {
                LineEnd::TooLong => {
                    skip_line(&mut input).await.unwrap();
                    read.push("too long".to_owned());
                }
                LineEnd::Newline => read.push(String::from_utf8(line).unwrap()),
                LineEnd::Closed => {
                    read.push(String::from_utf8(line).unwrap());
                    break;
                }
            }
        }
        assert_eq!(read, ["one\n", "\n", "too long", "two\n", "three"]);
    }

    #[tokio::test]
    async fn what_is_no_message_is_answered_here() {
        let target = BridgeTarget::new("http://127.0.0.1:1", None, "t", None).unwrap();
        let mut output = Vec::new();
        let input =
            b"no json\n\n{\"id\":1,\"method\":\"ping\"}\n{\"method\":\"notifications/x\"}\n";
        relay(&target, &input[..], &mut output).await.unwrap();
        let output = String::from_utf8(output).unwrap();
        let answers: Vec<Value> = output
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(answers.len(), 2, "{output}");
        assert_eq!(answers[0]["error"]["code"], PARSE_ERROR);
        assert_eq!(answers[1]["id"], 1);
        let message = answers[1]["error"]["message"].as_str().unwrap();
        assert!(
            message.starts_with("Jarvis could not be reached"),
            "{message}"
        );
    }
}
