//! Definitions as the model reads them, and as strict as their schemas.

use std::sync::Arc;

use agent::ports::{Tool, ToolExample, Toolset};
use protocol::{ErrorCode, Tier};
use serde_json::{Value, json};

use crate::stub::{Stub, tool};

#[tokio::test]
async fn what_the_model_reads() {
    let site = Stub::plain(|_| None).await;
    let all = definitions(site.erp.tools());
    // The model is not told the examples.
    let told = all.iter().cloned().map(|mut it| {
        it["examples"].take();
        it.to_string().len()
    });
    let size: usize = told.sum();
    assert!(size < 22_000, "{size} bytes");
    insta::assert_json_snapshot!(all);
}

#[tokio::test]
async fn what_the_model_reads_of_the_packs() {
    let site = Stub::plain(|_| None).await;
    let packs = site.erp.packs().into_iter().map(|pack| {
        let tools = definitions(pack.tools());
        let size: usize = tools.iter().map(|it| it.to_string().len()).sum();
        assert!(size < 6_500, "{}: {size} bytes", pack.word());
        json!({
            "name": pack.name(),
            "label": pack.pack(),
            "prompt": pack.system_prompt(),
            "tools": tools,
        })
    });
    insta::assert_json_snapshot!(packs.collect::<Vec<_>>());
}

fn definitions(tools: Vec<Arc<dyn Tool>>) -> Vec<Value> {
    tools
        .iter()
        .map(|tool| {
            let spec = tool.spec();
            assert!((2..=24).contains(&spec.examples.len()), "{}", spec.name);
            assert_eq!(tool.only_reads(), spec.tier == Tier::Green, "{}", spec.name);
            // Its words alone do not tell how to fill it.
            for example in &spec.examples {
                assert!(example.input().is_some(), "{}", spec.name);
            }
            for input in spec.examples.iter().filter_map(ToolExample::input) {
                let fits = jsonschema::is_valid(&spec.input_schema, &input);
                assert!(fits, "{} {input}", spec.name);
            }
            let questions = spec.examples.iter().map(ToolExample::question);
            let schema = spec.input_schema.as_object().unwrap();
            assert_eq!(schema["additionalProperties"], false, "{}", spec.name);
            for (field, property) in schema["properties"].as_object().unwrap() {
                assert!(property["description"].is_string(), "{} {field}", spec.name);
            }
            json!({
                "name": spec.name,
                "description": spec.description,
                "input_schema": spec.input_schema,
                "examples": questions.collect::<Vec<_>>(),
            })
        })
        .collect()
}

#[tokio::test]
async fn none_takes_what_it_does_not_know() {
    let site = Stub::plain(|_| None).await;
    let packs = site.erp.packs();
    let packs = packs.iter().flat_map(Toolset::tools);
    for tool in site.erp.tools().into_iter().chain(packs) {
        let name = tool.spec().name;
        let error = site
            .call(&name, json!({"method": "frappe.client.delete"}))
            .await
            .unwrap_err();
        assert_eq!(error.code, ErrorCode::ToolInputInvalid, "{name}: {error}");
    }
    assert!(site.asked().is_empty());
}

#[tokio::test]
async fn what_a_call_touches() {
    let site = Stub::plain(|_| None).await;
    let objects = |name: &str, input: &Value| tool(&site.erp, name).objects(input);
    let order = json!({"doctype": "Sales Order", "name": "SO-1"});
    assert_eq!(
        objects("get_doc", &order),
        ["doctype/sales order", "sales order/so-1"]
    );
    let party = json!({"party_type": "Customer", "party": "Kestrel", "company": "AC"});
    assert_eq!(
        objects("party_summary", &party),
        ["customer/kestrel", "company/ac"]
    );
    let report =
        json!({"report": "Trial Balance", "filters": [{"name": "company", "value": "AC"}]});
    assert_eq!(
        objects("run_report", &report),
        ["report/trial balance", "company/ac"]
    );
    let target = tool(&site.erp, "get_doc").target(&order);
    assert_eq!(target.as_deref(), Some("Sales Order SO-1"));
}
