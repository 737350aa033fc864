//! SSH on the nodes, with russh as the client.

use std::sync::Arc;

use russh::client::{self, AuthResult, Handle};
use russh::keys::{PrivateKey, PrivateKeyWithHashAlg, PublicKeyOrCertificate};
use russh::{ChannelMsg, Disconnect};
use serde_json::Value;

use crate::harness::Lab;

/// Trusts exactly one host key.
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

/// Signs in and returns whether the key was accepted.
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

/// Runs a command; returns exit code, output and error output.
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
            "systemctl show --no-pager -- pveproxy.service",
            0,
            "ActiveState=active",
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

    // A restart through Proxmox VE is visible here too.
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

async fn data(lab: &Lab, path: &str) -> Value {
    lab.get(path).await.data().clone()
}

/// Programs on a node print the same numbers as the API.
#[tokio::test]
async fn programs_agree_with_the_api() {
    let lab = Lab::new().await;
    let out = async |line: &str| {
        let (code, out, err) = run(&lab, "pve", line).await;
        assert_eq!((code, err.as_str()), (0, ""), "{line}");
        out
    };
    const PS: &str = "ps -eo pid,user,pcpu,pmem,rss,etime,comm --sort -rss";
    let kib = |text: &str, row: &str| -> u64 {
        let line = text.lines().find(|line| line.contains(row));
        let number = line.and_then(|line| line.split_whitespace().nth(4));
        number.expect("a number").parse().expect("KiB")
    };

    // Memory of the largest guest.
    let guest = data(&lab, "/nodes/pve/qemu/110/status/current").await;
    let process = format!("{:>7} root ", guest["pid"].as_u64().expect("a process"));
    let memory = guest["memhost"].as_u64().expect("bytes") / 1024;
    let first = out(PS).await;
    assert_eq!(kib(&first, &process), memory, "{first}");
    assert!(
        first
            .lines()
            .nth(1)
            .is_some_and(|line| line.starts_with(&process)),
        "the largest first: {first}"
    );

    // Space of the pools.
    let storages = data(&lab, "/nodes/pve/storage").await;
    let rows = storages.as_array().expect("a list").iter();
    let pool = rows
        .clone()
        .find(|row| row["storage"] == "local-zfs")
        .expect("the pool");
    let used = pool["used"].as_u64().expect("bytes") as f64 / f64::from(1 << 30);
    let zpool = out("zpool list").await;
    assert!(zpool.contains(&format!("{used:.0}G")), "{used}: {zpool}");
    let pvesm = out("pvesm status").await;
    for row in rows {
        let total = (row["total"].as_u64().expect("bytes") / 1024).to_string();
        assert!(pvesm.contains(&total), "{row}: {pvesm}");
    }

    // A stopped guest is gone from the processes, and the kernel logs it.
    lab.begin("/nodes/pve/qemu/110/status/stop", &[]).await;
    lab.advance(120);
    assert!(!out(PS).await.contains(&process));
    let kernel = out("journalctl -k -n 1 --no-pager").await;
    assert!(
        kernel.contains("(tap110i0) entered disabled state"),
        "{kernel}"
    );
    let tasks = out("journalctl -u pvedaemon.service -n 1 --no-pager").await;
    assert!(
        tasks.contains(":qmstop:110:") && tasks.ends_with(" OK\n"),
        "{tasks}"
    );
}

/// Every read-only command of homelab's grammar is answered in the program's own format.
#[tokio::test]
async fn every_look_has_an_answer() {
    let lab = Lab::new().await;
    for (line, code, word) in [
        ("lscpu", 0, "AMD Ryzen 9 5950X 16-Core Processor"),
        ("sensors -j", 0, "k10temp-pci-00c3"),
        ("uname -a", 0, "Linux pve 6.17.4-1-pve"),
        ("ip -br link", 0, "9c:6b:00:1a:42:12"),
        ("ip route show", 0, "src 192.168.10.12"),
        ("systemctl show pveproxy.service", 0, "SubState=running"),
        (
            "lsblk",
            0,
            "`-sdc1         8:33   0   3.6T  0 part /srv/backup",
        ),
        ("df -i", 0, "IUse% Mounted on"),
        ("df -h", 0, "192.168.10.12:/tank/nas"),
        ("zpool list", 0, "tank"),
        ("zpool status", 0, "\t  mirror-0  ONLINE"),
        ("zfs list", 0, "local-zfs/subvol-211-disk-0"),
        ("ss -tln", 0, " *:8006 "),
        ("ss -tlnp", 0, "users:((\"smbd\",pid="),
        ("ss -s", 0, "TCP:   "),
        ("dmesg -T -l warn -P", 0, "spl: loading out-of-tree module"),
        ("dmesg -T -l emerg -P", 0, ""),
        ("journalctl -k -n 5 --no-pager", 0, "pve kernel: "),
        (
            "journalctl -p err -n 20 --no-pager",
            0,
            "VM quit/powerdown failed",
        ),
        (
            "journalctl -u pveproxy.service -p info -n 5 --no-pager",
            0,
            "systemd[1]: Started pveproxy.service",
        ),
        (
            "journalctl -u no-such.service -n 5 --no-pager",
            0,
            "-- No entries --",
        ),
        ("smartctl -A /dev/nvme1n1", 0, "Power On Hours:"),
        ("smartctl -A /dev/sda", 0, "Reallocated_Sector_Ct"),
        ("smartctl -H /dev/sdz", 2, ""),
        ("pveversion", 0, "pve-manager/9.1.11/"),
        ("chronyc -n tracking", 0, "Leap status     : Normal"),
        (
            "ps -eo pid,user,pcpu,pmem,rss,etime,comm --sort -pcpu",
            0,
            "    PID USER     %CPU %MEM   RSS     ELAPSED COMMAND",
        ),
    ] {
        for node in ["pve", "Home", "agent1", "agent"] {
            let (found, out, err) = run(&lab, node, line).await;
            if node == "pve" {
                assert_eq!(found, code, "{line}: {err}");
                assert!(out.contains(word), "{line}: {out}");
            }
            assert!(!err.contains("not simulated"), "{line} on {node}");
            // A point of a recording that nothing filled in.
            let unfilled = out.split('{').skip(1).any(|rest| {
                let name = rest.split_once('}').map_or("", |(name, _)| name);
                let is_part = |c: char| c.is_ascii_lowercase() || c == '_';
                !name.is_empty() && name.chars().all(is_part)
            });
            assert!(!unfilled, "{line} on {node}: {out}");
        }
    }
}
