//! `jarvis model check` as a process, and the same on the page of the model.

use model::TrialKind;

use crate::{
    binary::{jarvis, run},
    harness::{Folder, Server},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_rehearsal_model_is_checked_with_a_row_for_each_question() {
    let folder = Folder::new();
    let (code, out, err) = run(&mut jarvis(folder.path(), &["model", "check"])).await;
    assert_eq!(err, "");
    assert!(matches!(code, Some(0 | 1)), "{code:?}: {out}");
    let lines: Vec<_> = out.lines().collect();
    assert_eq!(lines.len(), 14, "{out}");
    assert_eq!(lines[0], "Model: Rehearsal model");
    assert!(lines[1].starts_with("result     trial "), "{out}");
    for works in ["limits", "streaming", "usage"] {
        let row = format!("ok         {works} ");
        assert!(lines.iter().any(|line| line.starts_with(&row)), "{out}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_away_is_unusable_and_the_key_stays_secret() {
    let folder = Folder::new();
    let mut command = jarvis(folder.path(), &["model", "check", "--model", "qwen3"]);
    command
        // Nobody listens on this port.
        .env("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")
        .env("ANTHROPIC_API_KEY", "sk-secret-key")
        .env("JARVIS_MODEL_PROFILE", "llama.cpp");
    let (code, out, err) = run(&mut command).await;
    assert_eq!(code, Some(2), "{out} {err}");
    assert!(out.contains("Model: qwen3"), "{out}");
    assert!(out.contains("unusable   streaming "), "{out}");
    assert_eq!(out.matches("not tried  ").count(), 10, "{out}");
    assert!(!format!("{out}{err}").contains("sk-secret"), "{out} {err}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_admin_asks_the_same_questions_on_the_page() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let admin = server.sign_in().await;
    let answer = admin.post("/settings/model", &[("do", "check")]).await;
    assert_eq!(answer.status(), 200);
    let page = answer.text().await.unwrap();
    assert!(page.contains("answered; the results are below."), "{page}");
    let (_, results) = page.rsplit_once("<ul class=\"plain-list\">").unwrap();
    for kind in TrialKind::ALL {
        assert!(results.contains(kind.name()), "{kind:?}: {page}");
    }
    assert!(results.contains("ok: "), "{page}");
    server.stop().await;
}
