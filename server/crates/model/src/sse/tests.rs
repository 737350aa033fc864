//! The decoder against the specification, and any split against the whole.

use proptest::prelude::*;

use super::{Decoder, SseEvent, TooLong};

fn decode<'a>(
    pieces: impl IntoIterator<Item = &'a [u8]>,
    limit: usize,
) -> Result<Vec<(String, String)>, TooLong> {
    let mut decoder = Decoder::new(limit);
    let mut events = Vec::new();
    for piece in pieces {
        decoder.push(piece, |SseEvent { name, data }| {
            events.push((name.to_owned(), data.into_owned()));
            Ok::<(), TooLong>(())
        })?;
    }
    Ok(events)
}

fn check(stream: &[u8], expect: &[(&str, &str)]) {
    let expect: Vec<_> = expect
        .iter()
        .map(|(name, data)| ((*name).to_owned(), (*data).to_owned()))
        .collect();
    assert_eq!(decode([stream], 1024), Ok(expect.clone()));
    assert_eq!(
        decode(stream.chunks(1), 1024),
        Ok(expect),
        "byte by byte: {stream:?}"
    );
}

#[test]
fn framing() {
    check(b"event: a\ndata: 1\n\n", &[("a", "1")]);
    check(b"data: 1\r\rdata: 2\r\r", &[("", "1"), ("", "2")]);
    check(b"data: 1\r\n\r\ndata: 2\r\n\r\n", &[("", "1"), ("", "2")]);
    check(b"data: 1\n\r\ndata: 2\r\r\n", &[("", "1"), ("", "2")]);
    check(b"\xef\xbb\xbfdata: 1\n\n", &[("", "1")]);
    check(b"data: 1\n\n\xef\xbb\xbfdata: 2\n\n", &[("", "1")]);
    check(b"data:1\ndata:  2\ndata\n\n", &[("", "1\n 2\n")]);
    check(b": comment\n:\ndata: 1\n: more\n\n", &[("", "1")]);
    check(b"event: gone\n\ndata: 1\n\n", &[("", "1")]);
    check(
        b"event: a\nevent: b\nid: 7\nretry: 1\ndata: 1\n\n",
        &[("b", "1")],
    );
    check(b"data\n\n", &[("", "")]);
    check("data: Größe 🛰\n\n".as_bytes(), &[("", "Größe 🛰")]);
    check(b"data: \xff\n\n", &[("", "\u{fffd}")]);
}

#[test]
fn the_rest_without_a_blank_line_is_no_event() {
    check(b"data: 1\n\ndata: 2\n", &[("", "1")]);
    check(b"data: 1\n\ndata: 2", &[("", "1")]);
}

#[test]
fn an_event_is_bounded() {
    let limit = TooLong { limit: 16 };
    assert_eq!(decode([&b"data: 0123456789ab"[..]], 16), Err(limit));
    let line = &b"data: 01\n"[..];
    assert_eq!(decode([line, line, line, line, line, line], 16), Err(limit));
    let event = &b"data: 01\n\n"[..];
    assert!(decode([event; 100], 16).is_ok());
}

proptest! {
    #[test]
    fn any_split_equals_the_whole(
        stream in proptest::collection::vec(
            prop_oneof![
                Just("\n"), Just("\r"), Just("\r\n"), Just("data: "), Just("data:"), Just("event: e"),
                Just(":"), Just(" "), Just("{\"a\":1}"), Just("é🛰"), Just("\u{feff}"),
            ],
            0..40,
        ),
        cuts in proptest::collection::vec(any::<proptest::sample::Index>(), 0..12),
    ) {
        let stream = stream.concat().into_bytes();
        let whole = decode([&stream[..]], 4096);
        let mut cuts: Vec<_> = cuts.iter().map(|cut| cut.index(stream.len() + 1)).collect();
        cuts.extend([0, stream.len()]);
        cuts.sort_unstable();
        let pieces = cuts.windows(2).map(|cut| &stream[cut[0]..cut[1]]);
        prop_assert_eq!(decode(pieces, 4096), whole);
    }
}
