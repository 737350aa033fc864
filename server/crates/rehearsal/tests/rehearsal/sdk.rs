//! The official SDKs, each in a separate script.

use std::path::Path;

use tokio::process::Command;

use crate::{KEY, start};

async fn run(program: &str, script: &str) {
    let server = start().await;
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/sdk")
        .join(script);
    let output = Command::new(program)
        .arg(path)
        .env("BASE_URL", server.base_url())
        .env("KEY", KEY)
        .env("NO_PROXY", "127.0.0.1")
        .env("no_proxy", "127.0.0.1")
        .output()
        .await
        .unwrap_or_else(|error| panic!("cannot run {program}: {error}"));
    assert!(
        output.status.success(),
        "{script}:\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    server.shutdown().await;
}

fn variable(name: &str) -> String {
    std::env::var(name)
        .unwrap_or_else(|_| panic!("{name} is not set: run through `cargo xtask test`"))
}

#[tokio::test]
async fn python() {
    run(&variable("JARVIS_PYTHON"), "python_sdk.py").await;
}

#[tokio::test]
async fn typescript() {
    variable("JARVIS_END2END");
    run("node", "typescript_sdk.mjs").await;
}
