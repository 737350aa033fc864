//! The cost of a token for the server, in counts that are the same on every machine.
//!
//! The server runs on one thread, whose allocations are counted. This thread is the model and the
//! browser, in lockstep: a delta is sent when the one before it has arrived, so that none are
//! joined.
#![expect(
    clippy::unwrap_used,
    reason = "a test ends where something is not as it must be"
)]

mod model;
mod tab;

use std::{path::Path, sync::mpsc, thread};

use server::{
    config::{Config, Flags},
    domains::sections,
};

use crate::{model::Model, tab::Tab};

/// Tokens before and while it counts.
const WARM: usize = 200;
const COUNTED: u64 = 10_000;

/// Allocations on the whole way: the model's client, the turn, the hub, the websocket.
const ALLOCATIONS: u64 = 7;
/// Bytes from server to browser for a token of five: the frame with its head.
const BYTES: u64 = 64;

#[test]
fn what_a_token_costs() {
    let folder = tempfile::tempdir().unwrap();
    let model = Model::bind();
    let (link, links) = mpsc::channel();
    let (mark, mut marks) = tokio::sync::mpsc::unbounded_channel();
    let (count, counts) = mpsc::channel();
    let config = config(folder.path(), &model.url());
    let server = thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let start = Box::pin(server::start(config, &[]));
        let running = runtime.block_on(start).unwrap();
        link.send(running.sign_in_link().unwrap().to_owned())
            .unwrap();
        loop {
            let mut more = None;
            let counted = allocation_counter::measure(|| {
                more = runtime.block_on(marks.recv());
            });
            if more.is_none() {
                break;
            }
            count.send(counted.count_total).unwrap();
        }
        runtime.block_on(Box::pin(running.stop())).unwrap();
    });
    let allocated = || {
        mark.send(()).unwrap();
        counts.recv().unwrap()
    };

    let mut tab = Tab::sign_in(&links.recv().unwrap());
    tab.start();
    let mut answer = model.asked();
    tab.subscribe();
    answer.begin();
    for _ in 0..WARM {
        answer.delta("word ");
        tab.delta();
    }
    allocated();
    let mut bytes = 0;
    for _ in 0..COUNTED {
        answer.delta("word ");
        bytes += tab.delta();
    }
    let allocations = allocated();
    answer.end();
    tab.ended();
    drop(mark);
    server.join().unwrap();

    let each = |sum: u64| sum.div_ceil(COUNTED);
    assert!(
        each(allocations) <= ALLOCATIONS,
        "{} allocations a token, not {ALLOCATIONS}",
        each(allocations)
    );
    assert!(
        each(bytes) <= BYTES,
        "{} bytes a token, not {BYTES}",
        each(bytes)
    );
}

fn config(folder: &Path, model: &str) -> Config {
    let flags = Flags {
        listen: Some("127.0.0.1:0".parse().unwrap()),
        data_dir: Some(folder.join("data")),
        ..Flags::default()
    };
    // A plain chat: what domains do in the background grows with the time that the test takes.
    let text = format!(
        "[model]\nbase_url = \"{model}\"\napi_key = \"key\"\n\
         [notices]\nenabled = false\n[domains]\nenabled = []\n"
    );
    Config::read(&flags, Path::new("jarvis.toml"), &text, [], &sections()).unwrap()
}
