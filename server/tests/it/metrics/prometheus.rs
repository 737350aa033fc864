//! Debian's Prometheus on a server at work: what it stores, the alert rules over that, and `promtool`.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    net::TcpListener,
    path::Path,
    process::Stdio,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use serde_json::Value;
use tokio::{
    io::AsyncWriteExt as _,
    net::TcpStream,
    process::{Child, Command},
    time::sleep,
};

use super::{TOKEN, Told, text, work};
use crate::{
    client::{Browser, send},
    harness::{Folder, QUIET, Server, soon},
};

const RULES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/monitoring/alerts.yml");
/// The time of the newest scrape, if it succeeded. Only of a plain selector is it that of the sample.
const UP: &str = "timestamp(up{job=\"jarvis\"}) and up{job=\"jarvis\"} == 1";
/// Series by which each of these rules fires, or does not.
const CASES: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/it/metrics/alerts_test.yml"
);
/// Pause between two looks at a program that has no way to call.
const LOOK: Duration = Duration::from_millis(50);
/// Seconds by which the time of a sample may be before that of its scrape.
const ALIGNED: f64 = 0.1;

/// Returns whether Prometheus is installed. In CI it must be.
async fn is_installed() -> bool {
    for program in ["prometheus", "promtool"] {
        let found = Command::new(program).arg("--version").output().await;
        if found.is_err() {
            assert!(std::env::var_os("CI").is_none(), "CI needs {program}");
            eprintln!("\n!!! SKIPPED: no {program}; install the package prometheus. !!!\n");
            return false;
        }
    }
    true
}

/// A Prometheus that reads one server every second; killed with the value.
struct Prometheus {
    /// Its address, as a browser without a session.
    api: Browser,
    _process: Child,
}

impl Prometheus {
    async fn start(folder: &Path, target: &str) -> Self {
        let file = folder.join("prometheus.yml");
        let config = format!(
            "global: {{ scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }}\n\
             scrape_configs:\n  - job_name: jarvis\n    authorization: {{ credentials: {TOKEN} }}\n    \
             static_configs: [{{ targets: [\"{target}\"] }}]\n\
             rule_files: [\"{RULES}\"]\n"
        );
        std::fs::write(&file, config).unwrap();
        loop {
            // It says nowhere which port it took, so it gets a free one; another process may be quicker.
            let free = TcpListener::bind("127.0.0.1:0").unwrap();
            let address = free.local_addr().unwrap().to_string();
            drop(free);
            let mut process = Command::new("prometheus")
                .arg(format!("--config.file={}", file.display()))
                .arg(format!(
                    "--storage.tsdb.path={}",
                    folder.join("series").display()
                ))
                .arg(format!("--web.listen-address={address}"))
                .arg("--log.level=error")
                .current_dir(folder)
                .stdin(Stdio::null())
                .kill_on_drop(true)
                .spawn()
                .unwrap();
            let listens = async {
                while process.try_wait().unwrap().is_none() {
                    if TcpStream::connect(&address).await.is_ok() {
                        return true;
                    }
                    sleep(LOOK).await;
                }
                false
            };
            if soon("Prometheus", listens).await {
                let api = Browser::new(&format!("http://{address}"));
                let ready = async {
                    while !api.get("/-/ready").await.status().is_success() {
                        sleep(LOOK).await;
                    }
                };
                soon("a ready Prometheus", ready).await;
                return Self {
                    api,
                    _process: process,
                };
            }
        }
    }

    /// The data of an answer of its API.
    async fn data(answer: reqwest::Response) -> Value {
        let mut answer: Value = answer.json().await.unwrap();
        assert_eq!(answer["status"], "success", "{answer:#}");
        answer["data"].take()
    }

    /// The values of a query now, by what one label says.
    async fn query(&self, query: &str, label: &str) -> BTreeMap<String, f64> {
        let answer = self.api.post("/api/v1/query", &[("query", query)]).await;
        let data = Self::data(answer).await;
        let series = data["result"].as_array().unwrap().iter();
        let read = |one: &Value| {
            let name = one["metric"][label].as_str().unwrap_or_default();
            let value = one["value"][1].as_str().unwrap();
            (name.to_owned(), value.parse().unwrap())
        };
        series.map(read).collect()
    }

    /// Waits for a scrape that began after now.
    async fn scraped(&self) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        let after = now.as_secs_f64() + ALIGNED;
        let scraped = async {
            loop {
                let read = self.query(UP, "job").await;
                if read.values().any(|at| *at > after) {
                    return;
                }
                sleep(LOOK).await;
            }
        };
        soon("a scrape", scraped).await;
    }

    /// The states of the alert rules, once each was evaluated.
    async fn rules(&self) -> BTreeMap<String, String> {
        let evaluated = async {
            loop {
                let answer = send(self.api.request(reqwest::Method::GET, "/api/v1/rules")).await;
                let data = Self::data(answer).await;
                let groups = data["groups"].as_array().unwrap().iter();
                let rules: Vec<_> = groups
                    .flat_map(|group| group["rules"].as_array().unwrap())
                    .collect();
                for rule in &rules {
                    assert_ne!(rule["health"], "err", "{rule:#}");
                }
                if !rules.is_empty() && rules.iter().all(|rule| rule["health"] == "ok") {
                    let word = |value: &Value| value.as_str().unwrap().to_owned();
                    let states = rules.iter();
                    return states
                        .map(|rule| (word(&rule["name"]), word(&rule["state"])))
                        .collect();
                }
                sleep(LOOK).await;
            }
        };
        soon("evaluated rules", evaluated).await
    }
}

/// Runs `promtool` and returns what is wrong.
async fn promtool(arguments: &[&str], input: &str) -> Result<(), String> {
    let mut child = Command::new("promtool")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).await.unwrap();
    drop(stdin);
    let output = soon("promtool", child.wait_with_output()).await.unwrap();
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    if output.status.success() {
        Ok(())
    } else {
        Err(said)
    }
}

/// A page of OpenMetrics in the older text format, which is all that `promtool check metrics` reads: a family
/// has the name of its series there, and facts are a gauge.
fn older(page: &str) -> String {
    let types = page.lines().filter_map(|line| {
        let (name, kind) = line.strip_prefix("# TYPE ")?.split_once(' ')?;
        Some((name, kind))
    });
    let types: BTreeMap<&str, &str> = types.collect();
    let mut out = String::new();
    for line in page.lines() {
        let words: Vec<_> = line.splitn(4, ' ').collect();
        match words[..] {
            ["#", keyword, name, rest] => {
                let (end, kind) = match types[name] {
                    "counter" => ("_total", "counter"),
                    "info" => ("_info", "gauge"),
                    kind => ("", kind),
                };
                let rest = if keyword == "TYPE" { kind } else { rest };
                writeln!(out, "# {keyword} {name}{end} {rest}").unwrap();
            }
            ["#", "EOF"] => {}
            _ => writeln!(out, "{line}").unwrap(),
        }
    }
    out
}

fn counts<'a>(told: impl Iterator<Item = (&'a str, usize)>) -> BTreeMap<String, f64> {
    let mut counts = BTreeMap::new();
    for (name, count) in told {
        *counts.entry(name.to_owned()).or_default() += count as f64;
    }
    counts
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn prometheus_stores_what_the_journal_says() {
    if !is_installed().await {
        return;
    }
    let folder = Folder::new();
    let config = format!("{QUIET}[metrics]\ntoken = \"{TOKEN}\"\n");
    let server = Server::start_with(&folder, &config).await;
    let browser = server.sign_in().await;
    // It scrapes while the server works.
    let prometheus = Prometheus::start(folder.path(), &server.address()).await;
    let (told, _waiting) = work(&server, &browser).await;
    prometheus.scraped().await;

    let Told {
        turns,
        calls,
        verdicts,
        usage,
    } = &told;
    let turns = counts(turns.iter().map(|(outcome, count)| (*outcome, *count)));
    let outcomes = calls.iter().map(|((_, outcome), count)| (*outcome, *count));
    let outcomes = counts(outcomes);
    let verdicts = counts(verdicts.iter().map(|(verdict, count)| (*verdict, *count)));
    let tools = calls.iter().map(|((tool, _), count)| {
        // The model made this one up.
        let name = if tool.contains('"') {
            "other"
        } else {
            tool.as_str()
        };
        (name, *count)
    });
    let tools = counts(tools);
    let tokens = [
        ("input", usage.input),
        ("output", usage.output),
        ("cache_read", usage.cache_read),
        ("cache_write", usage.cache_write),
    ];
    let tokens = tokens.map(|(kind, count)| (kind.to_owned(), count as f64));
    for (query, label, expect) in [
        ("sum by (outcome) (jarvis_turns_total)", "outcome", turns),
        (
            "sum by (outcome) (jarvis_tool_calls_total)",
            "outcome",
            outcomes,
        ),
        ("sum by (tool) (jarvis_tool_calls_total)", "tool", tools),
        (
            "sum by (verdict) (jarvis_confirmations_total) > 0",
            "verdict",
            verdicts,
        ),
        (
            "sum by (kind) (jarvis_tokens_total)",
            "kind",
            BTreeMap::from(tokens),
        ),
        (
            "jarvis_confirmations_open",
            "job",
            BTreeMap::from([("jarvis".to_owned(), 1.0)]),
        ),
        (
            "jarvis_build_info",
            "version",
            BTreeMap::from([(server::VERSION.to_owned(), 1.0)]),
        ),
    ] {
        assert_eq!(prometheus.query(query, label).await, expect, "{query}");
    }

    // The rules can be evaluated over what is there, and a card that waits is noticed.
    let states = async {
        loop {
            let states = prometheus.rules().await;
            if states["JarvisConfirmationsWaiting"] != "inactive" {
                return states;
            }
            sleep(LOOK).await;
        }
    };
    let states = soon("a pending alert", states).await;
    for quiet in ["JarvisDown", "JarvisUpstreamDown", "JarvisKillSwitchOn"] {
        assert_eq!(states[quiet], "inactive", "{states:?}");
    }

    promtool(&["check", "rules", RULES], "").await.unwrap();
    promtool(&["test", "rules", CASES], "").await.unwrap();
    let page = older(&text(&browser).await);
    let checked = promtool(&["check", "metrics"], &page).await;
    assert_eq!(checked, Ok(()), "{page}");
    server.stop().await;
}
