//! The stand-ins for cluster, company, field device and model. They run in the harness's process and know nothing
//! of the server's death.

use std::{path::Path, time::Duration};

use anyhow::Context;
use erp::{ErpConfig, ErpSecret};
use rehearsal::Scripted;
use simerp::{SimErp, SimErpUser};
use tokio::task::JoinSet;

use crate::{
    company::{self, CompanyStart, KEY_FIELD},
    field_device::{FieldGround, PlayedDevice},
    ledger::Ledger,
};

/// Simulated cluster and rehearsal model. They stop when this is dropped.
pub(crate) struct StandIns {
    cluster: simlab::Simlab,
    /// The simulated company of scenarios about its books.
    company: Option<SimErp>,
    /// The user of the company whose key the server has.
    user: SimErpUser,
    /// The user of the company whose key the person has.
    own_user: Option<SimErpUser>,
    /// True if the company's documents have a field for the call that made them.
    has_key_field: bool,
    /// The field device of scenarios about one.
    device: Option<PlayedDevice>,
    model: rehearsal::Rehearsal,
    /// Ends with them.
    sleeper: JoinSet<()>,
}

/// Interval at which the machine that is off looks for a packet.
const LOOK: Duration = Duration::from_millis(50);

impl StandIns {
    /// Starts them; a node may be off until somebody wakes it.
    pub(crate) async fn start(
        script: &[Scripted],
        asleep: Option<&'static str>,
        company: Option<CompanyStart>,
        field: Option<&FieldGround>,
    ) -> anyhow::Result<Self> {
        let user = company.map_or(SimErpUser::Agent, CompanyStart::user);
        let own_user = company.and_then(CompanyStart::own_user);
        let has_key_field = company == Some(CompanyStart::WithKeyField);
        let company = match company {
            Some(start) => Some(company::start(start).await?),
            None => None,
        };
        let device = match field {
            Some(ground) => Some(PlayedDevice::start(ground).await?),
            None => None,
        };
        let model = rehearsal::start(rehearsal::Options {
            // The server asks for one of the vendor's models.
            control: true,
            ..rehearsal::Options::default()
        });
        let mut stand_ins = Self {
            cluster: simlab::start(simlab::SimlabOptions::default()).await?,
            company,
            user,
            own_user,
            has_key_field,
            device,
            model: model.await?,
            sleeper: JoinSet::new(),
        };
        if let Some(node) = asleep {
            stand_ins.put_to_sleep(node)?;
        }
        for scripted in script {
            stand_ins.model.script().push(scripted.clone());
        }
        Ok(stand_ins)
    }

    /// Takes a node away until a packet for it comes.
    fn put_to_sleep(&mut self, node: &'static str) -> anyhow::Result<()> {
        let control = self.cluster.control();
        let mac = self.cluster.macs().find(|(name, _)| *name == node);
        let (_, mac) = mac.context("no such node")?;
        control.set_offline(node, true);
        self.sleeper.spawn(async move {
            while !control.wakes().iter().any(|woken| woken == mac) {
                tokio::time::sleep(LOOK).await;
            }
            control.set_offline(node, false);
        });
        Ok(())
    }

    pub(crate) fn ledger(&self) -> Ledger {
        let company = self.company.as_ref().map(SimErp::control);
        let device = self.device.as_ref().map(PlayedDevice::ledger);
        Ledger::open(self.cluster.control(), company, device)
    }

    /// Tells the device the way to the server; none while there is no server.
    pub(crate) fn reach(&self, url: Option<&str>) {
        if let Some(device) = &self.device {
            device.reach(url);
        }
    }

    /// The company as the server and as the person reach it, if the person has an own key.
    pub(crate) fn own_key(&self) -> Option<[ErpConfig; 2]> {
        let company = self.company.as_ref()?;
        let reached = |user| {
            let (api_key, secret) = company.key(user);
            ErpConfig {
                url: company.url(),
                api_key,
                api_secret: ErpSecret::from(secret),
                ..ErpConfig::default()
            }
        };
        Some([self.user, self.own_user?].map(reached))
    }

    /// Writes the server's configuration into the folder in which it starts: the services that may
    /// be restarted, and the ways over SSH.
    pub(crate) fn configure(&self, folder: &Path) -> anyhow::Result<()> {
        let (user, key) = self.cluster.ssh_login();
        let key_file = folder.join("ssh-key");
        write_key(&key_file, key)?;
        let macs = self.cluster.macs();
        let macs: String = macs
            .map(|(node, mac)| format!("{node} = {mac:?}\n"))
            .collect();
        let mut text = format!(
            "[proxmox.node_macs]\n{macs}\n[proxmox.services]\npve = [\"postfix\", \"smbd\"]\n\n\
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
        if self.has_key_field {
            text.push_str(&format!("\n[erp]\nkey_field = {KEY_FIELD:?}\n"));
        }
        std::fs::write(folder.join("jarvis.toml"), text)?;
        Ok(())
    }

    /// The rest of the server's configuration.
    pub(crate) fn environment(&self) -> anyhow::Result<Vec<(&'static str, String)>> {
        let token = self.cluster.admin_token();
        let (id, secret) = token.split_once('=').context("no token")?;
        let mut environment = vec![
            // Beside a real cluster the charts would not be demonstrated of themselves.
            ("JARVIS_DOMAINS_DEMO", "markets".to_owned()),
            ("PROXMOX_URL", self.cluster.base_url()),
            ("PROXMOX_FINGERPRINT", self.cluster.fingerprint()),
            ("PROXMOX_TOKEN_ID", id.to_owned()),
            ("PROXMOX_TOKEN_SECRET", secret.to_owned()),
            ("PROXMOX_WAKE_ADDRESS", self.cluster.wake_addr().to_string()),
            ("ANTHROPIC_BASE_URL", self.model.base_url()),
            ("ANTHROPIC_API_KEY", self.model.api_key().to_owned()),
        ];
        if let Some(company) = &self.company {
            let (key, secret) = company.key(self.user);
            environment.push(("ERPNEXT_URL", company.url()));
            environment.push(("ERPNEXT_API_KEY", key));
            environment.push(("ERPNEXT_API_SECRET", secret));
        }
        if self.device.is_some() {
            environment.push(("JARVIS_DOMAINS", "field".to_owned()));
            environment.push(("JARVIS_FIELD", "true".to_owned()));
        }
        Ok(environment)
    }
}

fn write_key(file: &Path, key: &str) -> std::io::Result<()> {
    use std::{fs::OpenOptions, io::Write, os::unix::fs::OpenOptionsExt};

    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    options.open(file)?.write_all(key.as_bytes())
}
