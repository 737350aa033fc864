//! A window of a run's output: its last lines, or those before a place, covered.

use std::ops::Range;

use field::ports::{FieldFault, FieldFaultCode, LogText, OutputTail};
use field_tables::{JobRecord, LogStream};

use super::FieldBackend;
use super::faults::{fault, stored};
use super::follow::{BEFORE, free_line, open_key};
use crate::vaults::CoverSource;

/// Bytes that are read for the lines of a window, besides those in which a key may have begun.
const WINDOW: usize = 64 * 1024;
/// The most of the last lines: a model reads them as well.
const MOST_LAST: u32 = 200;
/// The most of the lines before a place.
const MOST_EARLIER: u32 = 1_000;

/// Bytes of a stream, and the offset of the first one.
struct ReadBytes {
    bytes: Vec<u8>,
    start: u64,
    /// Bytes of the whole stream.
    length: u64,
}

/// The lines to show of some bytes.
#[derive(Debug, PartialEq, Eq)]
struct ShownLines {
    shown: Range<usize>,
    /// The whole lines that were read before them.
    earlier: Range<usize>,
    /// The place before which the next window ends.
    begins: usize,
}

impl FieldBackend {
    pub(super) async fn output_tail(
        &self,
        id: &str,
        tail: &OutputTail,
    ) -> Result<LogText, FieldFault> {
        let job = self.known_job(id).await?;
        let stream = if tail.errors {
            LogStream::Err
        } else {
            LogStream::Out
        };
        let read = match tail.step {
            None => self.window_bytes(&job, stream, tail.before).await?,
            Some(number) => {
                let places = self.step_output(id, number).await?;
                let place = places.map(|it| if tail.errors { it.err } else { it.out });
                let bytes = match place {
                    Some(place) => self.piece(id, stream, place).await?,
                    None => Vec::new(),
                };
                let length = bytes.len() as u64;
                ReadBytes {
                    bytes,
                    start: 0,
                    length,
                }
            }
        };
        let most = match tail.before {
            None => MOST_LAST,
            Some(_) => MOST_EARLIER,
        };
        let most = usize::try_from(tail.lines.min(most)).unwrap_or(0);
        let lines = last_lines(&read.bytes, read.start == 0, most);
        // First those before them: a name that they introduce is hidden in what is shown.
        self.covered_lines(&job.site, &read.bytes[lines.earlier])
            .await?;
        let text = self.covered_lines(&job.site, &read.bytes[lines.shown]);
        Ok(LogText {
            text: text.await?,
            bytes: read.length,
            start: read.start + lines.begins as u64,
        })
    }

    async fn covered_lines(&self, site: &str, bytes: &[u8]) -> Result<String, FieldFault> {
        let text = String::from_utf8_lossy(bytes);
        let covered = self.dispatch.cover(site, &text, CoverSource::Outside).await;
        Ok(covered.map_err(fault(FieldFaultCode::Storage))?.text)
    }

    /// The bytes before a place, or the last ones.
    async fn window_bytes(
        &self,
        job: &JobRecord,
        stream: LogStream,
        before: Option<u64>,
    ) -> Result<ReadBytes, FieldFault> {
        let from = before.map(|before| before.saturating_sub((WINDOW + BEFORE) as u64));
        let most = before.zip(from).map(|(before, from)| before - from);
        let most = most.map_or(WINDOW + BEFORE, |most| usize::try_from(most).unwrap_or(0));
        let read = self.tables().read_log(&job.id, stream, from, most);
        let mut read = read.await.map_err(stored)?;
        if before.is_some() || !job.state.is_over() {
            // Whoever names a place in the middle of a line, or looks while one is written, would see half a value.
            let end = read.bytes.iter().rposition(|byte| *byte == b'\n');
            read.bytes.truncate(end.map_or(0, |at| at + 1));
        }
        Ok(ReadBytes {
            bytes: read.bytes,
            start: read.start,
            length: read.length,
        })
    }
}

/// The last lines that can be covered by themselves. Half a line is not shown, nor the lines of a key without
/// the one in which it begins: only with that one they are a secret.
fn last_lines(bytes: &[u8], is_whole: bool, most: usize) -> ShownLines {
    let last = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let first = if is_whole {
        0
    } else {
        let known = BEFORE.min(bytes.len());
        let end = bytes[known..].iter().position(|byte| *byte == b'\n');
        end.map_or(bytes.len(), |end| known + end + 1)
    };
    if first == bytes.len() {
        // One line fills the window and is left out, or too little is known of a key before the last line.
        let line = last.iter().rposition(|byte| *byte == b'\n');
        let line = line.map_or(0, |end| end + 1);
        return ShownLines {
            shown: first..first,
            earlier: first..first,
            begins: if first - line >= WINDOW { line } else { first },
        };
    }
    let mut ends = (first..last.len()).rev().filter(|at| bytes[*at] == b'\n');
    let begins = match most.checked_sub(1) {
        None => bytes.len(),
        Some(others) => ends.nth(others).map_or(first, |at| at + 1),
    };
    let context = begins.saturating_sub(BEFORE);
    let (begins, from) = match open_key(&bytes[context..begins]) {
        None => (begins, begins),
        Some(line) if line > 0 || (is_whole && context == 0) => (context + line, context + line),
        Some(_) => (begins, free_line(bytes, begins).unwrap_or(bytes.len())),
    };
    ShownLines {
        shown: from..bytes.len(),
        earlier: first.min(begins)..begins,
        begins,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_whole_and_a_key_has_its_beginning() {
        let key = "-----BEGIN A-----\nM\nN\n-----END A-----\n";
        for (text, most, expected) in [
            ("", 2, ""),
            ("a\nb\nc\n", 2, "b\nc\n"),
            ("a\nb\nc", 2, "b\nc"),
            ("a\nb\n", 9, "a\nb\n"),
            ("a\nb\n", 0, ""),
            (&*format!("a\n{key}"), 1, key),
            (&*format!("a\n{key}b\n"), 2, &*format!("{key}b\n")),
            (&*format!("a\n{key}b\n"), 1, "b\n"),
        ] {
            let lines = last_lines(text.as_bytes(), true, most);
            assert_eq!(lines.begins, lines.shown.start, "{text}");
            assert_eq!(lines.earlier, 0..lines.begins, "{text}");
            assert_eq!(&text[lines.shown], expected, "{text}");
        }
    }

    #[test]
    fn a_window_begins_behind_what_is_not_known_whole() {
        let half = "x".repeat(BEFORE + 2);
        let body = "M\n".repeat(BEFORE / 2 - 20);
        let begun = format!("{}-----BEGIN A-----\n{body}", "y".repeat(100));
        let lines = |text: &str, most| last_lines(text.as_bytes(), false, most);
        // Lines that are long enough to hide the beginning of a key.
        let text = format!("{half}\na\nb\n");
        assert_eq!(&text[lines(&text, 9).shown], "a\nb\n");
        assert_eq!(lines(&text, 9).begins, half.len() + 1);
        // Of a key whose first line is half there, nothing: the window before has all of it.
        let text = format!("{begun}-----END A-----\nb\n");
        let behind = lines(&text, 9);
        assert!(behind.begins < behind.shown.start);
        assert_eq!(&text[behind.shown], "b\n");
        // One line fills the window. Whatever is in it, the next one ends earlier.
        let long = "x".repeat(BEFORE + WINDOW);
        for (text, begins) in [
            (long.clone(), 0),
            (format!("{long}\n"), 0),
            (format!("a\n{long}"), 2),
            (format!("a\n{long}\n"), 2),
            ("a\n".to_owned(), 2),
            // A short line is left to the next window.
            ("a\n".repeat(BEFORE / 2 + 1), BEFORE + 2),
        ] {
            let none = lines(&text, 9);
            assert_eq!((none.shown.len(), none.begins), (0, begins));
        }
    }
}
