//! The rows of routes that domains add, from their declarations.

use protocol::Role;
use reqwest::Method;

use super::people_of;
use crate::{client::send, harness::QUIET};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_route_of_a_domain_by_role() {
    let more = format!("{QUIET}[lamps]\nenabled = true\n");
    let (_folder, server, people) = people_of(&more).await;
    assert!(!server.rights().is_empty());
    for right in server.rights() {
        let prefix = format!("/api/v1/{}/", right.toolset);
        assert!(right.address.starts_with(&prefix), "{right:?}");
        let of = |role| if role >= right.least { 200 } else { 403 };
        let [viewer, operator, admin] = [Role::Viewer, Role::Operator, Role::Admin].map(of);
        for (who, browser, expect) in people.with([401, viewer, operator, admin, viewer]) {
            let status = browser.get(&right.example).await.status();
            assert_eq!(status.as_u16(), expect, "{} for {who}", right.example);
        }
        let [.., (_, admin)] = &people.signed_in;
        for method in [Method::POST, Method::PUT, Method::DELETE] {
            let answer = send(admin.request(method, &right.example)).await;
            assert!(answer.status().is_client_error(), "{right:?} only reads");
        }
    }
    server.stop().await;
}
