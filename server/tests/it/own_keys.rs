//! Keys that people enter for themselves in the settings, over the whole server.

use reqwest::StatusCode;
use serde_json::{Value, json};
use simerp::{SimErp, SimErpUser};
use store::{Store, SystemEvent};

use crate::{
    client::Browser,
    harness::{Folder, Server, add_user},
};

const ERP: &str = "[notices]\nenabled = false\n[erp]\nsimulated = true\n";
const PATH: &str = "/settings/keys";

async fn send(browser: &Browser, fields: &[(&str, &str)]) -> (StatusCode, String) {
    let mut all = vec![("system", "erp")];
    all.extend_from_slice(fields);
    let answer = browser.post(PATH, &all).await;
    (answer.status(), answer.text().await.unwrap())
}

async fn shown(browser: &Browser) -> String {
    browser.get(PATH).await.text().await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_is_tested_kept_for_one_person_and_never_shown() {
    let folder = Folder::new();
    Server::start(&folder).await.stop().await;
    let vera = add_user(&folder, "Vera", protocol::Role::Viewer).await;
    let server = Server::start_with(&folder, ERP).await;
    let ada = server.sign_in().await;
    let vera = Browser::sign_in(&format!("{}{vera}", server.url())).await;
    let company: &SimErp = server.simulation();
    let entered = |user: SimErpUser| {
        let (key, secret) = company.key(user);
        [
            ("do", "set".to_owned()),
            ("api_key", key),
            ("api_secret", secret),
        ]
    };
    let set = async |browser: &Browser, user: SimErpUser| {
        let fields = entered(user);
        let fields = fields.each_ref().map(|(name, value)| (*name, &**value));
        send(browser, &fields).await
    };
    assert!(shown(&ada).await.contains("No key."));
    let (status, page) = send(&ada, &[("do", "test")]).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(page.contains("There is no key to test."));

    // One with all rights, and one that nobody has.
    let (status, page) = set(&ada, SimErpUser::Boss).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        page.contains("System Manager") && page.contains("API Access"),
        "{page}"
    );
    let wrong = [
        ("do", "set"),
        ("api_key", "nobody"),
        ("api_secret", "hunter2"),
    ];
    let (status, page) = send(&ada, &wrong).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(page.contains("The ERP refused this API key."), "{page}");
    assert!(!page.contains("hunter2"));
    assert!(shown(&ada).await.contains("No key."));

    let (status, _) = set(&ada, SimErpUser::Manager).await;
    assert_eq!(status, StatusCode::SEE_OTHER);
    let page = shown(&ada).await;
    let user = SimErpUser::Manager.email();
    assert!(page.contains(&format!("Your key is for {user}.")), "{page}");
    let (key, secret) = company.key(SimErpUser::Manager);
    assert!(!page.contains(&secret) && !page.contains(&key));
    let (status, page) = send(&ada, &[("do", "test")]).await;
    assert_eq!(status, StatusCode::OK);
    assert!(page.contains(&format!("Your key works. It is for {user}.")));
    // It is nobody else's, and so is what waits for it on the overview.
    assert!(shown(&vera).await.contains("No key."));
    let waits = async |browser: &Browser| -> Value {
        let query = json!({"board": "erp", "kind": "own", "name": "approvals", "part": "list"});
        let mut answer: Value = browser.call("page", &query).await.unwrap();
        answer["value"].take()
    };
    let of_ada = waits(&ada).await;
    assert_eq!(of_ada["user"], user, "{of_ada}");
    let steps = &of_ada["list"]["rows"][0]["steps"];
    assert_eq!(steps, &json!(["Approve", "Reject"]), "{of_ada}");
    assert_eq!(waits(&vera).await, json!({}));

    // Forms that say nothing that can be done.
    for fields in [
        &[("do", "set"), ("api_key", "k")][..],
        &[("do", "give")],
        &[("do", "test"), ("system", "homelab")],
    ] {
        let status = ada.post(PATH, fields).await.status();
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{fields:?}");
    }
    let (status, _) = send(&ada, &[("do", "remove")]).await;
    assert_eq!(status, StatusCode::SEE_OTHER);
    assert!(shown(&ada).await.contains("No key."));
    assert_eq!(waits(&ada).await, json!({}));
    server.stop().await;

    let store = Store::open(&folder.data()).await.unwrap();
    let events = store.system_events(100).await.unwrap();
    let told: Vec<_> = events
        .iter()
        .rev()
        .filter_map(|(_, event)| match event {
            SystemEvent::OwnKeySet { account, by, .. } => Some(format!("{by} set {account}")),
            SystemEvent::OwnKeyRemoved { by, .. } => Some(format!("{by} removed")),
            _ => None,
        })
        .collect();
    assert_eq!(
        told,
        [
            format!("Operator set {user}"),
            "Operator removed".to_owned()
        ]
    );
    assert!(!format!("{events:?}").contains(&secret));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_key_file_is_said_on_the_page() {
    let folder = Folder::new();
    let server = Server::start_with(&folder, ERP).await;
    let ada = server.sign_in().await;
    let company: &SimErp = server.simulation();
    let (key, secret) = company.key(SimErpUser::Clerk);
    let set = [("do", "set"), ("api_key", &*key), ("api_secret", &*secret)];
    assert_eq!(send(&ada, &set).await.0, StatusCode::SEE_OTHER);
    std::fs::remove_file(folder.data().join("secrets.key")).unwrap();
    let page = shown(&ada).await;
    assert!(
        page.contains("lost or replaced") && page.contains("secrets.key"),
        "{page}"
    );
    assert_eq!(send(&ada, &set).await.0, StatusCode::SEE_OTHER);
    assert!(shown(&ada).await.contains("Your key is for"));
    server.stop().await;
}
