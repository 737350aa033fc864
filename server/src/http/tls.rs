//! TLS for the server itself, when no proxy ends it.

use std::{net::SocketAddr, os::unix::fs::MetadataExt, path::Path, sync::Arc, time::Duration};

use rustls::{
    ServerConfig,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};
use tokio::{net::TcpStream, time::timeout};
use tokio_rustls::{TlsAcceptor, server::TlsStream};
use tokio_util::sync::CancellationToken;

use crate::texts;

/// A client gets this long to finish the handshake.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// Reads the certificate chain and the key. Returns the server's own certificate too: requests may
/// name the hosts in it.
pub(crate) fn acceptor(
    cert: &Path,
    key: &Path,
) -> anyhow::Result<(TlsAcceptor, CertificateDer<'static>)> {
    use anyhow::Context;
    let chain = CertificateDer::pem_file_iter(cert)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .with_context(|| texts::http::cannot_read_certificates_from(&cert.display()))?;
    let own = chain
        .first()
        .cloned()
        .with_context(|| texts::http::no_certificate_is_in(&cert.display()))?;
    let mode = std::fs::metadata(key).map(|found| found.mode());
    if mode.is_ok_and(|mode| mode & 0o007 != 0) {
        let key = key.display();
        anyhow::bail!(texts::http::key_is_readable_by_everybody(&key));
    }
    let key = PrivateKeyDer::from_pem_file(key)
        .with_context(|| texts::http::cannot_read_private_key_from(&key.display()))?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .context(texts::http::CERTIFICATE_AND_KEY_DO_NOT_MATCH)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok((TlsAcceptor::from(Arc::new(config)), own))
}

/// Finishes the handshake of a connection, in time, unless it is evicted or the server stops.
pub(super) async fn handshake(
    acceptor: TlsAcceptor,
    stream: TcpStream,
    peer: SocketAddr,
    evicted: CancellationToken,
    stopping: &CancellationToken,
) -> Option<TlsStream<TcpStream>> {
    let shaken = tokio::select! {
        () = stopping.cancelled() => return None,
        () = evicted.cancelled() => return None,
        shaken = timeout(HANDSHAKE, acceptor.accept(stream)) => shaken,
    };
    match shaken {
        Ok(Ok(stream)) => Some(stream),
        Ok(Err(error)) => {
            tracing::debug!(%peer, %error, "TLS handshake failed");
            None
        }
        Err(_) => {
            tracing::debug!(%peer, "TLS handshake took too long");
            None
        }
    }
}
