//! The rights of users of each role.

use protocol::{BlockedReason, Command, ErrorCode, EventBody, Role};
use rehearsal::Block;
use serde_json::json;

use crate::{
    client::{Browser, new_conversation},
    harness::{Folder, Server, add_user},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn roles_reach_from_the_sign_in_to_the_gate() {
    let folder = Folder::new();
    // The first user is there before the others.
    Server::start(&folder).await.stop().await;
    let mut links = Vec::new();
    for (name, role) in [("Vera", Role::Viewer), ("Otto", Role::Operator)] {
        links.push(add_user(&folder, name, role).await);
    }
    let server = Server::start(&folder).await;
    let admin = server.sign_in().await;
    let [viewer, operator] = &links[..] else {
        unreachable!("two links");
    };
    let viewer = Browser::sign_in(&format!("{}{viewer}", server.url())).await;
    let operator = Browser::sign_in(&format!("{}{operator}", server.url())).await;

    let mut viewers = viewer.socket().await;
    let mut operators = operator.socket().await;
    let mut admins = admin.socket().await;
    let set = |on| Command::KillSwitch { on };
    let refused = |result: Result<(), protocol::ErrorBody>| result.unwrap_err().code;
    assert_eq!(
        refused(viewers.command(set(true)).await),
        ErrorCode::RoleNotEnough
    );
    operators.command(set(true)).await.unwrap();
    assert_eq!(
        refused(operators.command(set(false)).await),
        ErrorCode::RoleNotEnough
    );
    admins.command(set(false)).await.unwrap();

    let conversation = new_conversation();
    let stop = json!({ "node": "pve", "vmid": 210 });
    let script = server.script();
    script.reply([Block::tool_use("stop_container", stop)]);
    script.reply([Block::text("I may not, sir.")]);
    viewers.start(conversation, "Stop container 210").await;
    viewers.see(|view| view.finished() == 1).await;
    let events = viewers.view.events.iter();
    let blocked: Vec<_> = events
        .filter_map(|event| match &event.body {
            EventBody::ToolBlocked { reason, .. } => Some(*reason),
            _ => None,
        })
        .collect();
    assert_eq!(blocked, [BlockedReason::Role]);
    server.stop().await;
}
