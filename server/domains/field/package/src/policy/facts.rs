//! Facts of a script that risk is computed from.

use std::collections::BTreeSet;

use super::{contacts::ContactFact, surroundings::ScriptSurroundings};
use crate::{
    remedy::RemedyPair,
    script::{FreeScript, ProbeScript, ScriptSpan},
    steps::{AcceptedStep, ContactProtocol, RowClass, RowName, StepSlot},
};

/// Facts of one script on one device.
#[derive(Debug, Clone, PartialEq)]
pub struct ScriptFacts {
    pub form: ScriptForm,
    /// Programs by absolute path. Unknown for free sh, whose only known program is the shell.
    pub programs: BTreeSet<String>,
    pub steps: usize,
    pub contacts: Vec<ContactFact>,
    pub protocols: BTreeSet<ContactProtocol>,
    pub ports: BTreeSet<u16>,
    /// Steps that need packet sockets.
    pub raw: Vec<ScriptSpan>,
    /// Sweeps, with the addresses that each asks.
    pub sweeps: Vec<(ScriptSpan, u32)>,
    /// Steps that fill the line.
    pub line_tests: Vec<ScriptSpan>,
    /// True if a step reads or uses the device's interfaces.
    pub sees_interfaces: bool,
    /// Interfaces that steps name.
    pub interfaces: Vec<(ScriptSpan, String)>,
    /// Longest run in seconds.
    pub seconds: u32,
    /// Packets at most. None if nothing bounds them.
    pub packets: Option<u64>,
    /// Bytes on the network at most. None if nothing bounds them.
    pub bytes: Option<u64>,
    /// True if something outside the workspace may change.
    pub writes: bool,
    /// Length of the rendered script: the span of a fact about all of it.
    pub length: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ScriptForm {
    Steps,
    /// A change with its undo.
    Remedy,
    /// Free sh of a person.
    Sh,
}

impl ScriptFacts {
    /// The facts of typed steps: all of them, as the table bounds each step.
    pub fn of_steps(script: &ProbeScript, around: &ScriptSurroundings) -> Self {
        let rendered = script.render();
        let mut facts = Self::empty(ScriptForm::Steps, rendered.text.len());
        facts.seconds = script.seconds();
        facts.bytes = Some(script.bytes());
        let mut packets = 0;
        for (at, (step, place)) in script.steps().iter().zip(&rendered.steps).enumerate() {
            facts.programs.insert(step.row().program.to_owned());
            packets += packets_of(step);
            for contact in step.contacts() {
                facts.protocols.insert(contact.protocol);
                facts.ports.extend(contact.port);
                let written = contact.slot.and_then(|slot| step.step().value(slot));
                let span = place.place(contact.slot);
                let fact = ContactFact::of(at, contact, span, around, written.as_deref());
                facts.contacts.push(fact);
            }
            if let Some(name) = &step.step().name {
                let span = place.place(Some(StepSlot::Name));
                let fact = ContactFact::lookup(at, name, span, around);
                facts.contacts.push(fact);
            }
            if let Some(interface) = &step.step().interface {
                let span = place.place(Some(StepSlot::Interface));
                facts.interfaces.push((span, interface.clone()));
            }
            facts.sees_interfaces |= !matches!(
                step.row().name,
                RowName::Wait | RowName::DnsConfig | RowName::Power
            );
            if step.row().class == RowClass::Raw {
                facts.raw.push(place.span.clone());
            }
            match step.row().name {
                RowName::Sweep => {
                    let span = place.place(Some(StepSlot::Network));
                    facts.sweeps.push((span, addresses(step)));
                }
                RowName::Throughput | RowName::DownloadRate => {
                    facts.line_tests.push(place.span.clone());
                }
                _ => {}
            }
        }
        facts.steps = script.steps().len();
        facts.packets = Some(packets);
        facts
    }

    /// The facts of free sh: that nothing about it is known.
    pub fn of_free(script: &FreeScript, timeout_s: u32) -> Self {
        let mut facts = Self::empty(ScriptForm::Sh, script.text().len());
        facts.programs.insert("/bin/sh".to_owned());
        facts.sees_interfaces = true;
        facts.seconds = timeout_s;
        facts
    }

    /// The facts of a remedy.
    pub fn of_remedy(pair: &RemedyPair) -> Self {
        let mut facts = Self::empty(ScriptForm::Remedy, pair.render().len());
        facts.programs.extend(pair.make().into_iter().next());
        facts.seconds = pair.undo_after_s;
        facts.steps = 1;
        facts.packets = Some(0);
        facts.bytes = Some(0);
        facts.writes = true;
        facts
    }

    /// The whole script.
    pub fn whole(&self) -> ScriptSpan {
        0..self.length
    }

    fn empty(form: ScriptForm, length: usize) -> Self {
        Self {
            form,
            programs: BTreeSet::new(),
            steps: 0,
            contacts: Vec::new(),
            protocols: BTreeSet::new(),
            ports: BTreeSet::new(),
            raw: Vec::new(),
            sweeps: Vec::new(),
            line_tests: Vec::new(),
            sees_interfaces: false,
            interfaces: Vec::new(),
            seconds: 0,
            packets: None,
            bytes: None,
            writes: false,
            length,
        }
    }
}

/// Addresses that a sweep asks, without those of the network itself and of all.
fn addresses(step: &AcceptedStep) -> u32 {
    let network = step.step().network.as_deref();
    let network = network.and_then(crate::values::network);
    let size = network.map_or(0, |it| 1_u32 << (32 - u32::from(it.prefix_len())).min(10));
    if size > 2 { size - 2 } else { size }
}

/// Packets of a step, of about 64 bytes at least.
fn packets_of(step: &AcceptedStep) -> u64 {
    step.bytes().div_ceil(64)
}
