//! Runs that break off, are followed again, are stopped, and choose their tools.

use protocol::Role;
use rehearsal::{Block, Fault, Pace, Scripted};
use reqwest::{Method, StatusCode, header::COOKIE};
use serde_json::{Value, json};

use super::{Stream, post, program, says};
use crate::{
    api::code,
    binary::Process,
    client::{Browser, send},
    harness::{Folder, QUIET, Server, add_user},
    tokens::token_with,
};

pub(super) async fn get(program: &Browser, path: &str) -> Value {
    let answer = send(program.request(Method::GET, path)).await;
    assert_eq!(answer.status(), 200, "{path}");
    answer.json().await.unwrap()
}

/// The conversation of the first event of a stream.
pub(super) fn conversation(stream: &Stream) -> String {
    let id = &stream.seen[0]["metadata"]["jarvis"]["conversation"];
    format!("/api/v1/conversations/{}", id.as_str().unwrap())
}

fn messages(events: &Value) -> usize {
    let events = events["events"].as_array().unwrap().iter();
    events
        .filter(|event| event["type"] == "turn_started")
        .count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_breaks_off_goes_on_and_is_followed_again() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let text: String = (0..1500).map(|n| format!("word{n} ")).collect();
    let pace = Pace {
        first_token_ms: 0,
        tokens_per_second: 100,
    };
    server
        .script()
        .push(Scripted::reply([Block::text(text.clone())]).pace(pace));
    let owner = server.sign_in().await;
    let (program, _) = program(&server, &owner, &[], false).await;
    let first = says("a thread", "run-1", "Tell me a story.");
    let mut stream = Stream::run(&program, &first).await;
    stream
        .until(|event| event["type"] == "TEXT_MESSAGE_CONTENT")
        .await;
    let begun = stream.text();
    let address = conversation(&stream);
    drop(stream);

    // It goes on, so there is no room for another one.
    let busy = post(&program, "/agui", &says("a thread", "run-2", "And?")).await;
    assert_eq!(busy.status(), StatusCode::CONFLICT);
    assert_eq!(code(busy).await, "turn_running");
    for mut stream in [
        Stream::again(&program, "a%20thread", "run-1").await,
        // The same request is the same run.
        Stream::run(&program, &first).await,
    ] {
        while stream.text().len() < begun.len() + 40 {
            stream.next().await.unwrap();
        }
        assert!(text.starts_with(&stream.text()));
        assert_eq!(stream.seen[0]["type"], "RUN_STARTED");
        assert_eq!(stream.seen[1]["type"], "MESSAGES_SNAPSHOT");
        assert_eq!(stream.seen[1]["messages"].as_array().unwrap().len(), 1);
    }
    let mut last = Stream::again(&program, "a%20thread", "run-1").await;
    let stop = post(&program, "/agui/a%20thread/run-1/stop", &json!({})).await;
    assert_eq!(stop.status(), StatusCode::ACCEPTED);
    let ended = last.end().await;
    assert_eq!(ended["metadata"]["jarvis"]["ended"], "stopped");
    assert_eq!(messages(&get(&program, &address).await), 1);

    // Its end can be read later too, and no other run is found.
    let mut over = Stream::again(&program, "a%20thread", "run-1").await;
    let over = over.end().await;
    assert_eq!(over["metadata"]["jarvis"]["ended"], "stopped");
    // Outcomes that the older client refuses are for one that names its version.
    assert_eq!(over["outcome"], Value::Null);
    let named = "run-1?protocolVersion=1.0";
    let mut over = Stream::again(&program, "a%20thread", named).await;
    assert_eq!(over.end().await["outcome"]["type"], "cancelled");
    assert_eq!(over.seen[0]["protocolVersion"], "1.0");
    for path in ["/agui/a%20thread/run-3", "/agui/another/run-1"] {
        let none = send(program.request(Method::GET, path)).await;
        assert_eq!(none.status(), StatusCode::NOT_FOUND);
        assert_eq!(code(none).await, "run_not_found");
    }
    let nothing = post(&program, "/agui/a%20thread/run-1/stop", &json!({})).await;
    let refused: Value = nothing.json().await.unwrap();
    assert_eq!(refused["code"], "turn_not_found");
    let message = refused["message"].as_str().unwrap();
    assert!(message.starts_with("This run has ended"), "{message}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thread_begins_with_what_was_chosen_within_the_token() {
    let folder = Folder::new();
    let lamps = format!("{QUIET}[lamps]\nenabled = true\n");
    let server = Server::start_with(&folder, &lamps).await;
    let owner = server.sign_in().await;
    let (all, _) = program(&server, &owner, &[], false).await;
    let (narrow, _) = program(&server, &owner, &["lamps"], false).await;
    for (n, (who, chosen, toolsets, mode)) in [
        (&narrow, json!({}), json!(["lamps"]), "default"),
        (
            &all,
            json!({ "toolsets": ["lamps"] }),
            json!(["lamps"]),
            "default",
        ),
        (
            &narrow,
            json!({ "toolsets": ["homelab", "lamps"], "mode": "plan" }),
            json!(["lamps"]),
            "plan",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        server.script().reply([Block::text("Sir.")]);
        server.script().reply([Block::text("Sir.")]);
        let thread = format!("thread-{n}");
        let mut body = says(&thread, "1", "Hello");
        body["forwardedProps"] = chosen;
        let mut stream = Stream::run(who, &body).await;
        assert_eq!(stream.end().await["type"], "RUN_FINISHED");
        let begun = get(who, &conversation(&stream)).await;
        assert_eq!(begun["events"][0]["toolsets"], toolsets);
        assert_eq!(begun["events"][0]["mode"], mode);
        // Frozen: later runs change nothing of it.
        let mut body = says(&thread, "2", "More");
        body["forwardedProps"] = json!({ "toolsets": ["homelab"], "mode": "default" });
        Stream::run(who, &body).await.end().await;
        let later = get(who, &conversation(&stream)).await;
        assert_eq!(later["conversation"]["mode"], mode);
        assert_eq!(messages(&later), 2);
    }
    for (who, chosen, expect) in [
        (
            &all,
            json!({ "toolsets": ["nowhere"] }),
            "toolset_not_found",
        ),
        (
            &narrow,
            json!({ "toolsets": ["homelab"] }),
            "role_not_enough",
        ),
        (&all, json!({ "toolsets": [] }), "toolsets_empty"),
        (&all, json!({ "packs": ["nowhere"] }), "pack_not_found"),
        (&all, json!({ "mode": "yolo" }), "mode_unknown"),
        (&all, json!({ "toolsets": "lamps" }), "body_invalid"),
    ] {
        let mut body = says("never", "1", "Hello");
        body["forwardedProps"] = chosen;
        let refused = post(who, "/agui", &body).await;
        assert_eq!(code(refused).await, expect);
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thread_begins_with_the_chosen_packs() {
    let folder = Folder::new();
    let erp = format!(
        "{QUIET}[domains]\nenabled = [\"erp\"]\n[erp]\nsimulated = true\npacks = [\"retail\"]\n"
    );
    let server = Server::start_with(&folder, &erp).await;
    let owner = server.sign_in().await;
    let (all, _) = program(&server, &owner, &[], false).await;
    let (narrow, _) = program(&server, &owner, &["erp", "erp-services"], false).await;
    for (n, (who, chosen, toolsets)) in [
        (&all, json!({}), json!(["erp", "erp-retail"])),
        (&all, json!({ "packs": [] }), json!(["erp"])),
        (
            &all,
            json!({ "packs": ["erp-manufacturing", "erp-services"] }),
            json!(["erp", "erp-manufacturing", "erp-services"]),
        ),
        (
            &all,
            json!({ "toolsets": ["erp"], "packs": ["erp-services"] }),
            json!(["erp", "erp-services"]),
        ),
        (
            &narrow,
            json!({ "packs": ["erp-services"] }),
            json!(["erp", "erp-services"]),
        ),
    ]
    .into_iter()
    .enumerate()
    {
        server.script().reply([Block::text("Sir.")]);
        let mut body = says(&format!("thread-{n}"), "1", "Hello");
        body["forwardedProps"] = chosen;
        let mut stream = Stream::run(who, &body).await;
        assert_eq!(stream.end().await["type"], "RUN_FINISHED");
        let begun = get(who, &conversation(&stream)).await;
        assert_eq!(begun["events"][0]["toolsets"], toolsets, "{n}");
    }
    // A pack outside of the token is refused rather than left out.
    let mut body = says("never", "1", "Hello");
    body["forwardedProps"] = json!({ "packs": ["erp-manufacturing"] });
    let refused = post(&narrow, "/agui", &body).await;
    assert_eq!(code(refused).await, "role_not_enough");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_server_loses_no_run_and_doubles_none() {
    let folder = Folder::new();
    let first = Process::start(&folder).await;
    let owner = Browser::sign_in(&first.link).await;
    let token = token_with(&owner, "operator", &[], false).await.unwrap();
    let program = Browser::new(&owner.url).bearing(&token);
    let stall = json!({"blocks": [{"type": "text", "text": "Half an answer, and then nothing."}],
                       "faults": [{"type": "stall", "after": 3}]});
    first.script(&stall).await;
    let body = says("t", "r", "How is the cluster?");
    let mut stream = Stream::run(&program, &body).await;
    stream
        .until(|event| event["type"] == "TEXT_MESSAGE_CONTENT")
        .await;
    first.signal("-KILL").await;
    first.ended().await;
    // Nothing could be said, and nothing is made up.
    while stream.next().await.is_some() {}
    assert!(!stream.has("RUN_FINISHED") && !stream.has("RUN_ERROR"));

    let second = Process::start(&folder).await;
    let (url, _) = second.link.split_at(second.link.find("/sign-in").unwrap());
    let program = program.at(url);
    for mut stream in [
        Stream::run(&program, &body).await,
        Stream::again(&program, "t", "r").await,
    ] {
        assert_eq!(stream.end().await["type"], "RUN_FINISHED");
        assert!(!stream.text().contains("and then nothing"));
        let begun = get(&program, &conversation(&stream)).await;
        assert_eq!(messages(&begun), 1);
    }
    second.signal("-TERM").await;
    assert_eq!(second.exit().await, Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_ends_in_order_when_the_server_stops() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let stalls = Scripted::reply([Block::text("Half an answer, and no more of it.")]);
    server.script().push(stalls.with(Fault::Stall { after: 3 }));
    let owner = server.sign_in().await;
    let (program, _) = program(&server, &owner, &[], false).await;
    let mut stream = Stream::run(&program, &says("t", "r", "Hello")).await;
    stream
        .until(|event| event["type"] == "TEXT_MESSAGE_CONTENT")
        .await;
    let (ended, ()) = tokio::join!(stream.end(), server.stop());
    assert_eq!(ended["type"], "RUN_ERROR");
    assert_eq!(ended["code"], "shutting_down");
}

/// Each reason for which a stream ends before its run, except a restart.
#[derive(Debug, Clone, Copy, PartialEq)]
enum StreamCut {
    TokenRevoked,
    RoleLowered,
    Deleted,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_cuts_a_stream_its_last_event_says_so() {
    let folder = Folder::new();
    Server::start(&folder).await.stop().await;
    let otto = add_user(&folder, "Otto", Role::Operator).await;
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    let other = Browser::sign_in(&format!("{}{otto}", server.url())).await;
    // A value of a form on a page of the settings, of Otto if they are there.
    let newest = async |path: &str, field: &str| {
        let page = owner.get(path).await.text().await.unwrap();
        let mark = format!("name=\"{field}\" value=\"");
        let (_, rest) = page[page.rfind("Otto").unwrap_or(0)..]
            .split_once(&mark)
            .unwrap();
        rest.split_once('"').unwrap().0.to_owned()
    };
    for (cut, expect) in [
        (StreamCut::TokenRevoked, "not_signed_in"),
        (StreamCut::RoleLowered, "role_not_enough"),
        (StreamCut::Deleted, "conversation_not_found"),
    ] {
        let stalls = Scripted::reply([Block::text("Half an answer, and no more of it.")]);
        server.script().push(stalls.with(Fault::Stall { after: 3 }));
        let who = if cut == StreamCut::RoleLowered {
            &other
        } else {
            &owner
        };
        let (program, _) = program(&server, who, &[], false).await;
        let mut stream = Stream::run(&program, &says(expect, "r", "Hello")).await;
        stream
            .until(|event| event["type"] == "TEXT_MESSAGE_CONTENT")
            .await;
        match cut {
            StreamCut::TokenRevoked => {
                let token = newest("/settings/tokens", "token").await;
                let fields = [("do", "revoke"), ("token", token.as_str())];
                let revoked = owner.post("/settings/tokens", &fields).await;
                assert_eq!(revoked.status(), StatusCode::SEE_OTHER);
            }
            StreamCut::RoleLowered => {
                let user = newest("/settings/users", "user").await;
                let fields = [("do", "role"), ("user", user.as_str()), ("role", "viewer")];
                let lowered = owner.post("/settings/users", &fields).await;
                assert_eq!(lowered.status(), StatusCode::SEE_OTHER);
            }
            StreamCut::Deleted => {
                let id = conversation(&stream);
                let id = id.rsplit('/').next().unwrap();
                let deleted = owner.call::<()>("delete", &json!({ "id": id })).await;
                deleted.unwrap();
            }
        }
        let last = stream.end().await;
        assert_eq!(last["type"], "RUN_ERROR", "{cut:?}: {last}");
        assert_eq!(last["code"], expect, "{cut:?}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_other_tabs_say_is_in_the_stream() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let stalls = Scripted::reply([Block::text("Half an answer, and no more of it.")]);
    server.script().push(stalls.with(Fault::Stall { after: 3 }));
    let owner = server.sign_in().await;
    let (program, _) = program(&server, &owner, &[], false).await;
    let mut stream = Stream::run(&program, &says("t", "r", "Hello")).await;
    stream
        .until(|event| event["type"] == "TEXT_MESSAGE_CONTENT")
        .await;
    let id = conversation(&stream)
        .rsplit('/')
        .next()
        .unwrap()
        .parse()
        .unwrap();
    let mut tab = owner.socket().await;
    tab.subscribe(id, protocol::Seq(0)).await.unwrap();
    tab.command(protocol::Command::Send {
        conversation: id,
        text: "And the backups?".to_owned(),
        withdraw: false,
        references: Vec::new(),
    })
    .await
    .unwrap();
    server.script().reply([Block::text("There are some.")]);
    let stop = protocol::Command::Stop {
        conversation: id,
        turn: tab.view.turn(),
    };
    tab.command(stop).await.unwrap();
    // The run is that of its own message.
    assert_eq!(stream.end().await["metadata"]["jarvis"]["ended"], "stopped");
    assert_eq!(stream.own("message_queued"), 1);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_listed_origins_and_only_tokens_come_in() {
    let folder = Folder::new();
    let listed = "https://front.lan";
    let more = format!("{QUIET}[server]\nallowed_origins = [\"{listed}\"]\n");
    let server = Server::start_with(&folder, &more).await;
    let owner = server.sign_in().await;
    let (program, _) = program(&server, &owner, &[], false).await;
    let body = says("t", "r", "Hello");
    let run = |origin: &str| {
        let request = program.request(Method::POST, "/agui").json(&body);
        send(
            request
                .header("origin", origin)
                .header("sec-fetch-site", "cross-site"),
        )
    };
    let foreign = run("https://elsewhere.example").await;
    assert!(
        !foreign
            .headers()
            .contains_key("access-control-allow-origin")
    );
    assert_eq!(code(foreign).await, "forbidden");
    let read = program.request(Method::GET, "/agui/t/r");
    let read = send(read.header("origin", "https://elsewhere.example")).await;
    assert_eq!(code(read).await, "forbidden");
    let asks = |origin: &str, path: &str| {
        let request = Browser::new(server.url()).request(Method::OPTIONS, path);
        let request = request.header("origin", origin);
        send(request.header("access-control-request-method", "POST"))
    };
    let allowed = asks(listed, "/agui").await;
    assert_eq!(allowed.status(), StatusCode::NO_CONTENT);
    assert_eq!(allowed.headers()["access-control-allow-origin"], listed);
    assert!(
        !allowed
            .headers()
            .contains_key("access-control-allow-credentials")
    );
    for (origin, path) in [
        ("https://elsewhere.example", "/agui"),
        (listed, "/api/conversations"),
        (listed, "/aguish"),
        ("null", "/agui"),
    ] {
        let refused = asks(origin, path).await;
        assert_eq!(refused.status(), StatusCode::FORBIDDEN, "{origin} {path}");
    }
    let mut stream = Stream::of(run(listed).await);
    assert_eq!(
        stream.response.headers()["access-control-allow-origin"],
        listed
    );
    stream.end().await;

    // A session is none, wherever it comes from.
    let cookie = owner.cookie().unwrap();
    let refused = owner.request(Method::POST, "/agui").json(&body);
    assert_eq!(code(send(refused).await).await, "not_signed_in");
    let both = program
        .request(Method::GET, "/agui/t/none")
        .header(COOKIE, cookie);
    assert_eq!(code(send(both).await).await, "run_not_found");
    server.stop().await;
}
