//! The `jarvis` command line: its arguments and subcommands.
//!
//! All of it is here and not in the binary, which only adds the site: a binary that polls a future of
//! a library compiles the whole of it once more.

use std::{net::SocketAddr, path::PathBuf, process::ExitCode, time::Duration};

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::{
    SiteFile, VERSION, audit,
    config::{self, Config, Flags, LogFormat},
    config_check,
    domains::{self, sections},
    logging, mcp_bridge, mcp_servers, model_check, process, sign_in_link, standalone,
    subcommand::{self, DataArgs, REFUSED, StandaloneArgs, or_refused, print, report, runtime},
    texts, webhook_check,
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
    /// Inspect the configuration
    Config {
        #[command(subcommand)]
        command: ConfigCommand,
    },
    /// Create a link that signs an admin in, once, within an hour. The server may be running
    SignInLink {
        #[command(flatten)]
        common: CommonArgs,
        /// User to sign in [default: the first admin]
        #[arg(long, value_name = "NAME")]
        user: Option<String>,
    },
    /// Verify or export the audit record
    Audit {
        #[command(subcommand)]
        command: AuditCommand,
    },
    /// Connect a client of the Model Context Protocol, on standard input and output, to a running server.
    /// The token comes from JARVIS_TOKEN or a file. With a subcommand: review the tools of MCP servers
    Mcp(McpArgs),
    /// Look at the model that is configured
    Model {
        #[command(subcommand)]
        command: ModelCommand,
    },
    /// Look at the webhooks that are configured
    Webhooks {
        #[command(subcommand)]
        command: WebhooksCommand,
    },
    /// Run only the rehearsal model, a stand-in that speaks the Messages API
    Rehearsal(StandaloneArgs),
}

#[derive(Subcommand)]
enum ConfigCommand {
    /// Check the configuration and show each setting with its source
    Check {
        #[command(flatten)]
        common: CommonArgs,
    },
    /// Print an example file with every setting, its environment variable and its default
    Example,
}

#[derive(Subcommand)]
enum ModelCommand {
    /// Ask it twelve small questions, and show what works: streaming, tools, thinking, images, caching,
    /// limits. It costs some tokens. Exit codes: 0 all works, 1 something differs, 2 unusable
    Check {
        /// Configuration file [default: jarvis.toml in the working folder, if it is there]
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
        /// Another model of the same server
        #[arg(long, value_name = "ID")]
        model: Option<String>,
        /// Longest time for each question
        #[arg(long, value_name = "SECONDS", default_value_t = 120)]
        patience: u32,
    },
}

#[derive(Subcommand)]
enum WebhooksCommand {
    /// Send a signed test message to each endpoint, once, and show which took it. Exit codes: 0 all did, 1 one
    /// did not, 2 it could not be tried
    Check {
        /// Only this endpoint
        #[arg(value_name = "NAME")]
        name: Option<String>,
        /// Configuration file [default: jarvis.toml in the working folder, if it is there]
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
    },
}

#[derive(Subcommand)]
enum AuditCommand {
    /// Verify every row of the chain. Exit codes: 0 intact, 1 broken, 2 not readable
    Verify {
        #[command(flatten)]
        data: DataArgs,
        /// A head hash noted earlier: if the chain lacks it, rows were removed
        #[arg(long, value_name = "HASH")]
        expect_head: Option<store::AuditHash>,
    },
    /// Print the rows, one JSON object per line
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

#[derive(Clone, Copy, Default, clap::ValueEnum)]
enum ExportFormat {
    #[default]
    Jsonl,
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

#[derive(Subcommand)]
enum McpCommand {
    /// Connect to an MCP server of the configuration and show its tools: definition, tier, and what has
    /// changed. Exit codes: 0 all are accepted, 1 something waits for a decision, 2 not connected
    Check {
        /// Its name in the configuration
        name: String,
        #[command(flatten)]
        data: DataArgs,
    },
    /// Accept the definition of a tool. The server may be running
    Accept {
        /// Name of the server in the configuration
        name: String,
        /// The server's own name of the tool
        tool: String,
        /// Digest of the definition, or its beginning, as `check` shows it
        digest: String,
        #[command(flatten)]
        data: DataArgs,
    },
    /// Take the acceptance of a tool back. The server may be running
    Reject {
        /// Name of the server in the configuration
        name: String,
        /// The server's own name of the tool
        tool: String,
        #[command(flatten)]
        data: DataArgs,
    },
}

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
struct McpArgs {
    #[command(subcommand)]
    review: Option<McpCommand>,
    /// Address of the server [default: JARVIS_URL, or http://127.0.0.1:7340]
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// A set of tools of one domain, such as those at /mcp/NAME [default: all that the token covers]
    #[arg(long, value_name = "NAME")]
    door: Option<String>,
    /// File with the API token
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Certificates to trust besides those of the system, PEM
    #[arg(long, value_name = "FILE")]
    ca_file: Option<PathBuf>,
}

#[derive(Args)]
struct ServeArgs {
    #[command(flatten)]
    common: CommonArgs,
    /// Let tests script the rehearsal model and break the simulations over HTTP
    #[arg(long, hide = true)]
    rehearsal_control: bool,
}

/// Runs the command line. `site` holds the files that the browser loads.
pub fn main(site: &'static [SiteFile]) -> ExitCode {
    process::prepare();
    match run(site) {
        Ok(code) => code,
        Err(error) => {
            report(&format!("jarvis: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn run(site: &'static [SiteFile]) -> anyhow::Result<ExitCode> {
    let added = domains::commands();
    let command = added
        .iter()
        .fold(Cli::command(), |command, added| (added.to)(command));
    let matches = command.get_matches();
    if let Some(added) = added.iter().find(|added| {
        let name = matches.subcommand_name();
        name.is_some_and(added.has)
    }) {
        return (added.run)(&matches, &sections());
    }
    match Cli::from_arg_matches(&matches)?.command {
        Command::Serve(args) => {
            let flags = flags(args.common, args.rehearsal_control);
            let Some(config) = load(&flags) else {
                return Ok(ExitCode::from(REFUSED));
            };
            logging::start(&config.log.filter, config.log.format)?;
            runtime()?.block_on(serve(config, site))?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Config {
            command: ConfigCommand::Check { common },
        } => {
            let Some(config) = load(&flags(common, false)) else {
                return Ok(ExitCode::from(REFUSED));
            };
            config_check::check(&config)
        }
        Command::Config {
            command: ConfigCommand::Example,
        } => {
            print(config::example(&sections()).trim_end())?;
            Ok(ExitCode::SUCCESS)
        }
        Command::SignInLink { common, user } => {
            let Some(config) = load(&flags(common, false)) else {
                return Ok(ExitCode::from(REFUSED));
            };
            let link = runtime()?.block_on(sign_in_link::make(&config, user.as_deref()))?;
            print(&link)?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Audit { command } => Ok(or_refused(audit(command))),
        Command::Mcp(McpArgs {
            review: Some(review),
            ..
        }) => Ok(or_refused(mcp_review(review))),
        Command::Mcp(args) => {
            let target = mcp_bridge::target(
                args.url,
                args.door.as_deref(),
                args.token_file.as_deref(),
                args.ca_file.as_deref(),
            )?;
            let runtime = runtime()?;
            let done = runtime.block_on(mcp_stdio::relay_standard(&target));
            // A read of standard input cannot be given up, and nobody waits for it.
            runtime.shutdown_background();
            done?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Model {
            command:
                ModelCommand::Check {
                    config,
                    model,
                    patience,
                },
        } => {
            let flags = Flags {
                config,
                ..Flags::default()
            };
            let Some(config) = load(&flags) else {
                return Ok(ExitCode::from(REFUSED));
            };
            let patience = Duration::from_secs(patience.into());
            let checked = model_check::check(&config, model, patience);
            Ok(or_refused(runtime()?.block_on(checked)))
        }
        Command::Webhooks {
            command: WebhooksCommand::Check { name, config },
        } => {
            let flags = Flags {
                config,
                ..Flags::default()
            };
            let Some(config) = load(&flags) else {
                return Ok(ExitCode::from(REFUSED));
            };
            let checked = webhook_check::check(&config, name.as_deref());
            Ok(or_refused(runtime()?.block_on(checked)))
        }
        Command::Rehearsal(args) => {
            logging::start("info", LogFormat::Text)?;
            runtime()?.block_on(standalone::rehearsal(args.port, args.control))?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

async fn serve(config: Config, site: &'static [SiteFile]) -> anyhow::Result<()> {
    let stop = crate::stop_signal()?;
    let running = crate::start(config, site).await?;
    print(&texts::start::jarvis_at(VERSION, running.url()))?;
    for line in running.notes() {
        print(line)?;
    }
    match running.sign_in_link() {
        Some(link) => print(&texts::start::sign_in_with(link))?,
        None => print(texts::start::SIGN_IN_AS_BEFORE)?,
    }
    stop.await;
    running.stop().await
}

fn audit(command: AuditCommand) -> anyhow::Result<ExitCode> {
    match command {
        AuditCommand::Verify { data, expect_head } => {
            let Some(folder) = data.folder(&sections()) else {
                return Ok(ExitCode::from(REFUSED));
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
            let Some(folder) = data.folder(&sections()) else {
                return Ok(ExitCode::from(REFUSED));
            };
            let numbers = from..=to.unwrap_or(i64::MAX);
            runtime()?.block_on(audit::export(&folder, numbers, print))?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn mcp_review(command: McpCommand) -> anyhow::Result<ExitCode> {
    let runtime = runtime()?;
    let refused = Ok(ExitCode::from(REFUSED));
    match command {
        McpCommand::Check { name, data } => {
            let Some(config) = data.config(&sections()) else {
                return refused;
            };
            runtime.block_on(mcp_servers::check(&config, &name))
        }
        McpCommand::Accept {
            name,
            tool,
            digest,
            data,
        } => {
            let Some(config) = data.config(&sections()) else {
                return refused;
            };
            runtime.block_on(mcp_servers::accept(&config, &name, &tool, &digest))
        }
        McpCommand::Reject { name, tool, data } => {
            let Some(config) = data.config(&sections()) else {
                return refused;
            };
            runtime.block_on(mcp_servers::reject(&config, &name, &tool))
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

/// The configuration with every domain's section; see [`subcommand::load`].
fn load(flags: &Flags) -> Option<Config> {
    subcommand::load(flags, &sections())
}
