//! Chunks of output, judged by the queue and stored by the tables.

use field_queue::log::{ChunkVerdict, StoredLog};
use field_tables::limits::MOST_LOG;
use field_tables::{LogAppended, LogChunk, LogStream};
use proptest::prelude::*;

use super::for_all;
use super::pair::{Pair, PairEvent};

#[test]
fn the_same_chunks_are_taken_repeated_and_refused_in_both() {
    let chunk = (0..90_u64, 1..40_usize);
    let chunks = prop::collection::vec(chunk, 1..30);
    for_all(48, chunks, |home, chunks, number| {
        home.runtime.block_on(async {
            let mut pair = Pair::begin(home, number).await;
            pair.event(&PairEvent::Claim { secret: 0 }).await;
            let start = PairEvent::Start {
                claim: 0,
                nonce: 0,
                is_allowed: true,
            };
            pair.event(&start).await;
            let mut log = StoredLog {
                most: MOST_LOG,
                ..StoredLog::default()
            };
            for (offset, length) in chunks {
                let bytes = vec![b'a' + (offset % 26) as u8; *length];
                let verdict = log.judge(*offset, *length as u64);
                let chunk = LogChunk {
                    stream: LogStream::Out,
                    offset: *offset,
                    bytes: &bytes,
                };
                let claim = pair.claim(0).unwrap();
                let appended = home.tables.append_log(&claim, chunk).await.unwrap();
                let expected = match verdict {
                    ChunkVerdict::Append => {
                        log.bytes += *length as u64;
                        LogAppended::Kept { next: log.bytes }
                    }
                    ChunkVerdict::Repeated => LogAppended::Repeated { next: log.bytes },
                    ChunkVerdict::WrongOffset { expected } => {
                        LogAppended::WrongOffset { next: expected }
                    }
                    ChunkVerdict::Refused => panic!("no chunk here is refused"),
                };
                assert_eq!(appended, expected, "{length} bytes at {offset}");
            }
        });
    });
}
