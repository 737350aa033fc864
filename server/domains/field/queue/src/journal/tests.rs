//! Journals that were written whole, torn, damaged, and made shorter.

use field_package::ids::JobId;

use super::{JournalEntry, JournalRefusal, MAGIC, compacted, read, record};
use crate::{
    message::JobEpoch,
    report::{JobEnding, JobReport, UnknownReason},
    runner::{RunnerEffect, recover},
    secret::{ClaimSecret, StartNonce},
};

fn job(number: u32) -> JobId {
    JobId::new(&format!("run_{number:026}")).expect("an id")
}

fn claimed(number: u32, epoch: u32, keep_until: u64) -> JournalEntry {
    JournalEntry::Claimed {
        job: job(number),
        epoch: JobEpoch(epoch),
        claim: ClaimSecret::new([7; 32]),
        keep_until,
    }
}

fn started(number: u32) -> JournalEntry {
    JournalEntry::Started {
        job: job(number),
        nonce: StartNonce::new([9; 16]),
    }
}

fn report() -> JobReport {
    JobReport {
        how: JobEnding::Signal {
            number: 9,
            core: false,
        },
        wall_ms: Some(12),
        cpu_ms: None,
        peak_bytes: None,
        tasks: None,
        output_bytes: Some(0),
    }
}

fn entries() -> Vec<JournalEntry> {
    vec![
        claimed(1, 1, 100),
        started(1),
        JournalEntry::Ended {
            job: job(1),
            report: report(),
        },
        JournalEntry::Settled { job: job(1) },
        claimed(2, 3, 900),
        JournalEntry::Dropped { job: job(2) },
        claimed(3, 1, 900),
        started(3),
        JournalEntry::Lost {
            job: job(3),
            reason: UnknownReason::Rebooted,
        },
    ]
}

fn file(entries: &[JournalEntry]) -> Vec<u8> {
    let records = entries.iter().map(|entry| record(entry).expect("a record"));
    MAGIC.iter().copied().chain(records.flatten()).collect()
}

#[test]
fn what_was_written_is_read() {
    let bytes = file(&entries());
    let contents = read(&bytes).expect("a journal");
    assert_eq!(contents.entries, entries());
    assert_eq!(contents.whole, bytes.len());
}

/// Power may go at any byte: all records before it are there, and the file can be written on.
#[test]
fn a_torn_tail_is_cut_at_the_last_whole_record() {
    let all = entries();
    let bytes = file(&all);
    let mut ends = vec![MAGIC.len()];
    for entry in &all {
        ends.push(ends[ends.len() - 1] + record(entry).expect("a record").len());
    }
    for length in 0..=bytes.len() {
        let contents = read(&bytes[..length]).expect("a torn journal");
        let whole = ends.iter().filter(|end| **end <= length).count();
        assert_eq!(contents.entries, all[..whole.saturating_sub(1)], "{length}");
        let expected = if length < MAGIC.len() {
            0
        } else {
            ends[whole - 1]
        };
        assert_eq!(contents.whole, expected, "{length}");
        // Blocks that were made and never written read as zeros.
        let mut zeros = bytes[..length].to_vec();
        zeros.resize(length + 600, 0);
        let contents = read(&zeros).expect("a journal with zeros behind");
        assert_eq!(contents.whole, expected, "{length} and zeros");
    }
}

/// Each bit of each record but the last: never read as something else, never cut in silence.
#[test]
fn a_damaged_middle_refuses_all() {
    let all = entries();
    let bytes = file(&all);
    let last = bytes.len() - record(&all[all.len() - 1]).expect("a record").len();
    for at in MAGIC.len()..last {
        for bit in 0..8 {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << bit;
            assert!(
                matches!(read(&damaged), Err(JournalRefusal::Damaged { .. })),
                "byte {at}, bit {bit}"
            );
        }
    }
    let mut other = bytes;
    other[7] = b'2';
    assert_eq!(read(&other), Err(JournalRefusal::Magic));
    // Whole, and of another version.
    let mut unknown = MAGIC.to_vec();
    let mut entry = record(&started(1)).expect("a record");
    let body = br#"{"is":"paused","job":"x"}"#;
    let length = u32::try_from(body.len()).expect("short").to_le_bytes();
    entry.clear();
    entry.extend(length);
    entry.extend(super::checksum(length, body));
    entry.extend(body);
    unknown.extend(entry);
    assert_eq!(read(&unknown), Err(JournalRefusal::Entry { at: 8 }));
}

#[test]
fn a_shorter_journal_recovers_to_the_same_and_remembers_starts() {
    let all = entries();
    for now in [0, 500, 1000] {
        let short = compacted(&all, now);
        assert!(short.len() <= all.len());
        assert_eq!(recover(&short), recover(&all), "{now}");
    }
    assert!(compacted(&all, 500).len() < all.len());
    let again = compacted(&compacted(&all, 500), 1000);
    assert_eq!(recover(&again), recover(&all));
}

#[test]
fn after_a_restart_nothing_is_run() {
    let all = entries();
    for length in 0..=all.len() {
        let (state, effects) = recover(&all[..length]);
        let runs = |effect: &RunnerEffect| matches!(effect, RunnerEffect::Run(_));
        assert!(!effects.iter().any(runs), "{length}");
        assert_eq!(state.is_idle(), effects.is_empty(), "{length}");
    }
}

#[test]
fn secrets_are_not_in_logs() {
    let text = format!("{:?}", claimed(1, 1, 1));
    assert!(!text.contains('7'.to_string().repeat(4).as_str()), "{text}");
}
