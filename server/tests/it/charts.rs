//! Charts: there from the first start, drawn on by hand, and closed to everybody else.

use std::time::Duration;

use protocol::{BoardPage, ClientFrame, Command, PageAnswer, Role, ServerFrame, Topic};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::{
    client::{Browser, new_conversation, send},
    harness::{Folder, Server, add_user, soon},
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
    assert_eq!(drawn.value["person"], "Operator");
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

/// Symbols are data: a question about one that was declared leads to its page, as one about a pair that is built in.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_about_a_declared_symbol_leads_to_the_chart() {
    let folder = Folder::new();
    let coin = "[[markets.symbols]]\nname = \"BTCUSD\"\nkind = \"crypto\"\ndigits = 1\n\
        quote = \"USD\"\n";
    let server = Server::start_with(&folder, coin).await;
    let browser = server.sign_in().await;
    let mut tab = browser.socket().await;
    tab.start(new_conversation(), "where is BTC/USD?").await;
    tab.see(|view| view.finished() == 1).await;
    let said = tab.view.said().join("\n");
    assert!(
        said.contains("That belongs on [Chart](/chart#ask)"),
        "{said}"
    );
    server.stop().await;
}

/// A file of prices that goes away: every tab sees that the price is unknown, and why.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_price_whose_source_dies_is_unknown() {
    let folder = Folder::new();
    let file = folder.path().join("prices.json");
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let at = ::markets::Time(i64::try_from(now.unwrap().as_secs()).unwrap());
    let text = json!({ "EURUSD": { "bid": 1.2, "ask": 1.2001, "at": at.to_string() } });
    std::fs::write(&file, text.to_string()).unwrap();
    let more = format!("[markets]\nprice_file = {file:?}\nsilent_seconds = 3600\n");
    let server = Server::start_with(&folder, &more).await;
    let browser = server.sign_in().await;
    let mut watcher = browser.socket().await;
    let board = "markets".to_owned();
    let topic = Topic::Board { board };
    watcher.send(&ClientFrame::Subscribe { topic }).await;
    let mut price = async |field: &'static str| {
        watcher
            .until(|frame| match frame {
                ServerFrame::Board { put, .. } => put
                    .into_iter()
                    .find(|part| part.key == "price/EURUSD" && part.value.get(field).is_some()),
                _ => None,
            })
            .await
            .value
    };
    assert_eq!(price("bid").await["bid"], 1.2);
    std::fs::remove_file(&file).unwrap();
    let unknown = price("unknown").await;
    assert_eq!(unknown["last"]["ask"], 1.2001);
    assert_eq!(unknown["last"]["at"], at.to_string());

    let trail = browser.get("/api/v1/markets/trail?symbol=EURUSD").await;
    assert_eq!(trail.headers()["content-type"], "text/csv; charset=utf-8");
    let trail = trail.text().await.unwrap();
    assert!(
        trail.starts_with("time,symbol,drawing,kind,by,reason,"),
        "{trail}"
    );
    let wrong = browser.get("/api/v1/markets/trail?from=yesterday").await;
    assert_eq!(wrong.status(), 400);
    server.stop().await;
}

/// A drawing for one person is in no answer to somebody else, not even to an admin.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_private_drawing_reaches_nobody_else() {
    let folder = Folder::new();
    Server::start(&folder).await.stop().await;
    let eve = add_user(&folder, "Eve", Role::Operator).await;
    let server = Server::start(&folder).await;
    let ada = server.sign_in().await;
    let eve = Browser::sign_in(&format!("{}{eve}", server.url())).await;
    let mut hand = eve.socket().await;
    let act = Command::Act {
        conversation: new_conversation(),
        tool: "draw_horizontal_line".to_owned(),
        input: json!({ "symbol": "EURUSD", "price": 1.2, "reason": "mine", "seen_by": "me" }),
    };
    hand.command(act).await.unwrap();

    let page = async |who: &Browser, kind: &str| {
        let ask = json!({ "board": "markets", "kind": kind, "name": "all", "part": "" });
        who.call::<PageAnswer>("page", &ask).await.unwrap().value
    };
    let drawn = soon("a drawing of one person", async {
        loop {
            if let Value::Object(own) = page(&eve, "drawings").await
                && let Some(id) = own.keys().next()
            {
                return id.clone();
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    let id = drawn.await;
    let export = async |who: &Browser| {
        let answer = who.get("/api/v1/markets/trail").await;
        answer.text().await.unwrap()
    };
    assert!(page(&eve, "trail").await.to_string().contains(&id));
    assert!(export(&eve).await.contains(&id));
    let name = json!({ "name": "markets" });
    let board: Value = ada.call("board", &name).await.unwrap();
    for answer in [
        page(&ada, "drawings").await.to_string(),
        page(&ada, "trail").await.to_string(),
        export(&ada).await,
        board.to_string(),
    ] {
        assert!(!answer.contains(&id), "{answer}");
    }
    // A filter is refused as a whole, and names nobody.
    let owner = ada.get("/api/v1/markets/trail?owner=everyone").await;
    assert_eq!(owner.status(), 400);
    server.stop().await;
}

/// A position for one person that the price fills is a notice for that person alone.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_private_position_is_told_to_nobody_else() {
    let folder = Folder::new();
    Server::start(&folder).await.stop().await;
    let eve = add_user(&folder, "Eve", Role::Operator).await;
    let file = folder.path().join("prices.json");
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let began = i64::try_from(now.unwrap().as_secs()).unwrap();
    let says = |later: i64, bid: f64, ask: f64| {
        let at = ::markets::Time(began + later).to_string();
        let text = json!({ "EURUSD": { "bid": bid, "ask": ask, "at": at } });
        std::fs::write(&file, text.to_string()).unwrap();
    };
    says(0, 1.2005, 1.2006);
    // With notices, as they are by default.
    let more = format!("[markets]\nprice_file = {file:?}\nsilent_seconds = 3600\n");
    let server = Server::start_with(&folder, &more).await;
    let ada = server.sign_in().await;
    let eve = Browser::sign_in(&format!("{}{eve}", server.url())).await;
    let page = async |who: &Browser, kind: &str| {
        let ask = json!({ "board": "markets", "kind": kind, "name": "all", "part": "" });
        who.call::<PageAnswer>("page", &ask).await.unwrap().value
    };
    let reaches = async |state: &str| {
        let reached = soon("a state of a position", async {
            loop {
                if let Value::Object(own) = page(&eve, "drawings").await
                    && let Some((id, part)) = own.into_iter().next()
                    && part["life"]["state"] == state
                {
                    return id;
                }
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        });
        reached.await
    };
    let act = |tool: &str, input: Value| Command::Act {
        conversation: new_conversation(),
        tool: tool.to_owned(),
        input,
    };
    let mut hand = eve.socket().await;
    let plan = json!({
        "symbol": "EURUSD", "start": "2017-12-27T12:00:00Z", "entry": 1.2, "stop": 1.195,
        "target": 1.21, "reason": "mine", "seen_by": "me",
    });
    hand.command(act("draw_long_position", plan)).await.unwrap();
    let id = reaches("signal").await;
    let accept = json!({
        "id": id, "expected_version": 1, "reason": "a good plan", "event": { "type": "accept" },
    });
    hand.command(act("update_drawing", accept)).await.unwrap();
    reaches("pending").await;
    says(1, 1.1998, 1.1999);
    reaches("open").await;

    let own = page(&eve, "notices").await;
    let text = own["notices"][0]["text"].as_str().unwrap();
    assert!(text.contains("was filled at"), "{text}");
    let told = async |who: &Browser| {
        let answer = who.get("/api/v1/markets/notices").await;
        answer.json::<Value>().await.unwrap()
    };
    assert_eq!(told(&eve).await, own);
    let none = json!({ "notices": [] });
    assert_eq!(
        (told(&ada).await, page(&ada, "notices").await),
        (none.clone(), none)
    );
    let name = json!({ "name": "markets" });
    let board: Value = ada.call("board", &name).await.unwrap();
    assert!(!board.to_string().contains(&id), "{board}");
    server.stop().await;
}

/// Each person has indicators of their own on each symbol, also after a restart.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn indicators_are_kept_for_each_person_and_symbol() {
    let folder = Folder::new();
    Server::start(&folder).await.stop().await;
    let eve = add_user(&folder, "Eve", Role::Viewer).await;
    let server = Server::start(&folder).await;
    let ada = server.sign_in().await;
    let eve = Browser::sign_in(&format!("{}{eve}", server.url())).await;
    let address = |symbol: &str| format!("/api/v1/markets/indicators?symbol={symbol}");
    let kept = async |who: &Browser, symbol: &str| {
        let answer = who.get(&address(symbol)).await;
        answer.json::<Value>().await.unwrap()["indicators"].clone()
    };
    let choose = async |who: &Browser, words: Value| {
        let request = who.request(Method::POST, &address("EURUSD"));
        send(request.body(json!({ "indicators": words }).to_string())).await
    };
    assert_eq!(kept(&ada, "EURUSD").await, Value::Null);
    for (who, words) in [(&ada, json!(["RSI", "MA"])), (&eve, json!([]))] {
        assert_eq!(choose(who, words).await.status(), StatusCode::OK);
    }
    let unknown = choose(&ada, json!(["RSI", "SAR"])).await;
    assert_eq!(unknown.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(kept(&eve, "EURUSD").await, json!([]));
    assert_eq!(kept(&ada, "USDJPY").await, Value::Null);
    server.stop().await;
    let server = Server::start(&folder).await;
    let ada = server.sign_in().await;
    assert_eq!(kept(&ada, "EURUSD").await, json!(["RSI", "MA"]));
    server.stop().await;
}
