//! Metrics as Prometheus reads them, against the journal; readiness.

mod prometheus;

use std::collections::BTreeMap;

use protocol::{
    ClientFrame, Command, ContentBlock, Decision, EventBody, ServerFrame, ToolOutcome, Topic,
    TurnOutcome, Usage, Verdict,
};
use rehearsal::{Block, Fault, Scripted};
use reqwest::{Method, StatusCode, header::AUTHORIZATION};
use serde_json::{Value, json};
use simlab::ConnectionFault;

use crate::{
    client::{Browser, new_conversation, send},
    harness::{Folder, QUIET, Server},
    socket::Socket,
};

const TOKEN: &str = "0123456789abcdef-token";

/// The lines of a page of metrics, by name and labels.
type Page = BTreeMap<String, f64>;

/// The page of metrics as it is sent.
async fn text(browser: &Browser) -> String {
    let request = browser.request(Method::GET, "/metrics");
    let answer = send(request.header(AUTHORIZATION, format!("Bearer {TOKEN}"))).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let kind = answer.headers()["content-type"].to_str().unwrap();
    assert!(kind.starts_with("application/openmetrics-text"), "{kind}");
    let text = answer.text().await.unwrap();
    assert!(text.ends_with("# EOF\n"), "{text}");
    text
}

async fn page(browser: &Browser) -> Page {
    let text = text(browser).await;
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let read = |line: &str| {
        let (name, value) = line.rsplit_once(' ').unwrap();
        (name.to_owned(), value.parse().unwrap())
    };
    lines.map(read).collect()
}

/// The sum of all series of a metric whose labels contain this.
fn sum(page: &Page, name: &str, labels: &str) -> f64 {
    let found = page.iter().filter(|(series, _)| {
        let (its, rest) = series.split_once('{').unwrap_or((series, ""));
        its == name && rest.contains(labels)
    });
    found.map(|(_, value)| value).sum()
}

/// Counts from the journals of some conversations, under the labels of the metrics.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Told {
    pub(crate) turns: BTreeMap<&'static str, usize>,
    /// By tool and outcome.
    pub(crate) calls: BTreeMap<(String, &'static str), usize>,
    verdicts: BTreeMap<&'static str, usize>,
    pub(crate) usage: Usage,
}

impl Told {
    fn take(&mut self, tab: &Socket) {
        let mut names = BTreeMap::new();
        for event in &tab.view.events {
            match &event.body {
                EventBody::TurnFinished { outcome, .. } => {
                    let outcome = match outcome {
                        TurnOutcome::Answered => "answered",
                        TurnOutcome::Failed { .. } => "failed",
                        TurnOutcome::Stopped => "stopped",
                        other => panic!("{other:?}"),
                    };
                    *self.turns.entry(outcome).or_default() += 1;
                }
                EventBody::AssistantMessage { blocks, usage, .. } => {
                    self.usage += *usage;
                    for block in blocks {
                        if let ContentBlock::ToolUse { call, name, .. } = block {
                            names.insert(*call, name.clone());
                        }
                    }
                }
                EventBody::TitleWritten { usage, .. } => self.usage += *usage,
                EventBody::ToolFinished { call, outcome, .. } => {
                    let outcome = match outcome {
                        ToolOutcome::Succeeded { .. } => "succeeded",
                        ToolOutcome::Failed { .. } => "failed",
                        other => panic!("{other:?}"),
                    };
                    let key = (names[call].clone(), outcome);
                    *self.calls.entry(key).or_default() += 1;
                }
                EventBody::ToolBlocked { call, .. } => {
                    let key = (names[call].clone(), "blocked");
                    *self.calls.entry(key).or_default() += 1;
                }
                EventBody::ConfirmationDecided { verdict, .. } => {
                    let verdict = match verdict {
                        Verdict::Approved => "approved",
                        Verdict::Denied { .. } => "denied",
                        other => panic!("{other:?}"),
                    };
                    *self.verdicts.entry(verdict).or_default() += 1;
                }
                _ => {}
            }
        }
    }
}

/// Has a server work: questions, calls, a failed model, and cards, of which one stays open. Returns what the
/// journals say, and the tab with the open card.
pub(crate) async fn work(server: &Server, browser: &Browser) -> (Told, Socket) {
    let mut told = Told::default();

    // Questions with calls that read.
    for question in [
        "How is the cluster?",
        "What is running?",
        "How full is the storage?",
    ] {
        let mut tab = browser.socket().await;
        tab.start(new_conversation(), question).await;
        tab.see(|view| view.finished() == 1).await;
        told.take(&tab);
    }
    // A call of a tool that does not exist, and a failed model.
    let script = server.script();
    script.reply([Block::ToolUse {
        id: None,
        name: "no_such_tool\"} 1".to_owned(),
        input: json!({}),
    }]);
    let mut tab = browser.socket().await;
    tab.start(new_conversation(), "Do it.").await;
    tab.see(|view| view.finished() == 1).await;
    told.take(&tab);
    script.push(Scripted::fault(Fault::Status {
        status: 400,
        message: None,
        should_retry: None,
    }));
    let mut tab = browser.socket().await;
    tab.start(new_conversation(), "And now?").await;
    tab.see(|view| view.finished() == 1).await;
    told.take(&tab);
    // One card that waits, one denied, one approved.
    let mut waiting = None;
    for decision in [
        None,
        Some(Decision::Deny { comment: None }),
        Some(Decision::Approve {
            grant: None,
            word: None,
        }),
    ] {
        let conversation = new_conversation();
        let mut tab = browser.socket().await;
        tab.start(conversation, "Please restart container 210 on pve")
            .await;
        let asked = tab.question().await;
        let Some(decision) = decision else {
            told.take(&tab);
            waiting = Some(tab);
            continue;
        };
        tab.decide(conversation, &asked, decision).await.unwrap();
        tab.see(|view| view.finished() == 1).await;
        told.take(&tab);
    }
    (told, waiting.unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_figures_say_what_the_journal_says() {
    let folder = Folder::new();
    let config = format!("{QUIET}[metrics]\ntoken = \"{TOKEN}\"\n");
    let server = Server::start_with(&folder, &config).await;
    let browser = server.sign_in().await;
    let (told, _waiting) = work(&server, &browser).await;

    let page = page(&browser).await;
    for (outcome, count) in &told.turns {
        let labels = format!("outcome=\"{outcome}\"");
        assert_eq!(sum(&page, "jarvis_turns_total", &labels), *count as f64);
    }
    let turns: usize = told.turns.values().sum();
    assert_eq!(sum(&page, "jarvis_turns_total", ""), turns as f64);
    let mut calls = 0;
    for ((tool, outcome), count) in &told.calls {
        let tool = if tool.contains('"') {
            "other"
        } else {
            tool.as_str()
        };
        let series: Vec<_> = ["green", "yellow", "red", "black", "unknown"]
            .iter()
            .map(|tier| format!("tool=\"{tool}\",tier=\"{tier}\",outcome=\"{outcome}\""))
            .collect();
        let found: f64 = series
            .iter()
            .map(|labels| sum(&page, "jarvis_tool_calls_total", labels))
            .sum();
        assert_eq!(found, *count as f64, "{tool} {outcome}: {page:#?}");
        calls += count;
    }
    assert_eq!(sum(&page, "jarvis_tool_calls_total", ""), calls as f64);
    let ran: usize = told
        .calls
        .iter()
        .filter(|((_, outcome), _)| *outcome != "blocked")
        .map(|(_, count)| count)
        .sum();
    assert_eq!(sum(&page, "jarvis_tool_seconds_count", ""), ran as f64);
    for (verdict, count) in &told.verdicts {
        let labels = format!("verdict=\"{verdict}\"");
        let found = sum(&page, "jarvis_confirmations_total", &labels);
        assert_eq!(found, *count as f64, "{verdict}");
    }
    let decided: usize = told.verdicts.values().sum();
    let waits = page["jarvis_confirmation_wait_seconds_count"];
    assert_eq!(waits, decided as f64);
    assert_eq!(page["jarvis_confirmations_open"], 1.0);
    for (kind, tokens) in [
        ("input", told.usage.input),
        ("output", told.usage.output),
        ("cache_read", told.usage.cache_read),
        ("cache_write", told.usage.cache_write),
    ] {
        let labels = format!("kind=\"{kind}\"");
        assert_eq!(
            sum(&page, "jarvis_tokens_total", &labels),
            tokens as f64,
            "{kind}"
        );
    }
    let answered = sum(&page, "jarvis_model_requests_total", "outcome=\"answered\"");
    assert_eq!(page["jarvis_model_first_token_seconds_count"], answered);
    // The fault, and the request that sends the name of that tool back: the API takes no such name.
    let failed = "outcome=\"invalid_request\"";
    assert_eq!(sum(&page, "jarvis_model_requests_total", failed), 2.0);
    assert!(sum(&page, "jarvis_append_seconds_count", "") > 0.0);
    assert!(page["jarvis_websockets"] >= 1.0);
    assert_eq!(page["jarvis_kill_switch"], 0.0);
    assert_eq!(page["jarvis_upstream_up{target=\"model\"}"], 1.0);

    let mut tab = browser.socket().await;
    tab.command(Command::KillSwitch { on: true }).await.unwrap();
    assert_eq!(self::page(&browser).await["jarvis_kill_switch"], 1.0);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_the_token_opens_the_figures() {
    let folder = Folder::new();
    let status = async |browser: &Browser, token: Option<&str>| {
        let request = browser.request(Method::GET, "/metrics");
        let request = match token {
            Some(token) => request.header(AUTHORIZATION, token),
            None => request,
        };
        send(request).await.status()
    };
    // Off by default, also for an admin.
    let server = Server::start(&folder).await;
    let admin = server.sign_in().await;
    let right = format!("Bearer {TOKEN}");
    assert_eq!(status(&admin, Some(&right)).await, StatusCode::NOT_FOUND);
    server.stop().await;

    let token = format!("token = \"{TOKEN}\"\n");
    let listen = "listen = \"127.0.0.1:0\"\n";
    for (keys, own, guarded) in [
        (token.clone(), false, true),
        (format!("{token}{listen}"), true, true),
        (listen.to_owned(), true, false),
    ] {
        let config = format!("{QUIET}[metrics]\n{keys}");
        let server = Server::start_with(&folder, &config).await;
        let main = Browser::new(server.url());
        let browser = if own {
            assert_eq!(status(&main, Some(&right)).await, StatusCode::NOT_FOUND);
            let own = Browser::new(&server.metrics_url());
            // Nothing else is there.
            assert_eq!(own.get("/healthz").await.status(), StatusCode::NOT_FOUND);
            assert_eq!(own.get("/").await.status(), StatusCode::NOT_FOUND);
            own
        } else {
            main
        };
        assert_eq!(status(&browser, Some(&right)).await, StatusCode::OK);
        for wrong in [
            None,
            Some("Bearer "),
            Some("Bearer 0123456789abcdef"),
            Some(TOKEN),
            Some("Basic MDEyMzQ1Njc4OWFiY2RlZi10b2tlbg=="),
        ] {
            let expect = if guarded {
                StatusCode::UNAUTHORIZED
            } else {
                StatusCode::OK
            };
            assert_eq!(status(&browser, wrong).await, expect, "{keys} {wrong:?}");
        }
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn readiness_names_a_model_that_is_away() {
    let folder = Folder::new();
    // Nobody listens there.
    let config = format!("{QUIET}[model]\nbase_url = \"http://127.0.0.1:9\"\n");
    let server = Server::start_with(&folder, &config).await;
    let browser = server.sign_in().await;
    assert_eq!(readiness(&browser).await, (StatusCode::OK, Vec::new()));
    let conversation = new_conversation();
    let mut tab = browser.socket().await;
    tab.start(conversation, "Is anybody there?").await;
    // The first failure is announced while it is tried again.
    let waiting = tab.until(|frame| match frame {
        ServerFrame::Waiting { .. } => Some(()),
        _ => None,
    });
    waiting.await;
    let turn = tab.view.turn();
    tab.command(Command::Stop { conversation, turn })
        .await
        .unwrap();
    tab.see(|view| view.finished() == 1).await;
    let (status, problems) = readiness(&browser).await;
    let codes: Vec<_> = problems.iter().map(|problem| &problem["code"]).collect();
    assert_eq!(status, StatusCode::OK);
    assert_eq!(codes, ["model_away"]);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn readiness_names_a_system_that_is_away() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    let mut tab = browser.socket().await;
    let board = "homelab".to_owned();
    let topic = Topic::Board { board };
    tab.send(&ClientFrame::Subscribe { topic }).await;
    let control = server.simlab().control();
    let known = "reading/overview";
    for (fault, expect) in [
        (ConnectionFault::None, Vec::new()),
        (
            ConnectionFault::Refused,
            vec![json!({
                "code": "system_away",
                "system": "homelab",
                "message": "The system homelab can't be reached.",
            })],
        ),
        // It is back.
        (ConnectionFault::None, Vec::new()),
    ] {
        let is_away = fault == ConnectionFault::Refused;
        control.set_connection(fault);
        let seen = tab.until(|frame| match frame {
            ServerFrame::Board { put, .. } => put
                .iter()
                .any(|part| part.key == known && part.value["trouble"].is_string() == is_away)
                .then_some(()),
            _ => None,
        });
        seen.await;
        assert_eq!(readiness(&browser).await, (StatusCode::OK, expect));
        // Programs read the same.
        let systems = browser.get("/api/v1/systems").await;
        let systems: Value = systems.json().await.unwrap();
        let mut systems = systems["systems"].as_array().unwrap().iter();
        let homelab = systems.find(|system| system["toolset"] == "homelab");
        assert_eq!(homelab.unwrap()["answers"], !is_away);
    }
    server.stop().await;
}

/// The status of `/readyz` and its problems, without the disk of the machine that tests.
async fn readiness(browser: &Browser) -> (StatusCode, Vec<Value>) {
    let answer = browser.get("/readyz").await;
    let status = answer.status();
    let mut answer: Value = answer.json().await.unwrap();
    let mut problems = answer["problems"]
        .as_array_mut()
        .map(std::mem::take)
        .unwrap();
    problems.retain(|problem| problem["code"] != "disk_low");
    (status, problems)
}
