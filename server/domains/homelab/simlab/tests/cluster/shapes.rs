//! The form of answers: envelope, errors in phrase and body, rules for bodies, TLS.

use std::sync::Arc;
use std::time::{Duration, Instant};

use reqwest::Method;
use rustls::pki_types::ServerName;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use crate::harness::{Lab, answer, client_config};

#[tokio::test]
async fn an_error_is_told_in_the_phrase_and_in_the_body() {
    let lab = Lab::new().await;
    let admin = lab.cluster.admin_token();
    let bare = lab.cluster.bare_token();
    let admin = Some(admin.as_str());
    let errors = json!({
        "cf": "value 'SUM' does not have a value in the enumeration 'AVERAGE, MAX'",
        "timeframe": "property is missing and it is not optional",
        "x": "property is not defined in schema and the schema does not allow additional \
              properties",
    });
    for (token, method, path, status, message, errors) in [
        (None, Method::GET, "/version", 401, "No ticket", None),
        (
            Some("jarvis@pve!admin=no"),
            Method::GET,
            "/version",
            401,
            "invalid token value!",
            None,
        ),
        (
            Some(bare.as_str()),
            Method::GET,
            "/nodes/pve/status",
            403,
            "Permission check failed (/nodes/pve, Sys.Audit)",
            None,
        ),
        (
            admin,
            Method::GET,
            "/nodes/pve/rrddata?cf=SUM&x=1",
            400,
            "Parameter verification failed.",
            Some(errors),
        ),
        (
            admin,
            Method::GET,
            "/nodes/pve/qemu/12/status/current",
            400,
            "Parameter verification failed.",
            Some(json!({ "vmid": "value must have a minimum value of 100" })),
        ),
        (
            admin,
            Method::GET,
            "/nodes/Home/qemu/111/status/current",
            500,
            "Configuration file 'nodes/Home/qemu-server/111.conf' does not exist",
            None,
        ),
        (
            admin,
            Method::GET,
            "/nodes/nas/status",
            500,
            "hostname lookup 'nas' failed - failed to get address info for: nas: Name or service \
             not known",
            None,
        ),
        (
            admin,
            Method::GET,
            "/nodes/pve/storage/tape/content",
            500,
            "storage 'tape' does not exist",
            None,
        ),
        (
            admin,
            Method::PUT,
            "/nodes/pve/status",
            501,
            "Method 'PUT /api2/json/nodes/pve/status' not implemented",
            None,
        ),
        (
            admin,
            Method::GET,
            "/nope",
            501,
            "Method 'GET /api2/json/nope' not implemented",
            None,
        ),
    ] {
        let answer = lab.send(method, token, path, &[]).await.expect("an answer");
        let mut body = json!({ "data": null, "message": format!("{message}\n") });
        if let Some(errors) = errors {
            body["errors"] = errors;
        }
        assert_eq!(
            (answer.status, answer.phrase.as_str()),
            (status, message),
            "{path}"
        );
        assert_eq!(answer.body, body, "{path}");
        assert!(answer.closes, "{path} keeps the connection");
    }
    let fine = lab.get("/version").await;
    assert_eq!(fine.data()["version"], "9.1.11");
    assert!(!fine.closes);
}

#[tokio::test]
async fn odd_requests_are_refused_as_by_pveproxy() {
    let lab = Lab::new().await;
    let url = |path: &str| format!("{}/api2/json{path}", lab.cluster.base_url());
    let token = format!("PVEAPIToken={}", lab.cluster.admin_token());
    let request = |method: Method, path: &str| {
        lab.client
            .request(method, url(path))
            .header("Authorization", &token)
    };

    let head = request(Method::HEAD, "/version")
        .send()
        .await
        .expect("an answer");
    assert_eq!(head.status(), 501);
    let get = request(Method::GET, "/version")
        .body("x=1")
        .send()
        .await
        .expect("an answer");
    assert_eq!(get.status(), 501);
    let path = "/nodes/agent/lxc/231/status/start";
    let chunked = request(Method::POST, path)
        .body(chunked_body())
        .send()
        .await
        .expect("an answer");
    assert_eq!(chunked.status(), 501);
    let large = "x".repeat(513 * 1024);
    let large = request(Method::POST, path)
        .body(large)
        .send()
        .await
        .expect("an answer");
    assert_eq!(large.status(), 501);

    let json = request(Method::POST, "/nodes/agent/lxc/231/status/shutdown")
        .json(&json!({ "timeout": 10, "forceStop": true }))
        .send()
        .await
        .expect("an answer");
    let json = answer(json).await.expect("a body");
    assert!(
        json.data()
            .as_str()
            .is_some_and(|upid| upid.starts_with("UPID:agent:"))
    );
}

/// A body of unknown length, which is sent in chunks.
fn chunked_body() -> reqwest::Body {
    reqwest::Body::wrap(OneChunk(true))
}

/// A body of one frame.
struct OneChunk(bool);

impl hyper::body::Body for OneChunk {
    type Data = bytes::Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<hyper::body::Frame<Self::Data>, Self::Error>>> {
        let first = std::mem::take(&mut self.0);
        std::task::Poll::Ready(
            first.then(|| Ok(hyper::body::Frame::data(bytes::Bytes::from_static(b"a=1")))),
        )
    }
}

#[tokio::test]
async fn a_wrong_credential_takes_its_time() {
    let delay = Duration::from_millis(120);
    let lab = Lab::with(1, delay).await;
    let begin = Instant::now();
    assert_eq!(lab.get_as("x@pve!y=z", "/version").await.status, 401);
    assert!(begin.elapsed() >= delay);
}

#[tokio::test]
async fn every_node_shows_its_own_certificate_of_one_authority() {
    let lab = Lab::new().await;
    let nodes = lab.get("/nodes").await;
    let connector = TlsConnector::from(Arc::new(client_config(&lab.cluster)));
    let mut seen = Vec::new();
    for node in lab.cluster.nodes() {
        let address = lab.cluster.node_addr(node).expect("an address");
        let stream = TcpStream::connect(address).await.expect("the node listens");
        let name = ServerName::try_from(format!("{node}.lan")).expect("a host name");
        let stream = connector
            .connect(name, stream)
            .await
            .expect("the CA signed it");
        let chain = stream
            .get_ref()
            .1
            .peer_certificates()
            .expect("a certificate");
        let digest = Sha256::digest(chain.first().expect("a leaf"));
        let hex: Vec<String> = digest.iter().map(|byte| format!("{byte:02X}")).collect();
        let fingerprint = hex.join(":");
        assert_eq!(
            nodes.row("node", node)["ssl_fingerprint"],
            fingerprint.as_str()
        );
        assert_eq!(
            lab.cluster.node_fingerprint(node),
            Some(fingerprint.clone())
        );
        seen.push(fingerprint);
    }
    seen.dedup();
    assert_eq!(seen.len(), 4);
    assert_eq!(
        lab.cluster.fingerprint(),
        seen.first().cloned().expect("Home is first")
    );
}

#[tokio::test]
async fn plain_http_is_sent_to_https() {
    let lab = Lab::new().await;
    for (method, expect) in [("GET", "HTTP/1.1 301"), ("POST", "HTTP/1.1 308")] {
        let mut stream = TcpStream::connect(lab.cluster.addr())
            .await
            .expect("it listens");
        let request = format!(
            "{method} /api2/json/version HTTP/1.1\r\nHost: lab:8006\r\nContent-Length: 0\r\n\
             Connection: close\r\n\r\n"
        );
        stream
            .write_all(request.as_bytes())
            .await
            .expect("it reads");
        let mut text = String::new();
        stream.read_to_string(&mut text).await.expect("it answers");
        assert!(text.starts_with(expect), "{text}");
        assert!(
            text.contains("location: https://lab:8006/api2/json/version"),
            "{text}"
        );
    }
}

#[tokio::test]
async fn pages_tell_how_much_there_is() {
    let lab = Lab::new().await;
    let all = lab.get("/nodes/pve/tasks?limit=0").await;
    let page = lab.get("/nodes/pve/tasks?start=2&limit=3").await;
    assert_eq!(page.rows(), all.rows().get(2..5).expect("there are more"));
    assert_eq!(page.body["total"], Value::from(all.rows().len()));
    let times: Vec<i64> = all
        .rows()
        .iter()
        .filter_map(|row| row["starttime"].as_i64())
        .collect();
    assert!(times.is_sorted_by(|left, right| left >= right));

    let backup = lab.get("/nodes/pve/tasks?typefilter=vzdump&limit=1").await;
    let upid = backup.rows()[0]["upid"].as_str().expect("a UPID");
    let log = lab
        .get(&format!("/nodes/pve/tasks/{upid}/log?start=1&limit=2"))
        .await;
    let numbers: Vec<&Value> = log.rows().iter().map(|row| &row["n"]).collect();
    assert_eq!(numbers, [2, 3]);
    assert!(log.body["total"].as_u64().is_some_and(|total| total > 10));
}

#[tokio::test]
async fn it_ends_although_clients_are_connected() {
    let lab = Lab::new().await;
    let silent = TcpStream::connect(lab.cluster.addr())
        .await
        .expect("it listens");
    // This connection stays open in the client's pool.
    assert_eq!(lab.get("/version").await.status, 200);
    let address = lab.cluster.addr();
    let end = tokio::time::timeout(Duration::from_secs(10), lab.cluster.shutdown()).await;
    assert!(end.is_ok(), "the shutdown hangs");
    assert!(TcpStream::connect(address).await.is_err());
    drop(silent);
}
