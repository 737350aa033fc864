//! The first line of each reading, which people read as well.

use agent::ports::{ToolExample, Toolset};
use erp::RestVersion;
use serde_json::{Value, json};
use simerp::{SimErpProfile, SimErpUser};

use crate::simulated::{World, ask};

/// Questions that find nothing.
fn of_nothing() -> Vec<(&'static str, Value)> {
    let company = "Aldergate Cycles";
    vec![
        ("find_link", json!({"doctype": "Item", "text": "anvil"})),
        (
            "work_orders_due",
            json!({"company": company, "from": "2040-01-01", "to": "2040-01-02"}),
        ),
        (
            "orders_to_deliver",
            json!({"company": company, "until": "2001-01-01"}),
        ),
        (
            "room_availability",
            json!({"from": "2026-12-01", "to": "2026-12-02"}),
        ),
        (
            "occupancy",
            json!({"from": "2001-01-01", "to": "2001-01-02"}),
        ),
        (
            "unbilled_time",
            json!({"from": "2001-01-01", "to": "2001-01-02"}),
        ),
        ("list_approvals", json!({"doctype": "Purchase Order"})),
    ]
}

#[tokio::test]
async fn summaries_begin_as_sentences_do() {
    let world = World::start(SimErpProfile::V16, RestVersion::V2).await;
    let erp = world.erp(SimErpUser::Agent);
    let packs = erp.packs();
    let tools = packs.iter().flat_map(Toolset::tools);
    let reading = erp.tools().into_iter().chain(tools);
    let mut asked = of_nothing();
    let specs: Vec<_> = reading
        .filter(|tool| tool.only_reads())
        .map(|tool| tool.spec())
        .collect();
    for spec in &specs {
        let inputs = spec.examples.iter().filter_map(ToolExample::input);
        asked.extend(inputs.map(|input| (spec.name.as_str(), input)));
    }
    let mut told = 0;
    for (name, input) in asked {
        // Examples may name documents that this company does not have.
        let Ok(output) = ask(&erp, name, input.clone()).await else {
            continue;
        };
        told += 1;
        let begins = output.summary.chars().next();
        let is_small = begins.is_none_or(char::is_lowercase);
        assert!(!is_small, "{name} {input}: {:?}", output.summary);
        // A model that reads the result alone has the answer first.
        assert_eq!(output.data["summary"], output.summary, "{name} {input}");
    }
    assert!(told > 30, "{told}");
}
