//! `jarvis simerp`.

use std::{
    net::{Ipv4Addr, SocketAddr},
    process::ExitCode,
};

use clap::{Args, Subcommand, ValueEnum};
use simerp::{SimErp, SimErpOptions, SimErpProfile, SimErpUser};

use super::texts;
use crate::{
    config::{LogFormat, Section},
    logging,
    subcommand::{Run, print, runtime},
};

#[derive(Subcommand)]
pub(super) enum Command {
    /// Run the simulated company alone: a stand-in that speaks the REST API of ERPNext
    Simerp(SimerpArgs),
}

#[derive(Args)]
pub(super) struct SimerpArgs {
    /// Port on loopback; 0 takes a free one
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Version of ERPNext that it behaves like
    #[arg(long, value_enum, default_value_t)]
    profile: SimerpProfile,
}

/// Profiles of the simulated company.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(super) enum SimerpProfile {
    /// Version 15
    V15,
    /// Version 15 with tracebacks in errors
    V15Traceback,
    /// Version 16
    #[default]
    V16,
    /// Version 16 whose methods that write take POST only
    V16Verbs,
}

impl Run for Command {
    fn run(self, _: &[Section]) -> anyhow::Result<ExitCode> {
        let Self::Simerp(args) = self;
        logging::start("info", LogFormat::Text)?;
        runtime()?.block_on(simerp(args))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Runs the simulated company until a signal.
async fn simerp(args: SimerpArgs) -> anyhow::Result<()> {
    let stop = crate::stop_signal()?;
    let options = SimErpOptions {
        listen: SocketAddr::from((Ipv4Addr::LOCALHOST, args.port)),
        profile: match args.profile {
            SimerpProfile::V15 => SimErpProfile::V15,
            SimerpProfile::V15Traceback => SimErpProfile::V15Traceback,
            SimerpProfile::V16 => SimErpProfile::V16,
            SimerpProfile::V16Verbs => SimErpProfile::V16Verbs,
        },
        ..SimErpOptions::default()
    };
    let running = SimErp::start(options).await?;
    print(&texts::simulated_company_at(&running.url()))?;
    for user in SimErpUser::ALL {
        let (key, secret) = running.key(user);
        print(&texts::key_of(user.email(), &key, &secret))?;
    }
    stop.await;
    running.shutdown().await;
    Ok(())
}
