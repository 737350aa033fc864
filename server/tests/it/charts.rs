//! Charts: there from the first start, drawn on by hand, and closed to everybody else.

use protocol::{BoardPage, ClientFrame, Command, PageAnswer, ServerFrame, Topic};
use serde_json::{Value, json};

use crate::{
    client::new_conversation,
    harness::{Folder, Server},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_first_start_has_a_chart_to_draw_on() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    let name = json!({ "name": "markets" });
    let page: BoardPage = browser.call("board", &name).await.unwrap();
    assert_eq!(page.system.toolset, "markets");
    let keys: Vec<_> = page.parts.iter().map(|part| &part.key[..]).collect();
    assert_eq!(keys, ["price/EURUSD"]);
    let ask = |part: &str| json!({ "board": "markets", "kind": "chart", "name": "EURUSD/H4", "part": part });
    let chart: PageAnswer = browser.call("page", &ask("candles/3")).await.unwrap();
    assert_eq!(chart.value["candles"].as_array().map(Vec::len), Some(3));
    assert!(
        browser
            .call::<PageAnswer>("page", &ask("candles"))
            .await
            .is_err()
    );

    // Every tab that looks sees a new drawing.
    let mut watcher = browser.socket().await;
    let board = "markets".to_owned();
    let topic = Topic::Board { board };
    watcher.send(&ClientFrame::Subscribe { topic }).await;
    let mut hand = browser.socket().await;
    let act = Command::Act {
        conversation: new_conversation(),
        tool: "draw_horizontal_line".to_owned(),
        input: json!({ "symbol": "EURUSD", "price": 1.2, "reason": "drawn by hand" }),
    };
    hand.command(act).await.unwrap();
    let drawn = watcher
        .until(|frame| match frame {
            ServerFrame::Board { put, .. } => put
                .into_iter()
                .find(|part| part.key.starts_with("drawing/")),
            _ => None,
        })
        .await;
    assert_eq!(
        (&drawn.value["actor"], &drawn.value["conversation"]),
        (&json!("user"), &Value::Null)
    );
    assert!(drawn.value["check"]["touches"].is_number());
    server.stop().await;

    // It is there after a restart; without the toolset there is no such board.
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    let page: BoardPage = browser.call("board", &name).await.unwrap();
    assert!(page.parts.iter().any(|part| part.key == drawn.key));
    server.stop().await;
    let off = "[markets]\nenabled = false\n";
    let server = Server::start_with(&folder, off).await;
    let browser = server.sign_in().await;
    assert!(browser.call::<BoardPage>("board", &name).await.is_err());
    server.stop().await;
}
