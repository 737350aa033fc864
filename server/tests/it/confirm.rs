//! A RED call from its card to its proved effect on the simulated cluster.

use protocol::{
    BlockedReason, CallId, Command, Confirmation, ConversationId, Decision, ErrorBody, ErrorCode,
    EventBody, ServerFrame, Tier, ToolOutcome,
};
use rehearsal::Block;
use serde_json::json;

use crate::{
    client::new_conversation,
    harness::{Folder, Server},
    socket::Socket,
};

const APPROVE: Decision = Decision::Approve {
    grant: None,
    word: None,
};

impl Socket {
    /// The card that is open now.
    pub(crate) async fn question(&mut self) -> (CallId, Confirmation) {
        let asked = |body: &EventBody| matches!(body, EventBody::ConfirmationRequested { .. });
        self.see(|view| view.count(asked) > 0).await;
        let events = self.view.events.iter().rev();
        events
            .filter_map(|event| match &event.body {
                EventBody::ConfirmationRequested {
                    call, confirmation, ..
                } => Some((*call, (**confirmation).clone())),
                _ => None,
            })
            .next()
            .unwrap()
    }

    pub(crate) async fn decide(
        &mut self,
        conversation: ConversationId,
        (call, card): &(CallId, Confirmation),
        decision: Decision,
    ) -> Result<(), ErrorBody> {
        self.command(Command::Decide {
            conversation,
            call: *call,
            digest: card.digest.clone(),
            decision,
        })
        .await
    }
}

/// The number of requests for a guest's power.
pub(crate) fn effects(server: &Server, vmid: u32) -> usize {
    let requests = server.simlab().control().requests();
    requests
        .iter()
        .filter(|request| {
            request.method == "POST" && request.path.contains(&format!("/{vmid}/status/"))
        })
        .count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn plain_words_lead_to_a_question_and_a_decision_to_one_effect() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    let mut tab = browser.socket().await;
    let mut list = browser.socket().await;
    list.subscribe_list().await;
    let conversation = new_conversation();
    tab.start(conversation, "Please restart container 210 on pve")
        .await;
    let asked = tab.question().await;
    let card = &asked.1;
    assert_eq!(card.tier, Tier::Red);
    assert_eq!(card.input, json!({ "node": "pve", "vmid": 210 }));
    assert!(card.sentence.contains("backup-server"), "{}", card.sentence);
    assert_eq!(effects(&server, 210), 0);
    // Every page is told that a card waits.
    let waiting = list
        .until(|frame| match frame {
            ServerFrame::Conversation { summary } if !summary.waiting.is_empty() => {
                Some(summary.waiting)
            }
            _ => None,
        })
        .await;
    assert_eq!(waiting[0].sentence, card.sentence);

    // Many tabs decide at the same moment.
    let mut tabs = Vec::new();
    for _ in 0..32 {
        tabs.push(browser.socket().await);
    }
    let all = tabs
        .iter_mut()
        .map(|tab| tab.decide(conversation, &asked, APPROVE));
    let results = futures::future::join_all(all).await;
    let (won, lost): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
    assert_eq!((won.len(), lost.len()), (1, 31));
    for error in lost.into_iter().map(Result::unwrap_err) {
        assert_eq!(error.code, ErrorCode::AlreadyDecided);
        assert!(error.message.contains("Operator"), "{error}");
    }
    tab.see(|view| view.finished() == 1).await;
    assert_eq!(effects(&server, 210), 1);
    let outcome = tab
        .view
        .events
        .iter()
        .rev()
        .find_map(|event| match &event.body {
            EventBody::ToolFinished { outcome, .. } => Some(outcome.clone()),
            _ => None,
        });
    assert!(
        matches!(outcome, Some(ToolOutcome::Succeeded { .. })),
        "{outcome:?}"
    );
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_may_never_run_does_not() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    server.script().reply([
        Block::tool_use("reboot_node", json!({ "node": "pve", "action": "reboot" })),
        Block::tool_use("stop_container", json!({ "node": "agent1", "vmid": 220 })),
        Block::tool_use(
            "stop_vm",
            json!({ "node": "pve", "vmid": 110, "hard": true }),
        ),
    ]);
    server.script().reply([Block::text("As you wish, sir.")]);
    let browser = server.sign_in().await;
    let mut tab = browser.socket().await;
    tab.start(
        new_conversation(),
        "Reboot pve, stop 220 on agent1, and pull 110",
    )
    .await;
    tab.see(|view| view.finished() == 1).await;
    let reasons: Vec<_> = tab
        .view
        .events
        .iter()
        .filter_map(|event| match &event.body {
            EventBody::ToolBlocked { reason, .. } => Some(*reason),
            _ => None,
        })
        .collect();
    assert_eq!(
        reasons,
        [
            BlockedReason::Tier,
            BlockedReason::Protected,
            BlockedReason::InvalidInput
        ]
    );
    let acted = server.simlab().control().requests();
    assert!(
        acted.iter().all(|request| request.method == "GET"),
        "{acted:?}"
    );
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_kill_switch_reaches_every_tab_and_outlives_the_server() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    let mut one = browser.socket().await;
    let mut other = browser.socket().await;
    other.subscribe_list().await;
    one.command(Command::KillSwitch { on: true }).await.unwrap();
    let seen = |frame| match frame {
        ServerFrame::KillSwitch { state } if state.on => Some(state),
        _ => None,
    };
    let state = other.until(seen).await;
    assert_eq!(state.by.as_deref(), Some("Operator"));
    server.stop().await;

    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    let status: protocol::Status = browser.call("status", &json!({})).await.unwrap();
    assert!(status.kill_switch.on);
    let mut tab = browser.socket().await;
    tab.start(new_conversation(), "Please restart container 210 on pve")
        .await;
    tab.see(|view| view.finished() == 1).await;
    let blocked = |body: &EventBody| {
        matches!(
            body,
            EventBody::ToolBlocked {
                reason: BlockedReason::KillSwitch,
                ..
            }
        )
    };
    assert_eq!(tab.view.count(blocked), 1);
    assert_eq!(effects(&server, 210), 0);
    server.stop().await;
}
