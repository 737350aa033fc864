//! Output of a job on the device: all of it is counted, secrets are dropped, head and tail are kept.

use std::{
    collections::{BTreeMap, VecDeque},
    fs::{self, File},
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use field_package::hex;
use field_queue::{log::ROOM_FOR_STEPS, report::JobEnding};
use field_redaction::SecretStream;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::ask::{JobSums, StreamPieces, StreamTotal};
use crate::{
    files,
    stage::{FrameStream, StageFrame},
    texts,
};

/// Words of the streams, in the order of the protocol.
pub(super) const STREAMS: [&str; 3] = ["out", "err", "step"];
const STEP: usize = 2;
/// Bytes of one piece.
const PIECE: u64 = 64 * 1024;
/// Times the limit that a job may write before it is ended.
const FLOOD: u64 = 64;

/// The streams of one job, while it runs.
pub(super) struct OutputSpool {
    streams: [SpooledStream; 3],
    secrets: [SecretStream; 2],
    rows: BTreeMap<u32, String>,
    /// Where the present step's output begins, and when.
    from: [u64; 2],
    at_ms: u64,
    raw: u64,
    cap: u64,
}

struct SpooledStream {
    file: File,
    cap: usize,
    /// Bytes in the file.
    head: usize,
    tail: VecDeque<u8>,
    all: u64,
    all_hash: Sha256,
    kept_hash: Sha256,
}

impl OutputSpool {
    pub(super) fn create(folder: &Path, cap: u64, rows: BTreeMap<u32, String>) -> io::Result<Self> {
        let open = |at: usize, cap| SpooledStream::create(&folder.join(STREAMS[at]), cap);
        let steps = open(STEP, cap.max(ROOM_FOR_STEPS))?;
        let streams = [open(0, cap)?, open(1, cap)?, steps];
        // The names too: after a loss of power the steps that had begun are still told.
        files::sync_folder(&folder.join(STREAMS[STEP]))?;
        files::sync_folder(folder)?;
        Ok(Self {
            streams,
            secrets: Default::default(),
            rows,
            from: [0; 2],
            at_ms: 0,
            raw: 0,
            cap,
        })
    }

    /// Takes a record. The end that it tells, if it is the last one.
    pub(super) fn take(
        &mut self,
        frame: StageFrame,
    ) -> io::Result<Option<(JobEnding, Option<u64>)>> {
        match frame {
            StageFrame::Begin { step, at_ms } => {
                self.at_ms = at_ms;
                self.from = [self.streams[0].all, self.streams[1].all];
                self.begin_step(step)?;
            }
            StageFrame::Data { stream, bytes, .. } => {
                let bytes = BASE64_STANDARD.decode(bytes).unwrap_or_default();
                self.raw += bytes.len() as u64;
                let at = match stream {
                    FrameStream::Out => 0,
                    FrameStream::Err => 1,
                };
                let text = self.secrets[at].push(&bytes).text;
                self.streams[at].append(text.as_bytes())?;
            }
            StageFrame::End { step, ms, end } => self.end_step(step, ms, end)?,
            StageFrame::Done { how, cpu_ms } => return Ok(Some((how, cpu_ms))),
        }
        Ok(None)
    }

    /// On the disk before the step may begin, as the fence is before the job.
    fn begin_step(&mut self, step: u32) -> io::Result<()> {
        let record = json!({ "step": step, "run": self.row(step), "at_ms": self.at_ms });
        let line = format!("{record}\n");
        let records = &mut self.streams[STEP];
        records.append(line.as_bytes())?;
        // What is behind the head is in memory alone until the end.
        if !records.tail.is_empty() {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        records.file.sync_data()
    }

    fn row(&self, step: u32) -> &str {
        self.rows.get(&step).map_or("", String::as_str)
    }

    fn end_step(&mut self, step: u32, ms: u64, end: JobEnding) -> io::Result<()> {
        self.flush()?;
        let range = |at: usize| {
            let from = self.from[at];
            json!({ "from": from, "bytes": self.streams[at].all - from })
        };
        let record = json!({
            "step": step,
            "run": self.row(step),
            "at_ms": self.at_ms,
            "ms": ms,
            "end": end,
            "out": range(0),
            "err": range(1),
        });
        let line = format!("{record}\n");
        self.streams[STEP].append(line.as_bytes())
    }

    /// A secret may begin in one piece and end in the next, but never goes beyond a step.
    fn flush(&mut self) -> io::Result<()> {
        for at in 0..2 {
            let rest = std::mem::take(&mut self.secrets[at]).finish().text;
            self.streams[at].append(rest.as_bytes())?;
        }
        Ok(())
    }

    /// True if the job writes without end.
    pub(super) fn is_flooded(&self) -> bool {
        self.raw > self.cap.saturating_mul(FLOOD)
    }

    /// Bytes that the job wrote.
    pub(super) fn raw(&self) -> u64 {
        self.raw
    }

    /// Writes the tails and returns the sums.
    pub(super) fn close(mut self) -> io::Result<JobSums> {
        self.flush()?;
        let mut sums = JobSums::new();
        for (stream, name) in self.streams.into_iter().zip(STREAMS) {
            sums.insert(name.to_owned(), stream.close()?);
        }
        Ok(sums)
    }
}

impl SpooledStream {
    fn create(path: &Path, cap: u64) -> io::Result<Self> {
        Ok(Self {
            file: File::create_new(path)?,
            cap: usize::try_from(cap).unwrap_or(usize::MAX),
            head: 0,
            tail: VecDeque::new(),
            all: 0,
            all_hash: Sha256::new(),
            kept_hash: Sha256::new(),
        })
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.all += bytes.len() as u64;
        self.all_hash.update(bytes);
        // The head is a third; until the end nobody knows where the tail begins.
        let room = (self.cap / 3).saturating_sub(self.head).min(bytes.len());
        let (head, rest) = bytes.split_at(room);
        self.keep(head)?;
        self.tail.extend(rest);
        let most = self.cap - self.cap / 3;
        if self.tail.len() > most {
            self.tail.drain(..self.tail.len() - most);
        }
        Ok(())
    }

    fn keep(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.head += bytes.len();
        self.kept_hash.update(bytes);
        self.file.write_all(bytes)
    }

    fn close(mut self) -> io::Result<StreamTotal> {
        let tail = Vec::from(std::mem::take(&mut self.tail));
        let left_out = self.all - (self.head + tail.len()) as u64;
        if left_out > 0 {
            self.keep(texts::gap(left_out).as_bytes())?;
        }
        self.keep(&tail)?;
        self.file.sync_all()?;
        Ok(StreamTotal {
            kept: self.head as u64,
            sha256: hex::write(&self.kept_hash.finalize()),
            all: self.all,
            all_sha256: hex::write(&self.all_hash.finalize()),
        })
    }
}

/// Pieces of the streams from these offsets on.
pub(super) fn pieces(folder: &Path, offsets: [u64; 3]) -> StreamPieces {
    read_pieces(folder, offsets, <[u8]>::len)
}

/// The same of a job without an end, in whole lines: in half a line no value would be found.
pub(super) fn whole_pieces(folder: &Path, offsets: [u64; 3]) -> StreamPieces {
    read_pieces(folder, offsets, |bytes| {
        let end = bytes.iter().rposition(|byte| *byte == b'\n');
        end.map_or(0, |at| at + 1)
    })
}

fn read_pieces(folder: &Path, offsets: [u64; 3], length: impl Fn(&[u8]) -> usize) -> StreamPieces {
    let read = |name: &str, offset: u64| -> io::Result<Vec<u8>> {
        let mut file = File::open(folder.join(name))?;
        file.seek(SeekFrom::Start(offset))?;
        let mut bytes = Vec::new();
        file.take(PIECE).read_to_end(&mut bytes)?;
        bytes.truncate(length(&bytes));
        Ok(bytes)
    };
    let mut pieces = StreamPieces::default();
    for ((name, offset), piece) in STREAMS.iter().zip(offsets).zip(&mut pieces) {
        *piece = BASE64_STANDARD.encode(read(name, offset).unwrap_or_default());
    }
    pieces
}

/// True if a step of a job had begun.
pub(super) fn has_begun(folder: &Path) -> bool {
    fs::metadata(folder.join(STREAMS[STEP])).is_ok_and(|file| file.len() > 0)
}

/// Makes the folder of the jobs' folders. Without its sync the first job's output could be lost with the power, and
/// with it the step that had begun.
pub(super) fn make_folder(root: &Path) -> io::Result<()> {
    let jobs = root.join("jobs");
    files::make_private_folder(&jobs)?;
    files::sync_folder(&jobs)
}

/// The folder of a job's output.
pub(super) fn folder(root: &Path, job: &str) -> PathBuf {
    root.join("jobs").join(job)
}

/// Removes the output of a job.
pub(super) fn forget(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    //! Head, tail, gap, secrets over the border of two pieces.

    use super::*;

    fn data(text: &str) -> StageFrame {
        StageFrame::Data {
            step: 1,
            stream: FrameStream::Out,
            bytes: BASE64_STANDARD.encode(text),
        }
    }

    #[test]
    fn head_and_tail_are_kept_and_the_gap_is_counted() {
        let folder = tempfile::tempdir().unwrap();
        let mut spool = OutputSpool::create(folder.path(), 30, BTreeMap::new()).unwrap();
        spool.take(data(&format!("{}\n", "a".repeat(24)))).unwrap();
        let early = pieces(folder.path(), [0; 3]);
        assert_eq!(BASE64_STANDARD.decode(&early[0]).unwrap().len(), 10);
        spool.take(data(&format!("{}\n", "b".repeat(74)))).unwrap();
        let sums = spool.close().unwrap();
        let text = fs::read_to_string(folder.path().join("out")).unwrap();
        let expected = format!(
            "{}\n[70 bytes left out]\n{}\n",
            "a".repeat(10),
            "b".repeat(19)
        );
        assert_eq!(text, expected);
        assert_eq!((sums["out"].all, sums["out"].kept), (100, 51));
        assert_eq!(sums["out"].sha256, hex::write(&Sha256::digest(text)));
    }

    /// A launcher may die in between.
    #[test]
    fn a_step_that_begins_is_on_the_disk_before_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let rows = BTreeMap::from([(1, "ping".to_owned()), (2, "links".to_owned())]);
        let mut spool = OutputSpool::create(folder.path(), 4096, rows).unwrap();
        assert!(!has_begun(folder.path()));
        let begin = |step| StageFrame::Begin { step, at_ms: 7 };
        spool.take(begin(1)).unwrap();
        assert!(has_begun(folder.path()));
        spool.take(data("one\nhalf a li")).unwrap();
        let end = JobEnding::Exit(0);
        spool
            .take(StageFrame::End {
                step: 1,
                ms: 5,
                end,
            })
            .unwrap();
        spool.take(begin(2)).unwrap();
        drop(spool);
        let [out, _, steps] = whole_pieces(folder.path(), [0; 3]);
        assert_eq!(BASE64_STANDARD.decode(out).unwrap(), b"one\n");
        let steps = String::from_utf8(BASE64_STANDARD.decode(steps).unwrap()).unwrap();
        let lines: Vec<serde_json::Value> = steps
            .lines()
            .map(|it| serde_json::from_str(it).unwrap())
            .collect();
        assert_eq!(lines.len(), 3, "{steps}");
        assert_eq!(lines[0], json!({ "step": 1, "run": "ping", "at_ms": 7 }));
        assert_eq!(lines[1]["end"], json!({ "exit": 0 }));
        assert_eq!(lines[2], json!({ "step": 2, "run": "links", "at_ms": 7 }));
    }

    /// However little of the output is kept.
    #[test]
    fn each_of_twenty_steps_is_on_the_disk_before_it_begins() {
        let folder = tempfile::tempdir().unwrap();
        let rows = (1..=20).map(|step| (step, "wifi_stations".to_owned()));
        let mut spool = OutputSpool::create(folder.path(), 1024, rows.collect()).unwrap();
        for step in 1..=20 {
            let at_ms = 3_600_000;
            spool.take(StageFrame::Begin { step, at_ms }).unwrap();
            let text = fs::read_to_string(folder.path().join("step")).unwrap();
            let last: serde_json::Value =
                serde_json::from_str(text.lines().last().unwrap()).unwrap();
            assert_eq!((&last["step"], &last["end"]), (&json!(step), &json!(null)));
            let (number, core) = (15, false);
            let end = JobEnding::Signal { number, core };
            let ms = at_ms;
            spool.take(StageFrame::End { step, ms, end }).unwrap();
        }
        let sums = spool.close().unwrap();
        assert_eq!(sums["step"].kept, sums["step"].all);
    }

    #[test]
    fn a_secret_over_two_pieces_is_not_on_the_disk() {
        let folder = tempfile::tempdir().unwrap();
        let mut spool = OutputSpool::create(folder.path(), 4096, BTreeMap::new()).unwrap();
        spool.take(data("password=hunter2-and")).unwrap();
        spool.take(data("-more\nplain\n")).unwrap();
        spool.close().unwrap();
        let text = fs::read_to_string(folder.path().join("out")).unwrap();
        assert!(
            !text.contains("hunter2") && !text.contains("-more"),
            "{text}"
        );
        assert!(text.ends_with("plain\n"));
    }
}
