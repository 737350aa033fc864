//! Clients that others wrote or generators make, which are programs for Node or Python.

use std::{
    path::{Path, PathBuf},
    process::Stdio,
};

use serde_json::Value;
use tokio::{io::AsyncWriteExt as _, process::Command};

/// Reads a variable that `cargo xtask test` sets.
pub(crate) fn variable(name: &str) -> PathBuf {
    std::env::var_os(name)
        .unwrap_or_else(|| panic!("{name} is not set: run through `cargo xtask test`"))
        .into()
}

/// Runs a script below `tests` on a task; returns its answer.
pub(crate) async fn answer_of(interpreter: &Path, script: &str, task: &Value) -> Value {
    let script = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(script);
    let mut child = Command::new(interpreter)
        .arg(script)
        .env("NO_PROXY", "127.0.0.1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(task.to_string().as_bytes()).await.unwrap();
    drop(input);
    let output = child.wait_with_output().await.unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}
