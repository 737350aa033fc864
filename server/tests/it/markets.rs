//! `jarvis markets` as a process.

use crate::{
    binary::{jarvis, run},
    harness::{Folder, Server},
};

#[tokio::test]
async fn files_come_in_whole_and_once() {
    let folder = Folder::new();
    let path = folder.path();
    let good = "Time,Open,High,Low,Close,Volume\n\
        01.01.2017 22:00:00.000,1.05236,1.05253,1.05221,1.05227,143539993.3\n\
        01.01.2017 23:00:00.000,1.05227,1.05426,1.05226,1.05282,253139999.4\n";
    std::fs::write(path.join("good.csv"), good).unwrap();
    std::fs::write(
        path.join("bad.csv"),
        format!("{good}02.01.2017,1,1,1,1,1\n"),
    )
    .unwrap();
    let import = async |file| {
        let arguments = ["markets", "import", "candles", file, "--data-dir", "data"];
        run(&mut jarvis(path, &arguments)).await
    };
    let (code, _, errors) = import("bad.csv").await;
    assert_eq!(code, Some(1));
    let refused = "jarvis: bad.csv: line 4: \"02.01.2017\" is no time of a candle, ";
    assert!(
        errors.starts_with(refused) && errors.ends_with(" (time)\n"),
        "{errors}"
    );
    let (code, out, _) = import("good.csv").await;
    assert_eq!(
        (code, out.as_str()),
        (Some(0), "2 rows: 2 written, 0 unchanged\n")
    );
    let (_, out, _) = import("good.csv").await;
    assert_eq!(out, "2 rows: 0 written, 2 unchanged\n");
    assert_eq!(import("none.csv").await.0, Some(2));
    // The two candles of the file are among those that come with Jarvis.
    let samples = ["markets", "samples", "--data-dir", "data"];
    let (code, out, _) = run(&mut jarvis(path, &samples)).await;
    assert_eq!(code, Some(0));
    assert!(out.ends_with(" written, 2 unchanged\n"), "{out}");

    let forget = ["markets", "forget", "samples", "--data-dir", "data"];
    let (code, out, _) = run(&mut jarvis(path, &forget)).await;
    assert_eq!(code, Some(0));
    assert!(
        out.ends_with(" rows deleted\n") && !out.starts_with("0 "),
        "{out}"
    );
    assert_eq!(run(&mut jarvis(path, &forget)).await.1, "0 rows deleted\n");
    let line = "{\"published_at\":\"2026-11-23T10:15:00Z\",\"text\":\"Euro steady\"}\n";
    let news = path.join("news");
    std::fs::create_dir(&news).unwrap();
    std::fs::write(news.join("a.jsonl"), line).unwrap();
    let feed = "<feed><title>A Wire</title><entry><title>Yen falls</title><id>1</id>\
        <updated>2026-11-23T10:16:00Z</updated></entry></feed>";
    std::fs::write(news.join("b.atom"), feed).unwrap();
    std::fs::write(news.join(".c.atom"), "not to be read").unwrap();
    let news_of = async |name: &str| {
        let import = ["markets", "import", "headlines", name, "--data-dir", "data"];
        run(&mut jarvis(path, &import)).await
    };
    let (code, out, errors) = news_of("news").await;
    assert_eq!(out, "2 rows: 2 written, 0 unchanged\n", "{errors}");
    assert_eq!(code, Some(0));
    // One that is wrong keeps none of the others out.
    std::fs::write(news.join("a.rss"), "<html></html>").unwrap();
    let (code, out, errors) = news_of("news").await;
    assert_eq!(out, "2 rows: 0 written, 2 unchanged\n");
    assert!(errors.ends_with("RSS or Atom feed (syntax)\n"), "{errors}");
    assert_eq!(code, Some(1));
}

#[tokio::test]
async fn candles_of_a_symbol_come_in_once_it_is_declared() {
    let folder = Folder::new();
    let path = folder.path();
    let file = "coin.csv";
    let hour = "2026-11-21T12:00:00Z,90000.1,90100.5,89950,90050.2\n";
    std::fs::write(path.join(file), hour).unwrap();
    let import = async |symbol, timeframe| {
        let import = ["markets", "import", "candles", file, "--data-dir", "data"];
        let of = ["--symbol", symbol, "--timeframe", timeframe];
        run(&mut jarvis(path, &[&import[..], &of].concat())).await
    };
    let (code, out, errors) = import("BTCUSD", "H1").await;
    assert_eq!((code, out.as_str()), (Some(2), ""));
    let unknown = "no symbol is called \"BTCUSD\"";
    assert!(errors.contains(unknown), "{errors}");
    assert!(errors.contains("[[markets.symbols]]"), "{errors}");
    assert!(errors.ends_with("(symbol_unknown)\n"), "{errors}");
    let hidden = import("BTC\u{202e}USD", "H1").await.2;
    assert!(hidden.contains("BTC\\u{202e}USD"), "{hidden}");

    let config = "[[markets.symbols]]\nname = \"BTCUSD\"\nkind = \"crypto\"\ndigits = 1\n\
        quote = \"USD\"\ntimeframes = [\"H1\"]\n";
    std::fs::write(path.join("jarvis.toml"), config).unwrap();
    let (code, out, errors) = import("BTCUSD", "H1").await;
    // A Saturday: the coin has no weekends.
    assert_eq!(out, "1 rows: 1 written, 0 unchanged\n", "{errors}");
    assert_eq!(code, Some(0));
    assert_eq!(import("BTCUSD", "M5").await.0, Some(1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_running_server_imports_for_the_command() {
    let folder = Folder::new();
    let path = folder.path();
    let data = folder.data();
    let hour = "2026-11-23T10:00:00Z,1.08,1.09,1.07,1.08,5\n";
    std::fs::write(path.join("good.csv"), hour).unwrap();
    std::fs::write(path.join("bad.csv"), format!("{hour}{hour}")).unwrap();
    let server = Server::start(&folder).await;
    let markets = async |arguments: &[&str]| {
        let to = ["--data-dir", data.to_str().unwrap()];
        let all = [&["markets"][..], arguments, &to[..]].concat();
        run(&mut jarvis(path, &all)).await
    };
    let import = ["import", "candles", "good.csv"];
    let (code, out, errors) = markets(&import).await;
    assert_eq!(out, "1 rows: 1 written, 0 unchanged\n", "{errors}");
    assert_eq!(code, Some(0));
    assert_eq!(markets(&import).await.1, "1 rows: 0 written, 1 unchanged\n");

    // What is wrong is told as without a server.
    let (code, out, errors) = markets(&["import", "candles", "bad.csv"]).await;
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(errors.starts_with("jarvis: bad.csv: line 2: "), "{errors}");
    let unknown = ["import", "candles", "good.csv", "--symbol", "XAUUSD"];
    let (code, _, errors) = markets(&unknown).await;
    assert_eq!(code, Some(2));
    assert!(errors.ends_with("(symbol_unknown)\n"), "{errors}");
    assert_eq!(markets(&["import", "trades", "none.csv"]).await.0, Some(2));

    let (code, out, _) = markets(&["forget", "samples"]).await;
    assert_eq!(code, Some(0));
    assert!(out.ends_with(" rows deleted\n"), "{out}");
    server.stop().await;
    // It is all there without it.
    assert_eq!(markets(&import).await.1, "1 rows: 0 written, 1 unchanged\n");
    assert_eq!(markets(&["forget", "samples"]).await.1, "0 rows deleted\n");
}
