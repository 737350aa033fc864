//! TCP throughput to an iperf3 server.

use super::shared::*;

pub(super) static ROW: StepRow = StepRow {
    name: RowName::Throughput,
    about: "TCP throughput; fills the line while it runs",
    before: &[],
    program: "/usr/bin/iperf3",
    parts: &[
        Words("-J -c"),
        Value(StepSlot::Target),
        Words("-p"),
        Value(StepSlot::Port),
        Words("-t"),
        Value(StepSlot::Seconds),
        Choice(
            StepSlot::Reverse,
            &[SlotChoice {
                value: "true",
                words: &["-R"],
            }],
        ),
    ],
    slots: &[
        needs(StepSlot::Target, ValueKind::Host),
        defaults(StepSlot::Port, ValueKind::Range(1, 65535), "5201"),
        defaults(StepSlot::Seconds, ValueKind::Range(1, 10), "5"),
        may(StepSlot::Reverse, ValueKind::OneOf(&["true"])),
    ],
    class: RowClass::Look,
    seconds: |step| step.number(StepSlot::Seconds) + 6,
    bytes: |step| u64::from(step.number(StepSlot::Seconds)) * 125_000_000,
    contacts: server,
    parse: iperf::read,
};

fn server(step: &AcceptedStep) -> Vec<StepContact> {
    let port = u16::try_from(step.number(StepSlot::Port)).ok();
    to(step, StepSlot::Target, ContactProtocol::Tcp, port)
}
