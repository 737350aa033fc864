//! The interface of a tab for loads and measurements, on either server.

use anyhow::Result;

use crate::{
    browser::Browser,
    idle_tab,
    meter::{MeteredTurn, SharedMeter},
    session::BenchSession,
};

/// A tab with one conversation.
pub(crate) trait BenchTab: Sized + 'static {
    /// Opens it and has a first, short turn.
    async fn open(browser: &Browser, meter: SharedMeter) -> Result<Self>;

    /// From now on measurements count there.
    fn count_in(&mut self, meter: SharedMeter);

    /// Sends a message and waits for the answer's end.
    async fn turn(&mut self, text: &str) -> Result<MeteredTurn>;

    /// Opens an idle connection and answers pings forever.
    async fn idle(browser: Browser, opened: impl FnOnce()) -> Result<()>;
}

/// The first message of a tab.
pub(crate) const HELLO: &str = "Hello. [[n:5]] [[delay:0]]";

impl BenchTab for BenchSession {
    async fn open(browser: &Browser, meter: SharedMeter) -> Result<Self> {
        let mut session = Self::open(browser, meter).await?;
        session.start(HELLO).await?;
        Ok(session)
    }

    fn count_in(&mut self, meter: SharedMeter) {
        self.meter = meter;
    }

    async fn turn(&mut self, text: &str) -> Result<MeteredTurn> {
        self.turn(text).await
    }

    async fn idle(browser: Browser, opened: impl FnOnce()) -> Result<()> {
        let mut socket = idle_tab::open(&browser).await?;
        opened();
        loop {
            socket.read(|_, _| {}).await?;
        }
    }
}
