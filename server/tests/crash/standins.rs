//! The stand-ins for cluster and model. They live in the harness's process and know nothing of the
//! server's death.

use std::path::Path;

use anyhow::Context;
use rehearsal::Scripted;

use crate::ledger::Ledger;

/// Simulated cluster and rehearsal model. They stop when this is dropped.
pub(crate) struct StandIns {
    cluster: simlab::Simlab,
    model: rehearsal::Rehearsal,
}

impl StandIns {
    pub(crate) async fn start(script: &[Scripted]) -> anyhow::Result<Self> {
        let model = rehearsal::start(rehearsal::Options {
            // The server asks for one of the vendor's models.
            control: true,
            ..rehearsal::Options::default()
        });
        let stand_ins = Self {
            cluster: simlab::start(simlab::Options::default()).await?,
            model: model.await?,
        };
        for scripted in script {
            stand_ins.model.script().push(scripted.clone());
        }
        Ok(stand_ins)
    }

    pub(crate) fn ledger(&self) -> Ledger {
        Ledger::open(self.cluster.control())
    }

    /// Writes what the server is configured with into the folder in which it starts: the services
    /// that may be restarted, and the ways over SSH.
    pub(crate) fn configure(&self, folder: &Path) -> anyhow::Result<()> {
        let (user, key) = self.cluster.ssh_login();
        let key_file = folder.join("ssh-key");
        write_key(&key_file, key)?;
        let mut text = format!(
            "[proxmox.services]\npve = [\"postfix\", \"smbd\"]\n\n\
             [ssh]\nuser = {user:?}\nkey_file = {key_file:?}\n"
        );
        for node in self.cluster.nodes() {
            let address = self.cluster.ssh_addr(node).context("no SSH")?;
            let key = self.cluster.ssh_host_key(node).context("no host key")?;
            text.push_str(&format!(
                "\n[ssh.nodes.{node}]\nhost = \"{}\"\nport = {}\nhost_keys = [{key:?}]\n",
                address.ip(),
                address.port()
            ));
        }
        std::fs::write(folder.join("jarvis.toml"), text)?;
        Ok(())
    }

    /// The rest of the server's configuration.
    pub(crate) fn environment(&self) -> anyhow::Result<Vec<(&'static str, String)>> {
        let token = self.cluster.admin_token();
        let (id, secret) = token.split_once('=').context("no token")?;
        Ok(vec![
            ("PROXMOX_URL", self.cluster.base_url()),
            ("PROXMOX_FINGERPRINT", self.cluster.fingerprint()),
            ("PROXMOX_TOKEN_ID", id.to_owned()),
            ("PROXMOX_TOKEN_SECRET", secret.to_owned()),
            ("ANTHROPIC_BASE_URL", self.model.base_url()),
            ("ANTHROPIC_API_KEY", self.model.api_key().to_owned()),
        ])
    }
}

fn write_key(file: &Path, key: &str) -> std::io::Result<()> {
    use std::{fs::OpenOptions, io::Write, os::unix::fs::OpenOptionsExt};

    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    options.open(file)?.write_all(key.as_bytes())
}
