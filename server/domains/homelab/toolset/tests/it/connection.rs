//! TLS trust, failover and timeouts.

use std::{io::Write, time::Duration};

use homelab::{EndpointConfig, Homelab};
use protocol::ErrorCode;
use serde_json::json;
use simlab::ConnectionFault;

use crate::lab::{Lab, call};

#[tokio::test]
async fn a_wrong_pin_is_refused_before_anything_is_sent() {
    let lab = Lab::start().await;
    let mut config = lab.config(&lab.sim.admin_token());
    config.endpoints[0].fingerprints = vec!["ab".repeat(32)];
    let error = call(&lab.connect(config), "get_cluster_status", json!({}))
        .await
        .unwrap_err();
    assert_eq!(error.code, ErrorCode::ToolUnreachable);
    let seen = format!("it showed SHA-256 {}", lab.sim.fingerprint());
    assert!(error.message.contains(&seen), "{}", error.message);
    assert_eq!(lab.sim.control().requests(), []);
}

#[tokio::test]
async fn one_of_several_pins_is_enough() {
    let lab = Lab::start().await;
    let mut config = lab.config(&lab.sim.admin_token());
    config.endpoints[0].fingerprints.insert(0, "AB".repeat(32));
    call(&lab.connect(config), "get_cluster_status", json!({}))
        .await
        .unwrap();
}

#[tokio::test]
async fn the_cluster_ca_is_trusted_when_it_is_given_and_not_otherwise() {
    let lab = Lab::start().await;
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(lab.sim.ca_pem().as_bytes()).unwrap();
    let mut config = lab.config(&lab.sim.admin_token());
    config.endpoints[0].fingerprints.clear();
    config.ca_file = Some(file.path().to_owned());
    call(
        &lab.connect(config.clone()),
        "get_cluster_status",
        json!({}),
    )
    .await
    .unwrap();

    // Another cluster's CA does not vouch for this one.
    let other = Lab::start().await;
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(other.sim.ca_pem().as_bytes()).unwrap();
    config.ca_file = Some(file.path().to_owned());
    let before = lab.sim.control().requests().len();
    let error = call(&lab.connect(config), "get_cluster_status", json!({}))
        .await
        .unwrap_err();
    assert_eq!(error.code, ErrorCode::ToolUnreachable);
    assert!(
        error
            .message
            .contains("its certificate is refused: no authority that is trusted here"),
        "{}",
        error.message
    );
    assert_eq!(lab.sim.control().requests().len(), before);
}

#[tokio::test]
async fn reads_go_on_at_another_endpoint() {
    let lab = Lab::start().await;
    lab.sim.control().set_offline("Home", true);
    let mut config = lab.config(&lab.sim.admin_token());
    config.endpoints.push(lab.endpoint("pve"));
    let status = call(&lab.connect(config), "get_cluster_status", json!({}))
        .await
        .unwrap();
    assert_eq!(status.data["nodes_online"], 3);
}

#[tokio::test]
async fn a_pin_mismatch_does_not_hide_behind_a_node_that_is_off() {
    let lab = Lab::start().await;
    lab.sim.control().set_offline("Home", true);
    let mut config = lab.config(&lab.sim.admin_token());
    config.endpoints.push(EndpointConfig {
        fingerprints: vec!["ab".repeat(32)],
        ..lab.endpoint("pve")
    });
    let error = call(&lab.connect(config), "get_cluster_status", json!({}))
        .await
        .unwrap_err();
    assert!(
        error.message.contains("is not the pinned one"),
        "{}",
        error.message
    );
}

#[tokio::test]
async fn a_dead_api_is_an_error_with_help() {
    let lab = Lab::start().await;
    for fault in [ConnectionFault::Refused, ConnectionFault::DropRequest] {
        lab.sim.control().set_connection(fault);
        let homelab = lab.admin();
        for tool in ["get_cluster_status", "get_vms", "get_backups"] {
            let error = call(&homelab, tool, json!({})).await.unwrap_err();
            assert_eq!(
                error.code,
                ErrorCode::ToolUnreachable,
                "{fault:?} {tool}: {error}"
            );
            assert!(error.help.is_some());
            // Our words, not a library's.
            let words = [
                "the connection was refused.",
                "the connection was reset.",
                "the connection was closed before the end.",
            ];
            let told = error.message.split_once(": ").unwrap().1;
            assert!(words.contains(&told), "{error}");
        }
        // Unknown in both cases.
        call(&homelab, "get_node_temperature", json!({"node": "pve"}))
            .await
            .unwrap();
    }
}

#[tokio::test]
async fn a_slow_api_is_a_timeout() {
    let lab = Lab::start().await;
    let mut config = lab.config(&lab.sim.admin_token());
    config.request_timeout_ms = 150;
    let homelab = lab.connect(config);
    lab.sim.control().set_delay(Duration::from_secs(60));
    let error = call(&homelab, "get_cluster_status", json!({}))
        .await
        .unwrap_err();
    assert_eq!(error.code, ErrorCode::ToolTimeout);
    assert!(
        error.message.ends_with("did not answer within 150 ms."),
        "{}",
        error.message
    );
}

#[test]
fn no_certificate_is_needed_to_start_and_none_is_trusted_by_default() {
    let config = homelab::Config {
        endpoints: vec![EndpointConfig {
            url: "https://192.0.2.1".to_owned(),
            fingerprints: vec!["00".repeat(32)],
        }],
        token_id: Some("a@pve!b".to_owned()),
        token_secret: Some("c".to_owned().into()),
        ..homelab::Config::default()
    };
    let homelab = Homelab::connect(config).unwrap();
    assert!(!format!("{homelab:?}").contains("\"c\""));
}
