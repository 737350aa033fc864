//! The effect ledger: the actions of the simulated cluster and what stands beside it, in the harness's own process, which the
//! server can neither reset nor outlive.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use agent::ports::NoticeRecords;
use anyhow::ensure;
use markets::{
    Time,
    alert::AlertStore,
    drawing::{DrawingStore, EVERYONE},
};
use markets_tables::MarketsTables;
use protocol::Timestamp;
use simerp::SimErpControl;
use simfleet::StepLedger;
use simlab::Control;
use store::Store;

/// The effects, with the number of times each happened: tasks such as `qmstart 113` and `srvrestart
/// pve/postfix`, commands such as `ssh pve: /usr/bin/uptime`, packets such as `wake
/// 9C:6B:00:1A:42:14`, drawings such as `drawn support`, documents and orders of the company such as
/// `submitted Sales Invoice` and `POST method/frappe.client.submit`, steps of a field device such as
/// `ran routes`.
pub(crate) type Effects = BTreeMap<String, usize>;

/// Tasks of guests; those of services name their node.
const GUESTS: [&str; 12] = [
    "qmstart",
    "qmstop",
    "qmshutdown",
    "qmreboot",
    "qmreset",
    "vzstart",
    "vzstop",
    "vzshutdown",
    "vzreboot",
    "hastart",
    "hastop",
    "hamigrate",
];
const SERVICES: [&str; 4] = ["srvstart", "srvstop", "srvrestart", "srvreload"];
/// The command that checks the state of a service. It is part of other calls and changes nothing.
const LOOK: &str = "/usr/bin/systemctl show ";

/// The ledger, without the entries from before.
pub(crate) struct Ledger {
    control: Control,
    before: BTreeSet<String>,
    company: Option<SimErpControl>,
    /// Changes and orders of the company from before.
    company_before: [usize; 2],
    /// Steps that the field device ran; it is new in each cycle.
    device: Option<StepLedger>,
}

impl Ledger {
    /// Opens it: entries in it now are not counted later.
    pub(crate) fn open(
        control: Control,
        company: Option<SimErpControl>,
        device: Option<StepLedger>,
    ) -> Self {
        let before = control.ledger().into_iter().map(|task| task.upid).collect();
        let company_before = company.as_ref().map_or([0; 2], |company| {
            let [changes, orders] = of_company(company);
            [changes.len(), orders.len()]
        });
        Self {
            control,
            before,
            company,
            company_before,
            device,
        }
    }

    /// Rules of the company's books that are broken.
    pub(crate) fn broken(&self) -> Vec<String> {
        let company = self.company.as_ref();
        company.map(SimErpControl::broken).unwrap_or_default()
    }

    /// The effects since it was opened.
    pub(crate) fn effects(&self) -> Effects {
        let mut effects = Effects::new();
        for task in self.control.ledger() {
            if self.before.contains(&task.upid) {
                continue;
            }
            let effect = match task.kind.as_str() {
                kind if GUESTS.contains(&kind) => format!("{kind} {}", task.id),
                kind if SERVICES.contains(&kind) => format!("{kind} {}/{}", task.node, task.id),
                _ => continue,
            };
            *effects.entry(effect).or_default() += 1;
        }
        for command in self.control.commands() {
            if !command.line.starts_with(LOOK) {
                let effect = format!("ssh {}: {}", command.node, command.line);
                *effects.entry(effect).or_default() += 1;
            }
        }
        for mac in self.control.wakes() {
            *effects.entry(format!("wake {mac}")).or_default() += 1;
        }
        let of_company = self.company.iter().flat_map(of_company);
        for (all, before) in of_company.zip(self.company_before) {
            for effect in all.into_iter().skip(before) {
                *effects.entry(effect).or_default() += 1;
            }
        }
        for step in self.device.iter().flat_map(StepLedger::runs) {
            *effects.entry(format!("ran {}", step.row)).or_default() += 1;
        }
        effects
    }
}

/// The changes of a company's documents, ledger lines too, each once for each request that changed it; and
/// the orders that reached it, also those that it refused: none is sent twice.
fn of_company(company: &SimErpControl) -> [Vec<String>; 2] {
    let changes = company.effects().into_iter().map(|it| {
        let what = match (it.is_deleted, it.docstatus) {
            (true, _) => "deleted",
            (_, 0) => "saved",
            (_, 1) => "submitted",
            _ => "cancelled",
        };
        format!("{what} {}", it.doctype)
    });
    let orders = company.requests().into_iter();
    let orders = orders.filter(|it| it.method != "GET").map(|it| {
        let mut parts = it.path.trim_start_matches("/api/").splitn(3, '/');
        let [kind, what] = [(); 2].map(|()| parts.next().unwrap_or_default());
        format!("{} {kind}/{what}", it.method)
    });
    [changes.collect(), orders.collect()]
}

/// Adds what is on the charts in a folder where no server runs: the drawings by their labels, each
/// drawing and each change of it since; the alerts, each time that one fired, and each notice of one.
pub(crate) async fn charted(data: &Path, effects: &mut Effects) -> anyhow::Result<()> {
    let store = Store::open(data).await?;
    let tables = MarketsTables::open(&store).await?;
    let symbol = markets::Symbol::EurUsd;
    for drawing in DrawingStore::list(&tables, EVERYONE, symbol, true).await? {
        let label = &drawing.reason;
        *effects.entry(format!("drawn {label}")).or_default() += 1;
        let changes = usize::try_from(drawing.version)?.saturating_sub(1);
        ensure!(
            drawing.removed == (changes > 0),
            "{label} was changed {changes} times"
        );
        if changes > 0 {
            *effects.entry(format!("taken back {label}")).or_default() += changes;
        }
    }
    for alert in AlertStore::list(&tables, Time(0)).await? {
        *effects.entry("an alert".to_owned()).or_default() += 1;
        let fired = usize::try_from(alert.fired)?;
        *effects.entry("an alert fired".to_owned()).or_default() += fired;
    }
    for notice in NoticeRecords::notices(&store, "markets", Timestamp(0)).await? {
        if notice.kind == "alert" {
            *effects.entry("an alert told".to_owned()).or_default() += 1;
        }
    }
    store.close().await?;
    Ok(())
}
