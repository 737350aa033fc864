//! Runs other programs and says which one failed.

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;

use anyhow::{Context as _, Result, anyhow, bail};

/// Runs a command to its end; any exit but zero is an error. Its output is progress, and goes to
/// standard error.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command
        .stdin(Stdio::null())
        .stdout(std::io::stderr())
        .status()
        .with_context(|| format!("cannot start {}", line(command)))?;
    if !status.success() {
        bail!("{} ended with {status}", line(command));
    }
    Ok(())
}

/// Returns a program's standard output, trimmed.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start {}", line(command)))?;
    if !output.status.success() {
        bail!("{} ended with {}", line(command), output.status);
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Runs a command to its end, shows all output as it comes and returns it. The second value is true
/// if the exit was zero.
pub(crate) fn tee(command: &mut Command) -> Result<(String, bool)> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {}", line(command)))?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let text = thread::scope(|scope| {
        let errors = scope.spawn(|| copy(stderr, std::io::stderr()));
        let mut text = copy(stdout, std::io::stdout())?;
        text += &errors.join().map_err(|_| anyhow!("reader stopped"))??;
        Ok::<_, anyhow::Error>(text)
    })?;
    Ok((text, child.wait()?.success()))
}

/// Returns the full path of a program on `PATH`.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    let file = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|folder| folder.join(&file))
        .find(|path| path.is_file())
}

/// Returns the command for npm, which on Windows is a script with another name.
pub(crate) fn npm() -> Command {
    Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" })
}

fn copy(from: Option<impl Read>, mut to: impl Write) -> Result<String> {
    let mut text = String::new();
    let Some(from) = from else { return Ok(text) };
    let mut reader = BufReader::new(from);
    let mut buffer = Vec::new();
    while reader.read_until(b'\n', &mut buffer)? > 0 {
        to.write_all(&buffer)?;
        text.push_str(&String::from_utf8_lossy(&buffer));
        buffer.clear();
    }
    to.flush()?;
    Ok(text)
}

fn line(command: &Command) -> String {
    std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(OsStr::to_string_lossy)
        .collect::<Vec<_>>()
        .join(" ")
}
