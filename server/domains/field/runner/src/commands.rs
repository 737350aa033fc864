//! The commands, and errors as people read them.

use std::{
    ffi::OsString,
    io::Write as _,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{Parser, Subcommand, ValueEnum};
use field_package::abilities::SandboxAbilities;
use field_runner::{
    RunnerError,
    clock::system_clock,
    config::RunnerConfig,
    launch::{Launcher, serve},
    sandbox::{
        confinement::Confinement,
        probe::{ProbedDevice, probe},
    },
    server::{TokenParts, collect, enrol},
    stage,
    starter::{ProgramStarter, StartedProgram},
    work::{FieldRunner, link_report},
};

/// Runs approved network diagnostics for a Jarvis server on this device.
#[derive(Parser)]
#[command(name = "jarvis-runner", version)]
struct RunnerArguments {
    /// Configuration file.
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: RunnerCommand,
}

#[derive(Subcommand)]
enum RunnerCommand {
    /// Enrol this device with a server. Run it once, as root.
    Enrol {
        /// Address of the server, such as https://jarvis.example.org.
        #[arg(long, value_name = "URL")]
        server: String,
        /// The enrolment token that Jarvis showed; it can be used once.
        token: String,
    },
    /// Wait for jobs. This is the service without privileges.
    Run,
    /// Start verified jobs in a sandbox. This service opens no connection.
    Launch,
    /// Start a service as the newest signed version that works here. The units use this.
    Start {
        #[arg(value_enum)]
        service: RunnerService,
    },
    /// Start every kind of sandbox, try to pass its limits, and print what this device can enforce.
    Check,
    /// Print the diagnostics that would be sent, without secrets. Nothing leaves the device.
    Collect,
    /// Run the steps of a job, inside a sandbox.
    #[command(hide = true)]
    Stage,
    /// Become one step of a job, inside a sandbox.
    #[command(hide = true)]
    Step {
        limits: String,
        #[arg(last = true)]
        argv: Vec<String>,
    },
    /// Say which limits this process has, for a probe.
    #[command(hide = true)]
    Confinement {
        /// Use a core until it is taken away.
        #[arg(long)]
        spin: bool,
    },
}

/// A service of the device.
#[derive(Clone, Copy, ValueEnum)]
enum RunnerService {
    /// The one without privileges.
    Run,
    /// The one that starts jobs, and opens no connection.
    Launch,
}

pub(crate) fn main() -> ExitCode {
    let arguments = RunnerArguments::parse();
    let level = std::env::var("JARVIS_RUNNER_LOG").unwrap_or_else(|_| "info".to_owned());
    let filter = tracing_subscriber::EnvFilter::new(level);
    let logs = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    match &arguments.command {
        // Their output belongs to the launcher.
        RunnerCommand::Stage | RunnerCommand::Step { .. } | RunnerCommand::Confinement { .. } => {}
        // The service manager adds the time.
        _ => logs.without_time().init(),
    }
    match run(arguments) {
        Ok(code) => code,
        Err(error) => {
            let lines = format!("{error} ({})\n  {}\n", error.code(), error.help());
            let _told = std::io::stderr().write_all(lines.as_bytes());
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: RunnerArguments) -> Result<ExitCode, RunnerError> {
    let config = || RunnerConfig::load(arguments.config.as_deref());
    let wall = system_clock();
    match arguments.command {
        RunnerCommand::Enrol { server, token } => {
            let token = TokenParts::read(&token)?;
            // The launcher probes, once it runs; people see facts before that.
            let report = link_report(&SandboxAbilities::default(), &[]);
            let enrolled = block_on(enrol(&config()?, &server, &token, &report, wall))??;
            print(&format!(
                "Enrolled as {} at {}.\nCompare this fingerprint with the one that Jarvis shows, then adopt \
                 the device there:\n\n    {}\n",
                enrolled.name,
                enrolled.server,
                enrolled.key.short()
            ));
            Ok(ExitCode::SUCCESS)
        }
        RunnerCommand::Run => {
            end_with_starter()?;
            let mut runner = FieldRunner::open(config()?, wall)?;
            block_on(runner.run())??;
            Ok(ExitCode::SUCCESS)
        }
        RunnerCommand::Launch => {
            end_with_starter()?;
            let config = config()?;
            serve(Launcher::open(config.clone())?, &config)?;
            Ok(ExitCode::SUCCESS)
        }
        RunnerCommand::Start { service } => start(service, &config()?, arguments.config.as_deref()),
        RunnerCommand::Check => Ok(check(&probe(&config()?))),
        RunnerCommand::Collect => {
            for section in collect() {
                let (name, exit, dropped) = (section.name, section.exit, section.dropped);
                print(&format!(
                    "== {name} (exit {exit}, {dropped} secrets removed)\n{}\n",
                    section.text
                ));
            }
            Ok(ExitCode::SUCCESS)
        }
        RunnerCommand::Stage => {
            stage::run().map_err(|error| RunnerError::Sandbox(error.to_string()))?;
            Ok(ExitCode::SUCCESS)
        }
        RunnerCommand::Step { limits, argv } => {
            let limits = serde_json::from_str(&limits);
            let limits = limits.map_err(|error| RunnerError::Sandbox(error.to_string()))?;
            let error = stage::become_step(&limits, &argv);
            Err(RunnerError::Sandbox(error.to_string()))
        }
        RunnerCommand::Confinement { spin } => {
            let found = serde_json::to_string(&Confinement::of_this_process(spin));
            print(&found.unwrap_or_default());
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn end_with_starter() -> Result<(), RunnerError> {
    match StartedProgram::of_environment() {
        Some(_) => StartedProgram::end_with_starter(),
        None => Ok(()),
    }
}

fn start(
    service: RunnerService,
    config: &RunnerConfig,
    file: Option<&Path>,
) -> Result<ExitCode, RunnerError> {
    let mut words = Vec::new();
    if let Some(file) = file {
        words.extend([OsString::from("--config"), file.into()]);
    }
    let ended = match service {
        RunnerService::Run => {
            words.push("run".into());
            ProgramStarter::new(config, words)?.run()?
        }
        RunnerService::Launch => {
            words.push("launch".into());
            ProgramStarter::new(config, words)?.launch()?
        }
    };
    // Without a status the starter ended it, for another program.
    match ended {
        Some(status) if !status.success() => Ok(ExitCode::FAILURE),
        _ => Ok(ExitCode::SUCCESS),
    }
}

fn check(probed: &ProbedDevice) -> ExitCode {
    let widest = probed
        .lines
        .iter()
        .map(|line| line.name.len())
        .max()
        .unwrap_or(0);
    for line in &probed.lines {
        let mark = if line.works { "yes" } else { "no" };
        print(&format!(
            "{:widest$}  {mark:3}  {}\n",
            line.name, line.detail
        ));
    }
    // Without any sandbox no job can run here.
    if probed.abilities.levels.is_empty() {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

fn block_on<T>(future: impl Future<Output = T>) -> Result<T, RunnerError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = runtime.map_err(|error| RunnerError::Sandbox(error.to_string()))?;
    Ok(runtime.block_on(future))
}

/// Prints; who closed the pipe has read enough.
fn print(text: &str) {
    let _told = std::io::stdout().write_all(text.as_bytes());
}
