//! The context of a message and the prompt.

use agent::{EngineConfig, ports::Toolset};
use homelab::{Config, Homelab};
use insta::{assert_json_snapshot, assert_snapshot};
use serde_json::{Map, Value, json};

use crate::lab::{Lab, steady};

async fn context(homelab: &Homelab) -> Value {
    let parts = homelab.context(&[]).await.into_iter().map(|part| {
        let data = match part.data {
            Ok(data) => data,
            Err(reason) => json!({ "failed": reason }),
        };
        (part.source.to_owned(), data)
    });
    Value::Object(parts.collect::<Map<_, _>>())
}

#[tokio::test]
async fn the_summary_is_short_and_true() {
    let lab = Lab::start().await;
    let value = context(&lab.admin()).await;
    // Three to four characters per token: 300 to 500 tokens.
    let size = value.to_string().len();
    assert!((700..=2_000).contains(&size), "{size} characters");
    assert_json_snapshot!("context_admin", steady(value));
    assert_json_snapshot!("context_bare", context(&lab.bare()).await);
}

#[tokio::test]
async fn a_node_that_is_off_stands_out() {
    let lab = Lab::start().await;
    lab.sim.control().set_offline("agent", true);
    assert_json_snapshot!("context_offline", steady(context(&lab.admin()).await));
}

#[tokio::test]
async fn every_source_fails_visibly() {
    let lab = Lab::start().await;
    let homelab = lab.admin();
    lab.sim
        .control()
        .set_connection(simlab::ConnectionFault::Refused);
    let value = context(&homelab).await;
    for source in ["cluster", "guests", "storage", "tasks"] {
        let reason = value[source]["failed"].as_str().unwrap();
        assert!(
            reason.starts_with("no connection to 127.0.0.1:"),
            "{reason}"
        );
    }
}

#[tokio::test]
async fn the_question_waits_for_a_real_cluster_as_long_as_for_others() {
    let lab = Lab::start().await;
    let mut config = lab.config(&lab.sim.admin_token());
    config.context_ms = Config::default().context_ms;
    let waits = lab.connect(config).context_timeout();
    assert_eq!(waits, Some(EngineConfig::new("m").context_timeout));
}

#[tokio::test]
async fn many_conversations_make_few_requests() {
    let lab = Lab::start().await;
    let mut config = lab.config(&lab.sim.admin_token());
    config.cache_ms = 60_000;
    let homelab = lab.connect(config);
    futures::future::join_all((0..20).map(|_| homelab.context(&[]))).await;
    for path in [
        "/version",
        "/cluster/status",
        "/nodes",
        "/cluster/resources",
        "/cluster/tasks",
        "/nodes/pve/qemu",
    ] {
        assert_eq!(lab.asked(path), 1, "{path}");
    }
    // One of each, and one for each node with a VM.
    assert_eq!(lab.sim.control().requests().len(), 10);
    assert_eq!(homelab.cluster_name().await, Ok(Some("homelab".to_owned())));
    assert_eq!(lab.sim.control().requests().len(), 10);
}

#[tokio::test]
async fn the_prompt_names_what_is_protected() {
    assert_snapshot!(Lab::start().await.admin().system_prompt());
}
