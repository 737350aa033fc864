//! The simulated cluster against an independent client and schema.

use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::Command;

use crate::harness::Lab;

/// Runs a script of this folder. Its parameters are passed as a line of JSON; it tells when to
/// advance the clock.
async fn run(script: &str, lab: &Lab) {
    let python = std::env::var("JARVIS_PYTHON")
        .expect("JARVIS_PYTHON is missing: run through cargo xtask test");
    let mut child = Command::new(python)
        .arg(
            PathBuf::from(env!("CARGO_MANIFEST_DIR"))
                .join("tests/cluster")
                .join(script),
        )
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("python starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let stdout = child.stdout.take().expect("a pipe");
    let mut stderr = child.stderr.take().expect("a pipe");

    let facts = format!("{}\n", facts(lab));
    stdin
        .write_all(facts.as_bytes())
        .await
        .expect("the script reads");
    let mut said = Vec::new();
    let mut lines = BufReader::new(stdout).lines();
    while let Some(line) = lines.next_line().await.expect("text") {
        if let Some(seconds) = line.strip_prefix("advance ") {
            let seconds = seconds.parse().expect("seconds");
            lab.clock.advance(Duration::from_secs_f64(seconds));
            stdin
                .write_all(b"advanced\n")
                .await
                .expect("the script reads");
        } else {
            said.push(line);
        }
    }
    let mut errors = String::new();
    stderr.read_to_string(&mut errors).await.expect("text");
    let status = child.wait().await.expect("the script ends");
    assert!(
        status.success(),
        "{script} failed\n{}\n{errors}",
        said.join("\n")
    );
}

fn facts(lab: &Lab) -> Value {
    let cluster = &lab.cluster;
    let ca = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("pve-root-ca-{}.pem", cluster.addr().port()));
    std::fs::write(&ca, cluster.ca_pem()).expect("the CA is written");
    let (user, password) = cluster.login();
    let routes: Vec<Value> = simlab::routes()
        .map(|route| {
            json!({
                "method": route.method,
                "path": route.path,
                "parameters": route.parameters,
                "needs": route.needs,
            })
        })
        .collect();
    json!({
        "host": "127.0.0.1",
        "port": cluster.addr().port(),
        "ca": ca,
        "user": user,
        "password": password,
        "admin": cluster.admin_token(),
        "auditor": cluster.auditor_token(),
        "operator": cluster.operator_token(),
        "bare": cluster.bare_token(),
        "routes": routes,
    })
}

#[tokio::test]
async fn proxmoxer_drives_the_cluster() {
    run("proxmoxer_client.py", &Lab::new().await).await;
}

#[tokio::test]
async fn every_answer_fits_the_captured_schema() {
    run("schema.py", &Lab::new().await).await;
}
