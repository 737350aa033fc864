//! Sentences of the homelab for people: its start, its systems and its configuration.

use std::fmt::Display;

pub(crate) const HOMELAB_TOOLS: &str = "Homelab tools";

pub(crate) const OPTIONS_OF_HOMELAB: &str = "options of the homelab";

pub(crate) const THE_SIMULATED_CLUSTER: &str = "the simulated cluster";

pub(crate) fn cluster_is_simulated(url: &str) -> String {
    format!("No PROXMOX_URL: the cluster is simulated ({url}).")
}

pub(crate) const SIMULATED_CLUSTER: &str = "Simulated cluster";

pub(crate) const THE_PROXMOX_CLUSTER: &str = "the Proxmox cluster";

pub(crate) fn guest_which_jarvis_runs_in(id: u32) -> String {
    format!("guest {id}, which Jarvis runs in")
}

pub(crate) const SERVICES_THAT_MAY_BE_RESTARTED: &str = "Services that may be restarted";

pub(crate) const MORE_NODES_BY_NAME: &str = "More nodes, by name";

pub(crate) fn is_no_node(node: &str) -> String {
    format!("{node:?} is not the name of a node.")
}

pub(crate) const MORE_GUESTS_BY_ID: &str = "More guests, by id";

pub(crate) fn is_no_guest(guest: &str) -> String {
    format!("{guest:?} is not the id of a guest, such as 101.")
}

pub(crate) fn simulated_cluster_at(base_url: &str) -> String {
    format!("Simulated cluster at {base_url}")
}

pub(crate) fn certificate_sha_256(fingerprint: &str) -> String {
    format!("Certificate SHA-256: {fingerprint}")
}

pub(crate) fn api_token(admin_token: &str) -> String {
    format!("API token: {admin_token}")
}

pub(crate) fn magic_packets_udp(wake_addr: &impl Display) -> String {
    format!("Magic packets: UDP {wake_addr}")
}

pub(crate) fn ssh_of(node: &str, address: &impl Display, key: &str) -> String {
    format!("SSH of {node}: {address}, {key}")
}

pub(crate) fn full_is_below_storage(percent: u32) -> String {
    format!("notices.full_percent: expected at least notices.storage_percent, which is {percent}")
}

pub(crate) const PROXMOX_URLS_ARE_NO_ADDRESSES: &str = "proxmox.urls: expected https://HOST:8006";

pub(crate) const PROXMOX_CREDENTIALS_MISSING: &str =
    "proxmox: set token_id and token_secret, or user and password, beside urls";

pub(crate) const SIMULATED_CLUSTER_GAVE_NO_TOKEN: &str = "the simulated cluster gave no token";

pub(crate) fn cannot_write(key_file: &impl Display) -> String {
    format!("cannot write {key_file}")
}

pub(crate) const COMPUTE_AND_NAS: &str = "compute and NAS";

pub(crate) const COMPUTE_PROTECTED: &str = "compute, protected";
