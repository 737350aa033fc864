//! A program's standard error, kept for an admin.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::{io::AsyncReadExt, process::ChildStderr};

/// The most that is kept, in bytes.
const KEPT: usize = 16 * 1024;

/// The newest bytes of standard error. Clones are the same log.
#[derive(Debug, Clone, Default)]
pub(crate) struct StderrLog(Arc<Mutex<KeptStderr>>);

#[derive(Debug, Default)]
struct KeptStderr {
    bytes: VecDeque<u8>,
    /// The number of those that programs before the newest one have written.
    earlier: usize,
}

impl StderrLog {
    /// Reads until the stream ends. A program that writes without end costs no memory.
    pub(crate) fn follow(&self, mut stream: ChildStderr) {
        self.begin();
        let log = self.clone();
        tokio::spawn(async move {
            let mut bytes = [0; 4096];
            while let Ok(read @ 1..) = stream.read(&mut bytes).await {
                log.add(&bytes[..read]);
            }
        });
    }

    /// Marks the beginning of another program's bytes.
    fn begin(&self) {
        let mut kept = self.kept();
        kept.earlier = kept.bytes.len();
    }

    fn add(&self, bytes: &[u8]) {
        let mut kept = self.kept();
        kept.bytes.extend(bytes);
        let over = kept.bytes.len().saturating_sub(KEPT);
        kept.bytes.drain(..over);
        kept.earlier = kept.earlier.saturating_sub(over);
    }

    /// The lines that are kept, cleaned, the newest last.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.lines_after(|_| 0)
    }

    /// Those of the newest program alone.
    pub(crate) fn lines_of_the_newest(&self) -> Vec<String> {
        self.lines_after(|kept| kept.earlier)
    }

    fn kept(&self) -> MutexGuard<'_, KeptStderr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lines_after(&self, left_out: fn(&KeptStderr) -> usize) -> Vec<String> {
        let kept = self.kept();
        let left_out = left_out(&kept);
        let bytes: Vec<u8> = kept.bytes.iter().skip(left_out).copied().collect();
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

    #[test]
    fn what_a_program_before_it_wrote_is_not_of_the_newest() {
        let log = StderrLog::default();
        log.add(b"error: of the first\n");
        log.begin();
        assert!(log.lines_of_the_newest().is_empty());
        log.add(b"of the second\n");
        assert_eq!(log.lines_of_the_newest(), ["of the second"]);
        assert_eq!(log.lines().len(), 2);
        log.add(&b"x\n".repeat(KEPT));
        assert_eq!(log.lines_of_the_newest(), log.lines());
    }
}
