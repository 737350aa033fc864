//! The stand-ins as servers of their own.

use std::net::{Ipv4Addr, SocketAddr};

/// Runs the rehearsal model until a signal.
pub async fn rehearsal(
    port: u16,
    control: bool,
    print: impl Fn(&str) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let stop = crate::stop_signal()?;
    let options = rehearsal::Options {
        listen: SocketAddr::from((Ipv4Addr::LOCALHOST, port)),
        control,
        ..rehearsal::Options::default()
    };
    let running = rehearsal::start(options).await?;
    print(&format!("Rehearsal model at {}", running.base_url()))?;
    print(&format!("Key: {}", running.api_key()))?;
    stop.await;
    running.shutdown().await;
    Ok(())
}

/// Runs the simulated cluster until a signal.
pub async fn simlab(port: u16, print: impl Fn(&str) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let stop = crate::stop_signal()?;
    let options = simlab::Options {
        listen: SocketAddr::from((Ipv4Addr::LOCALHOST, port)),
        ..simlab::Options::default()
    };
    let running = simlab::start(options).await?;
    print(&format!("Simulated cluster at {}", running.base_url()))?;
    print(&format!("Certificate SHA-256: {}", running.fingerprint()))?;
    print(&format!("API token: {}", running.admin_token()))?;
    print(&format!("Magic packets: UDP {}", running.wake_addr()))?;
    for node in running.nodes() {
        if let (Some(address), Some(key)) = (running.ssh_addr(node), running.ssh_host_key(node)) {
            print(&format!("SSH of {node}: {address}, {key}"))?;
        }
    }
    stop.await;
    running.shutdown().await;
    Ok(())
}
