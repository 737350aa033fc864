//! `execute_ssh` and temperatures against Debian's OpenSSH with the guard as forced command.

use std::{fs, process::Command};

use protocol::ErrorCode;
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

/// OpenSSH's own client with the same key: only the guard protects the node.
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
        (Some("'uptime'"), 201),
        (Some("journalctl -f"), 201),
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
    let revoked = format!("{address} showed a host key that was revoked");
    let here = format!("[127.0.0.1]:{port} {good}\n");
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
        // A revoked key is refused, wherever else it is listed.
        (
            vec![],
            Some(format!("{here}@revoked * {good} stolen\n")),
            Some(&revoked),
        ),
        (
            vec![],
            Some(format!("@revoked elsewhere {good}\n{here}")),
            Some(&revoked),
        ),
        (
            vec![good.clone()],
            Some(format!("@revoked * {good}\n")),
            Some(&revoked),
        ),
        (
            vec![],
            Some(format!("{here}@revoked * {other}\n# @revoked * {good}\n")),
            None,
        ),
        // A file does not weaken a pin.
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
    // An unreadable file revokes nothing, and vouches for nobody.
    let damaged = known(format!("{here}@revoked * ssh-ed25519 AAAAdamaged\n"));
    for (file, pinned) in [
        (Some(node.path("nowhere")), false),
        (damaged.clone(), false),
        (damaged, true),
    ] {
        let mut config = node.config(&lab);
        let ssh = config.ssh.as_mut().unwrap();
        ssh.known_hosts = file;
        if !pinned {
            ssh.nodes.get_mut("pve").unwrap().host_keys.clear();
        }
        let error = call(&lab.connect(config), "execute_ssh", input("uptime"))
            .await
            .unwrap_err();
        assert!(
            error.message.starts_with("The host keys cannot be read"),
            "{}",
            error.message
        );
    }
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
    let homelab = node.connect(&lab);
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
    // Nothing listens on this port.
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

    // A port that never answers.
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
    // First the guard's limit is the lower one, then ours.
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
