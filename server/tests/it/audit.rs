//! `jarvis audit` on the folder of a real server, while it runs and after it.

use protocol::EventBody;
use serde_json::{Value, json};

use crate::{
    binary::{Process, jarvis, run},
    client::{Browser, new_conversation},
    harness::Folder,
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_chain_is_proved_and_exported() {
    let folder = Folder::new();
    let server = Process::start(&folder).await;
    let browser = Browser::sign_in(&server.link).await;
    let mut tab = browser.socket().await;
    tab.start(new_conversation(), "How is the cluster?").await;
    tab.see(|view| view.finished() == 1).await;
    let started = |body: &EventBody| matches!(body, EventBody::ToolStarted { .. });
    assert!(tab.view.count(started) > 0);

    let data = folder.path().join(".local/share/jarvis");
    let data = data.to_str().unwrap().to_owned();
    let audit = async |arguments: &[&str]| {
        let all = [&["audit"], arguments].concat();
        run(&mut jarvis(folder.path(), &all)).await
    };
    // While the server runs; the folder is the default one.
    let (code, out, err) = audit(&["verify"]).await;
    assert_eq!((code, err), (Some(0), String::new()));
    let head = out.trim().rsplit(' ').next().unwrap().to_owned();
    assert!(out.starts_with("OK: ") && head.len() == 64, "{out}");

    let (code, out, _) = audit(&["export"]).await;
    assert_eq!(code, Some(0));
    let rows: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let kinds: Vec<_> = rows
        .iter()
        .map(|row| row["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds[..3], ["started", "link_made", "signed_in"]);
    assert!(kinds.contains(&"tool_started") && kinds.contains(&"tool_finished"));
    assert_eq!(rows.last().unwrap()["hash"], json!(head));
    let body: Value = serde_json::from_str(rows[3]["body"].as_str().unwrap()).unwrap();
    assert_eq!(body["event"]["type"], rows[3]["kind"]);
    assert!(body["detail"]["tool"].is_string(), "{body}");
    let (_, out, _) = audit(&["export", "--format", "jsonl", "--from", "2", "--to", "3"]).await;
    let part: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(part, rows[1..3]);

    server.signal("-TERM").await;
    assert_eq!(server.exit().await, Some(0));
    let with_head = ["verify", "--data-dir", &data, "--expect-head", &head];
    assert_eq!(audit(&with_head).await.0, Some(0));
    let other = "0".repeat(63) + "1";
    let (code, out, _) = audit(&["verify", "--expect-head", &other]).await;
    assert_eq!(code, Some(1));
    assert!(out.contains("ends without the expected hash"), "{out}");
    assert_eq!(audit(&["verify", "--expect-head", "x"]).await.0, Some(2));
    let (code, _, err) = audit(&["verify", "--data-dir", "nowhere"]).await;
    assert_eq!(code, Some(2));
    assert!(err.contains("nowhere"), "{err}");

    // Somebody edits the file itself.
    let file = format!("{data}/jarvis.db");
    let mut bytes = std::fs::read(&file).unwrap();
    let detail = br#","detail":{"tool""#;
    // Unused pages may have copies.
    let places: Vec<usize> = (0..bytes.len() - detail.len())
        .filter(|at| bytes[*at..].starts_with(detail))
        .collect();
    assert!(!places.is_empty());
    for at in places {
        bytes[at + 3] = b'D';
    }
    std::fs::write(&file, bytes).unwrap();
    let (code, out, _) = audit(&["verify"]).await;
    assert_eq!(code, Some(1));
    assert!(out.starts_with("BROKEN at row "), "{out}");
    assert!(out.contains("the row was changed"), "{out}");
}
