//! Runner that starts a command's program and passes its output on, within limits.

use std::{
    io::{self, Read, Write},
    path::PathBuf,
    process::{Child, Command as Process, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender},
    thread,
    time::{Duration, Instant},
};

use super::{GuardError, GuardOptions};
use crate::ssh::grammar::{ColumnNames, GrammarCommand};

/// Polling interval for the exit of a program that has closed its output.
const LOOK: Duration = Duration::from_millis(5);

#[derive(Clone, Copy)]
enum OutputStream {
    Out,
    Err,
}

/// Runs the command's program to its end and returns its exit code.
pub(super) fn run(options: &GuardOptions, command: &GrammarCommand) -> Result<u8, GuardError> {
    let limit = match command.restarts() {
        Some(_) => options.restart_timeout,
        None => options.timeout,
    };
    let end = Instant::now() + limit;
    let mut child = start(options, command)?;
    let (send, chunks) = mpsc::sync_channel(4);
    if let Some(pipe) = child.stdout.take() {
        pump(OutputStream::Out, pipe, send.clone());
    }
    if let Some(pipe) = child.stderr.take() {
        pump(OutputStream::Err, pipe, send.clone());
    }
    drop(send);
    let finished = pass_on(&chunks, command.columns(), options.output_limit, end)
        .and_then(|()| wait(&mut child, end))
        .map_err(|error| match error {
            GuardError::Timeout(_) => GuardError::Timeout(limit),
            other => other,
        });
    if finished.is_err() {
        // It may have exited just now.
        child.kill().unwrap_or_default();
        child.wait().map(drop).unwrap_or_default();
    }
    finished
}

fn start(options: &GuardOptions, command: &GrammarCommand) -> Result<Child, GuardError> {
    let program = match &options.root {
        None => PathBuf::from(command.program()),
        Some(root) => root.join(command.program().trim_start_matches('/')),
    };
    Process::new(&program)
        .args(&command.argv()[1..])
        .env_clear()
        .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
        .env("LC_ALL", "C")
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|source| GuardError::NotStarted {
            program: program.display().to_string(),
            source,
        })
}

/// Reads a pipe to its end in a separate thread; ends early once the receiver is gone.
fn pump(stream: OutputStream, mut pipe: impl Read + Send + 'static, chunks: SyncSender<Chunk>) {
    thread::spawn(move || {
        loop {
            let mut buffer = vec![0; 16 * 1024];
            let read = pipe.read(&mut buffer).map(|length| {
                buffer.truncate(length);
                buffer
            });
            let over = !matches!(&read, Ok(bytes) if !bytes.is_empty());
            if chunks.send((stream, read)).is_err() || over {
                return;
            }
        }
    });
}

type Chunk = (OutputStream, io::Result<Vec<u8>>);

/// Forwards the output until both streams have ended.
fn pass_on(
    chunks: &Receiver<Chunk>,
    mut columns: Option<ColumnNames>,
    limit: usize,
    end: Instant,
) -> Result<(), GuardError> {
    let mut room = limit;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        let (stream, bytes) = match chunks.recv_timeout(left) {
            Ok((stream, bytes)) => (stream, bytes?),
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
            Err(RecvTimeoutError::Timeout) => return Err(GuardError::Timeout(left)),
        };
        let fits = bytes.len().min(room);
        match stream {
            OutputStream::Out => match &mut columns {
                Some(columns) => write(io::stdout().lock(), &columns.pass(&bytes[..fits]))?,
                None => write(io::stdout().lock(), &bytes[..fits])?,
            },
            OutputStream::Err => write(io::stderr().lock(), &bytes[..fits])?,
        }
        if fits < bytes.len() {
            return Err(GuardError::TooMuch(limit));
        }
        room -= fits;
    }
}

fn write(mut to: impl Write, bytes: &[u8]) -> io::Result<()> {
    to.write_all(bytes)?;
    to.flush()
}

fn wait(child: &mut Child, end: Instant) -> Result<u8, GuardError> {
    loop {
        if let Some(status) = child.try_wait()? {
            // Exit codes fit into one byte.
            let code = status.code().ok_or(GuardError::Signal)?;
            return Ok((code & 0xff) as u8);
        }
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(GuardError::Timeout(left));
        }
        thread::sleep(LOOK.min(left));
    }
}
