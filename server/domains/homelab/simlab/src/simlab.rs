//! Start and shutdown of the simulated cluster.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, UdpSocket};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

use crate::access::{ROOT, USER};
use crate::clock::{SimClock, SystemSimClock};
use crate::control::{Control, ControlState};
use crate::inventory::{ENTRY, NODES};
use crate::route::AccessCheck;
use crate::server::SimEndpoint;
use crate::ssh::{self, SshServer};
use crate::tls::Identity;
use crate::wake;
use crate::world::SimWorld;

/// Reason that the simulated cluster did not start.
#[derive(Debug, thiserror::Error)]
pub enum SimlabError {
    /// The address is in use, or not local.
    #[error("cannot listen on {address}")]
    Listen {
        address: SocketAddr,
        source: std::io::Error,
    },
    #[error("cannot make the certificates")]
    Certificate(#[from] rcgen::Error),
    #[error("cannot make the keys of SSH")]
    Ssh(#[from] russh::keys::ssh_key::Error),
    #[error("cannot set up TLS")]
    Tls(#[from] rustls::Error),
}

/// Settings of the simulated cluster.
#[derive(Clone)]
pub struct SimlabOptions {
    /// Address of the entry node, Home. The other nodes listen on free ports of the same host.
    pub listen: SocketAddr,
    /// Seed of all numbers, tokens and passwords: two clusters with the same seed and clock are
    /// identical. So these are no secrets; listen on loopback only.
    pub seed: u64,
    /// Delay of an answer with status 401. Proxmox VE takes three seconds.
    pub auth_delay: Duration,
    pub clock: Arc<dyn SimClock>,
    /// Enables control over HTTP, at `/control` of the entry node.
    pub control: bool,
}

impl Default for SimlabOptions {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            seed: 1,
            auth_delay: Duration::from_secs(3),
            clock: Arc::new(SystemSimClock),
            control: false,
        }
    }
}

/// A running simulated cluster. Dropping it stops it; `shutdown` also waits for the end.
pub struct Simlab {
    addresses: BTreeMap<&'static str, SocketAddr>,
    wake_address: SocketAddr,
    ssh: BTreeMap<&'static str, (SocketAddr, String)>,
    ssh_key: String,
    ca_pem: String,
    shared: Arc<ControlState>,
    stop: watch::Sender<bool>,
    endpoints: JoinSet<()>,
}

/// An endpoint, for comparison with the real API's documentation.
#[derive(Clone, Debug)]
pub struct Served {
    pub method: &'static str,
    /// The path as in the API documentation, such as `/nodes/{node}/status`.
    pub path: &'static str,
    /// Parameters besides those in the path.
    pub parameters: Vec<&'static str>,
    /// The path, and the privileges of which the caller needs one.
    pub needs: Option<(&'static str, &'static [&'static str])>,
}

/// Starts the cluster and serves its API until it is shut down or dropped.
///
/// # Errors
/// An address is in use, or a certificate or key cannot be made.
pub async fn start(options: SimlabOptions) -> Result<Simlab, SimlabError> {
    let identity = Identity::new()?;
    let mut world = SimWorld::new(options.seed, options.clock.now().as_secs_f64());
    world.fingerprints = identity
        .nodes
        .iter()
        .map(|(node, own)| (*node, own.fingerprint.clone()))
        .collect();
    let shared = Arc::new(ControlState::new(world, options.clock));
    let (stop, stopped) = watch::channel(false);
    let mut addresses = BTreeMap::new();
    let mut endpoints = JoinSet::new();
    for (node, own) in identity.nodes {
        let mut address = options.listen;
        if node != ENTRY {
            address.set_port(0);
        }
        let failed = |source| SimlabError::Listen { address, source };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        addresses.insert(node, address);
        let endpoint = SimEndpoint {
            node,
            address,
            acceptor: TlsAcceptor::from(own.config),
            renewed: TlsAcceptor::from(own.renewed),
            shared: Arc::clone(&shared),
            auth_delay: options.auth_delay,
            control: options.control && node == ENTRY,
            stop: stopped.clone(),
        };
        endpoints.spawn(endpoint.run(listener));
    }
    let mut address = options.listen;
    address.set_port(0);
    let failed = |source| SimlabError::Listen { address, source };
    let socket = UdpSocket::bind(address).await.map_err(failed)?;
    let wake_address = socket.local_addr().map_err(failed)?;
    let client = ssh::key(options.seed, "client")?;
    let mut doors = BTreeMap::new();
    for node in NODES {
        let host = ssh::key(options.seed, node.name)?;
        let mut address = options.listen;
        address.set_port(0);
        let failed = |source| SimlabError::Listen { address, source };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        doors.insert(node.name, (address, ssh::public(&host)?));
        let door = SshServer {
            node: node.name,
            shared: Arc::clone(&shared),
            client: client.public_key().clone(),
            stop: stopped.clone(),
        };
        endpoints.spawn(door.run(host, listener));
    }
    endpoints.spawn(wake::listen(socket, Arc::clone(&shared), stopped));
    Ok(Simlab {
        addresses,
        wake_address,
        ssh: doors,
        ssh_key: ssh::pem(&client)?,
        ca_pem: identity.ca_pem,
        shared,
        stop,
        endpoints,
    })
}

/// All endpoints.
pub fn routes() -> impl Iterator<Item = Served> {
    crate::api::routes().map(|route| Served {
        method: route.method,
        path: route.path,
        parameters: route.params.iter().map(|param| param.name).collect(),
        needs: match route.check {
            AccessCheck::Needs(path, privileges) => Some((path, privileges)),
            AccessCheck::World | AccessCheck::Any => None,
        },
    })
}

impl Simlab {
    /// The address of the entry node, Home.
    pub fn addr(&self) -> SocketAddr {
        self.node_addr(ENTRY)
            .unwrap_or_else(|| SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))
    }

    /// The address of a node's API.
    pub fn node_addr(&self, node: &str) -> Option<SocketAddr> {
        self.addresses.get(node).copied()
    }

    /// The address of a node's SSH server.
    pub fn ssh_addr(&self, node: &str) -> Option<SocketAddr> {
        self.ssh.get(node).map(|(address, _)| *address)
    }

    /// A node's host key, as `ssh-ed25519 AAAA…`.
    pub fn ssh_host_key(&self, node: &str) -> Option<&str> {
        self.ssh.get(node).map(|(_, key)| key.as_str())
    }

    /// The account on every node, and its private key in OpenSSH's format.
    pub fn ssh_login(&self) -> (&'static str, &str) {
        (ssh::USER, &self.ssh_key)
    }

    /// The UDP address that receives magic packets.
    pub fn wake_addr(&self) -> SocketAddr {
        self.wake_address
    }

    /// The nodes with their hardware addresses.
    pub fn macs(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        NODES.iter().map(|node| (node.name, node.mac))
    }

    /// `https://HOST:PORT` of the entry node, without a path.
    pub fn base_url(&self) -> String {
        format!("https://{}", self.addr())
    }

    /// The names of the nodes.
    pub fn nodes(&self) -> impl Iterator<Item = &'static str> {
        NODES.iter().map(|node| node.name)
    }

    /// SHA-256 of the entry node's certificate, as colon-separated hex.
    pub fn fingerprint(&self) -> String {
        self.node_fingerprint(ENTRY).unwrap_or_default()
    }

    /// SHA-256 of a node's certificate, as colon-separated hex.
    pub fn node_fingerprint(&self, node: &str) -> Option<String> {
        self.shared.world().fingerprints.get(node).cloned()
    }

    /// The certificate authority that signed the certificates of all nodes.
    pub fn ca_pem(&self) -> &str {
        &self.ca_pem
    }

    /// A token with all privileges, as `USER@REALM!TOKENID=SECRET`.
    pub fn admin_token(&self) -> String {
        self.token("admin")
    }

    /// A token with the role PVEAuditor on everything. It sees no backups.
    pub fn auditor_token(&self) -> String {
        self.token("auditor")
    }

    /// A token as Jarvis's README recommends: it reads everything, including backups and the event
    /// log, and may start and stop guests, except the two that Jarvis itself needs.
    pub fn operator_token(&self) -> String {
        self.token("operator")
    }

    /// A token without any privilege.
    pub fn bare_token(&self) -> String {
        self.token("bare")
    }

    /// The user and password for a ticket.
    pub fn login(&self) -> (&'static str, String) {
        (USER, self.shared.world().access.password())
    }

    /// The superuser and their password.
    pub fn root_login(&self) -> (&'static str, String) {
        (ROOT, self.shared.world().access.password())
    }

    /// The control handle.
    pub fn control(&self) -> Control {
        Control::new(Arc::clone(&self.shared))
    }

    /// Stops listening and waits until the requests in flight have finished.
    pub async fn shutdown(mut self) {
        self.stop.send_replace(true);
        while self.endpoints.join_next().await.is_some() {}
    }

    fn token(&self, name: &str) -> String {
        self.shared.world().access.token(name)
    }
}
