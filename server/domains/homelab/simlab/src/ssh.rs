//! SSH servers of the nodes: one listener each, one account with one key, read-only commands and
//! service restarts. No shell, no terminal, no forwarding.

mod answer;
mod disks;
mod log;
mod log_entry;
mod pools;
mod processes;
mod recording;
mod space;
mod table;
mod units;
mod words;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use russh::keys::ssh_key::private::{Ed25519Keypair, KeypairData};
use russh::keys::ssh_key::{self, LineEnding};
use russh::keys::{PrivateKey, PublicKey};
use russh::server::{Auth, ChannelOpenHandle, Config, Handler, Msg, Session, VerifiedPublicKey};
use russh::{Channel, ChannelId, MethodKind, MethodSet};
use sha2::{Digest, Sha256};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::control::ControlState;
use crate::world::SshCommand;

/// The account on every node.
pub(crate) const USER: &str = "jarvis";
const COMMANDS_KEPT: usize = 10_000;

/// Output of a program.
#[derive(Debug, Default, PartialEq, Eq)]
struct SshAnswer {
    code: u32,
    stdout: String,
    stderr: String,
}

impl SshAnswer {
    fn ok(stdout: impl Into<String>) -> Self {
        Self {
            stdout: stdout.into(),
            ..Self::default()
        }
    }

    fn fails(code: u32, stderr: impl Into<String>) -> Self {
        Self {
            code,
            stderr: stderr.into(),
            ..Self::default()
        }
    }
}

/// A key derived from the seed, and so no secret.
pub(crate) fn key(seed: u64, of: &str) -> Result<PrivateKey, ssh_key::Error> {
    let digest = Sha256::new()
        .chain_update(seed.to_be_bytes())
        .chain_update("ssh:")
        .chain_update(of)
        .finalize();
    let pair = Ed25519Keypair::from_seed(&digest.into());
    PrivateKey::new(KeypairData::from(pair), of)
}

/// The key in OpenSSH's file format.
pub(crate) fn pem(key: &PrivateKey) -> Result<String, ssh_key::Error> {
    Ok(key.to_openssh(LineEnding::LF)?.to_string())
}

/// The public key as `ssh-ed25519 AAAA…`, without a comment.
pub(crate) fn public(key: &PrivateKey) -> Result<String, ssh_key::Error> {
    let line = key.public_key().to_openssh()?;
    let words: Vec<&str> = line.split(' ').take(2).collect();
    Ok(words.join(" "))
}

/// A node's SSH server.
pub(crate) struct SshServer {
    pub node: &'static str,
    pub shared: Arc<ControlState>,
    /// The only key accepted.
    pub client: PublicKey,
    pub stop: watch::Receiver<bool>,
}

impl SshServer {
    /// Serves until told to stop.
    pub(crate) async fn run(self, host: PrivateKey, listener: TcpListener) {
        let config = Arc::new(Config {
            methods: MethodSet::from([MethodKind::PublicKey].as_slice()),
            auth_rejection_time: Duration::ZERO,
            keys: vec![host],
            inactivity_timeout: Some(Duration::from_secs(60)),
            nodelay: true,
            ..Config::default()
        });
        let door = Arc::new(self);
        let mut stop = door.stop.clone();
        let mut sessions = JoinSet::new();
        loop {
            tokio::select! {
                _ = stop.changed() => break,
                Some(_) = sessions.join_next() => {}
                accepted = listener.accept() => {
                    if let Ok((stream, peer)) = accepted {
                        sessions.spawn(session(Arc::clone(&config), Arc::clone(&door), stream, peer));
                    }
                }
            }
        }
        sessions.shutdown().await;
    }

    /// Runs and records a command.
    fn execute(&self, line: &[u8]) -> SshAnswer {
        let line = String::from_utf8_lossy(line).into_owned();
        let mut world = self.shared.world();
        let answer = match words::split(&line) {
            Some(words) => answer::to(&mut world, self.node, &words),
            None => SshAnswer::fails(2, "bash: syntax error\n"),
        };
        if world.commands.len() < COMMANDS_KEPT {
            world.commands.push(SshCommand {
                node: self.node.to_owned(),
                line,
                code: answer.code,
            });
        }
        answer
    }
}

async fn session(config: Arc<Config>, door: Arc<SshServer>, stream: TcpStream, peer: SocketAddr) {
    // A node that is off the network stays silent.
    if !door.shared.world().online(door.node) {
        return;
    }
    let ended = match russh::server::run_stream(config, stream, Visitor(door)).await {
        Ok(session) => session.await,
        Err(error) => Err(error),
    };
    if let Err(error) = ended {
        tracing::debug!(%peer, %error, "SSH session ended");
    }
}

struct Visitor(Arc<SshServer>);

impl Handler for Visitor {
    type Error = russh::Error;

    async fn auth_publickey(
        &mut self,
        user: &str,
        key: VerifiedPublicKey<'_>,
    ) -> Result<Auth, Self::Error> {
        let known = key.public_key.key_data() == self.0.client.key_data();
        Ok(if known && user == USER {
            Auth::Accept
        } else {
            Auth::reject()
        })
    }

    async fn channel_open_session(
        &mut self,
        _channel: Channel<Msg>,
        reply: ChannelOpenHandle,
        _session: &mut Session,
    ) -> Result<(), Self::Error> {
        reply.accept().await;
        Ok(())
    }

    async fn exec_request(
        &mut self,
        channel: ChannelId,
        data: &[u8],
        session: &mut Session,
    ) -> Result<(), Self::Error> {
        let answer = self.0.execute(data);
        session.channel_success(channel)?;
        session.data(channel, answer.stdout.into_bytes())?;
        if !answer.stderr.is_empty() {
            session.extended_data(channel, 1, answer.stderr.into_bytes())?;
        }
        session.exit_status_request(channel, answer.code)?;
        session.eof(channel)?;
        session.close(channel)
    }

    async fn shell_request(
        &mut self,
        channel: ChannelId,
        session: &mut Session,
    ) -> Result<(), Self::Error> {
        session.channel_failure(channel)
    }

    async fn subsystem_request(
        &mut self,
        channel: ChannelId,
        _name: &str,
        session: &mut Session,
    ) -> Result<(), Self::Error> {
        session.channel_failure(channel)
    }
}
