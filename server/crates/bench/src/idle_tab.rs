//! A tab that follows the list of conversations and does nothing else.

use anyhow::Result;
use protocol::{ClientFrame, Timestamp, Topic};

use crate::{browser::Browser, socket::Socket};

/// A tab as a page opens it, with the list of conversations.
pub(crate) async fn open(browser: &Browser) -> Result<Socket> {
    let mut socket = browser.socket("/ws").await?;
    let topic = Topic::Conversations {
        since: Timestamp(i64::MAX),
    };
    let frame = serde_json::to_vec(&ClientFrame::Subscribe { topic })?;
    socket.send(&frame).await?;
    // The kill switch comes after everything that was missed.
    let mut ready = false;
    while !ready {
        let switch = br#"{"type":"kill_switch""#;
        socket
            .read(|_, frame| ready |= frame.starts_with(switch))
            .await?;
    }
    Ok(socket)
}
