//! Addresses of cards that programs and messages show to people.

use protocol::{ConversationId, Seq};
use reqwest::StatusCode;
use serde_json::Value;

use crate::{client::Browser, harness::Server};

/// Opens the address of a card that waits, as its owner does who was shown it: it has to be there.
pub(crate) async fn leads_to_card(server: &Server, owner: &Browser, address: &Value) {
    let address = address.as_str().unwrap();
    let path = address.strip_prefix(server.url());
    let path = path.unwrap_or_else(|| panic!("{address} is somewhere else"));
    // A browser keeps the fragment to itself.
    let (path, place) = path.split_once('#').unwrap_or((path, ""));
    let page = owner.get(path).await;
    assert_eq!(page.status(), StatusCode::OK, "{address}");
    let html = page.text().await.unwrap();
    let id = path.strip_prefix("/chat/");
    let id: ConversationId = id.unwrap_or_else(|| panic!("{address}")).parse().unwrap();
    let mut tab = owner.socket().await;
    tab.subscribe(id, Seq(0)).await.unwrap();
    let (call, card) = tab.question().await;
    assert!(
        place.is_empty() || place == call.to_string(),
        "{address}: {call}"
    );
    // The page of an own call draws its card with what the socket tells.
    let is_drawn = html.contains(&format!("id=\"ask-{call}\""));
    assert!(is_drawn || html.contains("own-call-page"), "{html}");
    assert!(html.contains(&card.sentence), "{} in {html}", card.sentence);
}
