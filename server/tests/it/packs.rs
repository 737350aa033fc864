//! Packs of a domain: on the page, over the socket, by configuration.

use protocol::{Command, ErrorCode, EventBody, Seq};

use crate::{
    client::new_conversation,
    harness::{Folder, QUIET, Server},
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_domain_brings_its_packs() {
    let folder = Folder::new();
    let more = format!(
        "{QUIET}[domains]\nenabled = [\"erp\"]\n[erp]\nsimulated = true\npacks = [\"distribution\"]\n"
    );
    let server = Server::start_with(&folder, &more).await;
    let browser = server.sign_in().await;
    let html = browser.get("/").await.text().await.unwrap();
    let (_, group) = html.split_once("class=\"packs\"").unwrap();
    let (group, _) = group.split_once("</div>").unwrap();
    let mut pressed = group.split("<button").skip(1).map(|button| {
        let is_pressed = button.contains("aria-pressed=\"true\"");
        assert!(is_pressed != button.contains("aria-pressed=\"false\""));
        (button.contains("Distribution"), is_pressed)
    });
    assert!(
        pressed.all(|(is_usual, is_pressed)| is_usual == is_pressed),
        "{group}"
    );

    let mut tab = browser.socket().await;
    let usual = toolsets(&mut tab, None).await;
    assert_eq!(usual, ["erp", "erp-distribution"]);
    let mut tab = browser.socket().await;
    let chosen = toolsets(&mut tab, Some(&["erp-manufacturing"])).await;
    assert_eq!(chosen, ["erp", "erp-manufacturing"]);
    let unknown = start(new_conversation(), Some(&["erp-farming"]));
    let refused = tab.command(unknown).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::PackNotFound);
    server.stop().await;
}
