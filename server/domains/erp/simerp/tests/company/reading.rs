//! Lists, documents, rights and errors of reading.

use reqwest::Method;
use serde_json::{Value, json};
use simerp::{SimErpProfile, SimErpUser};

use crate::harness::Company;

#[tokio::test]
async fn the_history_is_posted_and_true() {
    let company = Company::new().await;
    assert_eq!(company.control().broken(), Vec::<String>::new());
    for (kind, least) in [
        ("Sales Order", 60),
        ("Delivery Note", 50),
        ("Sales Invoice", 50),
        ("Purchase Order", 60),
        ("Purchase Receipt", 60),
        ("Purchase Invoice", 60),
        ("Payment Entry", 90),
        ("Journal Entry", 28),
        ("Stock Entry", 50),
        ("Customer", 26),
        ("Supplier", 11),
        ("Item", 44),
    ] {
        let count = company.control().names(kind).len();
        assert!(count >= least, "{kind}: {count}");
    }
}

#[tokio::test]
async fn signing_in_has_its_errors() {
    let company = Company::new().await;
    let path = "/api/method/frappe.auth.get_logged_user";
    let reply = company.get(path).await;
    assert_eq!(reply.data(), "agent@aldergate.example");
    let ask = |authorization| company.send_as(authorization, Method::GET, path, None);
    let none = ask(None).await.expect("an answer");
    assert_eq!((none.status, none.kind()), (403, "PermissionError"));
    let wrong = ask(Some("token a:b")).await.expect("an answer");
    assert_eq!((wrong.status, wrong.kind()), (401, "AuthenticationError"));
}

#[tokio::test]
async fn lists_have_limits_filters_and_silent_gaps() {
    let company = Company::new().await;
    let all = company.control().names("Sales Invoice").len();
    let path = "/api/resource/Sales Invoice?order_by=modified desc, name";
    assert_eq!(company.get(path).await.rows().len(), 20);
    let reply = company.get(&format!("{path}&limit_page_length=0")).await;
    assert_eq!(reply.rows().len(), all);
    let path = "/api/v2/document/Sales Invoice?limit=0";
    assert_eq!(company.get(path).await.rows().len(), 0);
    let reply = company
        .get(r#"/api/resource/Sales Invoice?fields=["name","nonsense"]"#)
        .await;
    assert_eq!((reply.status, reply.kind()), (417, "DataError"));
    let path = r#"/api/resource/Customer?fields=["name","territory"]&limit=0&order_by=name"#;
    let narrow = company.get_as(SimErpUser::Narrow, path).await;
    assert!(!narrow.rows().is_empty());
    assert!(narrow.rows().iter().all(|row| row["territory"] == "North"));
    let path = "/api/resource/Payment Entry";
    let narrow = company.get_as(SimErpUser::Narrow, path).await;
    assert_eq!((narrow.status, narrow.kind()), (403, "PermissionError"));
    let path = r#"/api/resource/Sales Invoice?filters={"remarks":"workshop hours","customer":"merlin bikes"}"#;
    assert_eq!(company.get(path).await.rows().len(), 1);
}

#[tokio::test]
async fn a_list_by_its_rows_says_whose_column_orders_it() {
    for profile in [SimErpProfile::V15, SimErpProfile::V16] {
        let company = Company::with(profile).await;
        let ask = async |order: &str| {
            let filters =
                r#"[["Payment Entry Reference","reference_doctype","=","Sales Invoice"]]"#;
            let path = format!(
                r#"/api/resource/Payment Entry?fields=["name","posting_date"]&filters={filters}&limit=200&order_by={order}"#
            );
            company.get(&path).await
        };
        let own = "`tabPayment Entry`.`modified` desc, `tabPayment Entry`.`name` asc";
        let found = ask(own).await;
        assert!(found.rows().len() > 10, "{}", found.body);
        let days = ask("`tabPayment Entry`.`posting_date` desc").await;
        let days: Vec<_> = days
            .rows()
            .iter()
            .map(|it| it["posting_date"].as_str())
            .collect();
        assert!(days.is_sorted_by(|one, next| one >= next), "{days:?}");
        let foreign = ask("`tabSales Order`.`modified` desc").await;
        assert_eq!((foreign.status, foreign.kind()), (417, "DataError"));
        // Both tables have it, and only the newer release knows which one is meant.
        let bare = ask("modified desc").await;
        match profile {
            SimErpProfile::V15 => {
                assert_eq!((bare.status, bare.kind()), (500, "OperationalError"));
            }
            _ => assert_eq!(bare.rows().len(), found.rows().len()),
        }
        assert_eq!(ask("name asc").await.rows().len(), found.rows().len());
    }
}

#[tokio::test]
async fn a_missing_thing_has_its_shape_in_both_versions() {
    let company = Company::new().await;
    for path in ["Sales Order/NOPE", "Nonsense/NOPE"] {
        let reply = company.get(&format!("/api/resource/{path}")).await;
        assert_eq!((reply.status, reply.kind()), (404, "DoesNotExistError"));
        assert!(reply.messages()[0].ends_with("not found"));
        let reply = company.get(&format!("/api/v2/document/{path}")).await;
        assert_eq!(reply.status, 404);
        assert_eq!(reply.body["errors"][0]["type"], "DoesNotExistError");
    }
}

#[tokio::test]
async fn version_1_leaves_nulls_out_and_version_2_keeps_them() {
    let company = Company::new().await;
    let name = company.first("Sales Order", json!({"docstatus": 1})).await;
    let first = company
        .get(&format!("/api/resource/Sales Order/{name}"))
        .await;
    let second = company
        .get(&format!("/api/v2/document/Sales Order/{name}"))
        .await;
    assert!(first.data().get("amended_from").is_none());
    assert_eq!(second.data().get("amended_from"), Some(&json!(null)));
    assert_eq!(first.data()["items"][0]["parenttype"], "Sales Order");
}

#[tokio::test]
async fn metadata_and_links_are_as_the_desk_reads_them() {
    let company = Company::with(SimErpProfile::V15).await;
    let path = "/api/method/frappe.desk.form.load.getdoctype?doctype=Purchase Order";
    let meta = company.get(path).await;
    assert_eq!(meta.body["docs"][0]["is_submittable"], 1);
    let workflow = &meta.body["docs"][0]["__workflow_docs"][0];
    assert_eq!(workflow["states"][1]["state"], "Pending Approval");
    assert!(meta.body["docs"].as_array().expect("types").len() >= 3);
    let path = "/api/method/frappe.desk.search.search_link?doctype=Customer&txt=kestrel";
    let found = company.get(path).await;
    let names: Vec<_> = found
        .rows()
        .iter()
        .map(|row| row["value"].clone())
        .collect();
    assert_eq!(names, ["Kestrel Cycles", "Kestrel Cycles GmbH"]);
    let path = "/api/method/frappe.desk.search.search_link?doctype=DocType&txt=sales inv";
    let found = company.get(path).await;
    let names: Vec<_> = found.rows().iter().map(|row| &row["value"]).collect();
    assert!(names.contains(&&json!("Sales Invoice")), "{names:?}");
    let fits = |name: &&Value| {
        name.as_str()
            .is_some_and(|it| it.starts_with("Sales Invoice"))
    };
    assert!(names.iter().all(fits), "{names:?}");
}

#[tokio::test]
async fn the_default_company_is_told_to_everybody_whom_it_is_for() {
    let company = Company::new().await;
    let default = async |user| {
        let path = "/api/method/frappe.core.doctype.session_default_settings.session_default_settings.get_session_default_values";
        let reply = company.get_as(user, path).await;
        let fields = reply.data().as_str().expect("a text");
        let fields: Value = serde_json::from_str(fields).expect("JSON");
        assert_eq!(fields[0]["options"], "Company");
        fields[0]["default"].as_str().unwrap_or("none").to_owned()
    };
    let (agent, narrow) = (SimErpUser::Agent, SimErpUser::Narrow);
    let both = async || [default(agent).await, default(narrow).await];
    assert_eq!(both().await, ["Aldergate Cycles", "Aldergate Cycles"]);
    // The narrow user may not see this one.
    let other = "Aldergate Trading";
    company.control().set_default_company(Some(other));
    assert_eq!(both().await, [other, "none"]);
    company.control().set_default_company(None);
    assert_eq!(both().await, ["none", "none"]);
    let path = r#"/api/resource/GL Entry?fields=["company"]&filters=[["party","=","Helm %26 Visor"]]&group_by=company&order_by=company asc"#;
    let rows = company.get(path).await;
    let names: Vec<_> = rows.rows().iter().map(|it| &it["company"]).collect();
    assert_eq!(names, ["Aldergate Cycles", other]);
}
