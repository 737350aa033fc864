//! The policy and the model's settings, and the two-person rule over real sockets.

use protocol::{CallId, Command, Confirmation, Decision, ErrorCode, EventBody, Role};
use rehearsal::Block;
use reqwest::StatusCode;
use serde_json::{Value, json};
use store::{AuditReader, Store, SystemEvent};

use crate::{
    api::program,
    client::{Browser, new_conversation},
    harness::{Folder, QUIET, Server, add_user},
    socket::Socket,
};

const POLICY: &str = "/settings/policy";
const MODEL: &str = "/settings/model";
const APPROVE: Decision = Decision::Approve {
    grant: None,
    word: None,
};

async fn text(browser: &Browser, path: &str) -> String {
    let response = browser.get(path).await;
    assert_eq!(response.status(), StatusCode::OK, "{path}");
    response.text().await.unwrap()
}

async fn form(browser: &Browser, path: &str, fields: &[(&str, &str)]) -> (StatusCode, String) {
    let response = browser.post(path, fields).await;
    let status = response.status();
    (status, response.text().await.unwrap())
}

fn between<'a>(page: &'a str, from: &str, to: &str) -> &'a str {
    let rest = &page[page.find(from).expect(from) + from.len()..];
    &rest[..rest.find(to).expect(to)]
}

/// The fields of the form that a page shows, as a browser would send them.
fn shown(page: &str) -> Vec<(String, String)> {
    let form = &page[page.find("value=\"preview\"").unwrap()..];
    let form = &form[..form.find("</form>").unwrap()];
    let attribute = |tag: &str, name: &str| {
        let start = tag.find(&format!(" {name}=\""))? + name.len() + 3;
        Some(tag[start..].split('"').next().unwrap().to_owned())
    };
    let mut fields = vec![("do".to_owned(), "preview".to_owned())];
    for tag in form.split('<').map(|tag| tag.split('>').next().unwrap()) {
        if tag.starts_with("input") {
            let kind = attribute(tag, "type").unwrap_or_default();
            let boxed = kind == "checkbox" || kind == "radio";
            if boxed && !tag.contains(" checked") {
                continue;
            }
            if let Some(name) = attribute(tag, "name") {
                fields.push((name, attribute(tag, "value").unwrap_or_default()));
            }
        }
    }
    for select in form.split("<select").skip(1) {
        let name = attribute(select.split('>').next().unwrap(), "name").unwrap();
        let chosen = select
            .split("<option")
            .find(|option| option.split('>').next().unwrap().contains(" selected"));
        let value = attribute(chosen.unwrap(), "value").unwrap();
        fields.push((name, value));
    }
    fields
}

/// Sends the form of the page with some fields replaced; returns the page with the preview.
pub(crate) async fn preview(browser: &Browser, changed: &[(&str, &str)]) -> (StatusCode, String) {
    let mut fields = shown(&text(browser, POLICY).await);
    for (name, value) in changed {
        fields.retain(|(known, _)| known != name);
        fields.push(((*name).to_owned(), (*value).to_owned()));
    }
    let fields: Vec<_> = fields
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    form(browser, POLICY, &fields).await
}

/// Saves the proposal of a preview.
pub(crate) async fn save(browser: &Browser, page: &str) -> StatusCode {
    let proposal = between(page, "name=\"proposal\" value=\"", "\"").replace("&quot;", "\"");
    let rest = &page[..page.find("name=\"proposal\"").unwrap()];
    let version = &rest[rest.rfind("name=\"version\" value=\"").unwrap()..];
    let version = between(version, "value=\"", "\"");
    let fields = [
        ("do", "save"),
        ("version", version),
        ("proposal", &proposal),
    ];
    form(browser, POLICY, &fields).await.0
}

async fn question(tab: &mut Socket) -> (CallId, Confirmation) {
    let asked = |body: &EventBody| match body {
        EventBody::ConfirmationRequested {
            call, confirmation, ..
        } => Some((*call, (**confirmation).clone())),
        _ => None,
    };
    tab.see(|view| view.find(asked).is_some()).await;
    tab.view.find(asked).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_persons_over_two_browsers() {
    let folder = Folder::new();
    Server::start(&folder).await.stop().await;
    let otto = add_user(&folder, "Otto", Role::Operator).await;
    let vera = add_user(&folder, "Vera", Role::Viewer).await;
    let server = Server::start(&folder).await;
    let admin = server.sign_in().await;
    let otto = Browser::sign_in(&format!("{}{otto}", server.url())).await;
    let vera = Browser::sign_in(&format!("{}{vera}", server.url())).await;
    let (status, page) = preview(&admin, &[("scope", "all")]).await;
    assert_eq!(status, StatusCode::OK, "{page}");
    assert!(!page.contains("Only one user"), "{page}");
    assert_eq!(save(&admin, &page).await, StatusCode::SEE_OTHER);

    let script = server.script();
    let input = json!({ "node": "pve", "vmid": 213 });
    script.reply([Block::tool_use("start_container", input)]);
    script.reply([Block::text("That was that.")]);
    let mut other = otto.socket().await;
    other.subscribe_list().await;
    let mut viewer = vera.socket().await;
    viewer.subscribe_list().await;
    let conversation = new_conversation();
    let mut tab = admin.socket().await;
    tab.start(conversation, "Start downloads, 213 on pve.")
        .await;
    let (call, card) = question(&mut tab).await;
    assert_eq!(card.second.as_ref().unwrap().asker, "Operator");
    other.see(|view| !view.seconds.is_empty()).await;
    let seen = &other.view.seconds;
    assert_eq!((seen[0].call, &seen[0].confirmation), (call, &card));
    assert_eq!(seen[0].tool, "start_container");
    // A page that is opened now has it too, but for a reader's, and a program's: it is no second person.
    let frame: Value = otto.call("frame", &json!({})).await.unwrap();
    assert_eq!(frame["seconds"].as_array().unwrap().len(), 1);
    let program = program(&server, &otto, "operator", &[]).await;
    for reader in [&vera, &program] {
        let frame: Value = reader.call("frame", &json!({})).await.unwrap();
        assert_eq!(frame["seconds"], json!([]));
    }
    // Nothing else of the conversation.
    let mut page = otto.socket().await;
    let closed = page.subscribe(conversation, protocol::Seq(0)).await;
    assert_eq!(closed.unwrap_err().code, ErrorCode::ConversationNotFound);

    let decide = || Command::Decide {
        conversation,
        call,
        digest: card.digest.clone(),
        decision: APPROVE,
    };
    let refused = tab.command(decide()).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::DecisionNotAllowed);
    assert!(refused.message.contains("Another operator"), "{refused:?}");
    let refused = viewer.command(decide()).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::RoleNotEnough);
    // An operator whom the asker creates for this, by the asker's own link.
    let petra = [("do", "add"), ("name", "Petra"), ("role", "operator")];
    let made = admin.post("/settings/users", &petra).await;
    let made = made.text().await.unwrap();
    let (_, link) = made.split_once("/sign-in?token=").unwrap();
    let link = format!("{}/sign-in?token={}", server.url(), &link[..64]);
    let petra = Browser::sign_in(&link).await;
    let refused = petra.socket().await.command(decide()).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::DecisionNotAllowed);
    assert!(refused.message.contains("who asked"), "{refused:?}");
    other.command(decide()).await.unwrap();
    tab.see(|view| view.finished() == 1).await;
    let started = |body: &EventBody| matches!(body, EventBody::ToolStarted { .. });
    assert_eq!(tab.view.count(started), 1);
    other.see(|view| view.seconds.is_empty()).await;
    server.stop().await;

    let mut audit = AuditReader::open(&folder.data()).await.unwrap();
    let (mut second, mut links) = (None, Vec::new());
    let all = 1..=i64::MAX;
    audit
        .rows(all, |row| {
            let body: Value = serde_json::from_str(&row.body).unwrap();
            let event = &body["event"];
            match &*row.kind {
                "confirmation_decided" => {
                    second = Some((row.person, body["detail"]["second"].clone()));
                }
                "link_made" if event["name"] == "Petra" => {
                    let maker = event["maker"].as_str().unwrap();
                    assert!(maker.starts_with("usr_"), "{event}");
                    links.push(("made", event["by"].clone()));
                }
                "signed_in" if event["by"] == "Petra" => {
                    links.push(("used", event["link_by"].clone()));
                }
                _ => {}
            }
            Ok::<_, store::Error>(())
        })
        .await
        .unwrap();
    // The refused approval left no trace but these: the admin who created her, and her sign-in.
    let by = json!("Operator");
    assert_eq!(links, [("made", by.clone()), ("used", by)]);
    let (person, second) = second.unwrap();
    assert_eq!(person.as_deref(), Some("Otto"));
    assert_eq!(second["asked_by"]["name"], "Operator");
    assert_eq!(second["confirmed_by"]["name"], "Otto");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_policy_is_previewed_saved_and_gone_back_from() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let admin = server.sign_in().await;
    let script = server.script();
    for _ in 0..2 {
        script.reply([Block::tool_use("get_vms", json!({}))]);
        script.reply([Block::text("So it is.")]);
    }
    let mut tab = admin.socket().await;
    tab.start(new_conversation(), "What runs?").await;
    tab.see(|view| view.finished() == 1).await;

    let raised = [("tier.get_vms", "black"), ("scope", "irreversible")];
    let (status, page) = preview(&admin, &raised).await;
    assert_eq!(status, StatusCode::OK, "{page}");
    for part in [
        "newest 1 recorded calls",
        "1 differently",
        "runs",
        "blocked",
        "Only one user",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    // Nothing has changed yet.
    let mut next = admin.socket().await;
    next.start(new_conversation(), "What runs?").await;
    next.see(|view| view.finished() == 1).await;
    let ran = |body: &EventBody| matches!(body, EventBody::ToolStarted { .. });
    assert_eq!(next.view.count(ran), 1);
    assert_eq!(save(&admin, &page).await, StatusCode::SEE_OTHER);
    // The page is older than the policy in force.
    assert_eq!(save(&admin, &page).await, StatusCode::UNPROCESSABLE_ENTITY);
    script.reply([Block::tool_use("get_vms", json!({}))]);
    script.reply([Block::text("It is not to be.")]);
    let mut last = admin.socket().await;
    last.start(new_conversation(), "What runs?").await;
    last.see(|view| view.finished() == 1).await;
    assert_eq!(last.view.count(ran), 0);

    let page = text(&admin, POLICY).await;
    assert!(page.contains("tiers get_vms: default → black"), "{page}");
    let back = [("do", "back"), ("version", "0")];
    let (status, page) = form(&admin, POLICY, &back).await;
    assert_eq!(status, StatusCode::OK);
    assert!(
        page.contains("blocked → runs") || page.contains("blocked"),
        "{page}"
    );
    assert_eq!(save(&admin, &page).await, StatusCode::SEE_OTHER);
    for (field, value) in [("uses", "0"), ("guest", "x"), ("scope", "both")] {
        let (status, _) = preview(&admin, &[(field, value)]).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{field}");
    }
    let bad = [("do", "save"), ("version", "2"), ("proposal", "{\"x\":1}")];
    let (status, _) = form(&admin, POLICY, &bad).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    let nowhere = [("do", "back"), ("version", "99")];
    let (status, _) = form(&admin, POLICY, &nowhere).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    server.stop().await;

    let store = Store::open(&folder.data()).await.unwrap();
    let events = store.system_events(100).await.unwrap();
    let changes: Vec<_> = events
        .into_iter()
        .filter_map(|(_, event)| match event {
            SystemEvent::SettingsChanged {
                kind,
                version,
                by,
                before,
                after,
                ..
            } => Some((kind, version, by, before, after)),
            _ => None,
        })
        .collect();
    assert_eq!(changes.len(), 2);
    let (kind, version, by, before, after) = &changes[1];
    assert_eq!(
        (kind.as_str(), *version, by.as_str()),
        ("policy", 1, "Operator")
    );
    assert_eq!(*before, Value::Null);
    assert_eq!(after["tiers"]["get_vms"], "black");
    assert_eq!(changes[0].3, *after, "before and after go hand in hand");
    // A rule that is not understood keeps a server from starting and is not dropped.
    let user = store
        .first_user(
            protocol::UserId::new(protocol::Timestamp(0), 1),
            "x",
            protocol::Timestamp(0),
        )
        .await
        .unwrap();
    let odd = json!({ "rule_of_tomorrow": true });
    store
        .change_settings(
            store::SettingsKind::Policy,
            2,
            odd,
            &user,
            protocol::Timestamp(1),
        )
        .await
        .unwrap();
    store.close().await.unwrap();
    assert!(Server::try_start(&folder, QUIET).await.is_err());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_models_limits_change_while_it_runs() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let admin = server.sign_in().await;
    let page = text(&admin, MODEL).await;
    for part in [
        "not set",
        "8192, the default",
        "the rehearsal model answers",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let save = |version: &'static str, tokens: &'static str| {
        let admin = &admin;
        async move {
            let fields = [
                ("do", "save"),
                ("version", version),
                ("model.max_tokens", tokens),
                ("agent.confirmation_seconds", "33"),
            ];
            form(admin, MODEL, &fields).await.0
        }
    };
    assert_eq!(save("0", "7").await, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(save("0", "777").await, StatusCode::SEE_OTHER);
    assert_eq!(
        save("0", "778").await,
        StatusCode::UNPROCESSABLE_ENTITY,
        "stale"
    );
    let script = server.script();
    let input = json!({ "node": "pve", "vmid": 213 });
    script.reply([Block::tool_use("start_container", input)]);
    let mut tab = admin.socket().await;
    tab.start(new_conversation(), "Start downloads, 213 on pve.")
        .await;
    let (_, card) = question(&mut tab).await;
    let asked = tab
        .view
        .events
        .iter()
        .find(|event| matches!(event.body, EventBody::ConfirmationRequested { .. }));
    // The card is made just before it is written.
    let open = card.expires.0 - asked.unwrap().at.0;
    assert!((30_000..=33_000).contains(&open), "{open} ms");

    let (status, page) = form(&admin, MODEL, &[("do", "test")]).await;
    assert_eq!(status, StatusCode::OK);
    assert!(page.contains("answers and offers"), "{page}");
    let (status, page) = form(&admin, MODEL, &[("do", "check")]).await;
    assert_eq!(status, StatusCode::OK, "{page}");
    for name in ["parallel calls", "no more calls", "caching"] {
        assert!(page.contains(name), "{name}: {page}");
    }
    let back = [("do", "back"), ("version", "1"), ("to", "0")];
    assert_eq!(form(&admin, MODEL, &back).await.0, StatusCode::SEE_OTHER);
    assert!(
        text(&admin, MODEL)
            .await
            .contains("max_tokens: 777 → default")
    );
    server.stop().await;
}
