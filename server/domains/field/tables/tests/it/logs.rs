//! Output of jobs: resumed, repeated, out of place, too much.

use field_tables::limits::{MOST_CHUNK, MOST_LOG};
use field_tables::{
    ClaimMiss, FieldTablesError, FinishedAs, JobClaim, LogAppended, LogChunk, LogStream,
};
use serde_json::json;

use crate::home::{Home, T};

async fn running(home: &Home) -> JobClaim {
    home.adopted("dev").await;
    home.queued("dev", 1).await;
    let claim = home.claimed("dev", "r").await;
    home.started(&claim).await;
    claim
}

async fn append(home: &Home, claim: &JobClaim, offset: u64, bytes: &[u8]) -> LogAppended {
    let stream = LogStream::Out;
    let chunk = LogChunk {
        stream,
        offset,
        bytes,
    };
    home.tables.append_log(claim, chunk).await.unwrap()
}

#[tokio::test]
async fn a_stream_goes_on_where_it_ended() {
    let home = Home::open().await;
    let claim = running(&home).await;
    let table: [(u64, &[u8], LogAppended); 10] = [
        (0, b"", LogAppended::Repeated { next: 0 }),
        (3, b"early", LogAppended::WrongOffset { next: 0 }),
        (0, b"one ", LogAppended::Kept { next: 4 }),
        (0, b"one ", LogAppended::Repeated { next: 4 }),
        (0, b"two ", LogAppended::Repeated { next: 4 }),
        (1, b"ne", LogAppended::Repeated { next: 4 }),
        (2, b"e \0\xff", LogAppended::WrongOffset { next: 4 }),
        (4, b"\x1b[2J\0\xff", LogAppended::Kept { next: 10 }),
        (10, b"", LogAppended::Repeated { next: 10 }),
        (u64::MAX, b"x", LogAppended::WrongOffset { next: 10 }),
    ];
    for (offset, bytes, expected) in table {
        let appended = append(&home, &claim, offset, bytes).await;
        assert_eq!(appended, expected, "{bytes:?} at {offset}");
    }
    let home = home.reopened().await;
    // Output comes after the end too.
    let ended = (FinishedAs::Ended, json!({}));
    home.tables
        .finish(&claim, ended.0, &ended.1, T)
        .await
        .unwrap();
    let appended = append(&home, &claim, 10, b"end").await;
    assert_eq!(appended, LogAppended::Kept { next: 13 });
    let whole = b"one \x1b[2J\0\xffend";
    for from in 0..=13 {
        for most in [1, 4, 100] {
            let read = home
                .tables
                .read_log(&claim.job, LogStream::Out, Some(from), most);
            let read = read.await.unwrap();
            let end = whole.len().min(from as usize + most);
            assert_eq!(read.bytes, whole[from as usize..end], "{most} from {from}");
        }
    }
    let tail = home.tables.read_log(&claim.job, LogStream::Out, None, 5);
    let tail = tail.await.unwrap();
    assert_eq!(
        (tail.start, tail.length, &*tail.bytes),
        (8, 13, &whole[8..])
    );
    let lengths = home.tables.log_lengths(&claim.job).await.unwrap();
    assert_eq!(lengths, [(LogStream::Out, 13)]);
}

#[tokio::test]
async fn streams_have_an_end() {
    let home = Home::open().await;
    let claim = running(&home).await;
    let chunk = vec![b'x'; MOST_CHUNK];
    let mut offset = 0;
    while offset + (MOST_CHUNK as u64) <= MOST_LOG {
        let appended = append(&home, &claim, offset, &chunk).await;
        offset += MOST_CHUNK as u64;
        assert_eq!(appended, LogAppended::Kept { next: offset });
    }
    let appended = append(&home, &claim, offset, b"x").await;
    assert_eq!(appended, LogAppended::Full { next: MOST_LOG });
    let large = vec![b'x'; MOST_CHUNK + 1];
    let chunk = LogChunk {
        stream: LogStream::Err,
        offset: 0,
        bytes: &large,
    };
    let refused = home.tables.append_log(&claim, chunk).await;
    assert!(matches!(refused, Err(FieldTablesError::TooLarge { .. })));
    let tail = home
        .tables
        .read_log(&claim.job, LogStream::Out, Some(1), usize::MAX);
    assert_eq!(tail.await.unwrap().bytes.len(), 4 * MOST_CHUNK);
}

#[tokio::test]
async fn what_has_not_started_has_no_output() {
    let home = Home::open().await;
    home.adopted("dev").await;
    home.queued("dev", 1).await;
    let claim = home.claimed("dev", "r").await;
    let missed = LogAppended::Missed(ClaimMiss::NotStarted);
    assert_eq!(append(&home, &claim, 0, b"x").await, missed);
    home.started(&claim).await;
    home.tables
        .report_not_run(&claim, &json!({}), T)
        .await
        .unwrap();
    let missed = LogAppended::Missed(ClaimMiss::Over(field_tables::JobState::Refused));
    assert_eq!(append(&home, &claim, 0, b"x").await, missed);
}
