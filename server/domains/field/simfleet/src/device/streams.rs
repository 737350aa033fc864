//! Output of a job: everything is counted, a bounded part is kept and sent.

use sha2::{Digest as _, Sha256};

use crate::protocol::{StreamMessage, StreamOffsets};
use crate::trust::keys::{hex, sha256_hex};

/// A stream of a job's log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StreamName {
    Out,
    Err,
    Step,
}

impl StreamName {
    /// In the order in which they are sent: a step's record comes behind its output.
    pub(super) const ALL: [Self; 3] = [Self::Out, Self::Err, Self::Step];

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Out => "out",
            Self::Err => "err",
            Self::Step => "step",
        }
    }
}

/// The three streams of one job.
#[derive(Debug, Default)]
pub(super) struct JobStreams {
    streams: [StreamLog; 3],
}

#[derive(Debug, Default)]
struct StreamLog {
    all: Vec<u8>,
    /// Bytes that the server has.
    sent: usize,
    /// Bytes that are kept at most.
    cap: usize,
    ended: bool,
}

impl JobStreams {
    /// Opens the streams with a limit for each.
    pub(super) fn open(&mut self, cap: u64) {
        for stream in &mut self.streams {
            stream.cap = usize::try_from(cap).unwrap_or(usize::MAX);
        }
    }

    pub(super) fn end(&mut self) {
        for stream in &mut self.streams {
            stream.ended = true;
        }
    }

    pub(super) fn append(&mut self, stream: StreamName, bytes: &[u8]) {
        self.log(stream).all.extend_from_slice(bytes);
    }

    /// Bytes written so far.
    pub(super) fn length(&self, stream: StreamName) -> u64 {
        self.streams[stream as usize].all.len() as u64
    }

    /// Bytes written in all streams.
    pub(super) fn total(&self) -> u64 {
        StreamName::ALL.iter().map(|it| self.length(*it)).sum()
    }

    /// The next chunk to send, with its offset.
    pub(super) fn next_chunk(&self, stream: StreamName, most: usize) -> Option<StreamChunk> {
        let log = &self.streams[stream as usize];
        let kept = log.kept();
        let bytes: Vec<u8> = kept.get(log.sent..)?.iter().copied().take(most).collect();
        (!bytes.is_empty()).then_some(StreamChunk {
            offset: log.sent,
            bytes,
        })
    }

    /// Goes on from an offset that the server has named.
    pub(super) fn go_on_from(&mut self, stream: StreamName, offset: u64) {
        let log = self.log(stream);
        let kept = log.kept().len();
        log.sent = usize::try_from(offset).map_or(kept, |it| it.min(kept));
    }

    pub(super) fn go_on_from_all(&mut self, offsets: StreamOffsets) {
        self.go_on_from(StreamName::Out, offsets.out);
        self.go_on_from(StreamName::Err, offsets.err);
        self.go_on_from(StreamName::Step, offsets.step);
    }

    pub(super) fn message(&self, stream: StreamName) -> StreamMessage {
        let log = &self.streams[stream as usize];
        let kept = log.kept();
        StreamMessage {
            kept: kept.len() as u64,
            sha256: sha256_hex(&kept),
            all: log.all.len() as u64,
            all_sha256: hex(&Sha256::digest(&log.all)),
        }
    }

    fn log(&mut self, stream: StreamName) -> &mut StreamLog {
        &mut self.streams[stream as usize]
    }
}

/// A piece of a stream.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct StreamChunk {
    pub(super) offset: usize,
    pub(super) bytes: Vec<u8>,
}

impl StreamLog {
    /// The head is a third of the limit. Until the end nobody knows where the tail begins, so only the
    /// head is sent before.
    fn kept(&self) -> Vec<u8> {
        let head = self.cap / 3;
        if self.all.len() <= self.cap && (self.ended || self.all.len() <= head) {
            return self.all.clone();
        }
        let mut kept = self.all[..head.min(self.all.len())].to_vec();
        if self.ended {
            let gap = format!("\n[{} bytes left out]\n", self.all.len() - self.cap);
            let tail = self.cap - head;
            kept.extend_from_slice(gap.as_bytes());
            kept.extend_from_slice(&self.all[self.all.len() - tail..]);
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn head_and_tail_are_kept_and_the_gap_is_counted() {
        let mut streams = JobStreams::default();
        streams.open(30);
        streams.append(StreamName::Out, &[b'a'; 25]);
        let first = streams.next_chunk(StreamName::Out, 100).unwrap();
        assert_eq!((first.offset, first.bytes.len()), (0, 10), "the head alone");
        streams.go_on_from(StreamName::Out, 10);
        assert_eq!(streams.next_chunk(StreamName::Out, 100), None);
        streams.append(StreamName::Out, &[b'b'; 75]);
        streams.end();
        let rest = streams.next_chunk(StreamName::Out, 100).unwrap();
        let text = String::from_utf8(rest.bytes).unwrap();
        assert_eq!(text, format!("\n[70 bytes left out]\n{}", "b".repeat(20)));
        let message = streams.message(StreamName::Out);
        assert_eq!((message.all, message.kept), (100, 51));
        streams.go_on_from(StreamName::Out, 9_999);
        assert_eq!(
            streams.next_chunk(StreamName::Out, 100),
            None,
            "no offset leads outside"
        );
    }

    #[test]
    fn what_fits_is_kept_whole() {
        let mut streams = JobStreams::default();
        streams.open(30);
        streams.append(StreamName::Err, b"0123456789abcdefghij");
        streams.end();
        let chunk = streams.next_chunk(StreamName::Err, 8).unwrap();
        assert_eq!(chunk.bytes, b"01234567");
        streams.go_on_from(StreamName::Err, 16);
        assert_eq!(
            streams.next_chunk(StreamName::Err, 8).unwrap().bytes,
            b"ghij"
        );
    }
}
