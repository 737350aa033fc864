//! The ERP's pages in the first HTML and over the socket, with the simulated company.

use protocol::{ServerFrame, Topic};

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
