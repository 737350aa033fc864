//! Reasons for levels that are refused.

pub(crate) const PODMAN: &str = "Podman is not offered in this version: a container's network and storage are set up by a service outside the sandbox";
pub(crate) const NSJAIL: &str =
    "nsjail is not offered in this version: its upgrade path is bubblewrap";
pub(crate) const NET_ADMIN: &str = "CAP_NET_ADMIN is not offered in this version: a job must not change interfaces, addresses, routes or filters";
pub(crate) const RAW_NEEDS_SYSTEMD: &str = "packet sockets need the systemd sandbox: a capability inside a user namespace does not reach the network";
