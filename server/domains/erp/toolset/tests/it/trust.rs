//! Certificates: a pin, a CA file, and nothing else, over real TLS in front of the simulated company.

use std::{io::Write, net::Ipv4Addr, sync::Arc};

use erp::{Erp, ErpConfig};
use protocol::ErrorCode;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair, KeyUsagePurpose};
use sha2::{Digest, Sha256};
use simerp::{SimErp, SimErpOptions, SimErpUser};
use tempfile::NamedTempFile;
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        crypto::ring,
        pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer},
    },
};

/// The simulated company behind a proxy that ends TLS, as in front of a real site.
struct Tls {
    site: SimErp,
    port: u16,
    proxy: JoinHandle<()>,
}

impl Drop for Tls {
    fn drop(&mut self) {
        self.proxy.abort();
    }
}

impl Tls {
    async fn start(certificate: CertificateDer<'static>, key: &KeyPair) -> Self {
        let site = SimErp::start(SimErpOptions::default()).await.unwrap();
        let inside = site.url().strip_prefix("http://").unwrap().to_owned();
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let provider = Arc::new(ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate], key)
            .unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let proxy = tokio::spawn(async move {
            while let Ok((outside, _)) = listener.accept().await {
                let (acceptor, inside) = (acceptor.clone(), inside.clone());
                tokio::spawn(async move {
                    // A client that refuses the certificate ends the handshake.
                    if let Ok(mut outside) = acceptor.accept(outside).await {
                        let mut inside = TcpStream::connect(inside).await.unwrap();
                        copy_bidirectional(&mut outside, &mut inside).await.ok();
                    }
                });
            }
        });
        Self { site, port, proxy }
    }

    /// Asks who the key belongs to, with this trust.
    async fn ask(&self, trust: ErpConfig) -> Result<String, String> {
        let (api_key, secret) = self.site.key(SimErpUser::Agent);
        let config = ErpConfig {
            url: format!("https://127.0.0.1:{}", self.port),
            api_key,
            api_secret: secret.into(),
            ..trust
        };
        let before = self.site.control().requests().len();
        let who = Erp::connect(config).unwrap().verify().await;
        who.map(|who| who.user.clone()).map_err(|error| {
            assert_eq!(error.code, ErrorCode::ToolUnreachable);
            assert!(error.help.is_some());
            // Neither the key nor anything else went to the wrong side.
            assert_eq!(self.site.control().requests().len(), before);
            error.message
        })
    }
}

fn pinned(fingerprints: &[&str]) -> ErpConfig {
    ErpConfig {
        fingerprints: fingerprints.iter().map(|&it| it.to_owned()).collect(),
        ..ErpConfig::default()
    }
}

fn signed_by(file: &NamedTempFile) -> ErpConfig {
    ErpConfig {
        ca_file: Some(file.path().to_owned()),
        ..ErpConfig::default()
    }
}

fn file(text: &str) -> NamedTempFile {
    let mut file = NamedTempFile::new().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    file
}

fn authority() -> (String, Issuer<'static, KeyPair>) {
    let key = KeyPair::generate().unwrap();
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    let pem = params.self_signed(&key).unwrap().pem();
    (pem, Issuer::new(params, key))
}

#[tokio::test]
async fn a_certificate_is_trusted_by_its_pin_and_by_no_other() {
    let key = KeyPair::generate().unwrap();
    // For another name: a pin is enough.
    let params = CertificateParams::new(vec!["erp.example.org".to_owned()]).unwrap();
    let own = params.self_signed(&key).unwrap();
    let bytes = Sha256::digest(own.der());
    let bytes: Vec<_> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    let pin = bytes.join(":");
    let wrong = "ab".repeat(32);
    let tls = Tls::start(own.der().clone(), &key).await;

    let agent = SimErpUser::Agent.email().to_owned();
    assert_eq!(tls.ask(pinned(&[&wrong, &pin])).await, Ok(agent));
    let refused = tls.ask(pinned(&[&wrong])).await.unwrap_err();
    assert!(refused.contains("is not the pinned one"), "{refused}");
    assert!(refused.contains(&pin), "{refused}");
    // Without a pin nobody vouches for it.
    let refused = tls.ask(ErpConfig::default()).await.unwrap_err();
    assert!(refused.contains("its certificate is refused"), "{refused}");
}

#[tokio::test]
async fn a_ca_file_vouches_for_its_own_certificates_and_names_only() {
    let (pem, issuer) = authority();
    let key = KeyPair::generate().unwrap();
    let leaf = |name: &str| {
        let params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        params.signed_by(&key, &issuer).unwrap().der().clone()
    };
    let ca = file(&pem);
    let tls = Tls::start(leaf("127.0.0.1"), &key).await;
    let agent = SimErpUser::Agent.email().to_owned();
    assert_eq!(tls.ask(signed_by(&ca)).await, Ok(agent));
    let other = file(&authority().0);
    let refused = tls.ask(signed_by(&other)).await.unwrap_err();
    assert!(refused.contains("no trusted authority"), "{refused}");

    let tls = Tls::start(leaf("erp.example.org"), &key).await;
    let refused = tls.ask(signed_by(&ca)).await.unwrap_err();
    assert!(refused.contains("it is for another name"), "{refused}");
}

#[test]
fn a_ca_file_without_a_certificate_is_refused_at_the_start() {
    let config = |file: &NamedTempFile| ErpConfig {
        url: "https://erp.example.org".to_owned(),
        api_key: "key".to_owned(),
        api_secret: "secret".to_owned().into(),
        ..signed_by(file)
    };
    let error = Erp::connect(config(&file("no certificate"))).unwrap_err();
    assert_eq!(error.to_string(), "ca_file has no certificate in it");
    let gone = file("");
    let path = config(&gone);
    gone.close().unwrap();
    let error = Erp::connect(path).unwrap_err();
    assert!(error.to_string().starts_with("ca_file "), "{error}");
}
