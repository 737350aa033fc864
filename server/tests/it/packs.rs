//! Packs of a domain: on the page, over the socket, by configuration.

use protocol::{Command, ErrorCode, EventBody, Role, Seq};
use rehearsal::Block;
use serde_json::json;

use crate::{
    api::{
        analyses::{ANALYSES, SCRIPTS},
        code,
        follower::Follower,
        get, post, program,
    },
    client::{Browser, new_conversation},
    harness::{Folder, QUIET, Server, add_user},
    socket::Socket,
};

async fn toolsets(tab: &mut Socket, packs: Option<&[&str]>) -> Vec<String> {
    let conversation = new_conversation();
    tab.command(start(conversation, packs)).await.unwrap();
    tab.subscribe(conversation, Seq(0)).await.unwrap();
    tab.see(|view| view.finished() == 1).await;
    let begun = tab.view.find(|event| match event {
        EventBody::ConversationStarted { toolsets, .. } => Some(toolsets.clone()),
        _ => None,
    });
    begun.unwrap()
}

fn start(conversation: protocol::ConversationId, packs: Option<&[&str]>) -> Command {
    let mut command = Command::start(conversation, "Hello there");
    if let Command::Start { packs: chosen, .. } = &mut command {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        *chosen = packs.map(names);
    }
    command
}

/// The packs that a new page has chosen.
async fn pressed(browser: &Browser) -> Vec<String> {
    let html = browser.get("/").await.text().await.unwrap();
    let (_, group) = html.split_once("class=\"packs\"").unwrap();
    let (group, _) = group.split_once("</div>").unwrap();
    let buttons = group.split("<button").skip(1);
    let pressed = buttons.filter(|button| {
        let is_pressed = button.contains("aria-pressed=\"true\"");
        assert!(is_pressed != button.contains("aria-pressed=\"false\""));
        is_pressed
    });
    let label = |button: &str| {
        let (_, rest) = button.split_once('>').unwrap();
        rest.split('<')
            .find(|text| !text.is_empty())
            .unwrap()
            .trim()
            .to_owned()
    };
    pressed.map(label).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_domain_brings_its_packs() {
    let folder = Folder::new();
    let more = format!(
        "{QUIET}[domains]\nenabled = [\"erp\"]\n[erp]\nsimulated = true\npacks = [\"distribution\"]\n"
    );
    Server::start(&folder).await.stop().await;
    let link = add_user(&folder, "Otto", Role::Operator).await;
    let server = Server::start_with(&folder, &more).await;
    let browser = server.sign_in().await;
    let otto = Browser::sign_in(&format!("{}{link}", server.url())).await;
    assert_eq!(pressed(&browser).await, ["Distribution"]);

    let mut tab = browser.socket().await;
    let usual = toolsets(&mut tab, None).await;
    assert_eq!(usual, ["erp", "erp-distribution"]);
    let mut tab = browser.socket().await;
    let chosen = toolsets(&mut tab, Some(&["erp-manufacturing"])).await;
    assert_eq!(chosen, ["erp", "erp-manufacturing"]);
    let unknown = start(new_conversation(), Some(&["erp-farming"]));
    let refused = tab.command(unknown).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::PackNotFound);

    // The account has what was chosen last, and another account what the configuration says.
    assert_eq!(pressed(&browser).await, ["Manufacturing"]);
    assert_eq!(pressed(&otto).await, ["Distribution"]);
    let none = toolsets(&mut browser.socket().await, Some(&[])).await;
    assert_eq!(none, ["erp"]);
    assert_eq!(pressed(&browser).await, [""; 0]);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn programs_choose_packs_as_pages_do() {
    let folder = Folder::new();
    let more = format!(
        "{QUIET}[domains]\nenabled = [\"erp\"]\n[erp]\nsimulated = true\npacks = [\"retail\"]\n"
    );
    let server = Server::start_with(&folder, &more).await;
    let owner = server.sign_in().await;
    let all = program(&server, &owner, "operator", &[]).await;
    let narrow = program(&server, &owner, "operator", &["erp", "erp-services"]).await;
    for (who, packs, toolsets) in [
        (&all, json!(null), json!(["erp", "erp-retail"])),
        (&all, json!([]), json!(["erp"])),
        (
            &all,
            json!(["erp-manufacturing", "erp-services"]),
            json!(["erp", "erp-manufacturing", "erp-services"]),
        ),
        (
            &narrow,
            json!(["erp-services"]),
            json!(["erp", "erp-services"]),
        ),
    ] {
        let body = json!({ "message": "Hello there", "packs": packs });
        let begun = post(who, "/api/v1/conversations", "", &body).await;
        assert_eq!(begun.status(), 201, "{packs}");
        let address = begun.headers()["location"].to_str().unwrap();
        let page = get(who, address).await;
        assert_eq!(page["events"][0]["toolsets"], toolsets, "{packs}");
    }
    // A choice outside of the token is refused rather than narrowed.
    let body = json!({ "message": "Hello there", "packs": ["erp-manufacturing"] });
    let refused = post(&narrow, "/api/v1/conversations", "", &body).await;
    assert_eq!(code(refused).await, "role_not_enough");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_script_has_the_packs_of_its_analysis() {
    let folder = Folder::new();
    let more = format!(
        "{QUIET}[domains]\nenabled = [\"erp\"]\n[erp]\nsimulated = true\npacks = [\"retail\"]\n"
    );
    let server = Server::start_with(&folder, &more).await;
    let owner = server.sign_in().await;
    let all = program(&server, &owner, "operator", &[]).await;
    let about = json!([{ "kind": "document", "id": "Customer/Kestrel Cycles" }]);
    for (packs, toolsets) in [
        (json!(null), json!(["erp", "erp-retail"])),
        (json!(["erp-services"]), json!(["erp", "erp-services"])),
    ] {
        let body = json!({ "question": "Do they pay late?", "about": about, "packs": packs });
        let mut begun = (ANALYSES, body);
        for words in ["They do.", "There is nothing to run."] {
            server.script().reply([Block::text(words)]);
            let (path, body) = begun;
            let answer = post(&all, path, "", &body).await;
            assert_eq!(answer.status(), 201, "{path} {packs}");
            let address = answer.headers()["location"].to_str().unwrap();
            let id = address.rsplit('/').next().unwrap();
            let address = format!("/api/v1/conversations/{id}");
            let mut turn = Follower::open(&all, &address, None).await;
            turn.finished().await;
            let page = get(&all, &address).await;
            assert_eq!(page["events"][0]["toolsets"], toolsets, "{path} {packs}");
            begun = (SCRIPTS, json!({ "analysis": id }));
        }
    }
    let body = json!({ "question": "Why?", "about": about, "packs": ["erp-farming"] });
    let refused = post(&all, ANALYSES, "", &body).await;
    assert_eq!(code(refused).await, "pack_not_found");
    server.stop().await;
}
