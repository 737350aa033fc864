//! Tools that only the configuration names, and tools that only the server lists.

use std::fs;

use super::{check, lists, mcp, page_with, section};
use crate::harness::{Folder, QUIET, Server};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_one_side_alone_has_is_told() {
    let folder = Folder::new();
    lists(&folder, "Acts.");
    let config = format!("{}none = {{}}\n", section(&folder));
    let file = folder.path().join("jarvis.toml");
    fs::write(&file, &config).unwrap();
    let (_, digest, _) = check(&folder).await;
    let accept = ["accept", "evil", "act", &digest];
    let (code, _, err) = mcp(&folder, &accept).await;
    assert_eq!(code, Some(0), "{err}");
    // It cannot be offered, so something is left to do.
    let (code, _, out) = check(&folder).await;
    assert_eq!(code, Some(1), "{out}");
    for shown in [
        "state:        accepted",
        "evil__none (none)",
        "not offered by the server",
    ] {
        assert!(out.contains(shown), "{shown}: {out}");
    }

    let server = Server::start_with(&folder, &format!("{QUIET}{config}")).await;
    let admin = server.sign_in().await;
    let page = page_with(&admin, "not offered by the server").await;
    assert!(page.contains("evil__none"), "{page}");
    server.stop().await;

    fs::write(&file, config.replace("act = {}", "other = {}")).unwrap();
    let (code, _, err) = mcp(&folder, &accept).await;
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("not in the configuration"), "{err}");
    assert!(!err.contains("schema"), "{err}");
}
