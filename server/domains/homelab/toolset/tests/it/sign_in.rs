//! Tokens and tickets, including refused ones.

use homelab::Config;
use protocol::ErrorCode;
use serde_json::json;

use crate::lab::{Lab, call};

#[tokio::test]
async fn refused_credentials_are_asked_about_once() {
    let lab = Lab::start().await;
    let token = lab.sim.admin_token();
    let (id, _) = token.split_once('=').unwrap();
    let homelab = lab.connect(lab.config(&format!("{id}=00000000-0000-0000-0000-000000000000")));
    let tools = [
        "get_cluster_status",
        "get_vms",
        "get_containers",
        "get_storage",
        "get_backups",
    ];
    let calls = tools.iter().map(|tool| call(&homelab, tool, json!({})));
    for result in futures::future::join_all(calls).await {
        let error = result.unwrap_err();
        assert_eq!(error.code, ErrorCode::ToolPermission);
        assert!(
            error.message.contains("refused the credentials"),
            "{}",
            error.message
        );
        assert!(!error.message.contains("00000000"), "{}", error.message);
    }
    let requests = lab.sim.control().requests();
    assert_eq!(requests.len(), 1, "{requests:?}");
}

#[tokio::test]
async fn a_password_gets_a_ticket_that_is_kept() {
    let lab = Lab::start().await;
    let (username, password) = lab.sim.login();
    let config = Config {
        token_id: None,
        token_secret: None,
        username: Some(username.to_owned()),
        password: Some(password.into()),
        ..lab.config(&lab.sim.admin_token())
    };
    let homelab = lab.connect(config.clone());
    for tool in ["get_cluster_status", "get_vms"] {
        call(&homelab, tool, json!({})).await.unwrap();
    }
    assert_eq!(lab.asked("/access/ticket"), 1);

    // The ticket expires by the cluster's clock, and a single new sign-in fixes it.
    lab.clock.advance(std::time::Duration::from_secs(3 * 3600));
    call(&homelab, "get_cluster_status", json!({}))
        .await
        .unwrap();
    assert_eq!(lab.asked("/access/ticket"), 2);

    let wrong = Config {
        password: Some("wrong".to_owned().into()),
        ..config
    };
    let homelab = lab.connect(wrong);
    for _ in 0..3 {
        let error = call(&homelab, "get_vms", json!({})).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::ToolPermission);
    }
    assert_eq!(lab.asked("/access/ticket"), 3);
}
