//! The output of a run for programs: followed in pieces, gone on with, and covered whatever the device or
//! the program does.

use std::sync::Arc;

use field::field_redaction::VendorParts;
use field::ports::{FieldFaultCode, FieldRuns as _, FieldValues as _, OutputTail, RunPhase};
use field_dispatch::messages::LogPiece;
use field_dispatch::{DiagnosticsOrder, FieldBackend, OutputPiece, OutputPlace};
use field_tables::{BundleFilter, JobFilter};
use protocol::{CallId, Timestamp, UserId};
use serde_json::json;
use simfleet::{DeviceTurn, OfficeDevice};

use crate::office::{Office, SITE, evidence};
use crate::ports::{ann, backend};
use crate::stranger::{Claimed, Stranger};

/// All pieces from a place on that there are now.
async fn pieces(backend: &FieldBackend, run: &str, from: OutputPlace) -> (Vec<OutputPiece>, bool) {
    let (mut all, mut place) = (Vec::new(), from);
    loop {
        let since = backend.output_since(run, place).await.unwrap();
        if since.pieces.is_empty() {
            return (all, since.is_done);
        }
        for piece in since.pieces {
            assert!(
                piece.next.number() > place.number(),
                "it goes on: {piece:?}"
            );
            place = piece.next;
            all.push(piece);
        }
    }
}

fn text(pieces: &[OutputPiece]) -> String {
    pieces.iter().map(|piece| piece.text.as_str()).collect()
}

/// A job of a device that nobody wrote a program for, let start.
async fn started(office: &mut Office, device: &Stranger, call: u128) -> Claimed {
    let mut order = office.order_for(&device.id, &device.key.fingerprint());
    order.call = CallId::new(Timestamp(5), call).to_string();
    office.dispatch.queue_job(&order).await.unwrap();
    let claimed = device.claim(1, 0).await.unwrap();
    device.start(&claimed, 1).await;
    claimed
}

#[tokio::test]
async fn output_is_followed_and_gone_on_with() {
    let mut office = Office::open().await;
    let mut device = office.adopted(OfficeDevice::MeetingRoom).await;
    let backend: Arc<FieldBackend> = backend(&office).await;
    let mut order = office.order(&device, &evidence()).await;
    order.call = CallId::new(Timestamp(5), 1).to_string();
    let run = office.dispatch.queue_job(&order).await.unwrap().id;
    let start = OutputPlace::default();
    assert_eq!(pieces(&backend, &run, start).await, (Vec::new(), false));
    let turn = Box::pin(device.turn()).await.unwrap();
    assert_eq!(turn, DeviceTurn::Ended(run.clone()));
    let (all, is_done) = pieces(&backend, &run, start).await;
    let whole = text(&all);
    assert!(is_done && whole.contains("(DUP!)"), "{whole}");
    assert!(!whole.contains("192.168.41") && !whole.contains("7c:10"));
    for piece in &all {
        let place = backend.output_place(&run, piece.next.number()).await;
        assert_eq!(place.unwrap(), Some(piece.next));
        let (rest, is_done) = pieces(&backend, &run, piece.next).await;
        assert!(is_done && whole.ends_with(&text(&rest)));
    }
    let last = all.last().unwrap().next;
    for forged in [
        OutputPlace { out: 3, err: 0 }.number(),
        OutputPlace {
            out: last.out + 1,
            ..last
        }
        .number(),
        OutputPlace {
            err: last.err + 1,
            ..last
        }
        .number(),
        u64::MAX,
    ] {
        let place = backend.output_place(&run, forged).await.unwrap();
        assert_eq!(place, None, "{forged}");
    }
    let nobody = backend.output_place("run_nobody", 0).await.unwrap_err();
    assert_eq!(nobody.code, FieldFaultCode::UnknownRun);
    let nobody = backend.output_since("run_nobody", start).await.unwrap_err();
    assert_eq!(nobody.code, FieldFaultCode::UnknownRun);
}

/// The step that had begun is known of every run, also of one whose output is hardly kept.
#[tokio::test]
async fn the_records_of_steps_have_room_however_little_output_is_kept() {
    let mut office = Office::open().await;
    let device = Stranger::adopted(&office, 1).await;
    let mut order = office.order_for(&device.id, &device.key.fingerprint());
    order.manifest.caps.output = 1024;
    office.dispatch.queue_job(&order).await.unwrap();
    let claimed = device.claim(1, 0).await.unwrap();
    device.start(&claimed, 1).await;
    for (stream, expected) in [("out", "log_full"), ("step", "log_offset")] {
        let piece = LogPiece {
            epoch: claimed.epoch,
            claim: &claimed.secret,
            stream,
            offset: 16 * 1024,
            bytes: b"x",
        };
        let put = office
            .dispatch
            .append_log(&device.session, &claimed.job, piece)
            .await;
        assert_eq!(put.unwrap_err().code, expected);
    }
}

#[tokio::test]
async fn followers_at_one_place_share_what_is_read() {
    let mut office = Office::open().await;
    let device = Stranger::adopted(&office, 1).await;
    let backend = backend(&office).await;
    let claimed = started(&mut office, &device, 1).await;
    let sent = device.log(&claimed, 0, b"one\n").await.unwrap();
    let start = OutputPlace::default();
    let mut one = backend.follower(&claimed.job);
    let mut other = backend.follower(&claimed.job);
    let mut is_shared = false;
    // A read is shared for a moment only, which may be over on a busy machine.
    for _ in 0..50 {
        let of_one = backend.output_for(&mut one, start).await.unwrap();
        let of_other = backend.output_for(&mut other, start).await.unwrap();
        assert_eq!(text(&of_one.pieces), "one\n");
        assert_eq!(of_one, of_other);
        is_shared |= Arc::ptr_eq(&of_one, &of_other);
    }
    assert!(is_shared);
    device.log(&claimed, sent, b"two\n").await.unwrap();
    let whole = backend.output_for(&mut one, start).await.unwrap();
    assert_eq!(text(&whole.pieces), "one\ntwo\n");
    let behind = OutputPlace { out: 4, err: 0 };
    let rest = backend.output_for(&mut other, behind).await.unwrap();
    assert_eq!(
        (text(&rest.pieces).as_str(), rest.has_more),
        ("two\n", false)
    );
}

/// A device may send its output in any pieces: no part of a value, and no part of a key, is shown.
#[tokio::test]
async fn half_a_value_is_never_shown() {
    let mut office = Office::open().await;
    let device = Stranger::adopted(&office, 1).await;
    let backend = backend(&office).await;
    let claimed = started(&mut office, &device, 1).await;
    let run = &claimed.job;
    let start = OutputPlace::default();
    let key =
        "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIKgYvJ3sXo2mT5u8\n-----END EC PRIVATE KEY-----\n";
    let written = format!("from 192.168.41.77\n{key}to anna@example.org");
    let (mut sent, mut place, mut shown) = (0, start, String::new());
    for piece in written.as_bytes().chunks(9) {
        sent = device.log(&claimed, sent, piece).await.unwrap();
        let (new, is_done) = pieces(&backend, run, place).await;
        assert!(!is_done);
        place = new.last().map_or(place, |piece| piece.next);
        shown += &text(&new);
    }
    // In the middle of a line, at the start of one within the key, and behind a line that has no end.
    for at in [12, 50, 55, 75, 85, written.len() as u64] {
        let forged = OutputPlace { out: at, err: 0 }.number();
        let found = backend.output_place(run, forged).await.unwrap();
        assert_eq!(found, None, "{at}");
    }
    device.end(&claimed, json!({ "exit": 0 })).await;
    let (rest, is_done) = pieces(&backend, run, place).await;
    shown += &text(&rest);
    assert!(is_done && shown.contains("from ip-s1-") && !shown.ends_with('\n'));
    for hidden in ["192.168.", "41.77", "MHcCAQ", "anna"] {
        assert!(!shown.contains(hidden), "{hidden} in {shown}");
    }
}

#[tokio::test]
async fn a_line_without_end_is_left_out() {
    let mut office = Office::open().await;
    let device = Stranger::adopted(&office, 1).await;
    let backend = backend(&office).await;
    let claimed = started(&mut office, &device, 1).await;
    let mut sent = device.log(&claimed, 0, b"before\n").await.unwrap();
    let long = vec![b'x'; 60 * 1024];
    for _ in 0..3 {
        sent = device.log(&claimed, sent, &long).await.unwrap();
    }
    let start = OutputPlace::default();
    let (open, is_done) = pieces(&backend, &claimed.job, start).await;
    assert_eq!((text(&open).as_str(), is_done), ("before\n", false));
    device.log(&claimed, sent, b"\nafter\n").await.unwrap();
    let (all, _) = pieces(&backend, &claimed.job, start).await;
    assert_eq!(text(&all), "before\nafter\n");
    let left_out: u64 = all.iter().map(|piece| piece.left_out).sum();
    assert_eq!(left_out, 3 * 60 * 1024 + 1);
    let ended = backend.output_since(&claimed.job, start).await.unwrap();
    assert_eq!(ended.run.phase, RunPhase::Running);
}

/// Its lines look like nothing without the one in which it begins.
#[tokio::test]
async fn a_key_that_begins_in_a_line_which_is_left_out_is_left_out() {
    let mut office = Office::open().await;
    let device = Stranger::adopted(&office, 1).await;
    let backend = backend(&office).await;
    let claimed = started(&mut office, &device, 1).await;
    let long = vec![b'x'; 60 * 1024];
    let mut sent = device.log(&claimed, 0, &long).await.unwrap();
    sent = device.log(&claimed, sent, &long).await.unwrap();
    let key = b"-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIKgYvJ3sXo2mT5u8\n";
    sent = device.log(&claimed, sent, key).await.unwrap();
    let start = OutputPlace::default();
    let open = pieces(&backend, &claimed.job, start).await;
    assert_eq!(open, (Vec::new(), false));
    let rest = b"-----END EC PRIVATE KEY-----\nafter\n";
    device.log(&claimed, sent, rest).await.unwrap();
    let (all, _) = pieces(&backend, &claimed.job, start).await;
    assert_eq!(text(&all), "after\n");
    let next = all[0].next;
    let place = backend.output_place(&claimed.job, next.number()).await;
    assert_eq!(place.unwrap(), Some(next));
}

/// The window before each window's start leads to the first line, whatever is in between.
#[tokio::test]
async fn earlier_lines_are_read_back_to_the_first() {
    let mut office = Office::open().await;
    let device = Stranger::adopted(&office, 1).await;
    let backend = backend(&office).await;
    let claimed = started(&mut office, &device, 1).await;
    let key =
        "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIKgYvJ3sXo2mT5u8\n-----END EC PRIVATE KEY-----\n";
    let row = |number: u32| match number {
        1_500 => key.to_owned(),
        2_500 => "x".repeat(90 * 1024) + "\n",
        _ => format!("row {number} from 192.168.41.77\n"),
    };
    let mut sent = 0;
    let written: String = (0..4_000).map(row).collect();
    for piece in written.as_bytes().chunks(60_000) {
        sent = device.log(&claimed, sent, piece).await.unwrap();
    }
    let mut asked = OutputTail {
        step: None,
        errors: false,
        lines: 1_000,
        before: None,
    };
    let mut shown = String::new();
    loop {
        let log = backend.log(&claimed.job, &asked).await.unwrap();
        let lines = log.text.lines().count();
        let most = asked.before.map_or(200, |_| 1_000);
        assert!(lines <= most && log.bytes == sent, "{lines}");
        assert!(asked.before.is_none_or(|before| log.start < before));
        shown.insert_str(0, &log.text);
        if log.start == 0 {
            break;
        }
        asked.before = Some(log.start);
    }
    for hidden in ["192.168.", "MHcCAQ", "xxx"] {
        assert!(!shown.contains(hidden), "{hidden}");
    }
    let rows = (0..4_000).filter(|number| ![1_500, 2_500].contains(number));
    let shown: Vec<_> = shown.lines().filter(|it| it.starts_with("row ")).collect();
    assert_eq!(shown.len(), rows.clone().count());
    for (line, number) in shown.into_iter().zip(rows) {
        assert!(
            line.starts_with(&format!("row {number} from ip-s1-")),
            "{line}"
        );
    }
    // In the middle of a line, and far behind the end.
    for before in [sent - 3, sent + 90_000] {
        asked.before = Some(before);
        let log = backend.log(&claimed.job, &asked).await.unwrap();
        assert!(log.text.is_empty() || log.text.ends_with('\n'), "{before}");
        assert!(!log.text.contains("192.168"), "{before}");
    }
}

/// The end of a log has no name that a line before it introduces, and nothing of a line that is still written.
#[tokio::test]
async fn the_last_lines_hide_what_the_lines_before_them_name() {
    let mut office = Office::open().await;
    let device = Stranger::adopted(&office, 1).await;
    let backend = backend(&office).await;
    let claimed = started(&mut office, &device, 1).await;
    let lines = "more\n".repeat(300);
    let written = format!("hostname: kaminzimmer-7\n{lines}up: kaminzimmer-7\nto 192.168.41");
    let sent = device.log(&claimed, 0, written.as_bytes()).await.unwrap();
    let end = OutputTail {
        step: None,
        errors: false,
        lines: 200,
        before: None,
    };
    let log = backend.log(&claimed.job, &end).await.unwrap();
    assert!(log.text.starts_with("more\nmore\n") && log.bytes == sent);
    assert!(log.text.contains("\nup: host-s1-"), "{}", log.text);
    for hidden in ["kaminzimmer", "192.168"] {
        assert!(!log.text.contains(hidden), "{hidden} in {}", log.text);
    }
}

#[tokio::test]
async fn lists_have_each_thing_once() {
    let mut office = Office::open().await;
    let device = Stranger::adopted(&office, 1).await;
    let backend = backend(&office).await;
    let mut runs = Vec::new();
    for number in 1..=5 {
        let mut order = office.order_for(&device.id, &device.key.fingerprint());
        order.call = CallId::new(Timestamp(5), number).to_string();
        runs.push(office.dispatch.queue_job(&order).await.unwrap().id);
    }
    let mut seen = Vec::new();
    let mut filter = JobFilter::default();
    loop {
        let page = backend.run_page(&filter, 2).await.unwrap();
        seen.extend(page.items.into_iter().map(|run| run.id));
        let Some(before) = page.before else { break };
        filter.before = Some(before);
    }
    runs.reverse();
    assert_eq!(seen, runs);
    let none = backend.proposal_page(None, None, 2).await.unwrap();
    assert_eq!((none.items.len(), none.before), (0, None));
}

#[tokio::test]
async fn an_export_is_for_others_and_on_record() {
    let office = Office::open().await;
    let backend = backend(&office).await;
    let order = DiagnosticsOrder {
        site: SITE.to_owned(),
        device: None,
        source: "token_1".to_owned(),
        request: "one".to_owned(),
        taken_ms: None,
        sections: vec![(
            "note".to_owned(),
            "inet 192.168.41.7/24 mac b8:27:eb:12:34:56\n81.2.69.142 anna@example.org\n\
             say ip-s1-n1.9, please\n"
                .to_owned(),
        )],
    };
    let bundle = office
        .dispatch
        .take_diagnostics(&order)
        .await
        .unwrap()
        .bundle;
    // The site of conversations that are about none takes nothing in.
    let inside = DiagnosticsOrder {
        site: "installation".to_owned(),
        request: "two".to_owned(),
        ..order.clone()
    };
    let refusal = office.dispatch.take_diagnostics(&inside).await.unwrap_err();
    assert_eq!(refusal.code, "not_found");
    let page = backend.bundle_page(&BundleFilter::default(), 9).await;
    assert_eq!(page.unwrap().items.len(), 1);
    let hidden = VendorParts::Hidden;
    let export = backend.export_bundle(&bundle, hidden, ann()).await.unwrap();
    let text = export.sections[0].text.clone().unwrap();
    for value in ["81.2.69.142", "b8:27:eb", "anna"] {
        assert!(!text.contains(value), "{value} in {text}");
    }
    // A token that a text brought with it is a word, and no address comes of it.
    assert!(text.contains("say ip-s1-n1.9, please"), "{text}");
    assert!(
        text.contains("inet 192.168.") && text.contains("mail-s1-"),
        "{text}"
    );
    assert!(!format!("{export:?}").contains(SITE));
    let again = backend.export_bundle(&bundle, hidden, ann()).await.unwrap();
    assert_ne!(again, export, "each has a key of its own");
    let shown = backend
        .export_bundle(&bundle, VendorParts::Shown, ann())
        .await;
    let shown = shown.unwrap().sections[0].text.clone().unwrap();
    assert!(
        shown.contains("mac b8:27:eb:") && !shown.contains(":12:34:56"),
        "{shown}"
    );
    let looks = backend.looks(SITE, 9).await.unwrap();
    assert_eq!(looks.len(), 3);
    assert!(looks[0].place.contains(&bundle) && looks[0].shown == 0);
    let other = UserId::new(Timestamp(2), 2);
    let fault = backend
        .export_bundle(&bundle, hidden, other)
        .await
        .unwrap_err();
    assert_eq!(fault.code, FieldFaultCode::NotAllowed);
    let fault = backend
        .export_bundle("bun_nobody", hidden, ann())
        .await
        .unwrap_err();
    assert_eq!(fault.code, FieldFaultCode::UnknownBundle);
}
