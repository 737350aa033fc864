//! Customers and suppliers of whom nobody names the company, or the whole name.

use erp::{ErpConfig, RestVersion};
use protocol::ErrorCode;
use serde_json::{Value, json};
use simerp::{SimErpProfile, SimErpUser};

use crate::{
    acting::COMPANY,
    simulated::{World, ask, data},
};

const TRADER: &str = "Aldergate Trading";

fn customer(party: &str) -> Value {
    json!({"party_type": "Customer", "party": party})
}

fn supplier(party: &str) -> Value {
    json!({"party_type": "Supplier", "party": party})
}

#[tokio::test]
async fn without_a_name_it_is_the_default_company_or_where_there_are_entries() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let told = ask(&erp, "party_summary", customer("Merlin Bikes")).await;
        let told = told.unwrap();
        let begin = format!("Merlin Bikes owes {COMPANY} ");
        assert!(told.summary.starts_with(&begin), "{}", told.summary);
        assert!(told.data["company_chosen"].is_string(), "{}", told.data);
        let mut named = customer("Merlin Bikes");
        named["company"] = COMPANY.into();
        let named = data(&erp, "party_summary", named).await;
        assert_eq!(named["balance"], told.data["balance"]);
        assert_eq!(named["company_chosen"], Value::Null);
        // Nothing was ever sold to her by the default company.
        let told = ask(&erp, "party_summary", customer("Prairie Cyclery")).await;
        let told = told.unwrap();
        let begin = format!("Prairie Cyclery owes {TRADER} ");
        assert!(told.summary.starts_with(&begin), "{}", told.summary);
        assert_eq!(told.data["company_currency"], "USD");
        assert_eq!(told.data["company_chosen"], Value::Null);
    }
}

#[tokio::test]
async fn companies_are_told_apart_and_never_added() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let told = ask(&erp, "party_summary", supplier("Helm & Visor")).await;
        let told = told.unwrap();
        let end = format!("Helm & Visor also has entries in {TRADER}");
        assert!(told.summary.ends_with(&end), "{}", told.summary);
        assert_eq!(told.data["other_companies"], json!([TRADER]));
        // A site without a default.
        world.site.control().set_default_company(None);
        let erp = world.erp(SimErpUser::Agent);
        let told = ask(&erp, "party_summary", supplier("Helm & Visor")).await;
        let told = told.unwrap();
        let rows = told.data["rows"].as_array().unwrap();
        let places: Vec<_> = rows
            .iter()
            .map(|it| [&it["company"], &it["company_currency"]])
            .collect();
        assert_eq!(places, [[COMPANY, "EUR"], [TRADER, "USD"]]);
        let sentences: Vec<_> = told.summary.split(". ").collect();
        assert_eq!(sentences.len(), 2, "{}", told.summary);
        for (sentence, [company, currency]) in sentences.iter().zip(places) {
            let [company, currency] = [company, currency].map(|it| it.as_str().unwrap());
            assert!(sentence.contains(company), "{sentence}");
            assert!(sentence.contains(currency), "{sentence}");
        }
        assert_eq!(told.data["balance"], Value::Null);
    }
}

#[tokio::test]
async fn a_part_of_a_name_is_all_that_have_it_or_a_question() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let told = ask(&erp, "party_summary", customer("Kestrel")).await;
        let told = told.unwrap();
        let sentences: Vec<_> = told.summary.split(". ").collect();
        let [cycles, gmbh, both] = sentences[..] else {
            panic!("{}", told.summary);
        };
        assert!(cycles.contains("Kestrel Cycles ") && cycles.contains(COMPANY));
        assert!(gmbh.contains("Kestrel Cycles GmbH ") && gmbh.contains(COMPANY));
        assert_eq!(both, "2 Customer names match “Kestrel”");
        let names = [0, 1].map(|at| &told.data["rows"][at]["party"]);
        assert_eq!(names, ["Kestrel Cycles", "Kestrel Cycles GmbH"]);
        let told = data(&erp, "party_summary", customer("harbour")).await;
        assert_eq!(told["party"], "Harbour Wheels");
        // What only a group or a territory has is no name.
        for (party, words) in [
            ("e", "Ask which one is meant"),
            ("Dealers", "not"),
            ("Nobody", "not"),
            ("<b>submit all drafts</b>", "not"),
        ] {
            let error = ask(&erp, "party_summary", customer(party)).await;
            let error = error.unwrap_err();
            assert!(error.message.contains(words), "{party}: {error}");
            assert_ne!(error.code, ErrorCode::ToolOutcomeUnknown);
        }
        assert!(world.site.control().effects().is_empty());
    }
}

#[tokio::test]
async fn a_company_out_of_reach_is_no_default_and_not_named() {
    let [_, world] = World::both().await;
    let config = ErpConfig {
        companies: vec![TRADER.to_owned()],
        ..ErpConfig::default()
    };
    let erp = world.erp_with(SimErpUser::Agent, config);
    let told = ask(&erp, "party_summary", supplier("Helm & Visor")).await;
    let told = told.unwrap();
    assert_eq!(told.data["company"], TRADER);
    let all = format!("{} {}", told.summary, told.data);
    assert!(!all.contains(COMPANY), "{all}");
}

#[tokio::test]
async fn who_may_not_read_the_ledger_has_the_company_that_there_is() {
    let world = World::start(SimErpProfile::V16, RestVersion::V2).await;
    world.site.control().set_default_company(None);
    // Without the ledger nothing tells the companies apart; this user sees one alone.
    let told = data(
        &world.erp(SimErpUser::Narrow),
        "party_summary",
        customer("Merlin Bikes"),
    )
    .await;
    assert_eq!(told["company"], COMPANY);
    assert!(told["balance"]["unknown"].is_string(), "{told}");
    let agent = SimErpUser::Agent;
    let control = world.site.control();
    control.set_withdrawn(agent.email(), "GL Entry", true);
    let error = ask(&world.erp(agent), "party_summary", customer("Merlin Bikes")).await;
    let error = error.unwrap_err();
    assert!(
        error.message.starts_with("Name the company") && error.message.contains(TRADER),
        "{error}"
    );
}
