//! Output of jobs: chunks that are resumed where they ended, and the check of what arrived.

use field_package::hex;
use field_queue::log::{ChunkVerdict, MAX_CHUNK, ROOM_FOR_STEPS, StoredLog};
use field_tables::{LogAppended, LogChunk, LogStream};
use sha2::{Digest as _, Sha256};

use crate::dispatch::Dispatch;
use crate::error::{DispatchRefusal, RefusalClass};
use crate::jobs::{SaidClaim, missed};
use crate::messages::{LogPiece, NextOffset, StreamLengths, StreamSum};
use crate::sessions::DeviceSession;
use crate::texts::{devices, jobs as texts};

/// Bytes above the limit of a package: the line that says how much was left out in the middle.
const GAP_LINE: u64 = 128;
/// Bytes of a stream if nobody knows the limit of its package.
const FALLBACK: u64 = 1024 * 1024;
/// Bytes that are read at once.
const PIECE: usize = 256 * 1024;

impl Dispatch {
    /// Appends to a stream of a job that was let start. Output may come after the end, too.
    ///
    /// # Errors
    /// The claim is stale, the stream goes on elsewhere, or it is full.
    pub async fn append_log(
        &self,
        session: &DeviceSession,
        job: &str,
        piece: LogPiece<'_>,
    ) -> Result<NextOffset, DispatchRefusal> {
        let stream = stream_of(piece.stream).ok_or_else(DispatchRefusal::not_found)?;
        if piece.bytes.is_empty() {
            return Err(DispatchRefusal::member("body"));
        }
        let length = piece.bytes.len() as u64;
        if length > MAX_CHUNK {
            return Err(DispatchRefusal::too_large("The chunk", MAX_CHUNK));
        }
        let said = SaidClaim {
            job,
            epoch: piece.epoch,
            claim: piece.claim,
        };
        let claim = said.of(session)?;
        let signed = self.signed(job).await?;
        let kept = signed.map_or(FALLBACK, |signed| signed.output);
        let kept = match stream {
            LogStream::Out | LogStream::Err => kept,
            LogStream::Step => kept.max(ROOM_FOR_STEPS),
        };
        let stored = StoredLog {
            bytes: self.length(job, stream).await?,
            most: kept + GAP_LINE,
            closed: false,
        };
        if stored.judge(piece.offset, length) == ChunkVerdict::Refused {
            return Err(full());
        }
        let chunk = LogChunk {
            stream,
            offset: piece.offset,
            bytes: piece.bytes,
        };
        match self.0.tables.append_log(&claim, chunk).await? {
            LogAppended::Kept { next } => {
                self.job_changed(job, session.id());
                Ok(NextOffset { offset: next })
            }
            LogAppended::Repeated { next } => Ok(NextOffset { offset: next }),
            LogAppended::WrongOffset { next } => {
                let (class, text) = (RefusalClass::Conflict, texts::LOG_OFFSET);
                let refusal = DispatchRefusal::new(class, "log_offset", text, devices::OFFSET_HELP);
                Err(refusal.go_on_from(next))
            }
            LogAppended::Full { .. } => Err(full()),
            LogAppended::Missed(miss) => Err(missed(miss)),
        }
    }

    async fn length(&self, job: &str, stream: LogStream) -> Result<u64, DispatchRefusal> {
        let lengths = self.0.tables.log_lengths(job).await?;
        let found = lengths.iter().find(|(it, _)| *it == stream);
        Ok(found.map_or(0, |(_, length)| *length))
    }

    /// Bytes of each stream that are stored.
    pub(crate) async fn stream_lengths(&self, job: &str) -> Result<StreamLengths, DispatchRefusal> {
        let mut lengths = StreamLengths::default();
        for (stream, length) in self.0.tables.log_lengths(job).await? {
            match stream {
                LogStream::Out => lengths.out = length,
                LogStream::Err => lengths.err = length,
                LogStream::Step => lengths.step = length,
            }
        }
        Ok(lengths)
    }

    /// True if the server has of a stream exactly what its device says it uploaded.
    pub(crate) async fn is_whole(
        &self,
        job: &str,
        stream: &str,
        said: &StreamSum,
    ) -> Result<bool, DispatchRefusal> {
        let Some(stream) = stream_of(stream) else {
            return Ok(false);
        };
        if self.length(job, stream).await? != said.kept {
            return Ok(false);
        }
        let (mut hash, mut at) = (Sha256::new(), 0);
        while at < said.kept {
            let piece = self.0.tables.read_log(job, stream, Some(at), PIECE).await?;
            if piece.bytes.is_empty() {
                return Ok(false);
            }
            hash.update(&piece.bytes);
            at += piece.bytes.len() as u64;
        }
        Ok(hex::write(&hash.finalize()) == said.sha256)
    }
}

/// The stream of a word in a path.
fn stream_of(word: &str) -> Option<LogStream> {
    LogStream::ALL.iter().copied().find(|it| it.word() == word)
}

fn full() -> DispatchRefusal {
    let (class, text) = (RefusalClass::TooLarge, texts::LOG_FULL);
    DispatchRefusal::new(class, "log_full", text, texts::LOG_FULL_HELP)
}
