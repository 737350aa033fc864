//! The books, added up by a script that knows the API alone.

use std::path::Path;

use serde_json::{Value, json};
use simerp::{SimErpProfile, SimErpUser};
use tokio::process::Command;

use crate::harness::Company;

/// The figures that the script prints.
async fn added_up(company: &Company) -> Value {
    let python = std::env::var("JARVIS_PYTHON")
        .expect("JARVIS_PYTHON is missing: run through cargo xtask test");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/company/books.py");
    let output = Command::new(python)
        .arg(script)
        .env("BASE_URL", company.erp.url())
        .env("KEY", company.erp.token(SimErpUser::Reader))
        .output()
        .await
        .expect("python starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[tokio::test]
async fn a_script_finds_the_books_balanced_before_and_after_business() {
    for profile in [SimErpProfile::V15, SimErpProfile::V16] {
        let company = Company::with(profile).await;
        let before = added_up(&company).await;
        assert!(before["vouchers"].as_u64() > Some(400), "{before}");
        let stock = json!([
            "1300 - Stock In Hand - AC",
            "1300 - Stock In Hand - AT",
            "1310 - Raw Materials - AC",
            "1320 - Finished Goods - AC",
        ]);
        assert_eq!(before["accounts"], stock, "{profile:?}");

        let filters = json!({"docstatus": 0, "customer": "Rheinrad"});
        let invoice = company.first("Sales Invoice", filters).await;
        company.submit("Sales Invoice", &invoice).await.data();
        let note = json!({
            "customer": "Rheinrad", "company": "Aldergate Cycles",
            "items": [{"item_code": "PUMP", "qty": 1, "rate": 10, "warehouse": "Stores - AC"}],
        });
        let note = company.post("/api/resource/Delivery Note", note).await;
        let note = note.data()["name"].as_str().expect("a name").to_owned();
        company.submit("Delivery Note", &note).await.data();
        let after = added_up(&company).await;
        for read in ["lines", "vouchers", "moves"] {
            assert!(after[read].as_u64() > before[read].as_u64(), "{after}");
        }
    }
}
