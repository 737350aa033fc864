//! The task that keeps the websocket alive.
//!
//! It retries quickly at first, then with growing, jittered waits; at once when the tab wakes or
//! the network is back. `Hello` has the protocol and the build: another protocol leads to a reload,
//! another build to an offer of one.

use std::time::Duration;

use futures::{
    SinkExt, StreamExt,
    channel::mpsc,
    future::{Either, select},
};
use gloo_net::websocket::{Message, WebSocketError, futures::WebSocket};
use kit::{browser, format::between};
use leptos::prelude::*;
use protocol::{ClientFrame, CloseCode, ErrorCode, ServerFrame, Timestamp, from_json_text};

use super::{Channel, Connection, Signal, backoff};
use crate::api;

/// Interval between checks of the connection.
pub(super) const CHECK_EVERY: Duration = Duration::from_secs(5);
/// A quiet connection gets a ping after this time…
const PING_AFTER_MS: u64 = 18_000;
/// …and is given up if no answer comes within this time.
const DEAD_AFTER_MS: u64 = 9_000;
/// A connection that lasted this long resets the backoff.
const GOOD_AFTER_MS: u64 = 10_000;

/// The end of a connection.
struct SocketEnded {
    code: Option<CloseCode>,
    /// True if the server sent its hello.
    greeted: bool,
    good: bool,
}

pub(super) async fn run(channel: Channel, mut signals: mpsc::UnboundedReceiver<Signal>) {
    let mut failures = 0;
    loop {
        let ended = connection(channel, &mut signals).await;
        channel.lost();
        if matches!(
            channel.connection.try_get_untracked(),
            None | Some(Connection::Outdated)
        ) {
            return;
        }
        failures = if ended.good { 0 } else { failures + 1 };
        if ended.code == Some(CloseCode::SignedOut)
            || (!ended.greeted && signed_out(failures).await)
        {
            channel.connection.try_set(Connection::SignedOut);
            wait_for_wake(&mut signals, None).await;
            continue;
        }
        if !browser::online() {
            channel.connection.try_set(Connection::Offline);
            wait_for_wake(&mut signals, Some(Duration::from_secs(15))).await;
            channel.connection.try_set(Connection::Reconnecting);
            continue;
        }
        let mut wait = backoff::wait(failures, browser::chance());
        if ended.code == Some(CloseCode::RateLimited) {
            wait = wait.max(Duration::from_secs(10));
        }
        let until = Timestamp(browser::now().0 + wait.as_millis() as i64);
        channel.connection.try_set(Connection::Waiting { until });
        wait_for_wake(&mut signals, Some(wait)).await;
        channel.connection.try_set(Connection::Reconnecting);
    }
}

/// To a page, a refused upgrade looks like a broken network: only a request tells them apart.
async fn signed_out(failures: usize) -> bool {
    failures >= 2
        && failures.is_multiple_of(2)
        && matches!(api::status().await, Err(error) if error.0.code == ErrorCode::NotSignedIn)
}

/// Waits for a wake-up signal, at most for a given time.
async fn wait_for_wake(signals: &mut mpsc::UnboundedReceiver<Signal>, at_most: Option<Duration>) {
    let woken = Box::pin(async {
        while let Some(signal) = signals.next().await {
            if matches!(signal, Signal::Wake) {
                break;
            }
        }
    });
    match at_most {
        Some(time) => {
            select(woken, Box::pin(browser::sleep(time))).await;
        }
        None => woken.await,
    }
}

/// Runs one connection, from its start to its end.
async fn connection(
    channel: Channel,
    signals: &mut mpsc::UnboundedReceiver<Signal>,
) -> SocketEnded {
    let mut ended = SocketEnded {
        code: None,
        greeted: false,
        good: false,
    };
    let socket = browser::socket_url().and_then(|url| WebSocket::open(&url).ok());
    let Some(mut socket) = socket else {
        return ended;
    };
    let begun = browser::now();
    let mut heard = begun;
    let mut asked = Some(begun);
    let mut number = 0;
    loop {
        match select(socket.next(), signals.next()).await {
            Either::Left((Some(Ok(message)), _)) => {
                heard = browser::now();
                asked = None;
                ended.good = between(begun, heard) > GOOD_AFTER_MS;
                let Message::Text(text) = message else {
                    continue;
                };
                let Some(frame) = from_json_text::<ServerFrame>(&text) else {
                    leptos::logging::error!("unreadable frame: {text}");
                    continue;
                };
                ended.greeted |= matches!(frame, ServerFrame::Hello { .. });
                if channel.receive(frame).is_err() {
                    return ended;
                }
            }
            Either::Left((Some(Err(WebSocketError::ConnectionClose(close))), _)) => {
                ended.code = CloseCode::from_number(close.code);
                return ended;
            }
            Either::Left((Some(Err(_)) | None, _)) => return ended,
            Either::Right((None, _)) => return ended,
            Either::Right((Some(Signal::Send(text)), _)) => {
                if socket.send(Message::Text(text)).await.is_err() {
                    return ended;
                }
            }
            Either::Right((Some(signal @ (Signal::Wake | Signal::Check)), _)) => {
                let now = browser::now();
                if asked.is_some_and(|asked| between(asked, now) > DEAD_AFTER_MS) {
                    return ended;
                }
                let quiet = between(heard, now) > PING_AFTER_MS;
                if asked.is_none() && (quiet || matches!(signal, Signal::Wake)) {
                    asked = Some(now);
                    number += 1;
                    channel.send(&ClientFrame::Ping { n: number });
                }
            }
        }
    }
}
