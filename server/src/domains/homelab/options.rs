//! `[proxmox]`, `[ssh]` and the homelab's share of `[notices]`.

use std::{
    collections::BTreeMap,
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
    sync::Arc,
};

use super::texts;
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
    let storage = r
        .key(
            "notices.storage_percent",
            "usage from which a storage or root disk raises a notice …",
        )
        .or(Whole::<1, 100>(85));
    let full = r
        .key(
            "notices.full_percent",
            "… and from which the notice is grave",
        )
        .or(Whole::<1, 100>(95));
    let celsius = r
        .key(
            "notices.temperature_celsius",
            "processor temperature from which a notice is raised",
        )
        .or(Whole::<1, 150>(85));
    let backup_hours = r
        .key(
            "notices.backup_hours",
            "age of a guest's newest backup above which a notice is raised",
        )
        .or(Whole::<1, 87_600>(48));
    let task_hours = r
        .key(
            "notices.task_hours",
            "how long a failed task is shown as a notice",
        )
        .or(Whole::<1, 8_760>(24));
    if full.0 < storage.0 {
        r.refuse(&full.source, texts::full_is_below_storage(storage.0));
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
    r.section(
        "proxmox",
        "Without urls the built-in simulated cluster is used.",
    );
    let urls = r
        .key::<Vec<String>>("proxmox.urls", "nodes of the cluster")
        .env("PROXMOX_URL")
        .optional("[\"https://pve1.lan:8006\", \"https://pve2.lan:8006\"]");
    let token_id = r
        .key::<String>("proxmox.token_id", "API token, USER@REALM!TOKENID")
        .env("PROXMOX_TOKEN_ID")
        .optional("\"jarvis@pve!console\"");
    let token_secret = r
        .key::<Secret>("proxmox.token_secret", "its secret")
        .env("PROXMOX_TOKEN_SECRET")
        .optional("\"…\"");
    let user = r
        .key::<String>("proxmox.user", "USER@REALM")
        .env("PROXMOX_USER")
        .under("… or a user and password instead of a token:")
        .optional("\"jarvis@pve\"");
    let password = r
        .key::<Secret>("proxmox.password", "the user's password")
        .env("PROXMOX_PASSWORD")
        .optional("\"…\"");
    let ca_file = r
        .key::<PathBuf>("proxmox.ca_file", "certificate of the CA, PEM")
        .env("PROXMOX_CA_FILE")
        .under("Trust either the cluster's CA or the nodes' own certificates:")
        .optional("\"/etc/jarvis/pve-root-ca.pem\"");
    let fingerprints = r
        .key::<Vec<String>>("proxmox.fingerprints", "SHA-256 of the certificates")
        .env("PROXMOX_FINGERPRINT")
        .optional("[\"AA:BB:…\"]");
    let timeout = r
        .key("proxmox.timeout_seconds", "time for a node to answer")
        .or(Whole::<1, 300>(10));
    let protected_nodes = r
        .key::<Vec<String>>("proxmox.protected_nodes", "names of nodes")
        .env("PROXMOX_PROTECTED_NODES")
        .under("Protected nodes and guests are never changed, no matter who confirms it.")
        .optional("[\"pve1\"]");
    let protected_guests = r
        .key::<Vec<GuestId>>("proxmox.protected_guests", "ids of guests")
        .env("PROXMOX_PROTECTED_GUESTS")
        .optional("[100, 101]");
    let own_guest = r
        .key::<GuestId>(
            "proxmox.own_guest",
            "the guest that Jarvis itself runs in; protected as well",
        )
        .env("PROXMOX_OWN_GUEST")
        .optional("220");
    let wake_address = r
        .key(
            "proxmox.wake_address",
            "destination of Wake-on-LAN packets, such as 192.168.1.255:9",
        )
        .env("PROXMOX_WAKE_ADDRESS")
        .or(SocketAddr::new(Ipv4Addr::BROADCAST.into(), 9));
    let node_macs = r.table(
        "proxmox.node_macs",
        "MAC addresses of nodes that may be woken.",
        "[proxmox.node_macs]\npve1 = \"9C:6B:00:1A:42:11\"",
    );
    let node_roles = r.table(
        "proxmox.node_roles",
        "Purpose of each node.",
        "[proxmox.node_roles]\npve1 = \"compute and NAS\"",
    );
    let services = r.table(
        "proxmox.services",
        "Services that may be restarted, by node.",
        "[proxmox.services]\npve1 = [\"pveproxy\", \"smbd\"]",
    );
    let ssh = read_ssh(r);

    let urls = urls?;
    for url in urls.iter() {
        if !url.starts_with("https://") {
            r.refuse(&urls.source, texts::PROXMOX_URLS_ARE_NO_ADDRESSES);
        }
    }
    let token = token_id.is_some() && token_secret.is_some();
    let ticket = user.is_some() && password.is_some();
    if !token && !ticket {
        r.refuse(&urls.source, texts::PROXMOX_CREDENTIALS_MISSING);
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
    r.section(
        "ssh",
        "SSH is used for temperatures, read-only commands and services that Proxmox does not manage. \
         On each node, add to the account's authorized_keys (root's is shared by all nodes of a \
         cluster):\n   restrict,from=\"JARVIS-ADDRESS\",command=\"/usr/local/bin/jarvis node-guard\" \
         ssh-ed25519 AAAA…\nUnits that may be restarted on a node are listed in its own \
         /etc/jarvis/units, owned by root.",
    );
    let user = r
        .key("ssh.user", "account on the nodes")
        .env("JARVIS_SSH_USER")
        .or("jarvis".to_owned());
    let key_file = r
        .key::<PathBuf>("ssh.key_file", "Ed25519, no passphrase, mode 600")
        .env("JARVIS_SSH_KEY_FILE")
        .optional("\"/etc/jarvis/ssh_key\"");
    let known_hosts = r
        .key::<PathBuf>(
            "ssh.known_hosts",
            "for nodes without host_keys; a key in an @revoked line is refused for every node",
        )
        .env("JARVIS_SSH_KNOWN_HOSTS")
        .optional("\"/etc/jarvis/known_hosts\"");
    let timeout = r
        .key("ssh.timeout_seconds", "time that a command may run")
        .or(Whole::<1, 55>(25));
    let nodes = r.table(
        "ssh.nodes",
        "",
        "[ssh.nodes.pve1]\n\
         host = \"192.168.1.11\"\n\
         port = 22\n\
         # From /etc/ssh/ssh_host_ed25519_key.pub on the node itself:\n\
         host_keys = [\"ssh-ed25519 AAAA…\"]",
    );
    // Without a key there is no SSH.
    Some(Ssh {
        user: user.value,
        key_file: key_file?.value,
        known_hosts: known_hosts.map(|setting| setting.value),
        nodes,
        timeout_seconds: timeout.0,
    })
}
