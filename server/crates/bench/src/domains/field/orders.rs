//! Runs as a person orders them: proposed, asked for, approved.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use futures::future::try_join_all;
use serde_json::{Value, json};
use tokio::time::sleep;

use super::{
    http::{ConnectionRequest, OpenConnection},
    shared::SharedFleet,
};
use crate::{browser::Browser, clock};

/// Seconds for which a run may go on: readers have to connect in them as well.
const RUN_S: u32 = 50;
/// Time between two looks at the state of a call, and the number of them.
const LOOK: Duration = Duration::from_millis(20);
const LOOKS: usize = 1_500;

/// The card of a run that waits.
pub(super) struct RunCard {
    device: String,
    /// The address of the confirmation.
    path: String,
    digest: Value,
}

/// A person's session on a connection of its own.
struct PersonSession {
    connection: OpenConnection,
    headers: String,
}

/// Proposes a script for each device and asks for its run.
pub(super) async fn cards(browser: &Browser, devices: &[String]) -> Result<Vec<RunCard>> {
    let mut session = PersonSession::open(browser).await?;
    let mut cards = Vec::with_capacity(devices.len());
    for device in devices {
        cards.push(session.card(device).await?);
    }
    Ok(cards)
}

/// Approves all of them at once.
pub(super) async fn approve(
    browser: &Browser,
    cards: &[RunCard],
    shared: &SharedFleet,
) -> Result<()> {
    let mut sessions = Vec::with_capacity(cards.len());
    for _ in cards {
        sessions.push(PersonSession::open(browser).await?);
    }
    let approvals = cards
        .iter()
        .zip(sessions)
        .map(|(card, mut session)| async move {
            let now = clock::now();
            shared
                .approved
                .borrow_mut()
                .insert(card.device.clone(), now);
            let body = json!({ "decision": "approve", "digest": card.digest });
            session.send("POST", &card.path, Some(&body)).await
        });
    try_join_all(approvals).await?;
    Ok(())
}

/// Waits until so many runs are in the queue.
pub(super) async fn queued(browser: &Browser, count: usize) -> Result<()> {
    let mut session = PersonSession::open(browser).await?;
    let path = format!("/api/v1/field/runs?phase=queued&limit={count}");
    for _ in 0..LOOKS {
        let runs = session.send("GET", &path, None).await?;
        if runs["runs"].as_array().map_or(0, Vec::len) == count {
            return Ok(());
        }
        sleep(LOOK).await;
    }
    bail!("not all runs are in the queue")
}

impl PersonSession {
    async fn open(browser: &Browser) -> Result<Self> {
        Ok(Self {
            connection: OpenConnection::open(&browser.address).await?,
            headers: browser.signed(),
        })
    }

    async fn card(&mut self, device: &str) -> Result<RunCard> {
        let script = json!({
            "device": device, "title": "Lines", "why": "A measurement.",
            "steps": [{ "run": "wait", "seconds": RUN_S }],
        });
        let kept = self.ordered("/api/v1/field/proposals", &script).await?;
        let proposal = &kept["data"]["proposal"];
        let run = json!({ "proposal": proposal, "version": 1, "device": device });
        let asked = self.ordered("/api/v1/field/runs", &run).await?;
        let path = asked["confirmation"]
            .as_str()
            .with_context(|| format!("no card: {asked}, {kept}"))?;
        let card = self.send("GET", path, None).await?;
        Ok(RunCard {
            device: device.to_owned(),
            path: path.to_owned(),
            digest: card["card"]["digest"].clone(),
        })
    }

    /// Orders a call; gives its state once it waits or is over.
    async fn ordered(&mut self, path: &str, body: &Value) -> Result<Value> {
        let begun = self.send("POST", path, Some(body)).await?;
        let run = begun["run"].as_str().context("no call")?;
        for _ in 0..LOOKS {
            let call = self.send("GET", run, None).await?;
            if call["state"] != "running" {
                return Ok(call);
            }
            sleep(LOOK).await;
        }
        bail!("{run} runs on and on")
    }

    async fn send(&mut self, method: &str, path: &str, body: Option<&Value>) -> Result<Value> {
        let body = body.map(Value::to_string).unwrap_or_default();
        let request = ConnectionRequest {
            method,
            path,
            headers: &self.headers,
            kind: "application/json",
            body: body.as_bytes(),
        };
        self.connection.ask(&request).await?.good(path)?.json()
    }
}
