//! Prices that other programs tell, by the examples of the documentation.

use std::process::Stdio;

use protocol::{ClientFrame, Command as PersonsCommand, ServerFrame, Topic};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    process::{Child, Command},
};

use crate::{
    client::{Browser, send},
    harness::{Folder, QUIET, Server},
};

const PRICES: &str = "/api/v1/markets/prices";

/// An example of the documentation, in Python.
fn example(number: usize) -> &'static str {
    let page = include_str!("../../../docs/prices.md");
    let block = page.split("```python\n").nth(number).unwrap();
    let (code, _) = block.split_once("```").unwrap();
    assert!(code.lines().count() <= 30, "{code}");
    code
}

fn python(code: &str, argument: &str, token: &str) -> Child {
    let python = std::env::var("JARVIS_PYTHON")
        .expect("JARVIS_PYTHON is missing: run through cargo xtask test");
    Command::new(python)
        .args(["-c", code, argument])
        .env("JARVIS_TOKEN", token)
        .env("no_proxy", "*")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap()
}

/// The part of the board with the price of EURUSD, as soon as it has a field.
async fn price(browser: &Browser, field: &str) -> Value {
    let mut watcher = browser.socket().await;
    let board = "markets".to_owned();
    let topic = Topic::Board { board };
    watcher.send(&ClientFrame::Subscribe { topic }).await;
    let part = watcher.until(|frame| match frame {
        ServerFrame::Board { put, .. } => put
            .into_iter()
            .find(|part| part.key == "price/EURUSD" && part.value.get(field).is_some()),
        _ => None,
    });
    part.await.value
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_documented_server_is_followed_until_it_dies() {
    let mut program = python(example(1), "0", "");
    let mut stdin = program.stdin.take().unwrap();
    let mut lines = BufReader::new(program.stdout.take().unwrap()).lines();
    let url = lines.next_line().await.unwrap().unwrap();
    let folder = Folder::new();
    let more = format!("{QUIET}[markets]\nprice_file = {url:?}\nsilent_seconds = 3600\n");
    let server = Server::start_with(&folder, &more).await;
    let browser = server.sign_in().await;
    stdin.write_all(b"EURUSD 1.2 1.2001\n").await.unwrap();
    assert_eq!(price(&browser, "bid").await["ask"], 1.2001);
    program.kill().await.unwrap();
    let unknown = price(&browser, "unknown").await;
    let why = unknown["unknown"].as_str().unwrap();
    assert!(why.contains("the program with the prices"), "{why}");
    assert_eq!(unknown["last"]["ask"], 1.2001);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_documented_client_sends_prices() {
    let folder = Folder::new();
    let more = format!("{QUIET}[markets]\nprice_push = true\nsilent_seconds = 3600\n");
    let server = Server::start_with(&folder, &more).await;
    let browser = server.sign_in().await;
    let unknown = price(&browser, "unknown").await;
    assert_eq!(
        unknown["unknown"],
        "no program has sent a price since the start"
    );

    let token = crate::tokens::token(&browser, "operator", &["markets"])
        .await
        .unwrap();
    let mut client = python(example(2), server.url(), &token);
    let mut stdin = client.stdin.take().unwrap();
    let lines = b"EURUSD 1.2 1.2001\nXAUUSD 1900 1901\n";
    stdin.write_all(lines).await.unwrap();
    drop(stdin);
    let output = client.wait_with_output().await.unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let said = String::from_utf8(output.stdout).unwrap();
    let said: Vec<Value> = said
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(said[0], json!({ "accepted": ["EURUSD"], "unknown": {} }));
    assert_eq!(said[1]["code"], "symbol_unknown");
    assert_eq!(price(&browser, "bid").await["ask"], 1.2001);

    let program = Browser::new(server.url()).bearing(&token);
    let request = program.request(Method::POST, PRICES);
    let large = send(request.body(" ".repeat(20_000))).await;
    assert_eq!(large.status(), StatusCode::PAYLOAD_TOO_LARGE);
    server.stop().await;
}

/// Files come in while charts are open, all of one or nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_sends_files_to_import() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    let token = crate::tokens::token(&owner, "operator", &["markets"])
        .await
        .unwrap();
    let program = Browser::new(server.url()).bearing(&token);
    let import = async |query: &str, file: &'static str| {
        let path = format!("/api/v1/markets/imports?{query}");
        send(program.request(Method::POST, &path).body(file)).await
    };
    let hour = "2026-11-23T10:00:00Z,1.08,1.09,1.07,1.08,5\n";
    let candles = "what=candles&symbol=EURUSD&timeframe=H1";
    let first: Value = import(candles, hour).await.json().await.unwrap();
    assert_eq!(first, json!({ "written": 1, "unchanged": 0 }));
    let again: Value = import(candles, hour).await.json().await.unwrap();
    assert_eq!(again, json!({ "written": 0, "unchanged": 1 }));
    let trade = "id,symbol,side,lots,opened_at,entry\n1,EURUSD,long,1,2026-11-23T10:00:00Z,1.08\n";
    let own = import("what=trades&seen_by=me", trade).await;
    assert_eq!(own.status(), StatusCode::OK);
    for (query, file, code) in [
        (candles, "2026-11-23T11:00:00Z,1,2,3,4\n", "file_refused"),
        ("what=headlines&seen_by=me", "{}", "file_refused"),
        ("what=trades", "a,b\n1,2\n", "file_refused"),
        ("what=headlines", "<html></html>", "file_refused"),
        ("what=candles&symbol=XAUUSD", hour, "symbol_unknown"),
    ] {
        let answer = import(query, file).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{file}");
        assert_eq!(crate::api::code(answer).await, code);
    }
    let unknown = import("what=gossip", hour).await;
    assert_eq!(unknown.status(), StatusCode::BAD_REQUEST);
    server.stop().await;
}

/// A feed that runs wild uses up its own quota, and its owner goes on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_feed_uses_up_no_quota_of_its_owners_commands() {
    let folder = Folder::new();
    let more = format!("{QUIET}[markets]\nprice_push = true\n[limits]\nuser_commands = 20\n");
    let server = Server::start_with(&folder, &more).await;
    let owner = server.sign_in().await;
    let token = crate::tokens::token(&owner, "operator", &["markets"])
        .await
        .unwrap();
    let program = Browser::new(server.url()).bearing(&token);
    let prices = json!({ "EURUSD": { "bid": 1.2, "ask": 1.2001, "at": "2026-11-23T10:15:00Z" } });
    let push = || program.request(Method::POST, PRICES).json(&prices);
    let mut refused = None;
    for _ in 0..1000 {
        let answer = send(push()).await;
        let left = answer.headers()["ratelimit"].to_str().unwrap();
        assert!(left.starts_with("\"feed\";r="), "{left}");
        if answer.status() == StatusCode::TOO_MANY_REQUESTS {
            refused = Some(answer);
            break;
        }
        assert_eq!(answer.status(), StatusCode::OK);
    }
    let refused = refused.expect("a feed has a quota");
    assert!(refused.headers().contains_key("retry-after"));
    assert_eq!(crate::api::code(refused).await, "rate_limited");

    let mut tab = owner.socket().await;
    for on in [true, false, true, false] {
        tab.command(PersonsCommand::KillSwitch { on })
            .await
            .unwrap();
    }
    // A message whose answer is stored is a change like others.
    let keyed = send(push().header("idempotency-key", "one")).await;
    assert_eq!(keyed.status(), StatusCode::OK);
    let left = keyed.headers()["ratelimit"].to_str().unwrap();
    assert!(left.starts_with("\"changes\";r="), "{left}");
    server.stop().await;
}
