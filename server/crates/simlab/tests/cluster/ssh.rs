//! SSH on the nodes, with the client of russh.

use std::sync::Arc;

use russh::client::{self, AuthResult, Handle};
use russh::keys::{PrivateKey, PrivateKeyWithHashAlg, PublicKeyOrCertificate};
use russh::{ChannelMsg, Disconnect};
use serde_json::Value;

use crate::harness::Lab;

/// Believes exactly one host key.
struct Pin(String);

impl client::Handler for Pin {
    type Error = russh::Error;

    async fn check_server_key(
        &mut self,
        shown: &PublicKeyOrCertificate,
    ) -> Result<bool, Self::Error> {
        let PublicKeyOrCertificate::PublicKey { key, .. } = shown else {
            return Ok(false);
        };
        Ok(key.to_openssh().is_ok_and(|line| line.starts_with(&self.0)))
    }
}

/// Signs in, and says whether the key was accepted.
async fn sign_in(
    lab: &Lab,
    node: &str,
    pinned: &str,
    user: &str,
    pem: &str,
) -> Result<(Handle<Pin>, bool), russh::Error> {
    let address = lab.cluster.ssh_addr(node).expect("an address");
    let pin = Pin(lab.cluster.ssh_host_key(pinned).expect("a key").to_owned());
    let mut session = client::connect(Arc::default(), address, pin).await?;
    let key = PrivateKey::from_openssh(pem).expect("a private key");
    let key = PrivateKeyWithHashAlg::new(Arc::new(key), None);
    let result = session.authenticate_publickey(user, key).await?;
    Ok((session, matches!(result, AuthResult::Success)))
}

/// Exit code, output and error output.
async fn run(lab: &Lab, node: &str, line: &str) -> (u32, String, String) {
    let (user, pem) = lab.cluster.ssh_login();
    let (session, accepted) = sign_in(lab, node, node, user, pem)
        .await
        .expect("a session");
    assert!(accepted);
    let mut channel = session.channel_open_session().await.expect("a channel");
    channel.exec(true, line).await.expect("a command");
    let (mut code, mut out, mut err) = (None, Vec::new(), Vec::new());
    while let Some(message) = channel.wait().await {
        match message {
            ChannelMsg::Data { data } => out.extend_from_slice(&data),
            ChannelMsg::ExtendedData { data, ext: 1 } => err.extend_from_slice(&data),
            ChannelMsg::ExitStatus { exit_status } => code = Some(exit_status),
            _ => {}
        }
    }
    session
        .disconnect(Disconnect::ByApplication, "", "en")
        .await
        .expect("the end");
    (
        code.expect("an exit status"),
        String::from_utf8(out).expect("text"),
        String::from_utf8(err).expect("text"),
    )
}

#[tokio::test]
async fn programs_print_what_they_print() {
    let lab = Lab::new().await;
    for (node, line, code, word) in [
        ("pve", "'/usr/bin/uptime'", 0, "up 112 days"),
        ("pve", "df -h", 0, "/dev/mapper/pve-root"),
        ("pve", "free -h", 0, "128G"),
        ("Home", "ip -br addr", 0, "192.168.10.11/24"),
        ("pve", "/usr/sbin/zpool status", 0, "state: ONLINE"),
        ("pve", "smartctl -H /dev/nvme0n1", 0, "PASSED"),
        (
            "pve",
            "systemctl status --no-pager -- pveproxy.service",
            0,
            "Active: active (running)",
        ),
        ("pve", "systemctl is-active syslog.service", 4, "inactive"),
        (
            "pve",
            "journalctl -u chrony.service -n 2 --no-pager",
            0,
            "Started chrony.service",
        ),
        (
            "pve",
            "systemctl show no-such.service",
            0,
            "LoadState=not-found",
        ),
    ] {
        let (found, out, _) = run(&lab, node, line).await;
        assert_eq!(found, code, "{line}");
        assert!(out.contains(word), "{line}: {out}");
    }
    let (code, out, _) = run(&lab, "pve", "/usr/bin/sensors -j").await;
    let sensors: Value = serde_json::from_str(&out).expect("JSON");
    let celsius = sensors["k10temp-pci-00c3"]["Tctl"]["temp1_input"].as_f64();
    assert!(code == 0 && celsius.is_some_and(|celsius| (36.0..85.0).contains(&celsius)));
    let (code, _, err) = run(&lab, "pve", "id; reboot").await;
    assert_eq!(
        (code, err.as_str()),
        (2, "bash: syntax error\n"),
        "no shell"
    );
    let (code, _, err) = run(&lab, "pve", "cat /etc/shadow").await;
    assert_eq!((code, err.contains("command not found")), (127, true));
    assert_eq!(lab.control().commands().len(), 13);
}

#[tokio::test]
async fn a_restart_is_another_start() {
    let lab = Lab::new().await;
    let show = async || run(&lab, "pve", "systemctl show smbd.service").await.1;
    let field = |text: &str, name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line.expect("the field").to_owned()
    };
    let before = show().await;
    lab.advance(5);
    assert_eq!(show().await, before, "it holds");
    let (code, _, _) = run(&lab, "pve", "systemctl restart -- smbd.service").await;
    assert_eq!(code, 0);
    let after = show().await;
    assert_ne!(
        field(&before, "InvocationID="),
        field(&after, "InvocationID=")
    );
    assert_eq!(field(&after, "ActiveState="), "active");
    let (code, _, _) = run(&lab, "Home", "systemctl restart -- smbd.service").await;
    assert_eq!(code, 5, "there is none on that node");

    // What Proxmox restarts is seen here too.
    let invocation = async || {
        let (_, text, _) = run(&lab, "pve", "systemctl show chrony.service").await;
        field(&text, "InvocationID=")
    };
    let before = invocation().await;
    lab.begin("/nodes/pve/services/chrony/restart", &[]).await;
    lab.advance(3);
    assert_ne!(invocation().await, before);
}

#[tokio::test]
async fn only_the_key_opens_and_each_node_has_its_own() {
    let lab = Lab::new().await;
    let (user, pem) = lab.cluster.ssh_login();
    let other = Lab::with(2, std::time::Duration::ZERO).await;
    let (_, foreign) = other.cluster.ssh_login();
    for (node, pinned, user, pem, expect) in [
        ("pve", "pve", user, pem, Some(true)),
        ("pve", "pve", "root", pem, Some(false)),
        ("pve", "pve", user, foreign, Some(false)),
        ("pve", "Home", user, pem, None),
    ] {
        let accepted = sign_in(&lab, node, pinned, user, pem).await;
        assert_eq!(
            accepted.ok().map(|(_, accepted)| accepted),
            expect,
            "{user}@{node}"
        );
    }
    lab.control().set_offline("pve", true);
    assert!(sign_in(&lab, "pve", "pve", user, pem).await.is_err());
}
