//! Accepted definitions of tools, with the record of each decision.

use protocol::{Timestamp, UserId};
use serde_json::json;
use sqlx::Connection as _;
use store::{AcceptedTool, Store, SystemEvent, ToolReviewer};

use crate::older::before;

const AT: Timestamp = Timestamp(1_700_000_000_000);

fn accepted(digest: &str) -> AcceptedTool {
    AcceptedTool {
        server: "files".to_owned(),
        tool: "read".to_owned(),
        digest: digest.to_owned(),
        definition: json!({ "name": "read", "digest": digest }),
        by: ToolReviewer {
            user: Some(UserId::new(AT, 1)),
            name: "Ada".to_owned(),
        },
        at: AT,
    }
}

#[tokio::test]
async fn a_tool_has_the_definition_that_was_accepted_last_until_it_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    before(37, folder.path()).await.close().await.unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    assert_eq!(store.accepted_tools().await.unwrap(), []);
    store.accept_tool(&accepted("a")).await.unwrap();
    store.accept_tool(&accepted("b")).await.unwrap();
    assert_eq!(store.accepted_tools().await.unwrap(), [accepted("b")]);
    let by = ToolReviewer::command_line();
    for expect in [true, false] {
        let rejected = store.reject_tool("files", "read", &by, AT).await;
        assert_eq!(rejected.unwrap(), expect);
    }
    assert_eq!(store.accepted_tools().await.unwrap(), []);
    let events = store.system_events(10).await.unwrap().into_iter();
    let reviewed = events.filter_map(|(_, event)| match event {
        SystemEvent::ToolReviewed {
            digest,
            accepted,
            by,
            ..
        } => Some((digest, accepted, by)),
        _ => None,
    });
    let of = |digest: &str, accepted, by: &str| (digest.to_owned(), accepted, by.to_owned());
    let newest_first = [
        of("b", false, "the command line"),
        of("b", true, "Ada"),
        of("a", true, "Ada"),
    ];
    assert_eq!(reviewed.collect::<Vec<_>>(), newest_first);
}
