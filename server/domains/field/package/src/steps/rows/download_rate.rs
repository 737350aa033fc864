//! The rate of one download.

use super::shared::*;

pub(super) static ROW: StepRow = StepRow {
    name: RowName::DownloadRate,
    about: "Rate of one download, which is thrown away",
    before: &[],
    program: "/usr/bin/curl",
    parts: &[
        Words("-q -g -sS -o /dev/null --proto =http,https --max-redirs 0 -m"),
        Value(StepSlot::Seconds),
        Words("--max-filesize 50000000 -w"),
        Word(CURL_FORMAT),
        Words("--"),
        Value(StepSlot::Url),
    ],
    slots: &[
        needs(StepSlot::Url, ValueKind::Url),
        defaults(StepSlot::Seconds, ValueKind::Range(1, 60), "10"),
    ],
    class: RowClass::Look,
    seconds: |step| step.number(StepSlot::Seconds) + 1,
    bytes: |_| 52_000_000,
    contacts: at_url,
    parse: http_timing::read,
};
