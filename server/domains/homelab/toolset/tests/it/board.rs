//! The live board against the simulated cluster: current, out-of-date and unknown values.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use agent::ports::{Picture, Screen, Toolset};
use homelab::Homelab;
use homelab_wire::{
    BackupsPart, ClusterPart, GuestPart, NodePart, OffersPart, ReadingPart, StoragePart, TaskPart,
    TrendPart,
};
use protocol::{FromJson, Known};

use serde_json::{Value, json};

use crate::lab::{Lab, NOW};

/// A watched board, and the picture it shows.
pub(crate) struct Watched {
    shown: tokio::sync::watch::Receiver<Picture>,
    watching: tokio::task::JoinHandle<()>,
    pictures: Arc<Mutex<usize>>,
}

impl Watched {
    pub(crate) fn start(homelab: &Homelab) -> Self {
        let board = homelab.board().unwrap();
        let (show, shown) = tokio::sync::watch::channel(Picture::new());
        let pictures = Arc::new(Mutex::new(0));
        let counted = Arc::clone(&pictures);
        let screen = Screen::new(move |picture| {
            *counted.lock().unwrap() += 1;
            show.send_replace(picture);
        });
        let watching = tokio::spawn(async move { board.watch(screen).await });
        Self {
            shown,
            watching,
            pictures,
        }
    }

    /// Waits until a part satisfies a condition.
    pub(crate) async fn until<T: FromJson>(&mut self, key: &str, is: impl Fn(&T) -> bool) -> T {
        let found = self.shown.wait_for(|picture| {
            let part = picture.get(key).cloned().and_then(T::from_json);
            part.is_some_and(|part| is(&part))
        });
        let picture = tokio::time::timeout(Duration::from_secs(40), found).await;
        let picture = picture
            .unwrap_or_else(|_| panic!("{key} has not come"))
            .unwrap();
        T::from_json(picture[key].clone()).unwrap()
    }

    fn now<T: FromJson>(&self, key: &str) -> Option<T> {
        T::from_json(self.shown.borrow().get(key)?.clone())
    }

    pub(crate) fn all<T: FromJson>(&self, kind: &str) -> Vec<T> {
        let picture = self.shown.borrow();
        let of_kind = picture.iter().filter(|(key, _)| key.starts_with(kind));
        of_kind
            .map(|(_, part)| T::from_json(part.clone()).unwrap())
            .collect()
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.watching.abort();
    }
}

pub(crate) fn quick(lab: &Lab, token: &str) -> Homelab {
    let mut config = lab.config(token);
    config.board_ms = 50;
    lab.connect(config)
}

fn node<'a>(node: &'a NodePart, what: &str) -> Option<&'a str> {
    match what {
        "state" => node.state.value().map(String::as_str),
        "past" => node.past.as_ref().map(|past| past.reason.as_str()),
        _ => None,
    }
}

#[tokio::test]
async fn all_is_there_with_its_age_and_source() {
    let lab = Lab::start().await;
    let homelab = quick(&lab, &lab.sim.admin_token());
    let mut board = Watched::start(&homelab);
    let pve: NodePart = board
        .until("node/pve", |node: &NodePart| node.version.value().is_some())
        .await;
    assert_eq!(pve.version.value().map(String::as_str), Some("9.1.11"));
    assert_eq!(node(&pve, "state"), Some("online"));
    assert_eq!(pve.role.as_deref(), Some("compute and NAS"));
    assert_eq!(pve.source, "GET /nodes/pve/status");
    assert_eq!(pve.at.map(|at| at.0), Some(NOW as i64 * 1000));
    assert_eq!((pve.past, pve.threads), (None, Some(32)));
    assert_eq!(pve.load.value().map(Vec::len), Some(3));
    assert_eq!(pve.celsius.reason(), Some("SSH is not configured"));

    let cluster: ClusterPart = board
        .until("cluster", |cluster: &ClusterPart| {
            cluster.quorate.value().is_some()
        })
        .await;
    assert_eq!(cluster.quorate.value(), Some(&true));
    assert_eq!(
        cluster
            .nodes
            .value()
            .map(|nodes| (nodes.online, nodes.total)),
        Some((4, 4))
    );
    assert!(cluster.guests_lack.is_empty() && cluster.tasks_lack.is_empty());
    let counted = cluster.guests.value().unwrap();
    let guests: Vec<GuestPart> = board.all("guest/");
    let paused: GuestPart = board
        .until("guest/130", |guest: &GuestPart| {
            guest.state.value().is_some_and(|it| it == "paused")
        })
        .await;
    assert!(paused.memory_used.is_some() && paused.past.is_none());
    let templates = |guest: &&GuestPart| guest.state.value().is_some_and(|it| it == "template");
    assert_eq!(
        counted.total as usize + guests.iter().filter(templates).count(),
        guests.len()
    );
    for guest in &guests {
        // A paused VM keeps its process and its memory.
        let state = guest.state.value().map(String::as_str);
        let has_process = matches!(state, Some("running" | "paused"));
        assert_eq!(guest.cpu_percent.is_some(), has_process, "{guest:?}");
        assert!(guest.past.is_none() && guest.was.is_none(), "{guest:?}");
    }
    let storages: Vec<StoragePart> = board.all("storage/");
    assert!(
        storages
            .iter()
            .all(|storage| storage.used.value().is_some())
    );
    let reading: ReadingPart = board.now("reading/overview").unwrap();
    assert_eq!(reading.source, "GET /cluster/resources");
    assert_eq!(reading.trouble, None);
    // The cluster's own history is there at once.
    board
        .until("history/pve", |history: &homelab_wire::HistoryPart| {
            history.cpu.iter().flatten().count() > 30
        })
        .await;
}

#[tokio::test]
async fn a_node_that_dies_takes_nothing_along() {
    let lab = Lab::start().await;
    let homelab = quick(&lab, &lab.sim.admin_token());
    let mut board = Watched::start(&homelab);
    let before: NodePart = board
        .until("node/agent1", |node: &NodePart| {
            node.version.value().is_some()
        })
        .await;
    lab.sim.control().set_offline("agent1", true);
    lab.clock.advance(Duration::from_secs(20));
    let after: NodePart = board
        .until("node/agent1", |node: &NodePart| node.past.is_some())
        .await;
    assert_eq!(node(&after, "state"), Some("offline"));
    assert_eq!(node(&after, "past"), Some("node agent1 does not answer"));
    // Not earlier than the last reading: an answer may still have been in flight.
    assert!(after.past.as_ref().and_then(|past| past.at) >= before.at);
    // The figures are the last known ones, not zeros.
    assert_eq!(after.cpu_percent, before.cpu_percent);
    assert_eq!(after.memory_used, before.memory_used);

    let pve: NodePart = board
        .until("node/pve", |node: &NodePart| node.at > before.at)
        .await;
    assert_eq!(pve.past, None);
    let guests: Vec<GuestPart> = board.all("guest/");
    for guest in &guests {
        let template = guest.state.value().is_some_and(|state| state == "template");
        let gone = guest.node == "agent1" && !template;
        assert_eq!(guest.past.is_some(), gone, "{guest:?}");
        if gone {
            assert_eq!(guest.state.reason(), Some("node agent1 does not answer"));
            assert!(guest.was.is_some(), "{guest:?}");
        }
    }
    let cluster: ClusterPart = board.now("cluster").unwrap();
    assert!(cluster.guests.value().unwrap().silent > 0);

    lab.sim.control().set_offline("agent1", false);
    lab.clock.advance(Duration::from_secs(20));
    board
        .until("node/agent1", |node: &NodePart| node.past.is_none())
        .await;
}

#[tokio::test]
async fn what_may_not_be_seen_says_which_right_is_missing() {
    let lab = Lab::start().await;
    let homelab = quick(&lab, &lab.sim.admin_token());
    let mut board = Watched::start(&homelab);
    board
        .until("node/pve", |node: &NodePart| node.version.value().is_some())
        .await;
    let control = lab.sim.control();
    control.revoke("/", "Sys.Audit");
    control.revoke("/vms", "VM.Audit");
    let missing = "missing privilege Sys.Audit on /nodes/pve";
    let pve: NodePart = board
        .until("node/pve", |node: &NodePart| {
            node.cpu_percent.reason() == Some(missing)
        })
        .await;
    // Figures read before they became forbidden are gone.
    for reason in [
        pve.memory_used.reason(),
        pve.disk_used.reason(),
        pve.load.reason(),
    ] {
        assert_eq!(reason, Some(missing));
    }
    assert_eq!((node(&pve, "state"), &pve.past), (Some("online"), &None));
    let cluster: ClusterPart = board
        .until("cluster", |cluster: &ClusterPart| {
            cluster.guests.value().is_none()
        })
        .await;
    assert_eq!(
        cluster.guests.reason(),
        Some("missing privilege VM.Audit on /vms")
    );
    assert_eq!(cluster.guests_lack, ["missing privilege VM.Audit on /vms"]);
    assert_eq!(
        cluster.quorate.reason(),
        Some("missing privilege Sys.Audit on /")
    );
    assert_eq!(
        cluster.tasks_lack,
        ["only one's own tasks: missing privilege Sys.Audit on /"]
    );
    assert_eq!(board.all::<GuestPart>("guest/"), []);
}

#[tokio::test]
async fn a_cluster_out_of_reach_is_shown_as_it_was() {
    let lab = Lab::start().await;
    let homelab = quick(&lab, &lab.sim.admin_token());
    let mut board = Watched::start(&homelab);
    board
        .until("node/pve", |node: &NodePart| node.version.value().is_some())
        .await;
    lab.sim
        .control()
        .set_connection(simlab::ConnectionFault::Refused);
    let reading: ReadingPart = board
        .until("reading/overview", |reading: &ReadingPart| {
            reading.trouble.is_some()
        })
        .await;
    assert_eq!(reading.at.map(|at| at.0), Some(NOW as i64 * 1000));
    let cluster: ClusterPart = board.now("cluster").unwrap();
    assert!(cluster.nodes.value().is_none() && cluster.guests.value().is_none());
    assert!(!board.all::<GuestPart>("guest/").is_empty());
}

/// The tools' cache is neither used nor cleared by the board.
#[tokio::test]
async fn the_board_leaves_the_tools_alone() {
    let lab = Lab::start().await;
    let mut config = lab.config(&lab.sim.admin_token());
    config.board_ms = 50;
    config.cache_ms = 3_600_000;
    let homelab = lab.connect(config);
    let tool = || crate::lab::call(&homelab, "get_cluster_resources", serde_json::json!({}));
    let before = tool().await.unwrap();
    let mut board = Watched::start(&homelab);
    board
        .until("node/pve", |node: &NodePart| node.version.value().is_some())
        .await;
    lab.clock.advance(Duration::from_secs(600));
    board
        .until("reading/overview", |reading: &ReadingPart| {
            reading.at.is_some_and(|at| at.0 > NOW as i64 * 1000)
        })
        .await;
    // One request is the tool's, the others are the board's own.
    assert!(lab.asked("/cluster/resources") > 1);
    assert_eq!(tool().await.unwrap(), before);
    assert_eq!(lab.writes(), 0);
    assert!(*board.pictures.lock().unwrap() >= 2);
}

#[tokio::test]
async fn a_running_task_says_how_far_it_is() {
    let lab = Lab::start().await;
    let homelab = quick(&lab, &lab.sim.admin_token());
    let mut board = Watched::start(&homelab);
    board
        .until("reading/tasks", |reading: &ReadingPart| {
            reading.at.is_some()
        })
        .await;
    let tasks: Vec<TaskPart> = board.all("task/");
    assert!(!tasks.is_empty());
    // The newest, and the recent failures.
    let failed = |task: &&TaskPart| task.state.value().is_some_and(|state| state == "failed");
    let ended = tasks
        .iter()
        .filter(|task| task.end.is_some() && !failed(task));
    assert!(ended.count() <= 8);
    for task in &tasks {
        assert!(task.upid.starts_with("UPID:"), "{task:?}");
    }
}

#[tokio::test]
async fn backups_with_their_gaps_and_storages_with_their_trend() {
    let lab = Lab::start().await;
    let homelab = quick(&lab, &lab.sim.admin_token());
    let mut board = Watched::start(&homelab);
    let backups: BackupsPart = board
        .until("backups", |backups: &BackupsPart| backups.lacks.is_empty())
        .await;
    assert_eq!(backups.storages, ["local", "nas", "pbs"]);
    assert!(backups.count > 20);
    let all_told = |guest: &GuestPart| match &guest.backup {
        Some(Known::Value(last)) => last.in_job.is_some(),
        _ => false,
    };
    let covered: GuestPart = board.until("guest/100", all_told).await;
    let last = covered.backup.as_ref().and_then(Known::value).unwrap();
    assert!(!last.gap && last.at.is_some() && last.in_job == Some(true));
    // A guest in no job has none, unless somebody made one by hand.
    let guests: Vec<GuestPart> = board.all("guest/");
    let known = guests
        .iter()
        .filter_map(|guest| guest.backup.as_ref()?.value());
    let bare: Vec<_> = known.filter(|last| last.at.is_none()).collect();
    assert!(!bare.is_empty());
    assert!(
        bare.iter()
            .all(|last| last.gap && last.in_job == Some(false))
    );
    let trend: TrendPart = board
        .until("trend/nas", |trend: &TrendPart| {
            trend.per_day.value().is_some()
        })
        .await;
    assert_eq!(trend.used.iter().flatten().count(), 56);
    assert!(trend.source.ends_with("/storage/nas/rrddata"));

    // A rate needs two samples.
    assert!(covered.net_in.as_ref().and_then(Known::reason).is_some());
    let rate = |guest: &GuestPart| guest.net_in.as_ref().and_then(Known::value).copied();
    lab.clock.advance(Duration::from_secs(30));
    board
        .until("guest/100", |guest| rate(guest).is_some())
        .await;
    // What was under way while the clock moved may hold the counters of before.
    lab.clock.advance(Duration::from_secs(30));
    board
        .until("guest/100", |guest| rate(guest) > Some(0))
        .await;
}

#[tokio::test]
async fn backups_that_are_hidden_are_unknown_rather_than_missing() {
    let lab = Lab::start().await;
    let homelab = quick(&lab, &lab.sim.auditor_token());
    let mut board = Watched::start(&homelab);
    let guest: GuestPart = board
        .until("guest/100", |guest: &GuestPart| {
            let reason = guest.backup.as_ref().and_then(Known::reason);
            reason.is_some_and(|reason| reason.contains("missing privilege"))
        })
        .await;
    assert_eq!(guest.net_out.as_ref().and_then(Known::value), None);
}

#[tokio::test]
async fn each_tool_that_acts_offers_itself_where_it_makes_sense() {
    let lab = Lab::start().await;
    let mut config = lab.config(&lab.sim.admin_token());
    config.board_ms = 50;
    config.node_macs = [("agent".to_owned(), "02:00:00:00:00:01".to_owned())].into();
    config.services = [(
        "pve".to_owned(),
        vec!["smbd".to_owned(), "pveproxy".to_owned()],
    )]
    .into();
    let homelab = lab.connect(config);
    let mut board = Watched::start(&homelab);
    let part: OffersPart = board.until("offers", |_| true).await;
    let fits = |on: &str, when: &str| {
        let mine = part
            .offers
            .iter()
            .filter(|it| it.on == on && it.when == when);
        mine.map(|it| (it.tool.as_str(), it.label.as_str(), it.with.clone()))
            .collect::<Vec<_>>()
    };
    let force = ("stop_vm", "Force off", json!({ "hard": true }));
    assert_eq!(fits("VM", "paused"), [force]);
    let running = [
        ("restart_vm", "Restart", Value::Null),
        ("stop_vm", "Shut down", Value::Null),
    ];
    assert_eq!(fits("VM", "running"), running);
    let stopped = [("start_container", "Start", Value::Null)];
    assert_eq!(fits("CT", "stopped"), stopped);
    assert!(fits("CT", "paused").is_empty());
    let service =
        |name: &'static str, label| ("restart_service", label, json!({ "service": name }));
    let services = [
        service("pveproxy", "Restart pveproxy"),
        service("smbd", "Restart smbd"),
    ];
    assert_eq!(fits("node", "online"), services);
    assert_eq!(
        fits("node", "offline"),
        [("wake_node", "Wake", Value::Null)]
    );
    let tools = homelab.tools();
    for offer in &part.offers {
        let known = tools.iter().find(|tool| tool.spec().name == offer.tool);
        assert!(
            known.is_some_and(|tool| !tool.only_reads()),
            "{}",
            offer.tool
        );
    }
}
