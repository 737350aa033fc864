//! `jarvis simerp` and `jarvis erp check` as processes.

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

    /// `jarvis erp check` as one of its users.
    async fn check(&self, folder: &Folder, user: &str, more: &[&str]) -> (Option<i32>, String) {
        let (key, secret) = &self.keys[&format!("{user}@aldergate.example")];
        let arguments = [&["erp", "check"], more].concat();
        let mut command = jarvis(folder.path(), &arguments);
        command
            .env("ERPNEXT_URL", &self.url)
            .env("ERPNEXT_API_KEY", key)
            .env("ERPNEXT_API_SECRET", secret);
        let (code, out, err) = run(&mut command).await;
        assert_eq!(err, "");
        assert!(!out.contains(secret.as_str()), "{out}");
        (code, out)
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_site_is_checked_by_a_command_with_a_line_for_each_finding() {
    let folder = Folder::new();
    let company = Company::start(&folder, "v16-verbs").await;
    let (code, out) = company.check(&folder, "agent", &[]).await;
    assert_eq!(code, Some(0), "{out}");
    assert!(
        out.contains("ok         user: agent@aldergate.example"),
        "{out}"
    );
    assert!(out.contains("not tried  locked cancel by PUT: "), "{out}");
    let (code, out) = company.check(&folder, "manager", &["--write"]).await;
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("ok         locked cancel by PUT: "), "{out}");
    let (code, out) = company.check(&folder, "boss", &["--write"]).await;
    assert_eq!(code, Some(2), "{out}");
    assert!(out.contains("refused    user: "), "{out}");

    // The API of the configuration counts here too.
    let newer = Folder::new();
    std::fs::write(newer.path().join("jarvis.toml"), "[erp]\napi = \"v2\"\n").unwrap();
    let (code, out) = company.check(&newer, "agent", &[]).await;
    assert_eq!(code, Some(0), "{out}");
    let left_out = "not tried  lists with limit 0: It goes by version 1";
    assert!(out.contains(left_out), "{out}");

    // Without a site there is nothing to check, and nothing is started instead.
    let (code, out, err) = run(&mut jarvis(folder.path(), &["erp", "check"])).await;
    assert_eq!((code, out), (Some(2), String::new()));
    assert!(err.contains("no ERP is configured"), "{err}");
}
