//! A conversation of 10,000 messages: opening it, and continuing it.

use anyhow::{Result, ensure};
use protocol::Seq;

use crate::{
    browser::Browser,
    clock, fill,
    meter::{Meter, SharedMeter},
    process::MeasuredWorld,
    report::Report,
    samples::Samples,
    session::BenchSession,
};

const MESSAGES: usize = 10_000;
/// Number of times that it is opened.
const OPENED: usize = 20;
/// Messages that are sent in it.
const SENT: usize = 200;

pub(super) async fn run(world: &MeasuredWorld, report: &mut Report) -> Result<()> {
    let conversation = fill::fill(&world.data(), MESSAGES).await?;
    let server = world.server().await?;
    let browser = &server.browser;
    let group = "10,000 messages";
    let before = server.usage()?;

    let path = format!("/chat/{conversation}");
    let mut page = Samples::default();
    let mut size = 0;
    let mut open = Samples::default();
    let mut bytes = 0;
    for _ in 0..OPENED {
        let began = clock::now();
        size = load(browser, &path).await?;
        page.add(clock::now() - began);
        let began = clock::now();
        let mut session = BenchSession::open(browser, SharedMeter::default()).await?;
        session.conversation = conversation;
        session.join(Seq(0)).await?;
        open.add(clock::now() - began);
        bytes = session.socket.received;
    }
    let after = server.usage()?;
    report.times(group, "page, its newest turns", &page);
    report.value(group, "  its HTML", "KiB", size as f64 / 1024.0);
    report.times(group, "socket, all events", &open);
    report.value(group, "  their frames", "KiB", bytes as f64 / 1024.0);

    let meter = SharedMeter::default();
    let mut session = BenchSession::open(browser, SharedMeter::clone(&meter)).await?;
    session.conversation = conversation;
    session.join(Seq(0)).await?;
    let text = "And now? [[n:5]] [[delay:0]]";
    session.turn(text).await?;
    let first = meter.replace(Meter::default());
    report.times(group, "first message: client to model", &first.request);
    let mut whole = Samples::default();
    for _ in 0..SENT {
        let began = clock::now();
        session.turn(text).await?;
        whole.add(clock::now() - began);
    }
    report.times(
        group,
        "next messages: client to model",
        &meter.borrow().request,
    );
    report.times(group, "  whole turn, 5 tokens", &whole);

    let meter = SharedMeter::default();
    let mut short = BenchSession::open(browser, SharedMeter::clone(&meter)).await?;
    short.start(text).await?;
    meter.replace(Meter::default());
    for _ in 0..SENT {
        short.turn(text).await?;
    }
    report.times(group, "the same in a short one", &meter.borrow().request);
    let grown = (after.rss - before.rss) / 1024.0;
    report.value(group, "memory after opening it", "MiB", grown);
    Ok(())
}

/// Loads a whole page; returns its length.
async fn load(browser: &Browser, path: &str) -> Result<usize> {
    let (status, length) = browser.page(path).await?;
    ensure!(status == 200, "{path} was answered with {status}");
    Ok(length)
}
