//! Requests of a card that do not wait for each other: a person waits for the longest chain of them.

use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::{Request, State},
    http::Response,
};
use erp::{Erp, ErpConfig, RestVersion};
use serde_json::json;
use simerp::{SimErpProfile, SimErpUser};
use tokio::{net::TcpListener, sync::watch, time::timeout};

use crate::{
    acting::{card, find, just_now, risk},
    simulated::{World, is},
};

/// More than the card needs; less than a client waits for an answer.
const TOO_LONG: Duration = Duration::from_secs(20);

/// Questions of the checks of an invoice: its customer, and invoices of the same total.
const CHECKS: [&str; 2] = ["/Customer/Rheinrad", "%22grand_total%22"];

/// A proxy that answers previews only once the checks have been asked as well.
struct Gate {
    site: String,
    seen: watch::Sender<Vec<String>>,
    client: reqwest::Client,
}

async fn pass(State(gate): State<Arc<Gate>>, request: Request) -> Response<Body> {
    let path = request.uri().path_and_query().unwrap().to_string();
    let is_preview = path.contains("_ledger_preview");
    gate.seen.send_modify(|seen| seen.push(path.clone()));
    if is_preview {
        let all = |seen: &Vec<String>| {
            let is_seen = |check: &&str| seen.iter().any(|path| path.contains(check));
            CHECKS.iter().all(is_seen)
        };
        gate.seen.subscribe().wait_for(all).await.unwrap();
    }
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap();
    let mut sent = gate
        .client
        .request(parts.method, format!("{}{path}", gate.site));
    for (name, value) in &parts.headers {
        if name != "host" {
            sent = sent.header(name, value);
        }
    }
    let answer = sent.body(body).send().await.unwrap();
    let mut response = Response::builder().status(answer.status());
    for name in ["content-type", "date"] {
        if let Some(value) = answer.headers().get(name) {
            response = response.header(name, value);
        }
    }
    response
        .body(Body::from(answer.bytes().await.unwrap()))
        .unwrap()
}

#[tokio::test]
async fn checks_of_a_submit_do_not_wait_for_its_previews() {
    let world = World::start(SimErpProfile::V16, RestVersion::V2).await;
    let filters = json!([is("customer", "Rheinrad"), is("docstatus", 0)]);
    let input = find(&world.erp(SimErpUser::Agent), "Sales Invoice", filters).await;
    // Plain HTTP only, but the library wants a provider; another test may have set it.
    rustls::crypto::ring::default_provider()
        .install_default()
        .ok();
    let gate = Gate {
        site: world.site.url(),
        seen: watch::Sender::default(),
        client: reqwest::Client::builder().no_proxy().build().unwrap(),
    };
    let app = Router::new().fallback(pass).with_state(Arc::new(gate));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (api_key, secret) = world.site.key(SimErpUser::Agent);
    let config = ErpConfig {
        url: format!("http://{}", listener.local_addr().unwrap()),
        api_key,
        api_secret: secret.into(),
        rest: RestVersion::V2,
        ..ErpConfig::default()
    };
    let server = tokio::spawn(async move { axum::serve(listener, app).await });
    let erp = Erp::connect_with_clock(config, || just_now().0).unwrap();
    let shown = timeout(TOO_LONG, card(&erp, "submit_doc", &input)).await;
    let Ok(shown) = shown else {
        panic!("the checks wait for the previews");
    };
    assert!(risk(&shown, "posts").is_some(), "{:?}", shown.risks);
    server.abort();
}
