//! The effect ledger: the task list of the simulated cluster, a process that the server can
//! neither reset nor outlive.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, ensure};
use reqwest::header::AUTHORIZATION;
use serde_json::Value;

/// What changed something, by guest: the types of tasks, each as often as it was done.
pub(crate) type Effects = BTreeMap<u64, Vec<String>>;

/// Types of tasks that change the state of a guest.
const POWER: [&str; 10] = [
    "qmstart",
    "qmstop",
    "qmshutdown",
    "qmreboot",
    "vzstart",
    "vzstop",
    "vzshutdown",
    "vzreboot",
    "hastart",
    "hastop",
];

/// The ledger with what stood in it before.
pub(crate) struct Ledger {
    http: reqwest::Client,
    url: String,
    token: String,
    before: BTreeSet<String>,
}

impl Ledger {
    /// Opens it: what is in it now is not counted later.
    pub(crate) async fn open(cluster: &str, token: &str) -> anyhow::Result<Self> {
        let http = reqwest::Client::builder()
            .no_proxy()
            // Its certificate is made anew at each start.
            .tls_danger_accept_invalid_certs(true)
            .build()?;
        let mut ledger = Self {
            http,
            url: format!("{cluster}/api2/json/cluster/tasks"),
            token: format!("PVEAPIToken={token}"),
            before: BTreeSet::new(),
        };
        ledger.before = ledger
            .tasks()
            .await?
            .into_iter()
            .map(|task| task.0)
            .collect();
        Ok(ledger)
    }

    /// What was done since it was opened.
    pub(crate) async fn effects(&self) -> anyhow::Result<Effects> {
        let mut effects = Effects::new();
        for (upid, kind, guest) in self.tasks().await? {
            if POWER.contains(&kind.as_str()) && !self.before.contains(&upid) {
                let guest = guest.parse().context("a task without a guest")?;
                effects.entry(guest).or_default().push(kind);
            }
        }
        effects.values_mut().for_each(|kinds| kinds.sort());
        Ok(effects)
    }

    /// UPID, type and id of each task.
    async fn tasks(&self) -> anyhow::Result<Vec<(String, String, String)>> {
        let request = self.http.get(&self.url).header(AUTHORIZATION, &self.token);
        let response = request.send().await?;
        ensure!(response.status().is_success(), "the ledger is closed");
        let answer: Value = response.json().await?;
        let text = |task: &Value, name: &str| {
            let text = task[name].as_str().map(str::to_owned);
            text.with_context(|| format!("a task without {name}"))
        };
        let tasks = answer["data"].as_array().context("no tasks")?;
        let read = |task| {
            Ok((
                text(task, "upid")?,
                text(task, "type")?,
                text(task, "id").unwrap_or_default(),
            ))
        };
        tasks.iter().map(read).collect()
    }
}
