//! Outcomes proved by times of the node's clock, which differs from ours.

use std::time::Duration;

use agent::ports::Reconciled;
use homelab::Homelab;
use protocol::Timestamp;
use serde_json::{Value, json};
use simlab::SimClock;

use crate::lab::{self, Lab, begin_and_die, tool_call};

/// Offsets of our clock from the cluster's, in seconds.
const AHEAD: [i64; 7] = [-86_400, -30, -4, 0, 4, 30, 86_400];

struct Skewed {
    lab: Lab,
    homelab: Homelab,
    ahead: i64,
}

impl Skewed {
    async fn start(ahead: i64) -> Self {
        let lab = Lab::start().await;
        let homelab = lab.hurried(ahead);
        Self {
            lab,
            homelab,
            ahead,
        }
    }

    /// The current time of our clock, as the journal records it.
    fn now(&self) -> Timestamp {
        let now = i64::try_from(self.lab.clock.now().as_millis()).unwrap();
        Timestamp(now + self.ahead * 1000)
    }

    async fn reconcile(&self, tool: &str, input: &Value, since: Timestamp) -> Reconciled {
        let call = tool_call(tool, input.clone());
        lab::tool(&self.homelab, tool).reconcile(&call, since).await
    }
}

/// The calls, with inputs that allow the same call again after the first has ended.
fn calls() -> [(&'static str, Value); 3] {
    [
        ("restart_vm", json!({ "node": "pve", "vmid": 112 })),
        ("restart_container", json!({ "node": "Home", "vmid": 201 })),
        (
            "restart_service",
            json!({ "node": "pve", "service": "postfix" }),
        ),
    ]
}

#[tokio::test]
async fn what_was_done_is_found_whatever_our_clock_says() {
    for ahead in AHEAD {
        for (tool, input) in calls() {
            let world = Skewed::start(ahead).await;
            let since = world.now();
            begin_and_die(&world.lab, tool, input.clone()).await;
            world.lab.clock.advance(Duration::from_secs(60));
            let found = world.reconcile(tool, &input, since).await;
            assert!(
                matches!(found, Reconciled::Done(Ok(_))),
                "{tool}, {ahead} s ahead: {found:?}"
            );
            assert_eq!(world.lab.writes(), 1);
        }
    }
}

#[tokio::test]
async fn what_was_done_before_is_not_taken_for_it() {
    for ahead in AHEAD {
        for (tool, input) in calls() {
            let world = Skewed::start(ahead).await;
            begin_and_die(&world.lab, tool, input.clone()).await;
            // It has ended; the same order is then repeated, but never sent.
            world.lab.clock.advance(Duration::from_secs(60));
            let found = world.reconcile(tool, &input, world.now()).await;
            assert!(
                matches!(found, Reconciled::NotDone(_)),
                "{tool}, {ahead} s ahead: {found:?}"
            );
        }
    }
}

/// Without the privilege to read the node's clock, nothing that depends on it is claimed.
#[tokio::test]
async fn without_the_node_s_clock_it_is_not_guessed() {
    let guest = || json!({ "node": "pve", "vmid": 112 });
    for (tool, input, seconds, expect) in [
        ("stop_vm", guest(), 0, "done"),
        // There may be a task, by a clock that is behind.
        ("stop_vm", guest(), 60, "unknown"),
        // The guest's uptime proves nothing.
        ("restart_vm", guest(), 0, "unknown"),
    ] {
        let world = Skewed::start(0).await;
        begin_and_die(&world.lab, tool, input.clone()).await;
        world.lab.sim.control().revoke("/nodes/pve", "Sys.Audit");
        let since = Timestamp(world.now().0 + seconds * 1000);
        world.lab.clock.advance(Duration::from_secs(90));
        let found = match world.reconcile(tool, &input, since).await {
            Reconciled::Done(Ok(_)) => "done",
            Reconciled::Done(Err(_)) => "failed",
            Reconciled::NotDone(_) => "not done",
            Reconciled::Unknown(_) => "unknown",
        };
        assert_eq!(found, expect, "{tool}, {seconds} s");
    }
}
