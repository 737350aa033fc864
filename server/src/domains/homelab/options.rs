//! `[proxmox]`, `[ssh]` and the homelab's share of `[notices]`.

use std::{
    collections::BTreeMap,
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
    sync::Arc,
};

use crate::config::{Options, Reader, Secret, Whole};

/// The id of a virtual machine or container.
type GuestId = Whole<100, 999_999_999>;

/// The homelab's configuration.
#[derive(Debug, Clone)]
pub struct HomelabOptions {
    /// None: the simulated cluster.
    pub proxmox: Option<Proxmox>,
    pub limits: Limits,
}

impl Options for HomelabOptions {
    fn is_connected(&self) -> bool {
        self.proxmox.is_some()
    }

    fn policy(&self) -> String {
        let acting = self.proxmox.as_ref().map(|proxmox| {
            (
                &proxmox.protected_nodes,
                &proxmox.protected_guests,
                proxmox.own_guest,
                &proxmox.services,
            )
        });
        format!("{acting:?}")
    }
}

/// Thresholds from which a figure raises a notice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Used share of a storage, in percent.
    pub storage_percent: u8,
    /// Used share of a storage from which the notice is grave, in percent.
    pub full_percent: u8,
    /// Processor temperature in °C.
    pub temperature_celsius: u8,
    /// Age of a guest's newest backup, in hours.
    pub backup_hours: u32,
    /// Hours for which a failed task stays a notice.
    pub task_hours: u32,
}

/// Connection to a Proxmox cluster.
#[derive(Debug, Clone)]
pub struct Proxmox {
    /// Such as `https://pve.lan:8006`, one or more nodes of one cluster.
    pub urls: Vec<String>,
    /// `USER@REALM!TOKENID`.
    pub token_id: Option<String>,
    pub token_secret: Option<Secret>,
    /// `USER@REALM`.
    pub user: Option<String>,
    pub password: Option<Secret>,
    pub ca_file: Option<PathBuf>,
    /// SHA-256 of certificates, in hexadecimal with or without colons.
    pub fingerprints: Vec<String>,
    pub protected_nodes: Vec<String>,
    pub protected_guests: Vec<u32>,
    /// The guest that Jarvis itself runs in.
    pub own_guest: Option<u32>,
    /// Purpose of each node, such as `pve = "compute and NAS"`.
    pub node_roles: BTreeMap<String, String>,
    /// Hardware addresses of nodes that may be woken.
    pub node_macs: BTreeMap<String, String>,
    /// Destination of magic packets.
    pub wake_address: SocketAddr,
    /// The services that may be restarted, by node.
    pub services: BTreeMap<String, Vec<String>>,
    /// None: nothing goes over SSH.
    pub ssh: Option<Ssh>,
    pub timeout_seconds: u32,
}

/// Connection to nodes over SSH.
#[derive(Debug, Clone)]
pub struct Ssh {
    pub user: String,
    pub key_file: PathBuf,
    pub known_hosts: Option<PathBuf>,
    /// The nodes by their names in the cluster.
    pub nodes: BTreeMap<String, homelab::SshNode>,
    /// Seconds that a command may run.
    pub timeout_seconds: u32,
}

pub(super) fn read(r: &mut Reader<'_>) -> Arc<dyn Options> {
    Arc::new(HomelabOptions {
        proxmox: read_proxmox(r),
        limits: read_limits(r),
    })
}

fn read_limits(r: &mut Reader<'_>) -> Limits {
    let storage = r.with_default("notices.storage_percent", None, Whole::<1, 100>(85));
    let full = r.with_default("notices.full_percent", None, Whole::<1, 100>(95));
    let celsius = r.with_default("notices.temperature_celsius", None, Whole::<1, 150>(85));
    let backup_hours = r.with_default("notices.backup_hours", None, Whole::<1, 87_600>(48));
    let task_hours = r.with_default("notices.task_hours", None, Whole::<1, 8_760>(24));
    if full.0 < storage.0 {
        r.refuse(
            &full.source,
            format!(
                "notices.full_percent: expected at least notices.storage_percent, which is {}",
                storage.0
            ),
        );
    }
    // Both are within 255 by their types.
    let small = |number: u32| u8::try_from(number).unwrap_or(u8::MAX);
    Limits {
        storage_percent: small(storage.0),
        full_percent: small(full.0),
        temperature_celsius: small(celsius.0),
        backup_hours: backup_hours.0,
        task_hours: task_hours.0,
    }
}

fn read_proxmox(r: &mut Reader<'_>) -> Option<Proxmox> {
    let urls = r.optional::<Vec<String>>("proxmox.urls", Some("PROXMOX_URL"));
    let token_id = r.optional::<String>("proxmox.token_id", Some("PROXMOX_TOKEN_ID"));
    let token_secret = r.optional::<Secret>("proxmox.token_secret", Some("PROXMOX_TOKEN_SECRET"));
    let user = r.optional::<String>("proxmox.user", Some("PROXMOX_USER"));
    let password = r.optional::<Secret>("proxmox.password", Some("PROXMOX_PASSWORD"));
    let ca_file = r.optional::<PathBuf>("proxmox.ca_file", Some("PROXMOX_CA_FILE"));
    let fingerprints =
        r.optional::<Vec<String>>("proxmox.fingerprints", Some("PROXMOX_FINGERPRINT"));
    let protected_nodes =
        r.optional::<Vec<String>>("proxmox.protected_nodes", Some("PROXMOX_PROTECTED_NODES"));
    let protected_guests =
        r.optional::<Vec<GuestId>>("proxmox.protected_guests", Some("PROXMOX_PROTECTED_GUESTS"));
    let own_guest = r.optional::<GuestId>("proxmox.own_guest", Some("PROXMOX_OWN_GUEST"));
    let node_roles = r.table("proxmox.node_roles");
    let node_macs = r.table("proxmox.node_macs");
    let wake_address = r.with_default(
        "proxmox.wake_address",
        Some("PROXMOX_WAKE_ADDRESS"),
        SocketAddr::new(Ipv4Addr::BROADCAST.into(), 9),
    );
    let services = r.table("proxmox.services");
    let ssh = read_ssh(r);
    let timeout = r.with_default("proxmox.timeout_seconds", None, Whole::<1, 300>(10));

    let urls = urls?;
    for url in urls.iter() {
        if !url.starts_with("https://") {
            r.refuse(&urls.source, "proxmox.urls: expected https://HOST:8006");
        }
    }
    let token = token_id.is_some() && token_secret.is_some();
    let ticket = user.is_some() && password.is_some();
    if !token && !ticket {
        r.refuse(
            &urls.source,
            "proxmox: set token_id and token_secret, or user and password, beside urls",
        );
    }
    Some(Proxmox {
        urls: urls.value,
        token_id: token_id.map(|setting| setting.value),
        token_secret: token_secret.map(|setting| setting.value),
        user: user.map(|setting| setting.value),
        password: password.map(|setting| setting.value),
        ca_file: ca_file.map(|setting| setting.value),
        fingerprints: fingerprints.map_or_else(Vec::new, |setting| setting.value),
        protected_nodes: protected_nodes.map_or_else(Vec::new, |setting| setting.value),
        protected_guests: protected_guests.map_or_else(Vec::new, |setting| {
            setting.value.iter().map(|guest| guest.0).collect()
        }),
        own_guest: own_guest.map(|setting| setting.value.0),
        node_roles,
        node_macs,
        wake_address: wake_address.value,
        services,
        ssh,
        timeout_seconds: timeout.0,
    })
}

fn read_ssh(r: &mut Reader<'_>) -> Option<Ssh> {
    let user = r.with_default("ssh.user", Some("JARVIS_SSH_USER"), "jarvis".to_owned());
    let key_file = r.optional::<PathBuf>("ssh.key_file", Some("JARVIS_SSH_KEY_FILE"));
    let known_hosts = r.optional::<PathBuf>("ssh.known_hosts", Some("JARVIS_SSH_KNOWN_HOSTS"));
    let timeout = r.with_default("ssh.timeout_seconds", None, Whole::<1, 55>(25));
    let nodes = r.table("ssh.nodes");
    // Without a key there is no SSH.
    Some(Ssh {
        user: user.value,
        key_file: key_file?.value,
        known_hosts: known_hosts.map(|setting| setting.value),
        nodes,
        timeout_seconds: timeout.0,
    })
}
