//! Packs of a domain, for models elsewhere: they begin no conversation, so the token chooses.

use serde_json::json;

use super::McpClient;
use crate::harness::{Folder, QUIET, Server};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_has_the_usual_packs_or_those_that_it_names() {
    let folder = Folder::new();
    let erp = "[domains]\nenabled = [\"erp\"]\n[erp]\nsimulated = true\npacks = [\"retail\"]\n";
    let server = Server::start_with(&folder, &format!("{QUIET}{erp}")).await;
    let owner = server.sign_in().await;
    // A tool of the ERP itself, and one of each of three packs.
    let tools = ["get_doc", "pos_day", "unbilled_time", "material_shortage"];
    for (toolsets, expect) in [
        (&["erp"][..], [true, false, false, false]),
        (&[], [true, true, false, false]),
        (&["erp", "erp-services"], [true, false, true, false]),
        (&["erp-manufacturing"], [false, false, false, true]),
    ] {
        let client = McpClient::new(&server, &owner, "operator", toolsets).await;
        let names = client.names().await;
        let found = tools.map(|tool| names.iter().any(|name| name == tool));
        assert_eq!(found, expect, "{toolsets:?}: {names:?}");
        // What is in no list is not called by its name either.
        for (tool, is_listed) in tools.into_iter().zip(expect) {
            if !is_listed {
                let asks = json!({ "name": tool, "arguments": {} });
                let (_, code) = client.error("tools/call", asks).await;
                assert_eq!(code, -32_602, "{toolsets:?} {tool}");
            }
        }
    }
    server.stop().await;
}
