//! Output of jobs, in chunks: what came is resumed where it ended, and never written over.

use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use crate::columns::{to_count, whole, words};
use crate::error::fits;
use crate::jobs::{ClaimMiss, JobClaim, JobState, current};
use crate::limits::{MOST_CHUNK, MOST_CHUNKS, MOST_LOG};
use crate::{FieldTables, FieldTablesError};

/// Stream of a job's output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LogStream {
    Out,
    Err,
    /// Framed records: beginnings and ends of steps.
    Step,
}

words!(LogStream {
    Out = "out",
    Err = "err",
    Step = "step",
});

/// A piece of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogChunk<'a> {
    pub stream: LogStream,
    /// Of its first byte in the stream.
    pub offset: u64,
    pub bytes: &'a [u8],
}

/// Outcome of a chunk. `next` is the offset with which the stream goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogAppended {
    Kept {
        next: u64,
    },
    /// All of it is below the end of the stream. The offset decides alone: a device that cuts its
    /// output anew sends other chunks, and what is there is never written over.
    Repeated {
        next: u64,
    },
    /// The stream ends elsewhere. Nothing changed.
    WrongOffset {
        next: u64,
    },
    /// The stream is as long as it may be.
    Full {
        next: u64,
    },
    Missed(ClaimMiss),
}

/// Part of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogTail {
    /// Offset of the first byte.
    pub start: u64,
    pub bytes: Vec<u8>,
    /// Length of the whole stream so far.
    pub length: u64,
}

impl FieldTables {
    /// Appends to a stream of a job that the server let start. Output may come after the end, too.
    ///
    /// # Errors
    /// The chunk is too large, or the database fails.
    pub async fn append_log(
        &self,
        claim: &JobClaim,
        chunk: LogChunk<'_>,
    ) -> Result<LogAppended, FieldTablesError> {
        fits("a chunk of a log", chunk.bytes.len(), MOST_CHUNK)?;
        let mut writer = self.0.writer().await;
        let mut change = writer.begin("output of a job").await?;
        let connection = change.connection();
        let job = match current(connection, claim).await? {
            Ok(job) => job,
            Err(miss) => return Ok(LogAppended::Missed(miss)),
        };
        match job.state {
            JobState::Running | JobState::Ended | JobState::Cut | JobState::Unknown => {}
            state if state.is_over() => return Ok(LogAppended::Missed(ClaimMiss::Over(state))),
            _ => return Ok(LogAppended::Missed(ClaimMiss::NotStarted)),
        }
        let (chunks, next) = end(connection, &claim.job, chunk.stream).await?;
        let until = chunk.offset.checked_add(chunk.bytes.len() as u64);
        let Some(until) = until else {
            return Ok(LogAppended::WrongOffset { next });
        };
        if until <= next {
            return Ok(LogAppended::Repeated { next });
        }
        if chunk.offset != next {
            return Ok(LogAppended::WrongOffset { next });
        }
        if until > MOST_LOG || chunks >= MOST_CHUNKS {
            return Ok(LogAppended::Full { next });
        }
        sqlx::query(
            "INSERT INTO field_job_logs (job, stream, start, until, number, bytes) \
             VALUES (?, ?, ?, ?, ?, ?)",
        )
        .bind(&claim.job)
        .bind(chunk.stream.word())
        .bind(whole(next))
        .bind(whole(until))
        .bind(chunks + 1)
        .bind(chunk.bytes)
        .execute(connection)
        .await?;
        change.commit().await?;
        Ok(LogAppended::Kept { next: until })
    }

    /// Reads a stream from an offset, or its last bytes if `from` is `None`; 256 KiB at most.
    ///
    /// # Errors
    /// The database fails.
    pub async fn read_log(
        &self,
        job: &str,
        stream: LogStream,
        from: Option<u64>,
        most: usize,
    ) -> Result<LogTail, FieldTablesError> {
        let most = most.min(4 * MOST_CHUNK) as u64;
        let mut reader = self.0.readers().begin().await.map_err(store::Error::from)?;
        let (_, length) = end(&mut reader, job, stream).await?;
        let from = from.unwrap_or(length.saturating_sub(most)).min(length);
        let to = length.min(from.saturating_add(most));
        // The chunk that `from` is in begins at most one chunk before it.
        let rows = sqlx::query(
            "SELECT start, bytes FROM field_job_logs WHERE job = ? AND stream = ? \
             AND start > ? AND until > ? AND start < ? ORDER BY start",
        )
        .bind(job)
        .bind(stream.word())
        .bind(whole(from) - MOST_CHUNK as i64)
        .bind(whole(from))
        .bind(whole(to))
        .fetch_all(&mut *reader)
        .await?;
        let mut bytes = Vec::new();
        for row in &rows {
            let start = to_count(row.try_get("start")?)?;
            let chunk: &[u8] = row.try_get("bytes")?;
            let skipped = usize::try_from(from.saturating_sub(start)).unwrap_or(usize::MAX);
            bytes.extend(chunk.iter().skip(skipped));
        }
        bytes.truncate(usize::try_from(to - from).unwrap_or(usize::MAX));
        Ok(LogTail {
            start: from,
            bytes,
            length,
        })
    }

    /// Lengths of the streams of a job that are not empty.
    ///
    /// # Errors
    /// The database fails.
    pub async fn log_lengths(&self, job: &str) -> Result<Vec<(LogStream, u64)>, FieldTablesError> {
        let rows = sqlx::query(
            "SELECT stream, max(until) AS length FROM field_job_logs WHERE job = ? \
             GROUP BY stream ORDER BY stream",
        )
        .bind(job)
        .fetch_all(self.0.readers())
        .await?;
        let read = |row: &SqliteRow| {
            let stream = LogStream::read(row.try_get("stream")?)?;
            Ok((stream, to_count(row.try_get("length")?)?))
        };
        rows.iter().map(read).collect()
    }
}

/// Number of chunks of a stream, and the offset after its last byte.
async fn end(
    connection: &mut SqliteConnection,
    job: &str,
    stream: LogStream,
) -> Result<(i64, u64), FieldTablesError> {
    let row = sqlx::query(
        "SELECT number, until FROM field_job_logs WHERE job = ? AND stream = ? \
         ORDER BY start DESC LIMIT 1",
    )
    .bind(job)
    .bind(stream.word())
    .fetch_optional(connection)
    .await?;
    let Some(row) = row else { return Ok((0, 0)) };
    Ok((row.try_get("number")?, to_count(row.try_get("until")?)?))
}
