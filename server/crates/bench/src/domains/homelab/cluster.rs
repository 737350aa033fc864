//! A fake cluster that costs next to nothing: the part of the Proxmox API that a board asks for,
//! with four nodes and five hundred guests, all of which change every second.

mod answers;

use std::{
    net::{Ipv4Addr, SocketAddr},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use anyhow::{Context, Result};
use memchr::memmem;
use rcgen::{CertificateParams, KeyPair};
use rustls::{
    ServerConfig,
    pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::oneshot,
};
use tokio_rustls::TlsAcceptor;

/// The line that says it takes requests; the base URL follows.
pub(crate) const READY: &str = "Cluster at ";
/// The certificate, which is its own authority.
pub(crate) const CERTIFICATE: &str = "cluster.pem";
/// The file with the number of requests, as text.
pub(crate) const REQUESTS: &str = "cluster.requests";

/// Serves until standard input ends, and so ends with the process that started it. Leaves the
/// certificate and the number of requests in the working folder.
pub(crate) async fn run() -> Result<()> {
    let acceptor = acceptor()?;
    let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await?;
    println!("{READY}https://{}", listener.local_addr()?);
    let (alive, mut ended) = oneshot::channel::<()>();
    std::thread::spawn(move || {
        // However it ends: nobody is there any longer.
        std::io::copy(&mut std::io::stdin(), &mut std::io::sink()).unwrap_or_default();
        drop(alive);
    });
    let requests = Arc::new(AtomicU64::new(0));
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                let (stream, _) = accepted?;
                stream.set_nodelay(true)?;
                let (acceptor, requests) = (acceptor.clone(), Arc::clone(&requests));
                tokio::spawn(async move {
                    // A client that goes away is part of the measurement.
                    serve(acceptor, stream, &requests).await.unwrap_or_default();
                });
            }
            _ = &mut ended => return Ok(()),
        }
    }
}

/// The number of requests so far.
pub(crate) fn requests(folder: &Path) -> u64 {
    let text = std::fs::read_to_string(folder.join(REQUESTS)).unwrap_or_default();
    text.trim().parse().unwrap_or_default()
}

fn acceptor() -> Result<TlsAcceptor> {
    let key = KeyPair::generate()?;
    let cert = CertificateParams::new(vec!["127.0.0.1".to_owned()])?.self_signed(&key)?;
    std::fs::write(CERTIFICATE, cert.pem())?;
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key)?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}

async fn serve(acceptor: TlsAcceptor, stream: TcpStream, requests: &AtomicU64) -> Result<()> {
    let mut stream = acceptor.accept(stream).await?;
    let mut buffer = Vec::new();
    loop {
        let end = loop {
            if let Some(end) = memmem::find(&buffer, b"\r\n\r\n") {
                break end + 4;
            }
            if stream.read_buf(&mut buffer).await? == 0 {
                return Ok(());
            }
        };
        let head = std::str::from_utf8(&buffer[..end])?;
        let path = head.split(' ').nth(1).context("no path")?;
        let answer = answers::of(path);
        buffer.drain(..end);
        let count = requests.fetch_add(1, Ordering::Relaxed) + 1;
        std::fs::write(REQUESTS, count.to_string())?;
        let (status, body) = match &answer {
            Some(body) => ("200 OK", body.as_str()),
            None => ("501 Not implemented", r#"{"data":null}"#),
        };
        let head = format!(
            "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes()).await?;
        stream.write_all(body.as_bytes()).await?;
        stream.flush().await?;
    }
}
