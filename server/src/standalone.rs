//! The rehearsal model as a server of its own.

use std::net::{Ipv4Addr, SocketAddr};

use crate::subcommand::print;

/// Runs the rehearsal model until a signal.
pub(crate) async fn rehearsal(port: u16, control: bool) -> anyhow::Result<()> {
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
