//! Output of a job on its way to the server, in chunks that may come twice.
//!
//! A chunk names the job, the epoch, the stream and its offset. The offset decides alone: what is
//! there already is acknowledged, what follows is appended, and anything else is answered with the
//! offset to go on from.

use serde::{Deserialize, Serialize};

/// Bytes of a chunk at most.
pub const MAX_CHUNK: u64 = 64 * 1024;
/// Bytes that the records of steps have at least, however little of a job's output is kept: a step begins when its
/// record is on the device's disk, in the first third of them.
pub const ROOM_FOR_STEPS: u64 = 48 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobStream {
    Out,
    Err,
    /// Begins and ends of steps.
    Step,
}

/// One stream of a job as the server has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StoredLog {
    /// Bytes that are stored: the offset of the next chunk.
    pub bytes: u64,
    /// Bytes that are stored at most, from the manifest.
    pub most: u64,
    /// The device has sent the last chunk.
    pub closed: bool,
}

/// The verdict on a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChunkVerdict {
    /// Append it.
    Append,
    /// All of it is stored already.
    Repeated,
    /// Go on from there.
    WrongOffset { expected: u64 },
    /// Larger than a chunk or a log may be, or behind the last one.
    Refused,
}

impl StoredLog {
    /// Judges a chunk of `length` bytes at `offset`.
    pub fn judge(&self, offset: u64, length: u64) -> ChunkVerdict {
        let Some(end) = offset.checked_add(length) else {
            return ChunkVerdict::Refused;
        };
        if length == 0 || length > MAX_CHUNK || end > self.most {
            return ChunkVerdict::Refused;
        }
        if end <= self.bytes {
            return ChunkVerdict::Repeated;
        }
        if offset != self.bytes {
            return ChunkVerdict::WrongOffset {
                expected: self.bytes,
            };
        }
        if self.closed {
            return ChunkVerdict::Refused;
        }
        ChunkVerdict::Append
    }
}

#[cfg(test)]
mod tests {
    //! Chunks that are lost, repeated and in another order.

    use super::{ChunkVerdict as V, MAX_CHUNK, StoredLog};

    #[test]
    fn the_offset_decides() {
        let log = StoredLog {
            bytes: 100,
            most: 200,
            closed: false,
        };
        for (offset, length, verdict) in [
            (100, 10, V::Append),
            (100, 100, V::Append),
            (0, 100, V::Repeated),
            (90, 10, V::Repeated),
            (90, 20, V::WrongOffset { expected: 100 }),
            (110, 10, V::WrongOffset { expected: 100 }),
            (0, 0, V::Refused),
            (100, 101, V::Refused),
            (u64::MAX, 1, V::Refused),
            (0, MAX_CHUNK + 1, V::Refused),
        ] {
            assert_eq!(log.judge(offset, length), verdict, "{offset} {length}");
        }
        let closed = StoredLog {
            closed: true,
            ..log
        };
        assert_eq!(closed.judge(100, 1), V::Refused);
        assert_eq!(closed.judge(0, 100), V::Repeated);
    }

    /// A device that goes on from the offset it is told to sends each byte once, whatever is lost.
    #[test]
    fn an_upload_ends_with_each_byte_once() {
        let text: Vec<u8> = (0..=255).cycle().take(1000).collect();
        for lost in 0..64_u32 {
            let mut log = StoredLog {
                most: 1000,
                ..StoredLog::default()
            };
            let (mut stored, mut at, mut round) = (Vec::new(), 0_usize, 0);
            while log.bytes < 1000 {
                round += 1;
                assert!(round < 100);
                let end = (at + 150).min(1000);
                match log.judge(at as u64, (end - at) as u64) {
                    V::Append => {
                        stored.extend_from_slice(&text[at..end]);
                        log.bytes = end as u64;
                        // The answer is lost now and then, and the chunk is sent again.
                        if lost >> (round % 6) & 1 == 0 {
                            at = end;
                        }
                    }
                    V::Repeated => at = end,
                    V::WrongOffset { expected } => at = usize::try_from(expected).expect("small"),
                    V::Refused => panic!("refused at {at}"),
                }
            }
            assert_eq!(stored, text);
        }
    }
}
