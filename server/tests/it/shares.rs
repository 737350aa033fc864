//! Conversations that others read under a link.

use protocol::{
    Command, ConversationId, ConversationPage, Decision, ErrorCode, EventBody, GrantTerms,
    HistoryPage, NewShare, Role, Share, Timestamp, Usage,
};
use rehearsal::Block;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::{
    client::{Browser, new_conversation},
    harness::{Folder, Server, add_user},
    transfer::imported,
};

/// A conversation in which a call ran and was granted once more.
async fn granted(server: &Server, browser: &Browser) -> ConversationId {
    let id = new_conversation();
    let input = json!({ "node": "pve", "vmid": 213 });
    let script = server.script();
    script.reply([Block::tool_use("start_container", input)]);
    script.reply([Block::text("That was that.")]);
    let mut tab = browser.socket().await;
    tab.start(id, "Start downloads, 213 on pve.").await;
    let asked = |body: &EventBody| match body {
        EventBody::ConfirmationRequested {
            call, confirmation, ..
        } => Some((*call, confirmation.clone())),
        _ => None,
    };
    tab.see(|view| view.find(asked).is_some()).await;
    let (call, card) = tab.view.find(asked).unwrap();
    let grant = GrantTerms {
        uses: 1,
        until: Timestamp(card.expires.0 + 60_000),
    };
    let decide = Command::Decide {
        conversation: id,
        call,
        digest: card.digest,
        decision: Decision::Approve {
            grant: Some(grant),
            word: None,
        },
    };
    tab.command(decide).await.unwrap();
    tab.see(|view| view.finished() == 1).await;
    id
}

async fn share(browser: &Browser, id: ConversationId, days: Option<u32>) -> NewShare {
    let input = json!({ "id": id, "days": days });
    browser.call("share", &input).await.unwrap()
}

/// The code of the refusal, if there is one.
async fn refused(browser: &Browser, function: &str, input: Value) -> Option<ErrorCode> {
    let answer = browser.call::<Value>(function, &input).await;
    answer.err().map(|error| error.code)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn others_read_under_a_link_and_see_what_is_not_the_owners_alone() {
    let folder = Folder::new();
    Server::start(&folder).await.stop().await;
    let vera = add_user(&folder, "Vera", Role::Viewer).await;
    let server = Server::start(&folder).await;
    let ada = server.sign_in().await;
    let vera = Browser::sign_in(&format!("{}{vera}", server.url())).await;
    let nobody = Browser::new(server.url());
    let id = granted(&server, &ada).await;
    let NewShare { token, share: made } = share(&ada, id, Some(7)).await;
    let under = json!({ "token": token });
    let path = format!("/shared/{token}");

    // Its owner's page has the grant and the usage.
    let own: ConversationPage = ada
        .call("conversation", &json!({ "id": id }))
        .await
        .unwrap();
    assert!(own.summary.usage != Usage::default());
    let text = serde_json::to_string(&own).unwrap();
    assert!(text.contains("grant_given"), "{text}");

    let page: ConversationPage = vera.call("shared", &under).await.unwrap();
    let by = page.shared.clone().unwrap();
    assert_eq!((&*by.name, by.made), ("Operator", made.made));
    assert_eq!(page.summary.usage, Usage::default());
    assert_eq!((page.summary.cost, page.head), (None, own.head));
    let numbers = |page: &ConversationPage| page.events.iter().map(|it| it.seq).collect::<Vec<_>>();
    assert_eq!(numbers(&page), numbers(&own));
    let place = json!({ "token": token, "place": { "type": "until", "seq": own.head } });
    let older: HistoryPage = vera.call("shared_history", &place).await.unwrap();
    let html = vera.get(&path).await;
    assert_eq!(html.status(), StatusCode::OK);
    assert_eq!(html.headers()["referrer-policy"], "same-origin");
    assert_eq!(html.headers()["cache-control"], "no-store");
    let html = html.text().await.unwrap();
    for text in [
        serde_json::to_string(&page).unwrap(),
        serde_json::to_string(&older).unwrap(),
        html.clone(),
    ] {
        assert!(text.contains("That was that."), "{text}");
        for part in [
            "grant_given",
            "\"grantable\":true",
            "\"input\":1",
            "cost\":1",
        ] {
            assert!(!text.contains(part), "{part}: {text}");
        }
    }
    assert!(html.contains("Shared by ") && !html.contains("composer__field"));

    // Nobody reads it without signing in, and the link allows nothing but reading.
    assert_eq!(nobody.get(&path).await.status(), StatusCode::UNAUTHORIZED);
    let code = refused(&nobody, "shared", under.clone()).await;
    assert_eq!(code, Some(ErrorCode::NotSignedIn));
    let gone = Some(ErrorCode::ConversationNotFound);
    let of = json!({ "id": id });
    assert_eq!(refused(&vera, "conversation", of.clone()).await, gone);
    assert_eq!(refused(&vera, "shares", of.clone()).await, gone);
    let end = json!({ "id": id, "share": made.id });
    assert_eq!(refused(&vera, "unshare", end.clone()).await, gone);
    let again = json!({ "id": id, "days": null });
    assert_eq!(refused(&vera, "share", again).await, gone);

    // A token reaches conversations of its toolsets, whatever the link.
    let fields = [
        ("do", "add"),
        ("name", "A program"),
        ("role", "viewer"),
        ("days", "1"),
        ("scope", "some"),
        ("toolset", "homelab"),
    ];
    let form = ada.post("/settings/tokens", &fields).await.text().await;
    let form = form.unwrap();
    let (_, rest) = form.split_once("plain-secret\">").unwrap();
    let program = ada.bearing(rest.split_once('<').unwrap().0);
    assert_eq!(refused(&program, "shared", under.clone()).await, None);
    let file = ada.get(&format!("/chat/{id}/export?format=json")).await;
    let file = file.text().await.unwrap();
    let file = file.replace("[\"homelab\"]", "[\"markets\"]");
    let other = imported(&ada, file.as_bytes()).await;
    let other = json!({ "token": share(&ada, other, None).await.token });
    let code = refused(&program, "shared", other.clone()).await;
    assert_eq!(code, Some(ErrorCode::RoleNotEnough));
    assert_eq!(refused(&vera, "shared", other).await, None);

    // An ended link and one that never existed are the same.
    let nowhere = Some(ErrorCode::ShareNotFound);
    let listed: Vec<Share> = ada.call("shares", &of).await.unwrap();
    assert_eq!(listed, [made]);
    ada.call::<()>("unshare", &end).await.unwrap();
    assert_eq!(refused(&vera, "shared", under).await, nowhere);
    assert_eq!(refused(&vera, "shared_history", place).await, nowhere);
    let strange = json!({ "token": "nothing" });
    assert_eq!(refused(&vera, "shared", strange).await, nowhere);
    assert_eq!(refused(&ada, "unshare", end).await, nowhere);
    let html = vera.get(&path).await;
    assert_eq!(html.status(), StatusCode::NOT_FOUND);
    let html = html.text().await.unwrap();
    assert!(html.contains("This link no longer works"));

    // Deleted.
    let NewShare { token, .. } = share(&ada, id, None).await;
    let under = json!({ "token": token });
    assert_eq!(refused(&vera, "shared", under.clone()).await, None);
    ada.call::<()>("delete", &of).await.unwrap();
    assert_eq!(refused(&vera, "shared", under).await, nowhere);
    let long = json!({ "id": id, "days": 366 });
    assert_eq!(refused(&ada, "share", long).await, gone);
    server.stop().await;
}
