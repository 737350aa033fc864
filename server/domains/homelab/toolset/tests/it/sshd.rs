//! A node behind Debian's OpenSSH, with our guard as the forced command and stand-in programs.

use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use homelab::{Config, Homelab, SshConfig, SshNode};
use russh::keys::{
    HashAlg, PrivateKey,
    ssh_key::{LineEnding, private::Ed25519Keypair},
};
use tokio::{net::TcpListener, task::JoinHandle};

use crate::lab::Lab;

const SSHD: &str = "/usr/sbin/sshd";
/// The folder to which root's `sshd` confines its unprivileged process.
const PRIVSEP: &str = "/run/sshd";

/// A key that is the same in every run.
pub(crate) fn key(seed: u8) -> PrivateKey {
    PrivateKey::from(Ed25519Keypair::from_seed(&[seed; 32]))
}

pub(crate) fn public(key: &PrivateKey) -> String {
    key.public_key().to_openssh().unwrap()
}

pub(crate) fn fingerprint(key: &PrivateKey) -> String {
    key.public_key().fingerprint(HashAlg::Sha256).to_string()
}

/// Writes a private key readable only by us.
pub(crate) fn write_key(path: &Path, key: &PrivateKey) {
    fs::write(path, key.to_openssh(LineEnding::LF).unwrap()).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
}

/// The configuration of nodes that are never reached: assessments do not need them.
pub(crate) fn nowhere<const N: usize>(folder: &Path, nodes: [&str; N]) -> SshConfig {
    let key_file = folder.join("key");
    write_key(&key_file, &key(2));
    let node = SshNode {
        host: "192.0.2.1".to_owned(),
        port: 22,
        host_keys: vec![public(&key(1))],
    };
    SshConfig {
        key_file,
        nodes: nodes.map(|name| (name.to_owned(), node.clone())).into(),
        ..SshConfig::default()
    }
}

/// A node: a folder with keys, stand-ins and their records, and a port on which `sshd` answers.
pub(crate) struct Node {
    pub folder: tempfile::TempDir,
    pub port: u16,
    pub user: String,
    serving: JoinHandle<()>,
}

impl Drop for Node {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Node {
    /// Starts a node; `None`, with a message, if there is no `sshd`.
    pub(crate) async fn start() -> Option<Self> {
        if !Path::new(SSHD).exists() {
            #[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
            {
                eprintln!("skipped: {SSHD} is not there; install the package openssh-server");
            }
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let uid = fs::metadata(folder.path()).unwrap().uid();
        if uid == 0 {
            fs::create_dir_all(PRIVSEP).unwrap();
        }
        let user = Command::new("id").arg("-un").output().unwrap().stdout;
        let user = String::from_utf8(user).unwrap().trim().to_owned();
        let path = |name: &str| folder.path().join(name).display().to_string();
        write_key(Path::new(&path("host_key")), &key(1));
        write_key(Path::new(&path("client_key")), &key(2));
        fs::write(path("units"), "nginx.service\n").unwrap();
        fs::set_permissions(path("units"), fs::Permissions::from_mode(0o644)).unwrap();
        fs::create_dir_all(path("root/usr/bin")).unwrap();
        fs::create_dir_all(path("root/usr/sbin")).unwrap();
        let guard = env!("CARGO_BIN_EXE_node-guard");
        let command = format!(
            "{guard} --units {} --units-owner {uid} --root {}",
            path("units"),
            path("root")
        );
        let line = format!("restrict,command=\"{command}\" {}\n", public(&key(2)));
        fs::write(path("authorized_keys"), line).unwrap();
        let config = [
            format!("HostKey {}", path("host_key")),
            format!("AuthorizedKeysFile {}", path("authorized_keys")),
            "StrictModes no".to_owned(),
            "PasswordAuthentication no".to_owned(),
            "KbdInteractiveAuthentication no".to_owned(),
            "PermitRootLogin forced-commands-only".to_owned(),
            "UsePAM no".to_owned(),
            "PidFile none".to_owned(),
            "LogLevel ERROR".to_owned(),
        ];
        fs::write(path("sshd_config"), config.join("\n") + "\n").unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let serving = tokio::spawn(serve(listener, folder.path().join("sshd_config")));
        Some(Self {
            folder,
            port,
            user,
            serving,
        })
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a stand-in for a program: a script with `$dir` as the node's folder.
    pub(crate) fn program(&self, path: &str, script: &str) {
        let file = self.path("root").join(path.trim_start_matches('/'));
        let dir = self.folder.path().display();
        fs::write(&file, format!("#!/bin/sh\ndir={dir}\n{script}\n")).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// The record of a stand-in; empty if it did not run.
    pub(crate) fn noted(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    pub(crate) fn ssh(&self) -> SshConfig {
        SshConfig {
            user: self.user.clone(),
            key_file: self.path("client_key"),
            nodes: [(
                "pve".to_owned(),
                SshNode {
                    host: "127.0.0.1".to_owned(),
                    port: self.port,
                    host_keys: vec![public(&key(1))],
                },
            )]
            .into(),
            settle_ms: 0,
            ..SshConfig::default()
        }
    }

    pub(crate) fn config(&self, lab: &Lab) -> Config {
        Config {
            ssh: Some(self.ssh()),
            services: [(
                "pve".to_owned(),
                vec!["nginx".to_owned(), "exim4".to_owned()],
            )]
            .into(),
            poll_ms: 10,
            ..lab.config(&lab.sim.admin_token())
        }
    }

    pub(crate) fn connect(&self, lab: &Lab) -> Homelab {
        lab.connect(self.config(lab))
    }
}

/// Runs one `sshd` per connection, as inetd would: no port to find and no process to stop.
async fn serve(listener: TcpListener, config: PathBuf) {
    while let Ok((stream, _)) = listener.accept().await {
        let stream = stream.into_std().unwrap();
        stream.set_nonblocking(false).unwrap();
        let copy = stream.try_clone().unwrap();
        let mut sshd = tokio::process::Command::new(SSHD)
            .args(["-i", "-e", "-f"])
            .arg(&config)
            .stdin(Stdio::from(std::os::fd::OwnedFd::from(stream)))
            .stdout(Stdio::from(std::os::fd::OwnedFd::from(copy)))
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        tokio::spawn(async move { sshd.wait().await });
    }
}
