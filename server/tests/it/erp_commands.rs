//! `jarvis simerp` as a process.

use std::{collections::BTreeMap, process::Stdio};

use reqwest::Method;
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::Child,
};

use crate::{
    binary::{jarvis, run},
    client::{Browser, send},
    harness::{Folder, soon},
};

/// The simulated company as a process.
struct Company {
    /// Killed with the value.
    _child: Child,
    url: String,
    /// Key and secret by user.
    keys: BTreeMap<String, (String, String)>,
}

impl Company {
    async fn start(folder: &Folder, profile: &str) -> Self {
        let arguments = ["simerp", "--port", "0", "--profile", profile];
        let mut child = jarvis(folder.path(), &arguments)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut next = async || soon("a line", lines.next_line()).await.unwrap().unwrap();
        let first = next().await;
        let url = first.strip_prefix("Simulated company at ").unwrap();
        let mut keys = BTreeMap::new();
        for _ in simerp::SimErpUser::ALL {
            let line = next().await;
            let line = line.strip_prefix("Key of ").unwrap();
            let (user, key) = line.split_once(": ").unwrap();
            let (key, secret) = key.split_once(", secret ").unwrap();
            keys.insert(user.to_owned(), (key.to_owned(), secret.to_owned()));
        }
        Self {
            _child: child,
            url: url.to_owned(),
            keys,
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_simulated_company_runs_alone_and_says_its_keys() {
    let folder = Folder::new();
    let (_, help, _) = run(&mut jarvis(folder.path(), &["simerp", "--help"])).await;
    assert!(help.contains("v15-traceback"), "{help}");
    let company = Company::start(&folder, "v15").await;
    for (user, (key, secret)) in &company.keys {
        let method = "/api/method/frappe.auth.get_logged_user";
        let request = Browser::new(&company.url).request(Method::GET, method);
        let token = format!("token {key}:{secret}");
        let answer = send(request.header("authorization", token)).await;
        let answer = answer.text().await.unwrap();
        assert!(answer.contains(user), "{answer}");
    }
}
