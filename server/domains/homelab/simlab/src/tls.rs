//! The cluster's certificate authority and one leaf certificate for each node, as in pveproxy.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose,
};
use rustls::ServerConfig;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use sha2::{Digest, Sha256};

use crate::SimlabError;
use crate::inventory::{CLUSTER, NODES, SimNode};

const YEAR: Duration = Duration::from_secs(365 * 24 * 3600);

/// Certificates of all nodes, and the CA for clients.
pub(crate) struct Identity {
    pub ca_pem: String,
    pub nodes: BTreeMap<&'static str, NodeIdentity>,
}

/// A node's certificate.
pub(crate) struct NodeIdentity {
    /// SHA-256 of the DER certificate, as colon-separated hex.
    pub fingerprint: String,
    pub config: Arc<ServerConfig>,
    /// Configuration with a renewed certificate, signed by the same authority.
    pub renewed: Arc<ServerConfig>,
}

impl Identity {
    pub(crate) fn new() -> Result<Self, SimlabError> {
        let ca_key = KeyPair::generate()?;
        let ca_params = authority()?;
        let ca_cert = ca_params.self_signed(&ca_key)?;
        let ca_pem = ca_cert.pem();
        let issuer = Issuer::new(ca_params, ca_key);

        let mut nodes = BTreeMap::new();
        for node in NODES {
            let (fingerprint, config) = certificate(node, &issuer)?;
            let (_, renewed) = certificate(node, &issuer)?;
            let own = NodeIdentity {
                fingerprint,
                config,
                renewed,
            };
            nodes.insert(node.name, own);
        }
        Ok(Self { ca_pem, nodes })
    }
}

/// Makes a certificate of a node; returns it with its fingerprint.
fn certificate(
    node: &SimNode,
    issuer: &Issuer<'_, KeyPair>,
) -> Result<(String, Arc<ServerConfig>), SimlabError> {
    let key = KeyPair::generate()?;
    let cert = leaf(node.name, node.ip)?.signed_by(&key, issuer)?;
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key)?;
    Ok((fingerprint(cert.der()), Arc::new(config)))
}

fn authority() -> Result<CertificateParams, SimlabError> {
    let mut params = CertificateParams::new(Vec::new())?;
    params
        .distinguished_name
        .push(DnType::CommonName, "Proxmox Virtual Environment");
    params
        .distinguished_name
        .push(DnType::OrganizationName, "PVE Cluster Manager CA");
    params
        .distinguished_name
        .push(DnType::OrganizationalUnitName, CLUSTER);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    validity(&mut params, 10);
    Ok(params)
}

fn leaf(name: &str, ip: &str) -> Result<CertificateParams, SimlabError> {
    let names = ["127.0.0.1", "::1", "localhost", ip, name];
    let mut names: Vec<String> = names.map(str::to_owned).to_vec();
    names.push(format!("{name}.lan"));
    let mut params = CertificateParams::new(names)?;
    params
        .distinguished_name
        .push(DnType::CommonName, format!("{name}.lan"));
    params
        .distinguished_name
        .push(DnType::OrganizationName, "Proxmox Virtual Environment");
    params
        .distinguished_name
        .push(DnType::OrganizationalUnitName, "PVE Cluster Node");
    params.use_authority_key_identifier_extension = true;
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    validity(&mut params, 2);
    Ok(params)
}

fn validity(params: &mut CertificateParams, years: u32) {
    let now = SystemTime::now();
    // A day earlier, for clients whose clock is behind.
    params.not_before = (now - YEAR / 365).into();
    params.not_after = (now + YEAR * years - YEAR / 365).into();
}

fn fingerprint(der: &[u8]) -> String {
    let bytes = Sha256::digest(der);
    let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    hex.join(":")
}
