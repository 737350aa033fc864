//! Amounts in results have a currency or are of an unknown one, and absurd numbers are not told.

use erp::RestVersion;
use serde_json::{Value, json};
use simerp::{SimErpProfile, SimErpUser};

use crate::{
    simulated::{World, ask},
    stub::{Asked, Reply, Stub, data, ok},
};

/// A type whose currency is of this level, for a user who reads level 0.
fn order_type(level: u8) -> Reply {
    let field = |name: &str, kind: &str, options: &str| {
        json!({"fieldname": name, "label": name, "fieldtype": kind, "options": options,
            "permlevel": if name == "currency" { level } else { 0 }})
    };
    ok(&json!({"docs": [{
        "name": "Sales Order", "is_submittable": 1,
        "permissions": [{"role": "Sales User", "permlevel": 0, "read": 1}],
        "fields": [
            field("customer", "Link", "Customer"),
            field("company", "Link", "Company"),
            field("currency", "Link", "Currency"),
            field("grand_total", "Currency", "currency"),
            field("base_grand_total", "Currency", "Company:company:default_currency"),
        ],
    }]}))
}

fn companies(asked: &Asked) -> Option<Reply> {
    let all = json!([{"name": "AC", "default_currency": "EUR"}, {"name": "BC", "default_currency": "CHF"}]);
    (asked.path == "/api/resource/Company").then(|| data(all))
}

async fn searched(answers: impl Fn(&Asked) -> Option<Reply> + Send + Sync + 'static) -> Value {
    let site = Stub::plain(answers).await;
    let input = json!({"doctype": "Sales Order", "fields": ["grand_total", "base_grand_total"]});
    site.call("search_doc", input).await.unwrap().data
}

fn order(name: &str, company: &str) -> Value {
    json!({"name": name, "company": company, "currency": "USD", "grand_total": 10, "base_grand_total": 9})
}

#[tokio::test]
async fn an_amount_of_a_company_has_the_currency_of_its_books() {
    let of_rows = |rows: Value, has_companies: bool| {
        searched(move |asked| match asked.path.rsplit(['/', '.']).next()? {
            "getdoctype" if asked.query["doctype"] == "Sales Order" => Some(order_type(0)),
            "Sales%20Order" => Some(data(rows.clone())),
            _ if has_companies => companies(asked),
            _ => None,
        })
    };
    let one = json!([order("SO-1", "AC"), order("SO-2", "AC")]);
    let found = of_rows(one.clone(), true).await;
    assert_eq!(found["amounts_in"], json!({"EUR": ["base_grand_total"]}));
    let row = json!({"name": "SO-1", "grand_total": 10, "base_grand_total": 9, "currency": "USD"});
    assert_eq!(found["rows"][0], row);
    let two = json!([order("SO-1", "AC"), order("SO-2", "BC"), order("SO-3", "")]);
    let found = of_rows(two, true).await;
    assert_eq!(found["amounts_in"], Value::Null);
    for (at, currency) in ["EUR", "CHF", "unknown"].into_iter().enumerate() {
        let own = json!({currency: ["base_grand_total"]});
        assert_eq!(found["rows"][at]["amounts_in"], own);
    }
    let found = of_rows(one, false).await;
    let unknown = json!({"unknown": ["base_grand_total"]});
    assert_eq!(found["amounts_in"], unknown);
}

#[tokio::test]
async fn a_currency_that_the_user_may_not_see_is_not_that_of_the_company() {
    // Lists leave the column out, documents empty it.
    let listed = json!({"name": "SO-1", "company": "AC", "customer": "Kestrel", "grand_total": 10, "base_grand_total": 9});
    let mut stored = listed.clone();
    stored["currency"] = Value::Null;
    let answers = move |asked: &Asked| match asked.path.rsplit(['/', '.']).next()? {
        "getdoctype" if asked.query["doctype"] == "Sales Order" => Some(order_type(1)),
        "Sales%20Order" => Some(data(json!([listed.clone()]))),
        "SO-1" => Some(data(stored.clone())),
        _ => companies(asked),
    };
    let found = searched(answers.clone()).await;
    let expect = json!({"EUR": ["base_grand_total"], "unknown": ["grand_total"]});
    assert_eq!(found["amounts_in"], expect);
    let site = Stub::plain(answers).await;
    let read = site.call("get_doc", json!({"doctype": "Sales Order", "name": "SO-1"}));
    let read = read.await.unwrap();
    assert_eq!(read.data["amounts_in"], expect);
    assert!(
        read.summary.contains("Kestrel") && !read.summary.contains("EUR"),
        "{}",
        read.summary
    );
}

#[tokio::test]
async fn absurd_numbers_of_the_erp_are_unknown_and_end_nothing() {
    for absurd in [json!(7.9e28), json!("9".repeat(50))] {
        let line = |side: &str| json!({"account": "Debtors", side: absurd});
        let lines = json!([line("debit"), line("debit"), line("credit"), line("credit")]);
        let site = Stub::plain(move |asked| match asked.path.as_str() {
            "/api/resource/Sales%20Invoice/SI-1" => Some(data(
                json!({"name": "SI-1", "docstatus": 1, "company": "AC"}),
            )),
            "/api/resource/GL%20Entry" => Some(data(lines.clone())),
            _ => companies(asked),
        });
        let site = site.await;
        let input = json!({"doctype": "Sales Invoice", "name": "SI-1", "kind": "accounting"});
        let found = site.call("get_ledger", input).await.unwrap().data;
        let ledger = &found["accounting"];
        let debit = ledger["sums"]["debit"].as_str().unwrap();
        assert!(debit.starts_with("unknown"), "{debit}");
        assert_eq!(ledger["balanced"], Value::Null);
    }
}

#[tokio::test]
async fn absurd_numbers_of_the_model_are_refused() {
    let world = World::start(SimErpProfile::V16, RestVersion::V2).await;
    let erp = world.erp(SimErpUser::Agent);
    let company = "Aldergate Cycles";
    for (name, input) in [
        (
            "price_check",
            json!({"item": "LOCK-U", "qty": 7.9e28, "company": company}),
        ),
        (
            "bom_explode",
            json!({"item": "BIKE-RACE", "qty": 7.9e28, "company": company}),
        ),
        (
            "log_time",
            json!({"employee": "HR-EMP-00001", "rows": [
                {"activity": "Consulting", "date": "2026-11-20", "hours": 7.9e28},
                {"activity": "Consulting", "date": "2026-11-20", "hours": 7.9e28},
            ]}),
        ),
    ] {
        let error = ask(&erp, name, input).await.unwrap_err();
        assert!(error.message.contains("absurdly large"), "{name}: {error}");
    }
}
