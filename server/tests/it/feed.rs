//! The feed: in the first HTML, over the socket, as a file, after a restart.

use protocol::{
    ClientFrame, Command, FeedEntry, FeedFilter, FeedKind, FeedPage, FeedPlace, Role, ServerFrame,
    Topic,
};
use serde_json::{Value, json};

use crate::{
    client::{Browser, new_conversation},
    harness::{Folder, Server, add_user, soon},
    socket::Socket,
};

async fn page(browser: &Browser, filter: &str, place: FeedPlace) -> FeedPage {
    let input = json!({ "filter": filter, "place": place });
    browser.call("feed", &input).await.unwrap()
}

/// Asks until something is there: the cluster's actions come in when it is read.
async fn find(browser: &Browser, filter: &str) -> FeedEntry {
    soon(filter, async {
        loop {
            let page = page(browser, filter, FeedPlace::Newest).await;
            if let Some(entry) = page.entries.into_iter().next() {
                return entry;
            }
            tokio::task::yield_now().await;
        }
    })
    .await
}

/// The tasks of the cluster as a file has them, once most of the remembered ones came in.
async fn tasks(browser: &Browser) -> Vec<FeedEntry> {
    soon("tasks", async {
        loop {
            let file = browser.get("/feed/export?format=jsonl&kind=task").await;
            let file = file.text().await.unwrap();
            let lines = file.lines().map(|line| serde_json::from_str(line).unwrap());
            let tasks: Vec<FeedEntry> = lines.collect();
            if tasks.len() > 20 {
                return tasks;
            }
            tokio::task::yield_now().await;
        }
    })
    .await
}

async fn follow(browser: &Browser, after: u64) -> Socket {
    let mut tab = browser.socket().await;
    let topic = Topic::Feed { after };
    tab.send(&ClientFrame::Subscribe { topic }).await;
    tab
}

/// The next entries that a tab is sent, with the number up to which it then has the feed.
async fn told(tab: &mut Socket) -> (u64, Vec<FeedEntry>, bool) {
    tab.until(|frame| match frame {
        ServerFrame::Feed { rev, entries, gap } => Some((rev, entries, gap)),
        _ => None,
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tabs_follow_and_catch_up() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    find(&browser, "kind=task").await;
    let signed_in = find(&browser, "kind=sign_in").await;
    assert_eq!(signed_in.line, "Signed in with a link");
    assert_eq!(signed_in.person.as_deref(), Some("Operator"));

    let mut tab = follow(&browser, 0).await;
    let mut rev = 0;
    let mut gaps = 0;
    let kill_switch = |on| Command::KillSwitch { on };
    tab.command(kill_switch(true)).await.unwrap();
    let entry = loop {
        let (newest, entries, gap) = told(&mut tab).await;
        assert!(newest >= rev);
        rev = newest;
        gaps += usize::from(gap);
        if let Some(entry) = entries
            .into_iter()
            .find(|it| it.kind == FeedKind::KillSwitch)
        {
            break entry;
        }
    };
    assert_eq!(entry.person.as_deref(), Some("Operator"));
    // The cluster remembers more than is sent one by one.
    assert!(gaps <= 1);

    // Another tab catches up from where it was; one from the future is told to start anew.
    tab.command(kill_switch(false)).await.unwrap();
    let mut late = follow(&browser, rev).await;
    loop {
        let (_, entries, gap) = told(&mut late).await;
        assert!(!gap);
        assert!(entries.iter().all(|it| it.rev > rev));
        if entries
            .iter()
            .any(|it| it.line == "The kill switch was lifted")
        {
            break;
        }
    }
    let mut lost = follow(&browser, u64::MAX / 2).await;
    let (_, entries, gap) = told(&mut lost).await;
    assert!(gap && entries.is_empty());

    // The page has it in its first HTML, and under its address.
    let html = browser.get("/feed?kind=kill_switch").await;
    let html = html.text().await.unwrap();
    assert!(html.contains("The kill switch was lifted"));
    assert!(!html.contains("Signed in with a link"));
    let html = browser.get(&format!("/feed/{}", signed_in.id)).await;
    assert!(html.text().await.unwrap().contains("Signed in with a link"));
    let one: FeedEntry = browser
        .call("feed_entry", &json!({ "id": signed_in.id }))
        .await
        .unwrap();
    assert_eq!(one, signed_in);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_doubled_by_a_restart() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    tasks(&browser).await;
    server.stop().await;
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    // Two starts, each once, and every task once.
    let started = |page: &FeedPage| {
        let starts = page.entries.iter().filter(|it| it.kind == FeedKind::Server);
        starts.count()
    };
    soon("the second start", async {
        while started(&page(&browser, "kind=server", FeedPlace::Newest).await) < 2 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert_eq!(
        started(&page(&browser, "kind=server", FeedPlace::Newest).await),
        2
    );
    let tasks = tasks(&browser).await;
    let mut subjects: Vec<_> = tasks.iter().map(|task| task.subject.clone()).collect();
    subjects.sort();
    subjects.dedup();
    assert_eq!(subjects.len(), tasks.len());
    assert!(tasks.windows(2).all(|pair| pair[0].id > pair[1].id));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn others_see_that_and_not_where_or_what() {
    let folder = Folder::new();
    Server::start(&folder).await.stop().await;
    let vera = add_user(&folder, "Vera", Role::Viewer).await;
    let server = Server::start(&folder).await;
    let admin = server.sign_in().await;
    let vera = Browser::sign_in(&format!("{}{vera}", server.url())).await;
    let conversation = new_conversation();
    let mut tab = admin.socket().await;
    let script = server.script();
    script.reply([rehearsal::Block::tool_use("get_cluster_status", json!({}))]);
    script.reply([rehearsal::Block::text("Sir, a secret.")]);
    tab.start(conversation, "My secret question").await;
    tab.see(|view| view.finished() == 1).await;
    let own = find(&admin, "kind=call").await;
    assert_eq!(own.conversation, Some(conversation));
    assert_eq!(own.outcome.as_deref(), Some("done"));
    let seen = find(&vera, "kind=call").await;
    assert_eq!(
        (seen.line.as_str(), seen.conversation),
        ("get_cluster_status", None)
    );
    let mut tab = follow(&vera, 0).await;
    let (_, entries, _) = told(&mut tab).await;
    let file = vera.get("/feed/export?format=csv").await;
    assert_eq!(
        file.headers()["content-type"],
        "text/csv; charset=utf-8; header=present"
    );
    let file = file.text().await.unwrap();
    assert!(file.starts_with("id,time,kind,"), "{file}");
    assert!(file.contains("\"get_cluster_status\""), "{file}");
    for shown in [file, format!("{entries:?}"), format!("{seen:?}")] {
        assert!(!shown.contains("secret"), "{shown}");
        assert!(!shown.contains(&conversation.to_string()), "{shown}");
    }
    // Wrong requests are refused, and a meaningless filter filters nothing.
    assert_eq!(vera.get("/feed/export?format=xls").await.status(), 400);
    let odd = page(&vera, "kind=%00&from=x&q=%22%27--", FeedPlace::Newest).await;
    assert_eq!(odd.entries, []);
    assert!(FeedFilter::from_query("kind=%00&from=x").is_empty());
    let nowhere = json!({ "id": "evt_0000000000000" });
    let unknown = vera.call::<Value>("feed_entry", &nowhere).await;
    let unknown = unknown.unwrap_err();
    assert_eq!(unknown.code, protocol::ErrorCode::EventNotFound);
    server.stop().await;
}
