//! The interface of a tab for loads and measurements, on either server.

use anyhow::Result;

use crate::{
    browser::Browser,
    meter::{Shared, Turn},
    session::Session,
};

/// A tab with one conversation.
pub(crate) trait Tab: Sized + 'static {
    /// Opens it and has a first, short turn.
    async fn open(browser: &Browser, meter: Shared) -> Result<Self>;

    /// From now on measurements count there.
    fn count_in(&mut self, meter: Shared);

    /// Sends a message and waits for the answer's end.
    async fn turn(&mut self, text: &str) -> Result<Turn>;

    /// Opens an idle connection and answers pings forever.
    async fn idle(browser: Browser, opened: impl FnOnce()) -> Result<()>;
}

/// The first message of a tab.
pub(crate) const HELLO: &str = "Hello. [[n:5]] [[delay:0]]";

impl Tab for Session {
    async fn open(browser: &Browser, meter: Shared) -> Result<Self> {
        let mut session = Self::open(browser, meter).await?;
        session.start(HELLO).await?;
        Ok(session)
    }

    fn count_in(&mut self, meter: Shared) {
        self.meter = meter;
    }

    async fn turn(&mut self, text: &str) -> Result<Turn> {
        self.turn(text).await
    }

    async fn idle(browser: Browser, opened: impl FnOnce()) -> Result<()> {
        let mut socket = crate::engine::idle::open(&browser).await?;
        opened();
        loop {
            socket.read(|_, _| {}).await?;
        }
    }
}
