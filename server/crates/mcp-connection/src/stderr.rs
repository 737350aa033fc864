//! A program's standard error, kept for an admin.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::{io::AsyncReadExt, process::ChildStderr};

/// The most that is kept, in bytes.
const KEPT: usize = 16 * 1024;

/// The newest bytes of standard error. Clones are the same log.
#[derive(Debug, Clone, Default)]
pub(crate) struct StderrLog(Arc<Mutex<VecDeque<u8>>>);

impl StderrLog {
    /// Reads until the stream ends. A program that writes without end costs no memory.
    pub(crate) fn follow(&self, mut stream: ChildStderr) {
        let log = self.clone();
        tokio::spawn(async move {
            let mut bytes = [0; 4096];
            while let Ok(read @ 1..) = stream.read(&mut bytes).await {
                log.add(&bytes[..read]);
            }
        });
    }

    fn add(&self, bytes: &[u8]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(bytes);
        let over = kept.len().saturating_sub(KEPT);
        kept.drain(..over);
    }

    /// The lines that are kept, cleaned, the newest last.
    pub(crate) fn lines(&self) -> Vec<String> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = kept.iter().copied().collect();
        drop(kept);
        let text = agent::clean_text(&String::from_utf8_lossy(&bytes));
        text.lines().map(str::to_owned).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_bytes_are_kept_and_cleaned() {
        let log = StderrLog::default();
        for n in 0..5_000 {
            log.add(format!("line {n}\u{202e}\n").as_bytes());
        }
        let lines = log.lines();
        let bytes: usize = lines.iter().map(String::len).sum();
        assert!(bytes < 3 * KEPT, "{bytes}");
        assert_eq!(lines.last().map(String::as_str), Some("line 4999\\u{202e}"));
    }
}
