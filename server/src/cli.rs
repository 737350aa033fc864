//! The `jarvis` command: what it is told, and what it does.
//!
//! All of it is here and not in the binary, which only adds the site: a binary that polls a future of
//! a library compiles the whole of it once more.

use std::{io::Write, net::SocketAddr, path::PathBuf, process::ExitCode, time::Duration};

use anyhow::Context;
use clap::{Args, Parser, Subcommand};
use homelab::ssh::guard;

use crate::{
    SiteFile, VERSION, audit,
    config::{Config, Flags, LogFormat},
    domains::{markets, sections},
    logging, process, sign_in_link, standalone,
};

/// An AI operator's console: ask about your systems, and act on them behind a gate.
#[derive(Parser)]
#[command(name = "jarvis", version = VERSION, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run the server
    Serve(ServeArgs),
    /// Look at the configuration
    Config {
        #[command(subcommand)]
        command: ConfigCommand,
    },
    /// Make a link that signs an admin in, once and within an hour. The server may be running
    SignInLink {
        #[command(flatten)]
        common: CommonArgs,
        /// Another user than the first admin
        #[arg(long, value_name = "NAME")]
        user: Option<String>,
    },
    /// Prove or export the record of what was decided and done
    Audit {
        #[command(subcommand)]
        command: AuditCommand,
    },
    /// Bring data for market charts into the database
    Markets {
        #[command(subcommand)]
        command: MarketsCommand,
    },
    /// Run the rehearsal model alone: a stand-in that speaks the Messages API
    Rehearsal(StandaloneArgs),
    /// Run the simulated cluster alone: a stand-in that speaks the Proxmox VE API
    Simlab(StandaloneArgs),
    /// Run on a node as the forced command of Jarvis's key: reads SSH_ORIGINAL_COMMAND, runs it if
    /// it only looks or restarts a listed service
    NodeGuard(GuardArgs),
}

#[derive(Subcommand)]
enum ConfigCommand {
    /// Check the configuration and show each setting with its source
    Check {
        #[command(flatten)]
        common: CommonArgs,
    },
}

#[derive(Subcommand)]
enum AuditCommand {
    /// Check every row of the chain. Exit codes: 0 sound, 1 broken, 2 not readable
    Verify {
        #[command(flatten)]
        data: DataArgs,
        /// A head noted earlier: the chain must still hold it, or rows were cut off
        #[arg(long, value_name = "HASH")]
        expect_head: Option<store::AuditHash>,
    },
    /// Print the rows, one JSON object a line
    Export {
        #[command(flatten)]
        data: DataArgs,
        #[arg(long, value_enum, default_value_t)]
        format: ExportFormat,
        /// Number of the first row
        #[arg(long, value_name = "ROW", default_value_t = 1)]
        from: i64,
        /// Number of the last row [default: the newest]
        #[arg(long, value_name = "ROW")]
        to: Option<i64>,
    },
}

#[derive(Subcommand)]
enum MarketsCommand {
    /// Read a file. It is taken whole or not at all, and twice is the same as once. Exit codes: 0
    /// taken, 1 a line is wrong, 2 not readable. The server must not be running
    Import {
        #[command(flatten)]
        data: DataArgs,
        /// What is in the file
        what: markets::What,
        file: PathBuf,
        /// Of candles: what they are of
        #[arg(long, default_value_t = markets::DEFAULT.0)]
        symbol: markets::Symbol,
        /// Of candles: how long each is
        #[arg(long, default_value_t = markets::DEFAULT.1)]
        timeframe: markets::Timeframe,
    },
    /// Bring in the data that comes with Jarvis: the real candles of EUR/USD of 2017, and a
    /// calendar, headlines, reports and trades that are made up and say so
    Samples {
        #[command(flatten)]
        data: DataArgs,
    },
}

#[derive(Clone, Copy, Default, clap::ValueEnum)]
enum ExportFormat {
    #[default]
    Jsonl,
}

#[derive(Args, Clone)]
struct DataArgs {
    /// Configuration file [default: jarvis.toml in the working folder, if it is there]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Folder of the database [default: $XDG_DATA_HOME/jarvis]
    #[arg(long, value_name = "FOLDER")]
    data_dir: Option<PathBuf>,
}

#[derive(Args)]
struct CommonArgs {
    /// Configuration file [default: jarvis.toml in the working folder, if it is there]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Address and port to listen on [default: 127.0.0.1:7340]
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
    /// Folder for the database [default: $XDG_DATA_HOME/jarvis]
    #[arg(long, value_name = "FOLDER")]
    data_dir: Option<PathBuf>,
}

#[derive(Args)]
struct ServeArgs {
    #[command(flatten)]
    common: CommonArgs,
    /// Let tests script the rehearsal model, and break the simulated cluster, over HTTP
    #[arg(long, hide = true)]
    rehearsal_control: bool,
}

#[derive(Args)]
struct GuardArgs {
    /// List of units that may be restarted, one a line; only its owner may be able to write it
    #[arg(long, value_name = "FILE", default_value = guard::UNITS_FILE)]
    units: PathBuf,
    /// Seconds after which a command is killed
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    timeout: u64,
    /// Socket of the system log, for a line about each command
    #[arg(long, value_name = "SOCKET", default_value = guard::LOG_SOCKET)]
    log: PathBuf,
    /// Who must own the list
    #[arg(long, hide = true, default_value_t = 0)]
    units_owner: u32,
    /// Where stand-ins for the programs are
    #[arg(long, hide = true)]
    root: Option<PathBuf>,
}

#[derive(Args)]
struct StandaloneArgs {
    /// Port on loopback; 0 takes a free one
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Let tests script it over HTTP
    #[arg(long, hide = true)]
    control: bool,
}

/// Does what the command line says. `site`: what the browser loads.
pub fn main(site: &'static [SiteFile]) -> ExitCode {
    process::prepare();
    match run(Cli::parse().command, site) {
        Ok(code) => code,
        Err(error) => {
            report(&format!("jarvis: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command, site: &'static [SiteFile]) -> anyhow::Result<ExitCode> {
    match command {
        Command::Serve(args) => {
            let flags = flags(args.common, args.rehearsal_control);
            let Some(config) = load(&flags) else {
                return Ok(ExitCode::from(2));
            };
            logging::start(&config.log_filter, config.log_format)?;
            runtime()?.block_on(serve(config, site))?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Config {
            command: ConfigCommand::Check { common },
        } => {
            let Some(config) = load(&flags(common, false)) else {
                return Ok(ExitCode::from(2));
            };
            let width = config
                .shown
                .iter()
                .map(|(key, ..)| key.len())
                .max()
                .unwrap_or(0);
            for (key, value, source) in &config.shown {
                print(&format!("{key:width$}  {value}  ({source})"))?;
            }
            Ok(ExitCode::SUCCESS)
        }
        Command::SignInLink { common, user } => {
            let Some(config) = load(&flags(common, false)) else {
                return Ok(ExitCode::from(2));
            };
            let link = runtime()?.block_on(sign_in_link::make(&config, user.as_deref()))?;
            print(&link)?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Audit { command } => Ok(audit(command).unwrap_or_else(|error| {
            report(&format!("jarvis: {error:#}"));
            ExitCode::from(2)
        })),
        Command::Markets { command } => Ok(bring_in(command).unwrap_or_else(|error| {
            report(&format!("jarvis: {error:#}"));
            ExitCode::from(2)
        })),
        Command::Rehearsal(args) => {
            logging::start("info", LogFormat::Text)?;
            runtime()?.block_on(standalone::rehearsal(args.port, args.control, print))?;
            Ok(ExitCode::SUCCESS)
        }
        Command::NodeGuard(args) => Ok(guard::main(&guard::Options {
            units: args.units,
            units_owner: args.units_owner,
            log: args.log,
            root: args.root,
            timeout: Duration::from_secs(args.timeout),
            ..guard::Options::default()
        })),
        Command::Simlab(args) => {
            logging::start("info", LogFormat::Text)?;
            runtime()?.block_on(standalone::simlab(args.port, print))?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

async fn serve(config: Config, site: &'static [SiteFile]) -> anyhow::Result<()> {
    let stop = crate::stop_signal()?;
    let running = crate::start(config, site).await?;
    print(&format!("Jarvis {} at {}", VERSION, running.url()))?;
    for line in running.notes() {
        print(line)?;
    }
    match running.sign_in_link() {
        Some(link) => print(&format!("Sign in once with this link: {link}"))?,
        None => print("Sign in with your password or passkey; jarvis sign-in-link makes a link.")?,
    }
    stop.await;
    running.stop().await
}

/// The folder of the database, or what is wrong with the configuration is told.
fn folder(data: DataArgs) -> Option<PathBuf> {
    let flags = Flags {
        config: data.config,
        data_dir: data.data_dir,
        ..Flags::default()
    };
    load(&flags).map(|config| config.data_dir.value)
}

fn bring_in(command: MarketsCommand) -> anyhow::Result<ExitCode> {
    let (MarketsCommand::Import { data, .. } | MarketsCommand::Samples { data }) = &command;
    let Some(folder) = folder(data.clone()) else {
        return Ok(ExitCode::from(2));
    };
    let taken = match command {
        MarketsCommand::Import {
            what,
            file,
            symbol,
            timeframe,
            ..
        } => {
            let import = markets::import(&folder, what, &file, symbol, timeframe, print, report);
            runtime()?.block_on(import)?
        }
        MarketsCommand::Samples { .. } => {
            runtime()?.block_on(markets::samples(&folder, print))?;
            true
        }
    };
    Ok(ExitCode::from(u8::from(!taken)))
}

fn audit(command: AuditCommand) -> anyhow::Result<ExitCode> {
    match command {
        AuditCommand::Verify { data, expect_head } => {
            let Some(folder) = folder(data) else {
                return Ok(ExitCode::from(2));
            };
            let sound = runtime()?.block_on(audit::verify(&folder, expect_head, print))?;
            Ok(ExitCode::from(u8::from(!sound)))
        }
        AuditCommand::Export {
            data,
            format: ExportFormat::Jsonl,
            from,
            to,
        } => {
            let Some(folder) = folder(data) else {
                return Ok(ExitCode::from(2));
            };
            let numbers = from..=to.unwrap_or(i64::MAX);
            runtime()?.block_on(audit::export(&folder, numbers, print))?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn flags(common: CommonArgs, rehearsal_control: bool) -> Flags {
    Flags {
        config: common.config,
        listen: common.listen,
        data_dir: common.data_dir,
        rehearsal_control,
    }
}

/// Reads the configuration, or tells all that is wrong with it.
fn load(flags: &Flags) -> Option<Config> {
    match Config::load(flags, &sections()) {
        Ok(config) => Some(config),
        Err(problems) => {
            for problem in problems {
                report(&format!("jarvis: {problem}"));
            }
            None
        }
    }
}

fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("cannot start threads")
}

/// One line on standard output, for people and for scripts that start the server.
fn print(line: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}")
        .and_then(|()| out.flush())
        .context("cannot write to standard output")
}

fn report(line: &str) {
    // When standard error is gone there is nobody left to tell.
    std::io::stderr()
        .lock()
        .write_all(format!("{line}\n").as_bytes())
        .unwrap_or_default();
}
