//! Phases of one web request.

use super::shared::*;

pub(super) static ROW: StepRow = StepRow {
    name: RowName::HttpTiming,
    about: "Name, connection, TLS and answer of one web request",
    before: &[],
    program: "/usr/bin/curl",
    parts: &[
        Words(
            "-q -g -sS -o /dev/null --proto =http,https --max-redirs 0 -m 10 --max-filesize 1048576 -w",
        ),
        Word(CURL_FORMAT),
        Words("--"),
        Value(StepSlot::Url),
    ],
    slots: &[needs(StepSlot::Url, ValueKind::Url)],
    class: RowClass::Look,
    seconds: |_| 11,
    bytes: |_| 1_100_000,
    contacts: at_url,
    parse: http_timing::read,
};
