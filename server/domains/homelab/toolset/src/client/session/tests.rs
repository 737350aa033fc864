use std::{cell::RefCell, collections::VecDeque};

use serde_json::json;

use super::*;

/// Answers from a script, and records the requests.
#[derive(Default)]
struct Script {
    answers: RefCell<VecDeque<Result<Value, ProxmoxError>>>,
    asked: RefCell<Vec<String>>,
}

impl Script {
    fn then(self, answer: Result<Value, ProxmoxError>) -> Self {
        self.answers.borrow_mut().push_back(answer);
        self
    }

    async fn next(&self, asked: String) -> Result<Value, ProxmoxError> {
        // While one request is in flight, the others reach the same place.
        tokio::task::yield_now().await;
        self.asked.borrow_mut().push(asked);
        self.answers
            .borrow_mut()
            .pop_front()
            .expect("nothing more in the script")
    }

    fn asked(&self) -> Vec<String> {
        self.asked.borrow().clone()
    }
}

impl SignIn for Script {
    async fn probe(&self, _headers: HeaderMap) -> Result<(), ProxmoxError> {
        self.next("probe".to_owned()).await.map(drop)
    }

    async fn ticket(&self, username: &str, password: &str) -> Result<Value, ProxmoxError> {
        self.next(format!("{username} {password}")).await
    }
}

fn token() -> ApiSession {
    ApiSession::new(Credentials::Token {
        id: "a@pve!b".to_owned(),
        secret: "s".to_owned().into(),
    })
}

fn password() -> ApiSession {
    ApiSession::new(Credentials::Password {
        username: "a@pve".to_owned(),
        password: "p".to_owned().into(),
    })
}

fn refusal(pause_seconds: u64) -> ProxmoxError {
    ProxmoxError::Unauthorised {
        message: "no".to_owned(),
        retry_after: Duration::from_secs(pause_seconds),
    }
}

fn ticket(text: &str) -> Result<Value, ProxmoxError> {
    Ok(json!({ "ticket": text, "CSRFPreventionToken": "c" }))
}

#[tokio::test(start_paused = true)]
async fn one_proof_serves_all_and_secrets_are_marked() {
    let script = Script::default().then(Ok(Value::Null));
    let session = token();
    let all = futures::future::join_all((0..9).map(|_| session.authorise(&script))).await;
    for authorisation in all {
        let headers = authorisation.unwrap().headers;
        assert_eq!(headers[AUTHORIZATION], "PVEAPIToken=a@pve!b=s");
        assert!(headers[AUTHORIZATION].is_sensitive());
    }
    assert_eq!(script.asked(), ["probe"]);
}

#[tokio::test(start_paused = true)]
async fn refusals_are_answered_without_asking_for_longer_and_longer() {
    let script = Script::default()
        .then(Err(refusal(0)))
        .then(Err(refusal(0)))
        .then(Ok(Value::Null))
        .then(Err(refusal(0)));
    let session = token();
    assert_eq!(session.authorise(&script).await.unwrap_err(), refusal(15));
    tokio::time::advance(Duration::from_secs(10)).await;
    assert_eq!(session.authorise(&script).await.unwrap_err(), refusal(5));
    tokio::time::advance(Duration::from_secs(5)).await;
    assert_eq!(session.authorise(&script).await.unwrap_err(), refusal(30));
    tokio::time::advance(Duration::from_secs(30)).await;
    let authorisation = session.authorise(&script).await.unwrap();

    // A token revoked later starts again with the short pause, however many requests were in
    // flight.
    assert!(!session.renew(&authorisation).await);
    for _ in 0..3 {
        let error = session.give_up(&authorisation, refusal(0)).await;
        assert_eq!(error, refusal(15));
    }
    assert_eq!(script.asked().len(), 3);
    tokio::time::advance(Duration::from_secs(15)).await;
    assert_eq!(session.authorise(&script).await.unwrap_err(), refusal(30));
}

#[tokio::test(start_paused = true)]
async fn those_who_wait_share_a_failure() {
    let error = ProxmoxError::Timeout {
        endpoint: "pve:8006".to_owned(),
        after: Duration::from_secs(10),
    };
    let script = Script::default()
        .then(Err(error.clone()))
        .then(Ok(Value::Null));
    let session = token();
    let all = futures::future::join_all((0..9).map(|_| session.authorise(&script))).await;
    for answer in all {
        assert_eq!(answer.unwrap_err(), error);
    }
    tokio::time::advance(SHARE_FAILURE).await;
    session.authorise(&script).await.unwrap();
    assert_eq!(script.asked().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn tickets_are_renewed_in_time_and_after_a_refusal() {
    let script = Script::default()
        .then(ticket("one+/="))
        .then(ticket("two"))
        .then(Err(refusal(0)))
        .then(ticket("three"))
        .then(ticket("four"));
    let session = password();
    let cookie = async || {
        let headers = session.authorise(&script).await.unwrap().headers;
        headers[COOKIE].to_str().unwrap().to_owned()
    };
    assert_eq!(cookie().await, "PVEAuthCookie=one%2B%2F%3D");
    tokio::time::advance(RENEW_TICKET_AFTER - Duration::from_secs(1)).await;
    assert_eq!(cookie().await, "PVEAuthCookie=one%2B%2F%3D");
    tokio::time::advance(Duration::from_secs(1)).await;
    assert_eq!(cookie().await, "PVEAuthCookie=two");
    // The live ticket serves as the password unless it is refused.
    tokio::time::advance(RENEW_TICKET_AFTER).await;
    assert_eq!(cookie().await, "PVEAuthCookie=three");

    let authorisation = session.authorise(&script).await.unwrap();
    assert!(session.renew(&authorisation).await);
    assert_eq!(cookie().await, "PVEAuthCookie=four");
    // A late refusal of the old ticket does not undo the new one.
    assert!(session.renew(&authorisation).await);
    assert_eq!(cookie().await, "PVEAuthCookie=four");
    assert_eq!(
        script.asked(),
        ["a@pve p", "a@pve one+/=", "a@pve two", "a@pve p", "a@pve p"]
    );
}

#[tokio::test(start_paused = true)]
async fn a_second_factor_is_said_to_be_in_the_way() {
    let script = Script::default().then(Ok(json!({ "ticket": "half", "NeedTFA": 1 })));
    let error = password().authorise(&script).await.unwrap_err();
    assert!(error.to_string().contains("use an API token"), "{error}");
}
