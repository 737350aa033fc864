//! `jarvis simerp` and `jarvis erp check`.

use std::{
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::Context;
use clap::{Args, Subcommand, ValueEnum};
use erp::{Erp, SiteCheckMode, SiteCheckOutcome};
use simerp::{SimErp, SimErpOptions, SimErpProfile, SimErpUser};

use super::{options::ErpOptions, site_of, texts};
use crate::{
    config::{Flags, LogFormat, Section},
    logging,
    subcommand::{REFUSED, Run, load, or_refused, print, report, runtime},
};

#[derive(Subcommand)]
pub(super) enum Command {
    /// Run the simulated company alone: a stand-in that speaks the REST API of ERPNext
    Simerp(SimerpArgs),
    /// Look at the connection to ERPNext
    Erp {
        #[command(subcommand)]
        command: ErpCommand,
    },
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

#[derive(Subcommand)]
pub(super) enum ErpCommand {
    /// Check the configured site: connection, user, rights, clock, and what was never tried with a
    /// live ERPNext. Exit codes: 0 as expected, 1 something differs, 2 the site cannot be used
    Check {
        /// Configuration file [default: jarvis.toml in the working folder, if it is there]
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
        /// Also make a note and a material request, submit and cancel the request, and delete both
        #[arg(long)]
        write: bool,
    },
}

impl Run for Command {
    fn run(self, sections: &[Section]) -> anyhow::Result<ExitCode> {
        match self {
            Self::Simerp(args) => {
                logging::start("info", LogFormat::Text)?;
                runtime()?.block_on(simerp(args))?;
                Ok(ExitCode::SUCCESS)
            }
            Self::Erp {
                command: ErpCommand::Check { config, write },
            } => {
                let mode = if write {
                    SiteCheckMode::WithOwnDocuments
                } else {
                    SiteCheckMode::ReadOnly
                };
                Ok(or_refused(check(config, mode, sections)))
            }
        }
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

fn check(
    config: Option<PathBuf>,
    mode: SiteCheckMode,
    sections: &[Section],
) -> anyhow::Result<ExitCode> {
    let flags = Flags {
        config,
        ..Flags::default()
    };
    let Some(config) = load(&flags, sections) else {
        return Ok(ExitCode::from(REFUSED));
    };
    let Some(options) = config.domain::<ErpOptions>() else {
        report(&format!("jarvis: {}", texts::NO_ERP));
        return Ok(ExitCode::from(REFUSED));
    };
    runtime()?.block_on(check_site(options, mode))
}

async fn check_site(options: &ErpOptions, mode: SiteCheckMode) -> anyhow::Result<ExitCode> {
    let (settings, simerp) = site_of(options).await?;
    let erp = Erp::connect(settings).context(texts::THE_ERP)?;
    let mut worst = 0;
    let mut printed = Ok(());
    erp.check_site(mode, |line| {
        worst = worst.max(match line.outcome {
            SiteCheckOutcome::Fine(_) | SiteCheckOutcome::NotTried(_) => 0,
            SiteCheckOutcome::Differs(_) => 1,
            SiteCheckOutcome::Unusable(_) => REFUSED,
        });
        if printed.is_ok() {
            printed = print(&line.to_string());
        }
    })
    .await;
    if let Some(simerp) = simerp {
        simerp.shutdown().await;
    }
    printed?;
    Ok(ExitCode::from(worst))
}
