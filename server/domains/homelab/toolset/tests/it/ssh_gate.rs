//! Assessments of commands for the gate, and configuration errors; no node is reached.

use std::fs;

use homelab::{Config, Homelab, SshConfig, SshNode};
use protocol::OriginSource;
use serde_json::{Value, json};

use crate::{
    lab::{Lab, tool, tool_call},
    sshd::{self, key, public},
};

fn input(command: &str) -> Value {
    json!({ "node": "pve", "command": command })
}

/// A toolset that never reaches a node: assessments need only the configuration.
fn configured(lab: &Lab) -> (tempfile::TempDir, Homelab) {
    let folder = tempfile::tempdir().unwrap();
    let config = Config {
        ssh: Some(sshd::nowhere(folder.path(), ["pve", "agent1"])),
        services: [("pve".to_owned(), vec!["nginx".to_owned()])].into(),
        ..lab.config(&lab.sim.admin_token())
    };
    let homelab = lab.connect(config);
    (folder, homelab)
}

#[tokio::test]
async fn the_gate_is_told_who_vouches_for_a_command() {
    let lab = Lab::start().await;
    let (_folder, homelab) = configured(&lab);
    let ssh = tool(&homelab, "execute_ssh");
    let vouched = |command: &str| {
        let assessment = ssh.assess(&input(command));
        assert_eq!((assessment.refused, assessment.protected), (None, None));
        let values = assessment.values.into_iter();
        values
            .map(|value| {
                let by_us = value.source == Some(OriginSource::Configuration);
                assert_eq!(value.source.is_some(), by_us);
                (value.text, by_us)
            })
            .collect::<Vec<_>>()
    };
    let value = |text: &str, by_us: bool| (text.to_owned(), by_us);
    assert_eq!(
        vouched("df -h"),
        [value("pve", true), value("/usr/bin/df -h", true)]
    );
    assert_eq!(
        vouched("journalctl -u nginx.service -n 50"),
        [value("pve", true), value("nginx.service", true)]
    );
    // A unit missing from the configuration, and a disk, may come from anywhere.
    assert_eq!(
        vouched("journalctl -u evil.service -n 50"),
        [value("pve", true), value("evil.service", false)]
    );
    assert_eq!(
        vouched("smartctl -H /dev/sda"),
        [value("pve", true), value("/dev/sda", false)]
    );

    let refused = |node: &str, command: &str| {
        let input = json!({ "node": node, "command": command });
        ssh.assess(&input).refused.unwrap_or_default()
    };
    assert!(refused("pve", "rm -rf /").starts_with("The command is refused: \"rm\" is not one"));
    assert!(
        refused("pve", "systemctl restart nginx.service").starts_with("The command is refused")
    );
    assert_eq!(
        refused("Home", "df -h"),
        "SSH is not configured for node \"Home\"; it is for: agent1, pve."
    );
    let protected = ssh.assess(&json!({ "node": "agent1", "command": "df -h" }));
    assert_eq!(
        protected.protected.as_deref(),
        Some("Node agent1 is protected: nothing is done on it from here.")
    );
    let without = lab.admin();
    assert_eq!(
        tool(&without, "execute_ssh")
            .assess(&input("df -h"))
            .refused
            .as_deref(),
        Some("SSH is not configured, so no command can be run on a node.")
    );

    let preview = ssh
        .preview(&tool_call("execute_ssh", input("df -h")))
        .await
        .unwrap();
    assert_eq!(
        preview.sentence,
        "Run `/usr/bin/df -h` on node pve over SSH, which changes nothing."
    );
    assert_eq!(
        preview.state,
        json!({ "address": "jarvis@192.0.2.1:22", "argv": ["/usr/bin/df", "-h"] })
    );
}

#[tokio::test]
async fn mistakes_in_the_configuration_are_found_at_the_start() {
    use std::os::unix::fs::PermissionsExt;
    let lab = Lab::start().await;
    let folder = tempfile::tempdir().unwrap();
    let key_file = folder.path().join("key");
    sshd::write_key(&key_file, &key(2));
    let check = |change: &dyn Fn(&mut SshConfig), expect: &str| {
        let mut ssh = SshConfig {
            key_file: key_file.clone(),
            nodes: [(
                "pve".to_owned(),
                SshNode {
                    host: "pve.lan".to_owned(),
                    port: 22,
                    host_keys: vec![public(&key(1))],
                },
            )]
            .into(),
            ..SshConfig::default()
        };
        change(&mut ssh);
        let config = Config {
            ssh: Some(ssh),
            ..lab.config(&lab.sim.admin_token())
        };
        let error = Homelab::connect(config)
            .err()
            .map(|error| error.to_string());
        let error = error.unwrap_or_default();
        assert_ne!(error.starts_with("ssh."), expect.is_empty(), "{error}");
        assert!(error.contains(expect), "{error}");
    };
    check(&|_| {}, "");
    check(
        &|ssh| ssh.user = "a;b".to_owned(),
        "must be the name of an account",
    );
    check(
        &|ssh| ssh.key_file = "/nowhere".into(),
        "/nowhere: No such file",
    );
    let pin = |text: &'static str| {
        move |ssh: &mut SshConfig| {
            ssh.nodes.get_mut("pve").unwrap().host_keys = vec![text.to_owned()];
        }
    };
    check(
        &pin("SHA256:short"),
        "is neither a public key nor a SHA256 fingerprint",
    );
    check(
        &pin("MD5:00:11"),
        "is neither a public key nor a SHA256 fingerprint",
    );
    check(
        &|ssh| ssh.nodes.get_mut("pve").unwrap().host_keys.clear(),
        "pve: host_keys is missing",
    );
    check(
        &|ssh| ssh.nodes.get_mut("pve").unwrap().host = "-oProxyCommand=id".to_owned(),
        "host must be a name",
    );
    fs::set_permissions(&key_file, fs::Permissions::from_mode(0o644)).unwrap();
    check(&|_| {}, "can be read by others (mode 644)");
    fs::set_permissions(&key_file, fs::Permissions::from_mode(0o600)).unwrap();
    fs::write(&key_file, "not a key").unwrap();
    check(&|_| {}, "is no Ed25519 or ECDSA key");
}
