//! The launcher's socket: who may ask, one line in, one line out.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    os::unix::{
        fs::PermissionsExt as _,
        net::{UnixListener, UnixStream},
    },
    path::Path,
    sync::Arc,
    thread,
    time::Duration,
};

use super::{
    ask::{LaunchAnswer, LaunchAsk, MOST_LINE},
    jobs::Launcher,
};
use crate::{
    config::{LocalUser, RunnerConfig},
    error::RunnerError,
    texts,
};

/// Time in which a client has to send its line.
const PATIENCE: Duration = Duration::from_secs(5);

/// Serves the socket until the process ends, or another program was installed: then the starter starts that.
///
/// # Errors
/// If the socket can't be made.
pub fn serve(launcher: Launcher, config: &RunnerConfig) -> Result<(), RunnerError> {
    let listener = bind(&config.socket, &config.user).map_err(RunnerError::file(&config.socket))?;
    let runner = LocalUser::find(&config.user).map(|user| user.uid);
    let launcher = Arc::new(launcher);
    tracing::info!(socket = %config.socket.display(), "launcher ready");
    for stream in listener.incoming() {
        if launcher.is_replaced() {
            break;
        }
        match stream {
            Ok(stream) if may_ask(&stream, runner) => {
                let launcher = Arc::clone(&launcher);
                let socket = config.socket.clone();
                thread::spawn(move || {
                    if let Err(error) = answer(&launcher, stream) {
                        tracing::debug!(%error, "a client of the launcher went away");
                    }
                    if launcher.is_replaced() {
                        // Wakes the loop above, which waits for a client.
                        let _woken = UnixStream::connect(socket);
                    }
                });
            }
            Ok(stream) => {
                tracing::warn!(code = "stranger", "{}", texts::STRANGER);
                drop(stream);
            }
            Err(error) => tracing::warn!(%error, "no connection"),
        }
    }
    Ok(())
}

fn bind(path: &Path, user: &str) -> std::io::Result<UnixListener> {
    if let Err(error) = std::fs::remove_file(path)
        && error.kind() != std::io::ErrorKind::NotFound
    {
        return Err(error);
    }
    let listener = UnixListener::bind(path)?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o660))?;
    if let Some(user) = LocalUser::find(user).filter(|_| crate::config::is_root()) {
        std::os::unix::fs::chown(path, None, Some(user.gid))?;
    }
    Ok(listener)
}

/// True for root, the launcher's own user and the runner's.
fn may_ask(stream: &UnixStream, runner: Option<u32>) -> bool {
    let own = rustix::process::geteuid();
    rustix::net::sockopt::socket_peercred(stream).is_ok_and(|peer| {
        peer.uid.is_root() || peer.uid == own || Some(peer.uid.as_raw()) == runner
    })
}

fn answer(launcher: &Launcher, stream: UnixStream) -> std::io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut line = Vec::new();
    BufReader::new(&stream)
        .take(MOST_LINE)
        .read_until(b'\n', &mut line)?;
    let answer = match serde_json::from_slice::<LaunchAsk>(&line) {
        Ok(ask) => launcher.answer(ask),
        Err(_) => LaunchAnswer::Refused {
            code: "bad_ask".to_owned(),
            message: texts::BAD_ASK.to_owned(),
        },
    };
    let mut bytes = serde_json::to_vec(&answer)?;
    bytes.push(b'\n');
    (&stream).write_all(&bytes)
}
