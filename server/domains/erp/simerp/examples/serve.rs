//! Serves the simulated company on a port until it is interrupted: `cargo run -p simerp --example serve -- 7350`.
#![expect(clippy::print_stdout, reason = "a program for a terminal")]

use std::net::{Ipv4Addr, SocketAddr};

use simerp::{SimErp, SimErpError, SimErpOptions, SimErpUser};

#[tokio::main]
async fn main() -> Result<(), SimErpError> {
    let port = std::env::args()
        .nth(1)
        .and_then(|it| it.parse().ok())
        .unwrap_or(7350);
    let began = std::time::Instant::now();
    let erp = SimErp::start(SimErpOptions {
        listen: SocketAddr::from((Ipv4Addr::LOCALHOST, port)),
        ..SimErpOptions::default()
    })
    .await?;
    println!("{} after {:?}", erp.url(), began.elapsed());
    for user in SimErpUser::ALL {
        println!("{} token {}", user.email(), erp.token(user));
    }
    if let Err(error) = tokio::signal::ctrl_c().await {
        tracing::warn!(%error, "cannot wait for an interrupt");
    }
    erp.shutdown().await;
    Ok(())
}
