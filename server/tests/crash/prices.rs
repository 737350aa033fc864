//! The prices of scenarios about alerts: a file that the server follows over all its lives.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use protocol::{ClientFrame, ServerFrame, Topic};
use serde_json::json;

use crate::browser::{Browser, Lost, Outcome};

/// The board that shows alerts and their notices.
const BOARD: &str = "markets";
/// Bid and ask of EURUSD on both sides of the level that scenarios watch.
const BELOW: [f64; 2] = [1.2, 1.2001];
const ABOVE: [f64; 2] = [1.22, 1.2201];

/// A file of prices that stay below the level until they cross it.
pub(crate) struct CrossingPrices(PathBuf);

impl CrossingPrices {
    /// Writes the first ones beside the server's folder.
    pub(crate) fn begin(folder: &Path) -> anyhow::Result<Self> {
        let prices = Self(folder.join("prices.json"));
        prices.tell(BELOW)?;
        Ok(prices)
    }

    /// The configuration of a server that follows them: a system with commands of its own is left
    /// out, since it would leave these in the ledger while it is watched.
    pub(crate) fn environment(&self) -> Vec<(&'static str, String)> {
        vec![
            ("JARVIS_DOMAINS", "markets".to_owned()),
            ("JARVIS_NOTICES", "true".to_owned()),
            ("JARVIS_MARKETS_PRICE_FILE", self.0.display().to_string()),
            ("JARVIS_MARKETS_SILENT_SECONDS", "3600".to_owned()),
        ]
    }

    /// Crosses the level, and waits for the notice of it. A later life finds the price there.
    pub(crate) async fn cross(&self, browser: &mut Browser) -> Outcome<()> {
        self.tell(ABOVE)?;
        let Ok(mut socket) = browser.socket().await? else {
            return Ok(Err(Lost));
        };
        let topic = Topic::Board {
            board: BOARD.to_owned(),
        };
        if socket
            .send(&ClientFrame::Subscribe { topic })
            .await
            .is_err()
        {
            return Ok(Err(Lost));
        }
        loop {
            let Ok(frame) = socket.next().await? else {
                return Ok(Err(Lost));
            };
            let ServerFrame::Board { put, .. } = frame else {
                continue;
            };
            let mut notices = put.iter().filter(|part| part.key.starts_with("notice/"));
            if notices.any(|notice| notice.value["kind"] == "alert") {
                return Ok(Ok(()));
            }
        }
    }

    /// Replaces the file as a whole.
    fn tell(&self, euro: [f64; 2]) -> anyhow::Result<()> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
        let at = units::civil::rfc3339(i64::try_from(now)?);
        let price = |[bid, ask]: [f64; 2]| json!({ "bid": bid, "ask": ask, "at": at });
        let prices = json!({
            "EURUSD": price(euro),
            "GBPUSD": price([1.3, 1.3001]),
            "USDJPY": price([110.0, 110.1]),
        });
        let new = self.0.with_extension("new");
        fs::write(&new, prices.to_string())?;
        fs::rename(&new, &self.0)?;
        Ok(())
    }
}
