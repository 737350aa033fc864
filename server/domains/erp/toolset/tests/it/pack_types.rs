//! Packs on a site that lacks their types: each says so, and none asks for documents.

use agent::ports::Toolset;
use protocol::ErrorCode;
use serde_json::{Value, json};

use crate::stub::{Stub, ok, refuse};

/// Word, label and types of a pack, and a call of one of its tools.
type PackOfTypes = (
    &'static str,
    &'static str,
    &'static [&'static str],
    &'static str,
    Value,
);

fn packs() -> [PackOfTypes; 5] {
    let company = "Aldergate Cycles";
    let days = json!({"from": "2026-11-21", "to": "2026-11-22"});
    [
        (
            "manufacturing",
            "Manufacturing",
            &["BOM", "Work Order"],
            "work_orders_due",
            json!({ "company": company }),
        ),
        (
            "retail",
            "Retail",
            &["Item Price", "POS Profile", "POS Opening Entry"],
            "price_check",
            json!({"item": "PUMP", "company": company}),
        ),
        (
            "distribution",
            "Distribution",
            &["Bin", "Sales Order"],
            "orders_to_deliver",
            json!({ "company": company }),
        ),
        (
            "services",
            "Services",
            &["Project", "Timesheet"],
            "unbilled_time",
            days.clone(),
        ),
        (
            "hospitality",
            "Hospitality",
            &["Hotel Room", "Hotel Room Package", "Hotel Room Reservation"],
            "room_availability",
            days,
        ),
    ]
}

#[tokio::test]
async fn a_site_without_the_types_of_a_pack_says_so() {
    for (word, label, types, tool, input) in packs() {
        // One type is enough, and all of them are named.
        for lacking in [&types[..1], types] {
            let site = Stub::plain(move |asked| {
                let named = asked.query.get("doctype")?.as_str();
                if !types.contains(&named) || !asked.path.ends_with("getdoctype") {
                    None
                } else if lacking.contains(&named) {
                    Some(refuse(404, &json!({"exc_type": "DoesNotExistError"})))
                } else {
                    let read = json!([{"role": "Sales User", "permlevel": 0, "read": 1}]);
                    let of_type = json!({"name": named, "fields": [], "permissions": read});
                    Some(ok(&json!({ "docs": [of_type] })))
                }
            })
            .await;
            let packs = site.erp.packs();
            let pack = packs.iter().find(|it| it.word() == word).unwrap();
            assert!(!pack.system_prompt().contains("lacks"), "nobody has looked");
            assert!(pack.pack_note().about.starts_with("Questions"));
            assert_eq!(pack.pack_note().lacks, None);
            let error = site.call(tool, input.clone()).await.unwrap_err();
            assert_eq!(error.code, ErrorCode::ToolFailed, "{word}: {error}");
            let named = format!(
                "lacks the types of the pack {label} ({})",
                lacking.join(", ")
            );
            assert!(error.message.contains(&named), "{word}: {error}");
            // No document was asked for, and the other packs are none the worse.
            let asked = site.asked();
            assert!(
                asked.iter().all(|it| it.path.starts_with("/api/method/")),
                "{word}: {asked:?}"
            );
            pack.look().await.unwrap_err();
            let told = format!(
                "{label} cannot be used here: this ERP has no {}.",
                lacking.join(", ")
            );
            assert_eq!(pack.pack_note().lacks, Some(told));
            for other in &packs {
                assert_eq!(other.pack_note().lacks.is_some(), other.word() == word);
                let says = other.system_prompt().contains(&named);
                assert_eq!(says, other.word() == word, "{word}: {}", other.word());
            }
        }
    }
}
