//! `execute_ssh` and temperatures against Debian's OpenSSH with the guard as forced command; what
//! the gate is told of commands.

use std::{fs, process::Command};

use agent::ports::{ToolCall, Toolset};
use homelab::{Config, Homelab, SshConfig, SshNode};
use protocol::{CallId, ErrorCode, OriginSource, Timestamp};
use serde_json::{Value, json};

use crate::{
    lab::{Lab, call},
    sshd::{self, Node, key, public},
};

fn input(command: &str) -> Value {
    json!({ "node": "pve", "command": command })
}

#[tokio::test]
async fn a_command_runs_with_exactly_its_arguments_and_a_fixed_environment() {
    let Some(node) = Node::start().await else {
        return;
    };
    let lab = Lab::start().await;
    let homelab = node.connect(&lab);
    node.program(
        "/usr/bin/journalctl",
        "printf '%s\\n' \"$@\" > $dir/argv; env > $dir/env; pwd > $dir/pwd; cat > $dir/stdin
         echo one line; echo a warning >&2; exit 3",
    );
    let output = call(
        &homelab,
        "execute_ssh",
        input("journalctl -u nginx.service -n 50"),
    )
    .await
    .unwrap();
    assert_eq!(output.summary, "journalctl on pve: exit code 3");
    assert_eq!(
        output.data,
        json!({
            "node": "pve",
            "exit_code": 3,
            "stdout": "one line\n",
            "stderr": "a warning\n",
        })
    );
    assert_eq!(
        node.noted("argv"),
        "-u\nnginx.service\n-n\n50\n--no-pager\n"
    );
    let mut names: Vec<_> = fs::read_to_string(node.path("env"))
        .unwrap()
        .lines()
        .map(|line| line.split('=').next().unwrap().to_owned())
        .filter(|name| !matches!(name.as_str(), "PWD" | "OLDPWD" | "_" | "SHLVL"))
        .collect();
    names.sort();
    assert_eq!(names, ["LC_ALL", "PATH"]);
    assert_eq!(node.noted("pwd"), "/\n");
    assert_eq!(node.noted("stdin"), "");
}

#[tokio::test]
async fn a_program_that_is_not_there_is_an_error() {
    let Some(node) = Node::start().await else {
        return;
    };
    let lab = Lab::start().await;
    let error = call(&node.connect(&lab), "execute_ssh", input("zpool status"))
        .await
        .unwrap_err();
    assert_eq!(error.code, ErrorCode::ToolFailed);
    assert!(
        error.message.contains("cannot be started"),
        "{}",
        error.message
    );
}

/// OpenSSH's own client, with the same key: the guard is all that stands behind it.
#[tokio::test]
async fn the_key_opens_nothing_but_the_grammar() {
    let Some(node) = Node::start().await else {
        return;
    };
    for program in ["uptime", "systemctl", "journalctl", "id", "sh", "cat"] {
        node.program(
            &format!("/usr/bin/{program}"),
            "echo $0 >> $dir/ran; echo ok",
        );
    }
    let ask = |command: Option<&str>, flags: &[&str]| {
        let mut ssh = Command::new("ssh");
        ssh.args([
            "-F",
            "none",
            "-o",
            "StrictHostKeyChecking=no",
            "-o",
            "BatchMode=yes",
        ])
        .args(["-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR"])
        .arg("-i")
        .arg(node.path("client_key"))
        .args(["-p", &node.port.to_string()])
        .args(flags)
        .arg(format!("{}@127.0.0.1", node.user))
        .args(command)
        .stdin(std::process::Stdio::null());
        tokio::task::spawn_blocking(move || ssh.output().unwrap())
    };
    let output = ask(Some("uptime"), &[]).await.unwrap();
    assert_eq!(
        (output.status.code(), &output.stdout[..]),
        (Some(0), &b"ok\n"[..])
    );
    fs::remove_file(node.path("ran")).unwrap();

    for (command, expect) in [
        (None, 200),
        (Some("id"), 201),
        (Some("uptime; id"), 201),
        (Some("uptime\nid"), 201),
        (Some("uptime $(id)"), 201),
        (Some("'uptime'"), 201),
        (Some("X=y uptime"), 201),
        (Some("sh -c id"), 201),
        (Some("journalctl -f"), 201),
        (Some("systemctl status ssh.service -l"), 201),
        (Some("systemctl stop nginx.service"), 201),
        (Some("systemctl restart ssh.service"), 201),
        (Some("/usr/lib/openssh/sftp-server"), 201),
    ] {
        let output = ask(command, &[]).await.unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(expect), "{command:?}: {said}");
        assert!(said.starts_with("node-guard: "), "{command:?}: {said}");
    }
    // No terminal either, and no other subsystem.
    let output = ask(None, &["-s", "sftp"]).await.unwrap();
    assert_ne!(output.status.code(), Some(0));
    assert_eq!(node.noted("ran"), "");
}

#[tokio::test]
async fn only_the_host_that_is_known_is_believed() {
    let Some(node) = Node::start().await else {
        return;
    };
    let lab = Lab::start().await;
    node.program("/usr/bin/uptime", "echo up");
    let port = node.port;
    let known = |line: String| {
        let file = node.path("known_hosts");
        fs::write(&file, line).unwrap();
        Some(file)
    };
    let good = public(&key(1));
    let other = public(&key(9));
    let address = format!("127.0.0.1:{port}");
    let changed = format!("{address} showed another host key than the known one");
    let unknown = format!("{address} is not in the list of known hosts");
    for (pins, hosts, expect) in [
        (vec![good.clone()], None, None),
        (vec![sshd::fingerprint(&key(1))], None, None),
        (vec![other.clone(), good.clone()], None, None),
        (vec![other.clone()], None, Some(&changed)),
        (vec![sshd::fingerprint(&key(9))], None, Some(&changed)),
        (vec![], Some(format!("[127.0.0.1]:{port} {good}\n")), None),
        (
            vec![],
            Some(format!("[127.0.0.1]:{port} {other}\n")),
            Some(&changed),
        ),
        (vec![], Some(format!("127.0.0.1 {good}\n")), Some(&unknown)),
        (vec![], Some(String::new()), Some(&unknown)),
        // A pin is not softened by a file.
        (
            vec![other.clone()],
            Some(format!("[127.0.0.1]:{port} {good}\n")),
            Some(&changed),
        ),
    ] {
        let mut config = node.config(&lab);
        let ssh = config.ssh.as_mut().unwrap();
        ssh.known_hosts = hosts.clone().and_then(known);
        ssh.nodes.get_mut("pve").unwrap().host_keys = pins.clone();
        let result = call(&lab.connect(config), "execute_ssh", input("uptime")).await;
        match expect {
            None => assert_eq!(result.unwrap().data["stdout"], "up\n"),
            Some(expect) => {
                let error = result.unwrap_err();
                assert_eq!(error.code, ErrorCode::ToolUnreachable);
                assert!(
                    error.message.starts_with(expect.as_str()),
                    "{}",
                    error.message
                );
                let shown = sshd::fingerprint(&key(1));
                assert!(
                    error.message.contains(&shown) || hosts.is_some(),
                    "{}",
                    error.message
                );
                assert!(error.message.contains("Nothing was sent"));
            }
        }
    }
    let mut config = node.config(&lab);
    let ssh = config.ssh.as_mut().unwrap();
    ssh.known_hosts = Some(node.path("nowhere"));
    ssh.nodes.get_mut("pve").unwrap().host_keys.clear();
    let error = call(&lab.connect(config), "execute_ssh", input("uptime"))
        .await
        .unwrap_err();
    assert!(
        error.message.starts_with("The host keys cannot be read"),
        "{}",
        error.message
    );
}

#[tokio::test]
async fn what_goes_wrong_on_the_way_has_its_own_error() {
    let Some(node) = Node::start().await else {
        return;
    };
    let lab = Lab::start().await;
    node.program("/usr/bin/uptime", "echo begun > $dir/begun; exec sleep 60");
    node.program("/usr/bin/lsblk", "kill -9 $$");

    let mut config = node.config(&lab);
    config.ssh.as_mut().unwrap().command_timeout_ms = 400;
    let homelab = lab.connect(config);
    let error = call(&homelab, "execute_ssh", input("uptime"))
        .await
        .unwrap_err();
    assert_eq!(error.code, ErrorCode::ToolTimeout);
    // The next one on the node is not held up by it.
    let error = call(&homelab, "execute_ssh", input("lsblk"))
        .await
        .unwrap_err();
    assert_eq!(error.code, ErrorCode::ToolFailed);
    assert!(
        error.message.contains("a signal ended the program"),
        "{}",
        error.message
    );

    let mut config = node.config(&lab);
    sshd::write_key(&node.path("stranger"), &key(3));
    config.ssh.as_mut().unwrap().key_file = node.path("stranger");
    let error = call(&lab.connect(config), "execute_ssh", input("uptime"))
        .await
        .unwrap_err();
    assert_eq!(error.code, ErrorCode::ToolPermission);

    let mut config = node.config(&lab);
    // Nobody listens there.
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    config
        .ssh
        .as_mut()
        .unwrap()
        .nodes
        .get_mut("pve")
        .unwrap()
        .port = port;
    let error = call(&lab.connect(config), "execute_ssh", input("uptime"))
        .await
        .unwrap_err();
    assert_eq!(error.code, ErrorCode::ToolUnreachable);

    // A port that says nothing.
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mut config = node.config(&lab);
    let ssh = config.ssh.as_mut().unwrap();
    ssh.nodes.get_mut("pve").unwrap().port = silent.local_addr().unwrap().port();
    ssh.connect_timeout_ms = 200;
    let error = call(&lab.connect(config), "execute_ssh", input("uptime"))
        .await
        .unwrap_err();
    assert_eq!(error.code, ErrorCode::ToolTimeout);
}

#[tokio::test]
async fn output_is_limited_on_both_ends() {
    let Some(node) = Node::start().await else {
        return;
    };
    let lab = Lab::start().await;
    node.program("/usr/bin/lsblk", "while :; do echo 0123456789abcdef; done");
    // The guard's limit is lower than ours, then ours is lower.
    for limit in [10_000_000, 4_000] {
        let mut config = node.config(&lab);
        config.ssh.as_mut().unwrap().max_output_bytes = limit;
        let output = call(&lab.connect(config), "execute_ssh", input("lsblk"))
            .await
            .unwrap();
        assert_eq!(output.summary, "lsblk on pve: cut off, too much output");
        assert_eq!(
            output.data["cut"],
            "the command wrote too much and was cut off; ask for less"
        );
        let shown = output.data["stdout"].as_str().unwrap();
        assert!(shown.len() < 7_000 && shown.starts_with("0123456789abcdef\n"));
    }
}

#[tokio::test]
async fn a_node_does_one_command_at_a_time() {
    let Some(node) = Node::start().await else {
        return;
    };
    let lab = Lab::start().await;
    let homelab = node.connect(&lab);
    node.program(
        "/usr/bin/uptime",
        "mkdir $dir/busy || echo overlap >> $dir/overlaps; sleep 0.05; rmdir $dir/busy",
    );
    let calls = (0..6).map(|_| call(&homelab, "execute_ssh", input("uptime")));
    for result in futures::future::join_all(calls).await {
        result.unwrap();
    }
    assert_eq!(node.noted("overlaps"), "");
}

#[tokio::test]
async fn temperatures() {
    let Some(node) = Node::start().await else {
        return;
    };
    let lab = Lab::start().await;
    let homelab = node.connect(&lab);
    let ask = async |node: &str| {
        let result = call(&homelab, "get_node_temperature", json!({ "node": node })).await;
        result.unwrap().data
    };
    assert_eq!(
        ask("pve").await["temperature_celsius"],
        json!({"unknown": "the program sensors (package lm-sensors) is not on the node"})
    );
    node.program(
        "/usr/bin/sensors",
        r#"echo 'ERROR: Can not get value of subfeature temp9_input' >&2
           echo '{"k10temp-pci-00c3":{"Adapter":"PCI adapter","Tctl":{"temp1_input":61.25}}}'
           exit 1"#,
    );
    assert_eq!(
        ask("pve").await,
        json!({
            "node": "pve",
            "temperature_celsius": 61.25,
            "sensors": [{"chip": "k10temp-pci-00c3", "label": "Tctl", "celsius": 61.25}],
        })
    );
    assert_eq!(
        ask("agent").await["temperature_celsius"],
        json!({"unknown": "SSH is not configured for node agent"})
    );
}

/// A toolset that never reaches a node: what the gate is told comes from configuration alone.
fn configured(lab: &Lab) -> (tempfile::TempDir, Homelab) {
    let folder = tempfile::tempdir().unwrap();
    let key_file = folder.path().join("key");
    sshd::write_key(&key_file, &key(2));
    let node = SshNode {
        host: "192.0.2.1".to_owned(),
        port: 22,
        host_keys: vec![public(&key(1))],
    };
    let config = Config {
        ssh: Some(SshConfig {
            key_file,
            nodes: ["pve", "agent1"]
                .map(|name| (name.to_owned(), node.clone()))
                .into(),
            ..SshConfig::default()
        }),
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
    let tool = homelab
        .tools()
        .iter()
        .find(|tool| tool.name == "execute_ssh")
        .unwrap();
    let vouched = |command: &str| {
        let assessment = homelab.assess(tool, &input(command));
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
    // A unit that nobody configured, and a disk, may come from anywhere.
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
        homelab.assess(tool, &input).refused.unwrap_or_default()
    };
    assert!(refused("pve", "rm -rf /").starts_with("The command is refused: \"rm\" is not one"));
    assert!(
        refused("pve", "systemctl restart nginx.service").starts_with("The command is refused")
    );
    assert_eq!(
        refused("Home", "df -h"),
        "SSH is not configured for node \"Home\"; it is for: agent1, pve."
    );
    let protected = homelab.assess(tool, &json!({ "node": "agent1", "command": "df -h" }));
    assert_eq!(
        protected.protected.as_deref(),
        Some("Node agent1 is protected: nothing is done on it from here.")
    );
    let without = lab.admin();
    assert_eq!(
        without.assess(tool, &input("df -h")).refused.as_deref(),
        Some("SSH is not configured, so no command can be run on a node.")
    );

    let preview = homelab
        .preview(&ToolCall {
            id: CallId::new(Timestamp(0), 1),
            name: "execute_ssh".to_owned(),
            input: input("df -h"),
        })
        .await
        .unwrap();
    assert_eq!(
        preview.sentence,
        "Run `/usr/bin/df -h` on node pve over SSH; it only looks."
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
        assert!(error.starts_with("ssh.") == !expect.is_empty(), "{error}");
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
