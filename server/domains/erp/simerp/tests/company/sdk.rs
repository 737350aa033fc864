//! The company against a client that we did not write.

use std::path::Path;

use simerp::SimErpUser;
use tokio::process::Command;

use crate::harness::Company;

#[tokio::test]
async fn the_sdk_of_frappe_drives_the_company() {
    let company = Company::new().await;
    let folder = std::env::var("JARVIS_END2END")
        .expect("JARVIS_END2END is missing: run through cargo xtask test");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/company/frappe_client.mjs");
    let output = Command::new("node")
        .arg(script)
        .env("BASE_URL", company.erp.url())
        .env("AGENT", company.erp.token(SimErpUser::Agent))
        .env("MANAGER", company.erp.token(SimErpUser::Manager))
        .env("JARVIS_END2END", folder)
        .env("NO_PROXY", "127.0.0.1")
        .env("no_proxy", "127.0.0.1")
        .output()
        .await
        .expect("node starts");
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}
