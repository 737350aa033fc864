//! The output of a run as it comes: whole lines, covered, each piece with the place to go on from.

use field::ports::{FieldFault, FieldFaultCode, FieldRuns as _, RunPhase, RunRecord};
use field_tables::limits::MOST_LOG;
use field_tables::{JobRecord, LogStream};

use super::FieldBackend;
use super::faults::{fault, stored};
use crate::vaults::CoverSource;

/// Bytes that are read at once. A line that is longer is left out.
const WINDOW: usize = 64 * 1024;
/// Bytes before a place in which a key may have begun.
pub(super) const BEFORE: usize = 16 * 1024;
/// Bits of a number for the bytes of one stream.
const BITS: u32 = 24;
const _: () = assert!(MOST_LOG < 1 << BITS, "each place has a number");
const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";

/// A place in the output of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct OutputPlace {
    /// Bytes of each stream that are before it.
    pub out: u64,
    pub err: u64,
}

impl OutputPlace {
    /// The place as one number, which goes up with the output.
    pub const fn number(self) -> u64 {
        (self.out << BITS) | self.err
    }

    /// The place of a number; none if no run has as much output.
    fn of(number: u64) -> Option<Self> {
        let place = Self {
            out: number >> BITS,
            err: number & ((1 << BITS) - 1),
        };
        (place.out <= MOST_LOG && place.err <= MOST_LOG).then_some(place)
    }

    const fn in_stream(self, stream: LogStream) -> u64 {
        match stream {
            LogStream::Out => self.out,
            LogStream::Err | LogStream::Step => self.err,
        }
    }

    const fn moved(self, stream: LogStream, to: u64) -> Self {
        match stream {
            LogStream::Out => Self { out: to, ..self },
            LogStream::Err | LogStream::Step => Self { err: to, ..self },
        }
    }
}

/// A piece of output, covered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputPiece {
    /// `out` or `err`.
    pub stream: &'static str,
    /// Whole lines; the last one of a run that is over may lack its end.
    pub text: String,
    /// Bytes of a line that is too long to be covered: it is left out.
    pub left_out: u64,
    /// The place behind it.
    pub next: OutputPlace,
}

/// A run, with a part of what came after a place.
#[derive(Debug, Clone, PartialEq)]
pub struct OutputSince {
    pub run: RunRecord,
    /// None if there is nothing now; at most one of each stream.
    pub pieces: Vec<OutputPiece>,
    /// More is there already. Otherwise more comes only with a change of the run.
    pub has_more: bool,
    /// The run is over, and these pieces are the last.
    pub is_done: bool,
}

/// Bytes of one stream, and where it goes on.
struct StreamPart {
    bytes: Vec<u8>,
    left_out: u64,
    next: u64,
}

impl FieldBackend {
    /// The place of a number that a follower has. None if no piece of this run ends there: whoever says so
    /// would read parts of lines, in which values are not found.
    ///
    /// # Errors
    /// There is no such run, or the database fails.
    pub async fn output_place(
        &self,
        run: &str,
        number: u64,
    ) -> Result<Option<OutputPlace>, FieldFault> {
        let job = self.known_job(run).await?;
        let Some(place) = OutputPlace::of(number) else {
            return Ok(None);
        };
        for stream in [LogStream::Out, LogStream::Err] {
            if !self.is_end_of_piece(&job, stream, place).await? {
                return Ok(None);
            }
        }
        Ok(Some(place))
    }

    /// The run as it is now, with the next pieces of its output.
    ///
    /// # Errors
    /// There is no such run, or the database fails.
    pub async fn output_since(
        &self,
        run: &str,
        place: OutputPlace,
    ) -> Result<OutputSince, FieldFault> {
        // First the run: what it had written when it was over is there afterwards.
        let record = self.run(run).await?;
        let record = record.ok_or(FieldFault::new(FieldFaultCode::UnknownRun))?;
        let job = self.known_job(run).await?;
        let is_over = record.phase.is_over();
        let (mut next, mut pieces, mut is_done) = (place, Vec::new(), is_over);
        let mut has_more = false;
        for stream in [LogStream::Out, LogStream::Err] {
            let from = place.in_stream(stream);
            let read = self.tables().read_log(&job.id, stream, Some(from), WINDOW);
            let read = read.await.map_err(stored)?;
            let is_whole = is_over && has_come(&job, &record.phase, stream, read.length);
            let to = read.start + read.bytes.len() as u64;
            let part = match whole_lines(&read.bytes, is_whole && to == read.length) {
                0 if read.bytes.len() == WINDOW => {
                    self.behind_line(&job.id, stream, from, is_whole).await?
                }
                0 => None,
                end => Some(StreamPart {
                    bytes: read.bytes[..end].to_vec(),
                    left_out: 0,
                    next: read.start + end as u64,
                }),
            };
            let reached = part.as_ref().map_or(from, |part| part.next);
            is_done &= is_whole && reached >= read.length;
            if let Some(part) = part {
                has_more |= reached < read.length;
                next = next.moved(stream, part.next);
                pieces.push(self.covered_piece(&job.site, stream, &part, next).await?);
            }
        }
        Ok(OutputSince {
            run: record,
            pieces,
            has_more,
            is_done,
        })
    }

    async fn covered_piece(
        &self,
        site: &str,
        stream: LogStream,
        part: &StreamPart,
        next: OutputPlace,
    ) -> Result<OutputPiece, FieldFault> {
        let text = String::from_utf8_lossy(&part.bytes);
        let covered = self.dispatch.cover(site, &text, CoverSource::Outside).await;
        Ok(OutputPiece {
            stream: stream.word(),
            text: covered.map_err(fault(FieldFaultCode::Storage))?.text,
            left_out: part.left_out,
            next,
        })
    }

    /// The place behind a line that is longer than a window, once its end has come. A key that begins in it is
    /// left out with it.
    async fn behind_line(
        &self,
        job: &str,
        stream: LogStream,
        from: u64,
        is_whole: bool,
    ) -> Result<Option<StreamPart>, FieldFault> {
        let mut at = from + WINDOW as u64;
        loop {
            let start = at - BEFORE as u64;
            let read = self.tables().read_log(job, stream, Some(start), 4 * WINDOW);
            let read = read.await.map_err(stored)?;
            let end = start + read.bytes.len() as u64;
            let next = match free_line(&read.bytes, BEFORE) {
                Some(line) => start + line as u64,
                None if end < read.length => {
                    at = end;
                    continue;
                }
                None if is_whole => end,
                None => return Ok(None),
            };
            return Ok(Some(StreamPart {
                bytes: Vec::new(),
                left_out: next - from,
                next,
            }));
        }
    }

    async fn is_end_of_piece(
        &self,
        job: &JobRecord,
        stream: LogStream,
        place: OutputPlace,
    ) -> Result<bool, FieldFault> {
        let at = place.in_stream(stream);
        if at == 0 {
            return Ok(true);
        }
        let from = at.saturating_sub(BEFORE as u64);
        let most = usize::try_from(at - from).unwrap_or(0);
        let read = self.tables().read_log(&job.id, stream, Some(from), most);
        let read = read.await.map_err(stored)?;
        if read.start + read.bytes.len() as u64 != at {
            return Ok(false);
        }
        let is_line = read.bytes.ends_with(b"\n") && open_key(&read.bytes).is_none();
        Ok(is_line || (job.state.is_over() && at == read.length))
    }
}

/// True if all that a device says it wrote to a stream of a run that is over is here. Where it says
/// nothing, nothing more is waited for.
fn has_come(job: &JobRecord, phase: &RunPhase, stream: LogStream, length: u64) -> bool {
    if phase.never_ran() {
        return true;
    }
    let said = job.ending.as_ref().and_then(|ending| {
        let kept = &ending["streams"][stream.word()]["said"]["kept"];
        kept.as_u64()
    });
    said.is_none_or(|said| length >= said)
}

/// Bytes of whole lines that can be covered without what comes after them. At the end of a stream
/// that is all.
fn whole_lines(bytes: &[u8], is_end: bool) -> usize {
    if is_end {
        return bytes.len();
    }
    let end = bytes.iter().rposition(|byte| *byte == b'\n');
    let end = end.map_or(0, |at| at + 1);
    // The lines of a key look like nothing; only with its first line they are a secret.
    open_key(&bytes[..end]).unwrap_or(end)
}

/// The start of the line in which a block such as a private key begins that has not ended.
pub(super) fn open_key(bytes: &[u8]) -> Option<usize> {
    let begun = open_block(bytes)?;
    let line = bytes[..begun].iter().rposition(|byte| *byte == b'\n');
    Some(line.map_or(0, |at| at + 1))
}

/// The place where a block such as a private key begins that has not ended.
fn open_block(bytes: &[u8]) -> Option<usize> {
    let mut places = bytes.windows(BEGIN.len());
    let begun = places.rposition(|it| it == BEGIN)?;
    match end_of_block(&bytes[begun..]) {
        Some(_) => None,
        None => Some(begun),
    }
}

fn end_of_block(bytes: &[u8]) -> Option<usize> {
    bytes.windows(END.len()).position(|it| it == END)
}

/// The start of the first line behind `at` before which no block is open, as far back as one can begin.
pub(super) fn free_line(bytes: &[u8], mut at: usize) -> Option<usize> {
    let mut waits_for_end = true;
    loop {
        let end = bytes.get(at..)?.iter().position(|byte| *byte == b'\n')?;
        let line = at + end + 1;
        let first = line.saturating_sub(BEFORE);
        let Some(begun) = open_block(&bytes[first..line]) else {
            return Some(line);
        };
        let closed = end_of_block(&bytes[line..]).filter(|_| waits_for_end);
        // One that has no end is too far back at some time. A second end is not looked for: there may be one
        // with the next beginning in each line.
        at = closed.map_or(line.max(first + begun + BEFORE), |closed| line + closed);
        waits_for_end = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_number_and_back() {
        for (out, err) in [(0, 0), (1, 0), (0, 1), (MOST_LOG, MOST_LOG)] {
            let place = OutputPlace { out, err };
            assert_eq!(OutputPlace::of(place.number()), Some(place));
        }
        for number in [u64::MAX, (MOST_LOG + 1) << BITS, MOST_LOG + 1] {
            assert_eq!(OutputPlace::of(number), None, "{number}");
        }
        let grows = OutputPlace { out: 1, err: 0 };
        assert!(grows.number() > OutputPlace { out: 0, err: 9 }.number());
    }

    #[test]
    fn a_line_is_free_when_the_key_before_it_is_over() {
        let lines = "l\n".repeat(BEFORE);
        let begin = "x-----BEGIN EC PRIVATE KEY-----\nMHc\n";
        let unclosed = format!("{begin}{lines}");
        let again = format!("{begin}-----END A-----BEGIN B\nMHc\n{lines}");
        for (text, at, expected) in [
            ("ab\ncd\n".to_owned(), 0, Some(3)),
            ("ab\ncd\n".to_owned(), 3, Some(6)),
            ("ab\ncd".to_owned(), 3, None),
            (String::new(), 0, None),
            (begin.to_owned(), 0, None),
            (format!("{begin}-----END A-----\nx\n"), 0, Some(52)),
        ] {
            assert_eq!(free_line(text.as_bytes(), at), expected, "{text}");
        }
        for text in [unclosed, again] {
            let line = free_line(text.as_bytes(), 0).unwrap();
            let begun = text.rfind("-----BEGIN ").unwrap();
            assert!(line > begun + BEFORE && line < begun + BEFORE + 16);
            assert!(text[line..].starts_with("l\n"));
        }
    }

    #[test]
    fn lines_are_whole_and_a_key_is_one_thing() {
        for (text, is_end, expected) in [
            ("", false, 0),
            ("half", false, 0),
            ("half", true, 4),
            ("one\nhalf", false, 4),
            ("one\n-----BEGIN EC PRIVATE KEY-----\nMHc\n", false, 4),
            ("-----BEGIN EC PRIVATE KEY-----\nMHc\n", false, 0),
            ("-----BEGIN A-----\nM\n-----END A-----\nx", false, 36),
            ("-----BEGIN EC PRIVATE KEY-----\nMHc", true, 34),
        ] {
            assert_eq!(whole_lines(text.as_bytes(), is_end), expected, "{text}");
        }
    }
}
