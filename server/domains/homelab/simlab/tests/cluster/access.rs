//! Visibility: filtered lists, tickets, revoked privileges.

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Answer, Lab, answer};

fn count(answer: &Answer, kind: &str) -> usize {
    answer
        .rows()
        .iter()
        .filter(|row| row["type"] == kind)
        .count()
}

#[tokio::test]
async fn lists_have_fewer_rows_for_those_who_may_less() {
    let lab = Lab::new().await;
    let (admin, auditor) = (lab.cluster.admin_token(), lab.cluster.auditor_token());
    let (operator, bare) = (lab.cluster.operator_token(), lab.cluster.bare_token());

    let all = lab.get("/cluster/resources").await;
    assert_eq!((count(&all, "qemu"), count(&all, "lxc")), (9, 13));
    assert_eq!((count(&all, "node"), count(&all, "storage")), (4, 16));
    let none = lab.get_as(&bare, "/cluster/resources").await;
    let expect: Vec<Value> = ["Home", "pve", "agent1", "agent"]
        .map(|node| {
            json!({ "id": format!("node/{node}"), "type": "node", "node": node, "status": "online" })
        })
        .to_vec();
    assert_eq!(none.rows(), expect);

    let backups = "/nodes/pve/storage/pbs/content?content=backup";
    for (path, sizes) in [
        ("/nodes/pve/qemu", [5, 5, 5, 0]),
        ("/nodes/pve/storage", [4, 4, 4, 0]),
        (backups, [91, 0, 91, 403]),
        ("/nodes/pve/tasks?typefilter=qmstop", [1, 1, 1, 0]),
        ("/cluster/log?max=5", [5, 0, 5, 0]),
    ] {
        for (token, size) in [&admin, &auditor, &operator, &bare].into_iter().zip(sizes) {
            let answer = lab.get_as(token, path).await;
            let got = if answer.status == 200 {
                answer.rows().len()
            } else {
                answer.status.into()
            };
            assert_eq!(got, size, "{path} {token}");
        }
    }

    let own = lab.get_as(&bare, "/access/permissions").await;
    assert_eq!(own.data(), &json!({}));
    let own = lab
        .get_as(&operator, "/access/permissions?path=/vms/220")
        .await;
    assert_eq!(own.data()["/vms/220"]["VM.Audit"], 1);
    assert_eq!(own.data()["/vms/220"]["VM.PowerMgmt"], Value::Null);
    let other = "/access/permissions?userid=jarvis%40pve!admin";
    assert_eq!(lab.get_as(&bare, other).await.status, 403);
}

#[tokio::test]
async fn a_privilege_can_go_away_and_come_back() {
    let lab = Lab::new().await;
    let operator = lab.cluster.operator_token();
    lab.control().revoke("/nodes/pve", "Sys.Audit");
    lab.control().revoke("/", "VM.Backup");
    let denied = lab.get_as(&operator, "/nodes/pve/status").await;
    assert_eq!(
        denied.phrase,
        "Permission check failed (/nodes/pve, Sys.Audit)"
    );
    let nodes = lab.get_as(&operator, "/nodes").await;
    assert_eq!(nodes.row("node", "pve")["cpu"], Value::Null);
    assert!(nodes.row("node", "Home")["cpu"].is_number());
    let path = "/nodes/agent/storage/pbs/content?content=backup";
    assert!(lab.get_as(&operator, path).await.rows().is_empty());
    lab.control().restore_privileges();
    assert_eq!(lab.get_as(&operator, "/nodes/pve/status").await.status, 200);
}

#[tokio::test]
async fn a_ticket_lives_for_two_hours_and_writes_with_its_csrf_token() {
    let lab = Lab::new().await;
    let (user, password) = lab.cluster.login();
    let sign_in = async |password: &str| {
        let form = [("username", user), ("password", password)];
        lab.send(Method::POST, None, "/access/ticket", &form)
            .await
            .expect("an answer")
    };
    let wrong = sign_in("wrong").await;
    assert_eq!(
        (wrong.status, wrong.phrase.as_str()),
        (401, "authentication failure")
    );
    let signed = sign_in(&password).await;
    let text = |name: &str| signed.data()[name].as_str().expect("a text").to_owned();
    let (ticket, csrf) = (text("ticket"), text("CSRFPreventionToken"));

    let send = async |method: Method, path: &str, csrf: Option<&str>| {
        let url = format!("{}/api2/json{path}", lab.cluster.base_url());
        let mut request = lab.client.request(method, url);
        // The ticket takes precedence over a valid token.
        request = request.header("Cookie", format!("a=b; PVEAuthCookie={ticket}"));
        request = request.header(
            "Authorization",
            format!("PVEAPIToken={}", lab.cluster.bare_token()),
        );
        if let Some(csrf) = csrf {
            request = request.header("CSRFPreventionToken", csrf);
        }
        answer(request.send().await.expect("an answer"))
            .await
            .expect("a body")
    };
    assert_eq!(
        send(Method::GET, "/nodes/pve/status", None).await.status,
        200
    );
    let start = "/nodes/agent/lxc/232/status/start";
    let refused = send(Method::POST, start, None).await;
    assert_eq!(refused.phrase, "Permission denied - invalid csrf token");
    let upid = send(Method::POST, start, Some(&csrf)).await;
    assert!(
        upid.data()
            .as_str()
            .is_some_and(|upid| upid.ends_with(":232:jarvis@pve:"))
    );

    lab.advance(3_600);
    assert_eq!(
        sign_in(&ticket).await.status,
        200,
        "a live ticket renews itself"
    );
    lab.advance(3_600);
    let late = send(Method::GET, "/version", None).await;
    assert_eq!(late.phrase, "permission denied - invalid PVE ticket");

    let token = lab.cluster.admin_token();
    let form = [("username", user), ("password", password.as_str())];
    let answer = lab
        .send(Method::POST, Some(&token), "/access/ticket", &form)
        .await;
    assert_eq!(answer.expect("an answer").status, 403);
}

#[tokio::test]
async fn a_task_belongs_to_whoever_started_it() {
    let lab = Lab::new().await;
    let bare = lab.cluster.bare_token();
    let upid = lab.begin("/nodes/agent/lxc/231/status/shutdown", &[]).await;
    let path = format!("/nodes/agent/tasks/{upid}/status");
    let denied = lab.get_as(&bare, &path).await;
    assert_eq!(
        denied.phrase,
        "Permission check failed (/nodes/agent, Sys.Audit)"
    );
    let auditor = lab.cluster.auditor_token();
    assert_eq!(lab.get_as(&auditor, &path).await.data()["tokenid"], "admin");
    let path = format!("/nodes/agent/tasks/{upid}");
    let stop = lab
        .send(Method::DELETE, Some(&auditor), &path, &[])
        .await
        .expect("an answer");
    assert_eq!(
        stop.phrase,
        "Permission check failed (/nodes/agent, Sys.Modify)"
    );
}
