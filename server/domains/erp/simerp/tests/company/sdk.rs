//! The company against a client that we did not write.

use std::path::Path;

use simerp::{SimErpProfile, SimErpUser};
use tokio::process::Command;

use crate::harness::Company;

#[tokio::test]
async fn the_sdk_of_frappe_drives_the_company() {
    for profile in [SimErpProfile::V15, SimErpProfile::V16] {
        drive(&Company::with(profile).await, profile).await;
    }
}

async fn drive(company: &Company, profile: SimErpProfile) {
    let folder = std::env::var("JARVIS_END2END")
        .expect("JARVIS_END2END is missing: run through cargo xtask test");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/company/frappe_client.mjs");
    let output = Command::new("node")
        .arg(script)
        .env("BASE_URL", company.erp.url())
        .env("AGENT", company.erp.token(SimErpUser::Agent))
        .env("MANAGER", company.erp.token(SimErpUser::Manager))
        .env("READER", company.erp.token(SimErpUser::Reader))
        .env("NARROW", company.erp.token(SimErpUser::Narrow))
        .env("PASSWORD", company.erp.password(SimErpUser::Agent))
        .env("JARVIS_END2END", folder)
        .env("NO_PROXY", "127.0.0.1")
        .env("no_proxy", "127.0.0.1")
        .output()
        .await
        .expect("node starts");
    assert!(
        output.status.success(),
        "{profile:?}: {}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}
