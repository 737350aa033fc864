//! The rehearsal model as a server of its own.

use std::net::{Ipv4Addr, SocketAddr};

use rehearsal::Area;

use crate::{domains, subcommand::print, texts};

/// Runs the rehearsal model until a signal.
pub(crate) async fn rehearsal(port: u16, control: bool) -> anyhow::Result<()> {
    let stop = crate::stop_signal()?;
    let areas = domains::routines().map(|routine| Area {
        routine: Some(routine),
        ..Area::default()
    });
    let options = rehearsal::Options {
        listen: SocketAddr::from((Ipv4Addr::LOCALHOST, port)),
        control,
        areas: areas.collect(),
        ..rehearsal::Options::default()
    };
    let running = rehearsal::start(options).await?;
    print(&texts::start::rehearsal_model_at(&running.base_url()))?;
    print(&texts::start::rehearsal_key(running.api_key()))?;
    stop.await;
    running.shutdown().await;
    Ok(())
}
