//! Writes to a cluster while a node dies: never resent if the first may have arrived.

use std::{sync::Arc, time::Duration};

use simlab::{ManualSimClock, Simlab, SimlabOptions, SshCut};

use super::*;

const START: [&str; 6] = ["nodes", "pve", "lxc", "213", "status", "start"];

/// A cluster, and a client already connected to its entry node.
async fn connected() -> (Simlab, Client) {
    let options = SimlabOptions {
        auth_delay: Duration::ZERO,
        clock: Arc::new(ManualSimClock::at(1_794_043_800)),
        ..SimlabOptions::default()
    };
    let sim = simlab::start(options).await.unwrap();
    let token = sim.admin_token();
    let (id, secret) = token.split_once('=').unwrap();
    let endpoint = |node: &str| crate::EndpointConfig {
        url: format!("https://{}", sim.node_addr(node).unwrap()),
        fingerprints: vec![sim.node_fingerprint(node).unwrap()],
    };
    let config = Config {
        endpoints: vec![endpoint("Home"), endpoint("agent")],
        token_id: Some(id.to_owned()),
        token_secret: Some(secret.to_owned().into()),
        ..Config::default()
    };
    let client = Client::new(&config).unwrap();
    client.get(&["version"], &[]).await.unwrap();
    (sim, client)
}

fn begun(sim: &Simlab) -> usize {
    sim.control().ledger().len()
}

#[tokio::test]
async fn a_node_that_died_before_hands_the_write_on() {
    let (sim, client) = connected().await;
    sim.control().set_offline("Home", true);
    let upid = client.write(&START, &[]).await.unwrap();
    assert!(upid.as_str().unwrap().starts_with("UPID:pve:"), "{upid}");
    assert_eq!(begun(&sim), 1);
}

#[tokio::test]
async fn a_node_that_dies_with_the_write_is_not_replaced() {
    for (cut, effects) in [(SshCut::Answer, 1), (SshCut::Request, 0)] {
        let (sim, client) = connected().await;
        sim.control().cut_next_write(cut);
        let lost = client.write(&START, &[]).await.unwrap_err();
        // From here the two cases look the same.
        assert!(matches!(lost, WriteError::Lost(_)), "{lost:?}");
        assert_eq!(begun(&sim), effects, "{cut:?}");
    }
}

#[tokio::test]
async fn where_nobody_answers_nothing_was_done() {
    let (sim, client) = connected().await;
    sim.control().set_offline("Home", true);
    sim.control().set_offline("agent", true);
    let refused = client.write(&START, &[]).await.unwrap_err();
    assert!(
        matches!(
            refused,
            WriteError::Refused(ProxmoxError::Unreachable { .. })
        ),
        "{refused:?}"
    );
    assert_eq!(begun(&sim), 0);
}
