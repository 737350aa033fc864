//! Context, references and names, which ask nothing.

use agent::ports::Toolset;
use erp::ErpConfig;
use protocol::Reference;
use serde_json::json;

use crate::stub::{Stub, data};

#[tokio::test]
async fn context_comes_from_memory_alone() {
    let config = ErpConfig {
        is_simulated: true,
        companies: vec!["AC".to_owned()],
        ..ErpConfig::default()
    };
    let site = Stub::start(config, |asked| {
        asked.path.ends_with("/Sales%20Order/SO-1").then(|| {
            data(json!({"name": "SO-1", "docstatus": 1, "status": "To Deliver", "customer": "<b>Kestrel</b>", "company": "AC", "grand_total": 119.0}))
        })
    })
    .await;
    let erp = &site.erp;
    let order = Reference::new("document", "Sales Order/SO-1");
    assert!(erp.context(&[]).await[0].data.is_err());
    assert_eq!(erp.names().await, None);
    assert!(erp.describe(&order).await.is_err());
    assert!(site.asked().is_empty());

    site.call("get_doc", json!({"doctype": "Sales Order", "name": "SO-1"}))
        .await
        .unwrap();
    let asked = site.asked().len();
    let context = erp.context(std::slice::from_ref(&order)).await.remove(0);
    let context = context.data.unwrap();
    assert_eq!(context["erp_user"], "agent@example.org");
    assert_eq!(
        (&context["today"], &context["simulated"]),
        (&json!("2026-11-23"), &json!(true))
    );
    assert_eq!(context["read_last"][0]["status"], "To Deliver");
    let known = erp.describe(&order).await.unwrap();
    assert_eq!(known["facts"]["customer"], "Kestrel");
    let names = erp.names().await.unwrap();
    assert_eq!((names[0].name.as_str(), &names[0].of), ("SO-1", &order));
    assert_eq!(site.asked().len(), asked);
    assert!(erp.system_prompt().contains("simulated") && erp.system_prompt().contains("AC."));
}
