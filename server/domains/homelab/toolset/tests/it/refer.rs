//! References in messages, and names in texts.

use agent::ports::Toolset;
use homelab::Homelab;
use protocol::Reference;
use serde_json::Value;

use crate::lab::Lab;

async fn describe(homelab: &Homelab, kind: &str, id: &str) -> Result<Value, String> {
    homelab.describe(&Reference::new(kind, id)).await
}

#[tokio::test]
async fn each_thing_is_described_by_itself() {
    let lab = Lab::start().await;
    let homelab = lab.admin();
    let node = describe(&homelab, "node", "pve").await.unwrap();
    assert_eq!(node["node"], "pve");
    assert_eq!(node["state"], "online");
    assert!(node["usage"]["cpu_percent"].is_number(), "{node}");
    let guest = describe(&homelab, "guest", "211").await.unwrap();
    assert_eq!(guest["name"], "nextcloud");
    assert_eq!(guest["kind"], "container");

    let names = homelab.names().await.unwrap();
    let storage = names.iter().find(|name| name.of.kind == "storage").unwrap();
    let known = homelab.describe(&storage.of).await.unwrap();
    assert_eq!(known["storage"], storage.name.as_str());
    assert!(known["used_percent"].is_number(), "{known}");

    // A task that has left the list: only its UPID is known, and its outcome is not.
    let upid = "UPID:pve:0000C530:001C9BEC:677E934A:vzdump:211:root@pam:";
    let task = describe(&homelab, "task", upid).await.unwrap();
    assert_eq!(task["type"], "vzdump");
    assert_eq!(task["about"], "211");
    assert!(task["outcome"]["unknown"].is_string());
}

#[tokio::test]
async fn what_is_not_there_says_why() {
    let lab = Lab::start().await;
    let admin = lab.admin();
    for (kind, id, why) in [
        ("node", "nowhere", "the cluster has no such node"),
        ("guest", "999", "the cluster has no such guest"),
        ("storage", "nowhere", "the cluster has no such storage"),
        ("door", "1", "this is no reference to anything of a cluster"),
    ] {
        assert_eq!(describe(&admin, kind, id).await, Err(why.to_owned()));
    }
    let unseen = describe(&lab.bare(), "guest", "211").await.unwrap_err();
    assert!(unseen.contains("missing privilege VM.Audit"), "{unseen}");
}

#[tokio::test]
async fn nodes_guests_and_storages_have_names() {
    let lab = Lab::start().await;
    let names = lab.admin().names().await.unwrap();
    let of = |name: &str| {
        let found = names.iter().find(|known| known.name == name);
        found.map(|known| (known.of.kind.as_str(), known.of.id.as_str()))
    };
    assert_eq!(of("pve"), Some(("node", "pve")));
    assert_eq!(of("nextcloud"), Some(("guest", "211")));
    assert_eq!(of("CT 211"), Some(("guest", "211")));
    assert_eq!(of("VM 101"), Some(("guest", "101")));
    assert_eq!(of("VM 211"), None);
    assert!(names.iter().any(|name| name.of.kind == "storage"));
}
