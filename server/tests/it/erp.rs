//! The ERP's pages in the first HTML and over the socket, with the simulated company.

use protocol::{ServerFrame, Topic};
use simerp::{SimErp, SimErpOptions, SimErpUser};

use crate::harness::{Folder, Server};

pub(crate) const SIMULATED: &str = "[erp]\nsimulated = true\n";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_pages_are_in_the_first_html_and_names_are_names() {
    let folder = Folder::new();
    let server = Server::start_with(&folder, SIMULATED).await;
    let browser = server.sign_in().await;
    let mut tab = browser.socket().await;
    tab.send(&protocol::ClientFrame::Subscribe {
        topic: Topic::Board {
            board: "erp".to_owned(),
        },
    })
    .await;
    // The first picture may lack what the site has not answered yet.
    let mut awaited = vec!["receivables", "drafts/Sales Order"];
    tab.until(|frame| {
        if let ServerFrame::Board { put, .. } = frame {
            let has_rows = |key: &str| {
                put.iter()
                    .any(|part| part.key == key && part.value["rows"].is_array())
            };
            awaited.retain(|key| !has_rows(key));
        }
        awaited.is_empty().then_some(())
    })
    .await;
    for (path, texts) in [
        (
            "/erp",
            &[
                "Waiting for approval in the ERP",
                "Merlin Bikes",
                "days late",
                "Simulated",
            ][..],
        ),
        (
            "/erp/Supplier/Sprocket%20%26%20Daughters",
            &["Sprocket &amp; Daughters", "Fields", "History"],
        ),
        ("/erp/Item/TOOLKIT", &["TOOLKIT", "Documents of this type"]),
        (
            "/erp/Item/no%2Fsuch%25thing",
            &["The document cannot be shown"],
        ),
    ] {
        let page = browser.get(path).await;
        assert_eq!(page.status(), 200, "{path}");
        let html = page.text().await.unwrap();
        for text in texts {
            assert!(
                html.contains(text),
                "{path}: {text} is not in the first HTML"
            );
        }
        assert!(
            !html.contains("style=\""),
            "{path}: the policy allows no such attribute"
        );
    }
    // A group of drafts says its type once.
    let overview = browser.get("/erp").await.text().await.unwrap();
    let (before, drafts) = overview.split_once("id=\"erp-drafts\"").unwrap();
    let (drafts, _) = drafts.split_once("</section>").unwrap();
    assert!(before.contains("erp-row__type"));
    assert!(drafts.contains("erp-row__name") && !drafts.contains("erp-row__type"));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_system_manager_key_is_refused_with_the_way_to_a_narrow_one() {
    let company = SimErp::start(SimErpOptions::default()).await.unwrap();
    let (key, secret) = company.key(SimErpUser::Boss);
    let url = company.url();
    let more = format!("[erp]\nurl = \"{url}\"\napi_key = \"{key}\"\napi_secret = \"{secret}\"\n");
    let folder = Folder::new();
    let server = Server::start_with(&folder, &more).await;
    let browser = server.sign_in().await;
    let mut tab = browser.socket().await;
    let board = "erp".to_owned();
    let topic = Topic::Board { board };
    tab.send(&protocol::ClientFrame::Subscribe { topic }).await;
    tab.until(|frame| match frame {
        ServerFrame::Board { put, .. } => {
            let mut health = put.iter().filter(|part| part.key == "health");
            let is_told = health.any(|part| part.value["help"].is_string());
            is_told.then_some(())
        }
        _ => None,
    })
    .await;
    let html = browser.get("/erp").await.text().await.unwrap();
    for text in [
        "has System Manager, which passes nearly every check",
        "narrow it by User Permission to its company",
    ] {
        assert!(html.contains(text), "{text} is not on the page");
    }
    // Who the key belongs to, and nothing else.
    let asked = company.control().requests();
    let read = asked.iter().find(|it| it.path.contains("/resource/"));
    assert!(read.is_none(), "{read:?}");
    assert!(asked.iter().all(|it| it.method == "GET"));
    server.stop().await;
    company.shutdown().await;
}
