//! Measurements in an answer to the board, for Jarvis's own history. What is unknown is none.

use super::{BoardAnswer, seen::is_heard};
use crate::{
    guest_state::has_process,
    measurements::{MeasuredQuantity, MeasuredSubject, Measurement},
    tools::storages,
    wire::{NodeStatus, ResourceRow, is_guest},
};

/// The quantities that an answer has a value of.
type Quantities = Vec<(MeasuredQuantity, Option<f64>)>;

pub(super) fn measured(answer: &BoardAnswer) -> Vec<Measurement> {
    match answer {
        BoardAnswer::Overview(Ok(rows)) => {
            let guests = rows.iter().filter(is_guest).map(guest);
            let storages = storages(rows).into_iter().map(storage);
            guests.chain(storages).flatten().collect()
        }
        BoardAnswer::Node(name, Ok(status)) => each(MeasuredSubject::node(name), node(status)),
        BoardAnswer::Celsius(name, Ok(celsius)) => {
            let celsius = vec![(MeasuredQuantity::Celsius, Some(*celsius))];
            each(MeasuredSubject::node(name), celsius)
        }
        _ => Vec::new(),
    }
}

fn each(subject: Option<MeasuredSubject>, quantities: Quantities) -> Vec<Measurement> {
    let known = quantities.into_iter().filter_map(|(quantity, value)| {
        Some(Measurement {
            subject: subject.clone()?,
            quantity,
            value: value?,
        })
    });
    known.collect()
}

fn node(status: &NodeStatus) -> Quantities {
    let memory = status.memory.as_ref().and_then(|memory| memory.used);
    vec![
        (MeasuredQuantity::CpuPercent, hundredfold(status.cpu)),
        (MeasuredQuantity::MemoryBytes, bytes(memory)),
        (MeasuredQuantity::IoWaitPercent, hundredfold(status.wait)),
    ]
}

/// A guest that runs: the zeros of a stopped one are no measurements, and a row without current
/// figures has the last ones.
fn guest(row: &ResourceRow) -> Vec<Measurement> {
    let runs = has_process(row.status.as_deref()) && row.template != Some(true);
    let vmid = row.vmid.and_then(|vmid| u32::try_from(vmid).ok());
    let quantities = vec![
        (MeasuredQuantity::CpuPercent, hundredfold(row.cpu)),
        (MeasuredQuantity::MemoryBytes, bytes(row.mem)),
    ];
    each(
        vmid.filter(|_| runs).map(MeasuredSubject::guest),
        quantities,
    )
}

/// A storage that is available.
fn storage(row: &ResourceRow) -> Vec<Measurement> {
    let node = row.node.as_deref().filter(|_| row.shared != Some(true));
    let name = row.storage.as_deref().filter(|_| is_heard(row));
    let subject = name.and_then(|name| MeasuredSubject::storage(node, name));
    each(
        subject,
        vec![(MeasuredQuantity::UsedBytes, bytes(row.disk))],
    )
}

fn hundredfold(fraction: Option<f64>) -> Option<f64> {
    fraction.map(|fraction| fraction * 100.0)
}

/// A size; `None` if it is negative.
fn bytes(value: Option<i64>) -> Option<f64> {
    value.filter(|value| *value >= 0).map(|value| value as f64)
}
