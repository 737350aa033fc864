//! Tabs that look at a board, and what reaches them.

use std::{cell::RefCell, rc::Rc};

use anyhow::Result;
use protocol::{ClientFrame, Topic};

use crate::browser::Browser;

/// The bytes and frames of all tabs.
#[derive(Default)]
pub(crate) struct BoardTraffic {
    pub(crate) bytes: u64,
    pub(crate) frames: u64,
}

/// A tab that looks at a board, until its connection ends.
pub(crate) async fn look(
    browser: Browser,
    board: &'static str,
    came: Rc<RefCell<BoardTraffic>>,
) -> Result<()> {
    let mut socket = browser.socket("/ws").await?;
    let topic = Topic::Board {
        board: board.to_owned(),
    };
    let frame = serde_json::to_vec(&ClientFrame::Subscribe { topic })?;
    socket.send(&frame).await?;
    let mut before = 0;
    loop {
        let mut frames = 0;
        socket.read(|_, _| frames += 1).await?;
        let mut came = came.borrow_mut();
        came.frames += frames;
        came.bytes += socket.received - before;
        before = socket.received;
    }
}
