//! The choice of model and its cost, over the real server: choices, refusals, usage.

use protocol::{
    Command, Effort, ErrorCode, EventBody, ModelChoice, ModelMenu, Spending, TurnOutcome,
};
use rehearsal::Block;
use serde_json::json;

use crate::{
    client::new_conversation,
    harness::{Folder, QUIET, Server},
};

fn choice(model: &str, effort: Option<Effort>) -> ModelChoice {
    ModelChoice {
        model: model.to_owned(),
        effort,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_choice_is_in_force_and_what_it_took_is_known() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    let menu: ModelMenu = browser.call("models", &json!({})).await.unwrap();
    let ids: Vec<_> = menu.models.iter().map(|model| model.id.as_str()).collect();
    assert_eq!(ids, ["rehearsal-1", "rehearsal-fast-1"]);

    let conversation = new_conversation();
    let mut tab = browser.socket().await;
    server.script().reply([Block::text("Sir.")]);
    tab.start(conversation, "Hello").await;
    tab.see(|view| view.finished() == 1).await;
    let choose = |choice| Command::Choose {
        conversation,
        choice,
    };
    for (choice, code) in [
        (choice("claude-opus-5-5", None), ErrorCode::ModelNotOffered),
        (choice("", None), ErrorCode::ModelNotOffered),
        (
            choice("rehearsal-fast-1", Some(Effort::Low)),
            ErrorCode::EffortNotSupported,
        ),
        (
            choice("rehearsal-1", Some(Effort::Unknown)),
            ErrorCode::Malformed,
        ),
    ] {
        let refused = tab.command(choose(choice.clone())).await.unwrap_err();
        assert_eq!(refused.code, code, "{choice:?}");
    }
    tab.command(choose(choice("rehearsal-1", Some(Effort::Max))))
        .await
        .unwrap();
    tab.command(choose(choice("rehearsal-fast-1", None)))
        .await
        .unwrap();
    server.script().reply([Block::text("Sir.")]);
    tab.command(Command::Send {
        conversation,
        text: "Again".to_owned(),
        withdraw: false,
        references: Vec::new(),
    })
    .await
    .unwrap();
    tab.see(|view| view.finished() == 2).await;

    let spending: Spending = browser
        .call("spending", &json!({ "id": conversation }))
        .await
        .unwrap();
    assert_eq!(spending.conversation, spending.day, "there is no other");
    assert!(spending.day.usage.total() > 0);
    assert_eq!((spending.day.unpriced, spending.window), (0, Some(100_000)));
    server.stop().await;

    // Nothing of it is lost.
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    let after: Spending = browser
        .call("spending", &json!({ "id": conversation }))
        .await
        .unwrap();
    assert_eq!(after, spending);
    server.stop().await;

    // A local server may leave counts out: whoever reads them sees that they may be estimates.
    let local = "[model]\nbase_url = \"http://127.0.0.1:9\"\nprofile = \"ollama\"\n";
    let server = Server::start_with(&folder, &format!("{QUIET}{local}")).await;
    let browser = server.sign_in().await;
    let local: Spending = browser
        .call("spending", &json!({ "id": conversation }))
        .await
        .unwrap();
    assert!(local.may_be_estimated && !spending.may_be_estimated);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_budget_holds_across_a_restart() {
    let folder = Folder::new();
    let budget = format!("{QUIET}[budget]\nconversation_tokens = 100\n");
    let server = Server::start_with(&folder, &budget).await;
    let mut tab = server.sign_in().await.socket().await;
    let conversation = new_conversation();
    tab.start(conversation, "How is the cluster doing?").await;
    tab.see(|view| view.finished() == 1).await;
    server.stop().await;

    let server = Server::start_with(&folder, &budget).await;
    let mut tab = server.sign_in().await.socket().await;
    tab.subscribe(conversation, protocol::Seq(0)).await.unwrap();
    tab.see(|view| {
        let limited = |body: &EventBody| match body {
            EventBody::TurnFinished {
                outcome: TurnOutcome::Limited { error },
                ..
            } => Some(error.code == ErrorCode::BudgetReached),
            _ => None,
        };
        view.find(limited) == Some(true)
    })
    .await;
    let refused = tab
        .command(Command::Send {
            conversation,
            text: "And now?".to_owned(),
            withdraw: false,
            references: Vec::new(),
        })
        .await
        .unwrap_err();
    assert_eq!(refused.code, ErrorCode::BudgetReached);
    server.stop().await;
}
