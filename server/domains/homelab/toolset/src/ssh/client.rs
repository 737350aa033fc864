//! SSH client that signs in to a node, runs one command, and returns its output.

use std::{
    collections::BTreeMap,
    fmt,
    os::unix::fs::MetadataExt,
    path::Path,
    sync::{Arc, OnceLock},
    time::Duration,
};

use russh::{
    ChannelMsg, Disconnect,
    client::{self, AuthResult, Handle},
    keys::{Algorithm, HashAlg, PrivateKey, PrivateKeyWithHashAlg, PublicKeyOrCertificate},
};
use sha2::{Digest, Sha256};
use tokio::{net::TcpStream, sync::Mutex, time::timeout};

use super::{
    GrammarCommand,
    config::SshConfig,
    error::SshError,
    guard::Exit,
    trust::{Doubt, Trust},
};
use crate::{HomelabError, texts};

/// The reachable nodes, and the private key for them.
pub(crate) struct SshClient {
    user: String,
    key: Arc<PrivateKey>,
    nodes: BTreeMap<String, NodeConnection>,
    connect: Duration,
    command: Duration,
    restart: Duration,
    settle: Duration,
    max_output: usize,
}

struct NodeConnection {
    host: String,
    port: u16,
    trust: Trust,
    /// One command at a time.
    turn: Mutex<()>,
}

/// Output of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CommandOutput {
    /// `None` if it was cut off before its end.
    pub code: Option<u32>,
    pub stdout: String,
    pub stderr: String,
    /// True if the output was longer than the limit.
    pub cut: bool,
}

impl fmt::Debug for SshClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ssh")
            .field("user", &self.user)
            .field("nodes", &self.nodes.keys())
            .finish_non_exhaustive()
    }
}

impl SshClient {
    /// Checks the configuration and reads the key; makes no connection.
    pub(crate) fn new(config: &SshConfig) -> Result<Self, HomelabError> {
        config.check()?;
        let nodes = config.nodes.iter().map(|(name, node)| {
            let known = NodeConnection {
                host: node.host.clone(),
                port: node.port,
                trust: Trust::new(config, name, node)?,
                turn: Mutex::new(()),
            };
            Ok((name.clone(), known))
        });
        Ok(Self {
            user: config.user.clone(),
            key: Arc::new(read_key(&config.key_file)?),
            nodes: nodes.collect::<Result<_, HomelabError>>()?,
            connect: Duration::from_millis(config.connect_timeout_ms),
            command: Duration::from_millis(config.command_timeout_ms),
            restart: Duration::from_millis(config.restart_timeout_ms),
            settle: Duration::from_millis(config.settle_ms),
            max_output: config.max_output_bytes,
        })
    }

    pub(crate) fn knows(&self, node: &str) -> bool {
        self.nodes.contains_key(node)
    }

    /// The names of the nodes.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = &str> {
        self.nodes.keys().map(String::as_str)
    }

    /// The time for which a restarted service must stay up.
    pub(crate) fn settle(&self) -> Duration {
        self.settle
    }

    /// Account and address of a node, such as `jarvis@10.0.0.2:22`.
    pub(crate) fn address(&self, node: &str) -> Option<String> {
        let node = self.nodes.get(node)?;
        Some(format!("{}@{}", self.user, node.address()))
    }

    /// Runs a command on a node. A command that fails is no error: its exit code tells.
    pub(crate) async fn run(
        &self,
        name: &str,
        command: &GrammarCommand,
    ) -> Result<CommandOutput, SshError> {
        let node = self.nodes.get(name).ok_or(SshError::NotConfigured {
            node: name.to_owned(),
        })?;
        let text = command.render();
        let _turn = node.turn.lock().await;
        let result = self.exchange(node, command, &text).await;
        match &result {
            Ok(output) => {
                let digest = Sha256::digest(output.stdout.as_bytes());
                let digest: String = digest[..8].iter().map(|b| format!("{b:02x}")).collect();
                tracing::info!(
                    node = name,
                    command = text,
                    code = output.code,
                    bytes = output.stdout.len(),
                    digest,
                    "SSH command ended"
                );
            }
            Err(error) => {
                tracing::warn!(node = name, command = text, %error, "SSH command failed");
            }
        }
        result
    }

    async fn exchange(
        &self,
        node: &NodeConnection,
        command: &GrammarCommand,
        text: &str,
    ) -> Result<CommandOutput, SshError> {
        let host = node.address();
        let session = timeout(self.connect, self.sign_in(node))
            .await
            .map_err(|_elapsed| SshError::ConnectTimeout {
                host: host.clone(),
                after: self.connect,
            })??;
        let limit = match command.restarts() {
            Some(_) => self.restart,
            None => self.command,
        };
        let output = timeout(limit, self.talk(&session, &host, text))
            .await
            .unwrap_or_else(|_elapsed| {
                Err(SshError::Timeout {
                    host: host.clone(),
                    after: limit,
                })
            });
        // The output is complete, or no more will come.
        session
            .disconnect(Disconnect::ByApplication, "", "en")
            .await
            .unwrap_or_default();
        output.and_then(|output| of_guard(output, host))
    }

    async fn sign_in(&self, node: &NodeConnection) -> Result<Handle<HostKeyCheck>, SshError> {
        let host = node.address();
        let unreachable = |message: String| SshError::Unreachable {
            host: host.clone(),
            message,
        };
        let stream = TcpStream::connect((node.host.as_str(), node.port))
            .await
            .map_err(|error| unreachable(cause(&error)))?;
        let doubt = Arc::new(OnceLock::new());
        let door = HostKeyCheck {
            trust: node.trust.clone(),
            doubt: Arc::clone(&doubt),
        };
        let mut session = client::connect_stream(self.settings(node), stream, door)
            .await
            .map_err(|error| match doubt.get() {
                Some((doubt, shown)) => untrusted(&host, doubt, shown),
                None => unreachable(cause(&error)),
            })?;
        let key = PrivateKeyWithHashAlg::new(Arc::clone(&self.key), None);
        match session.authenticate_publickey(&self.user, key).await {
            Ok(AuthResult::Success) => Ok(session),
            Ok(AuthResult::Failure { .. }) => Err(SshError::Refused {
                user: self.user.clone(),
                host,
            }),
            Err(error) => Err(unreachable(cause(&error))),
        }
    }

    /// Runs one command, without a terminal, environment or input.
    async fn talk(
        &self,
        session: &Handle<HostKeyCheck>,
        host: &str,
        text: &str,
    ) -> Result<CommandOutput, SshError> {
        let not_taken = |message: String| SshError::NotTaken {
            host: host.to_owned(),
            message,
        };
        let lost = |message: &str| SshError::Lost {
            host: host.to_owned(),
            message: message.to_owned(),
        };
        let mut channel = session
            .channel_open_session()
            .await
            .map_err(|error| not_taken(cause(&error)))?;
        channel
            .exec(true, text)
            .await
            .map_err(|error| lost(&cause(&error)))?;
        channel.eof().await.unwrap_or_default();
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let mut room = self.max_output;
        let (mut code, mut signal, mut cut) = (None, None, false);
        // Receive every message until the channel is closed; one left unread stalls the others.
        while let Some(message) = channel.wait().await {
            let (stream, data) = match message {
                ChannelMsg::Data { data } => (&mut stdout, data),
                ChannelMsg::ExtendedData { data, ext: 1 } => (&mut stderr, data),
                ChannelMsg::ExitStatus { exit_status } => {
                    code = Some(exit_status);
                    continue;
                }
                ChannelMsg::ExitSignal { signal_name, .. } => {
                    signal = Some(format!("signal {signal_name:?}"));
                    continue;
                }
                ChannelMsg::Failure => {
                    return Err(not_taken(texts::ssh::IT_REFUSED_REQUEST.to_owned()));
                }
                ChannelMsg::Close => break,
                _ => continue,
            };
            let fits = data.len().min(room);
            stream.extend_from_slice(&data[..fits]);
            room -= fits;
            if fits < data.len() {
                cut = true;
                break;
            }
        }
        if code.is_none() && !cut {
            return Err(lost(
                signal.as_deref().unwrap_or(texts::ssh::NO_EXIT_STATUS_CAME),
            ));
        }
        Ok(CommandOutput {
            code,
            stdout: String::from_utf8_lossy(&stdout).into_owned(),
            stderr: String::from_utf8_lossy(&stderr).into_owned(),
            cut,
        })
    }

    fn settings(&self, node: &NodeConnection) -> Arc<client::Config> {
        let mut settings = client::Config {
            keepalive_interval: Some(Duration::from_secs(10)),
            keepalive_max: 2,
            inactivity_timeout: Some(self.restart + self.command),
            nodelay: true,
            ..client::Config::default()
        };
        // No RSA: its signatures are open to timing attacks. No compression: nothing here needs it.
        let known = node.trust.algorithms();
        let mut algorithms: Vec<_> = settings.preferred.key.to_vec();
        algorithms.retain(|algorithm| !matches!(algorithm, Algorithm::Rsa { .. }));
        // Prefer the known algorithms, or the host presents a key of another one.
        algorithms.sort_by_key(|algorithm| !known.contains(algorithm));
        settings.preferred.key = algorithms.into();
        settings.preferred.compression = vec![russh::compression::NONE].into();
        Arc::new(settings)
    }
}

impl NodeConnection {
    fn address(&self) -> String {
        format!("{}:{}", self.host, self.port)
    }
}

/// Turns the guard's own messages into an error; the program's output passes unchanged.
fn of_guard(output: CommandOutput, host: String) -> Result<CommandOutput, SshError> {
    let Some(code) = output.code.filter(|code| (200..=207).contains(code)) else {
        return Ok(output);
    };
    let said = output.stderr.lines().rev();
    let Some(message) = said
        .filter_map(|line| line.strip_prefix("node-guard: "))
        .next()
    else {
        return Ok(output);
    };
    if code == Exit::TooMuch as u32 {
        return Ok(CommandOutput {
            code: None,
            cut: true,
            stderr: String::new(),
            ..output
        });
    }
    Err(SshError::Guard {
        exit: code,
        message: message.chars().take(400).collect(),
        host,
    })
}

/// The cause of a failed connection in our words; the library's messages name its internals.
fn cause(error: &(dyn std::error::Error + 'static)) -> String {
    tracing::debug!(?error, "SSH connection failed");
    let cause = agent::cause::of_connection(error);
    cause
        .unwrap_or(texts::ssh::SSH_CONNECTION_FAILED)
        .to_owned()
}

fn untrusted(host: &str, doubt: &Doubt, shown: &str) -> SshError {
    let (host, shown) = (host.to_owned(), shown.to_owned());
    match doubt {
        Doubt::Unknown => SshError::HostUnknown { host, shown },
        Doubt::Changed => SshError::HostChanged { host, shown },
        Doubt::Revoked => SshError::HostRevoked { host, shown },
        Doubt::Unreadable(message) => SshError::HostKeys {
            message: message.clone(),
        },
    }
}

fn read_key(path: &Path) -> Result<PrivateKey, HomelabError> {
    let wrong = |message: String| {
        HomelabError::config("ssh.key_file", format!("{}: {message}", path.display()))
    };
    let metadata = std::fs::metadata(path).map_err(|error| wrong(error.to_string()))?;
    if metadata.mode() & 0o077 != 0 {
        return Err(wrong(texts::ssh::readable_by_others(
            metadata.mode() & 0o7777,
        )));
    }
    // The error is not shown: it might quote the file.
    russh::keys::load_secret_key(path, None)
        .map_err(|_error| wrong(texts::ssh::NOT_A_USABLE_KEY.to_owned()))
}

/// The connection handler that verifies the host's key.
struct HostKeyCheck {
    trust: Trust,
    /// The reason that the host was not trusted, and the fingerprint it presented.
    doubt: Arc<OnceLock<(Doubt, String)>>,
}

impl client::Handler for HostKeyCheck {
    type Error = russh::Error;

    async fn check_server_key(
        &mut self,
        shown: &PublicKeyOrCertificate,
    ) -> Result<bool, Self::Error> {
        // Certificates are never requested.
        let PublicKeyOrCertificate::PublicKey { key, .. } = shown else {
            self.doubt
                .set((Doubt::Unknown, texts::ssh::CERTIFICATE.to_owned()))
                .unwrap_or_default();
            return Ok(false);
        };
        match self.trust.check(key) {
            Ok(()) => Ok(true),
            Err(doubt) => {
                let shown = key.fingerprint(HashAlg::Sha256);
                let shown = format!("{} {shown}", key.algorithm());
                self.doubt.set((doubt, shown)).unwrap_or_default();
                Ok(false)
            }
        }
    }
}
