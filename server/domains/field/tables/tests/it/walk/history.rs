//! What must be true of the events of any job.

use field_tables::{JobEvent, JobState};

/// Nothing comes after go but one end.
pub(crate) fn history_is_sound(events: &[JobEvent], state: JobState) {
    use field_tables::JobEventKind::{
        CancelAsked, Cancelled, Claimed, Cut, Ended, GivenBack, Lapsed, LateReport, NotDelivered,
        Queued, Refused, Resolved, Running, Unknown,
    };
    let mut now = Queued;
    let mut epoch = 1;
    assert_eq!(events[0].kind, Queued);
    for event in &events[1..] {
        assert!(event.epoch >= epoch, "{events:?}");
        epoch = event.epoch;
        let waits = matches!(now, Queued | Lapsed | GivenBack);
        let is_legal = match event.kind {
            CancelAsked => now == Running,
            Unknown => matches!(now, Claimed | Running),
            LateReport => matches!(now, Ended | Cut | Refused | Cancelled | Unknown),
            Resolved => now == Unknown,
            Claimed | NotDelivered => waits,
            Lapsed | GivenBack | Running => now == Claimed,
            Cancelled => waits || now == Claimed,
            Refused => waits || matches!(now, Claimed | Running),
            Ended | Cut => now == Running,
            Queued => false,
        };
        assert!(is_legal, "{events:?}");
        if !matches!(event.kind, CancelAsked | Resolved | LateReport) {
            now = event.kind;
        }
    }
    let word = match now {
        Lapsed | GivenBack => "queued",
        now => now.word(),
    };
    assert_eq!(word, state.word(), "{events:?}");
}
