//! Files for messages: accepted ones, refused ones, and who can read them again.

use protocol::{Command, ErrorCode, EventBody, Mode, Reference, Role, Seq};
use reqwest::{Method, StatusCode, header::ORIGIN};

use crate::{
    client::{Browser, new_conversation, refusal, send},
    harness::{Folder, Server, add_user},
};

/// Enough of a PNG to be one.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0";

fn upload(browser: &Browser, name: &str, content: &[u8]) -> reqwest::RequestBuilder {
    let path = format!("/files?name={name}");
    // The content type that a browser sends, which says nothing.
    let request = browser
        .request(Method::POST, &path)
        .header("content-type", "image/png");
    request.body(content.to_vec())
}

async fn uploaded(browser: &Browser, name: &str, content: &[u8]) -> Reference {
    let answer = send(upload(browser, name, content)).await;
    assert_eq!(answer.status(), StatusCode::OK);
    answer.json().await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_is_what_its_bytes_say_and_belongs_to_who_sent_it() {
    let folder = Folder::new();
    Server::start(&folder).await.stop().await;
    let otto = add_user(&folder, "Otto", Role::Operator).await;
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    let other = Browser::sign_in(&format!("{}{otto}", server.url())).await;

    let image = uploaded(&browser, "shot%20%E2%80%AE1.txt", PNG).await;
    assert_eq!(image.kind, "image/png");
    let note = image.file.clone().unwrap();
    assert_eq!(
        (note.name.as_str(), note.bytes),
        ("shot \\u{202e}1.txt", PNG.len() as u64)
    );
    assert_eq!(uploaded(&browser, "again.png", PNG).await.id, image.id);
    let page = uploaded(&browser, "page.png", b"<script>alert(1)</script>").await;
    assert_eq!(page.kind, "text/plain");

    let refused = (StatusCode::UNPROCESSABLE_ENTITY, ErrorCode::FileRefused);
    let disguised = [&PNG[..8], b"<html><script>alert(1)</script></html>"].concat();
    let large = [PNG, &vec![0; 4 << 20]].concat();
    let long = "x".repeat(300 << 10);
    for content in [
        &disguised[..],
        &large,
        long.as_bytes(),
        b"MZ\0\0",
        b"%PDF-1.7\xff",
        b"",
    ] {
        assert_eq!(refusal(upload(&browser, "x.png", content)).await, refused);
    }
    let nobody = Browser::new(server.url());
    let stranger = refusal(upload(&nobody, "x.png", PNG)).await;
    assert_eq!(stranger, (StatusCode::UNAUTHORIZED, ErrorCode::NotSignedIn));
    let elsewhere = upload(&browser, "x.png", PNG).header(ORIGIN, "https://elsewhere.invalid");
    assert_eq!(refusal(elsewhere).await.1, ErrorCode::Forbidden);

    // Its owner gets it with its real type, and nothing in it runs.
    for (file, kind) in [(&image, "image/png"), (&page, "text/plain; charset=utf-8")] {
        let path = format!("/files/{}", file.id);
        let answer = browser.get(&path).await;
        assert_eq!(answer.status(), StatusCode::OK);
        let header = |name: &str| answer.headers()[name].to_str().unwrap().to_owned();
        assert_eq!(header("content-type"), kind);
        assert_eq!(header("x-content-type-options"), "nosniff");
        assert_eq!(header("content-disposition"), "inline");
        assert!(header("content-security-policy").starts_with("default-src 'none'; sandbox"));
        let missing = (StatusCode::NOT_FOUND, ErrorCode::FileNotFound);
        assert_eq!(refusal(other.request(Method::GET, &path)).await, missing);
        assert_eq!(
            refusal(nobody.request(Method::GET, &path)).await.0,
            StatusCode::UNAUTHORIZED
        );
    }

    // In another's message it does not exist; in its owner's it reaches the model.
    let start = |conversation| Command::Start {
        conversation,
        mode: Mode::Default,
        text: "What is this?".to_owned(),
        from: None,
        plan: None,
        choice: None,
        references: vec![image.clone(), page.clone()],
        packs: None,
    };
    let mut tab = other.socket().await;
    let answer = tab.command(start(new_conversation())).await;
    assert_eq!(answer.unwrap_err().code, ErrorCode::FileNotFound);
    let id = new_conversation();
    let mut tab = browser.socket().await;
    tab.command(start(id)).await.unwrap();
    tab.subscribe(id, Seq(0)).await.unwrap();
    let ended = |body: &EventBody| matches!(body, EventBody::TurnFinished { .. });
    tab.see(|view| view.count(ended) == 1).await;
    for format in ["md", "json"] {
        let file = browser
            .get(&format!("/chat/{id}/export?format={format}"))
            .await;
        let text = file.text().await.unwrap();
        match format {
            "md" => {
                assert!(text.contains("Attached: shot"), "{text}");
                // The model names the content that really came.
                assert!(text.contains("an image (image/png) of 29 bytes"), "{text}");
            }
            _ => assert!(text.contains(&image.id), "{text}"),
        }
    }
    server.stop().await;
}
