//! Destinations of a script: the place of each, and the source of its value.

use ipnet::IpNet;

use super::surroundings::{ScriptSurroundings, within};
use crate::{
    script::ScriptSpan,
    steps::{ContactProtocol, ContactTarget, StepContact},
    values::is_public,
};

/// One destination of one step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContactFact {
    /// Position of the step, from 0.
    pub step: usize,
    pub to: ContactTarget,
    /// None for a name that is looked up: its own servers see the question.
    pub protocol: Option<ContactProtocol>,
    pub port: Option<u16>,
    pub place: ContactPlace,
    pub origin: ValueOrigin,
    pub span: ScriptSpan,
}

/// The network that a destination is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ContactPlace {
    /// A network of the device's own interfaces, or the device's resolver.
    Own,
    Site,
    /// A private network that is not known to belong to the site.
    Elsewhere,
    /// The internet, and names outside the site: they may resolve to anything.
    Public,
}

/// The source of a value. Without another one it came out of a tool's output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ValueOrigin {
    Configuration,
    Person,
    /// The row itself: the device's own resolver.
    Row,
    ToolOutput,
}

impl ContactFact {
    pub(super) fn of(
        step: usize,
        contact: StepContact,
        span: ScriptSpan,
        around: &ScriptSurroundings,
        written: Option<&str>,
    ) -> Self {
        let origin = match &contact.to {
            ContactTarget::Resolver => ValueOrigin::Row,
            to if around.is_named(to) => ValueOrigin::Configuration,
            to => {
                let known = |text: &str| around.person_values.contains(text);
                // The person may have given the whole URL, or its host alone.
                if written.is_some_and(known) || known(&to.to_string()) {
                    ValueOrigin::Person
                } else {
                    ValueOrigin::ToolOutput
                }
            }
        };
        Self {
            step,
            place: place(&contact.to, around),
            to: contact.to,
            protocol: Some(contact.protocol),
            port: contact.port,
            origin,
            span,
        }
    }

    /// A name that a step looks up.
    pub(super) fn lookup(
        step: usize,
        name: &str,
        span: ScriptSpan,
        around: &ScriptSurroundings,
    ) -> Self {
        let contact = StepContact {
            to: ContactTarget::Name(name.to_owned()),
            protocol: ContactProtocol::Udp,
            port: None,
            slot: None,
        };
        let mut fact = Self::of(step, contact, span, around, Some(name));
        fact.protocol = None;
        fact
    }

    /// True if neither a person, the configuration nor the site's own networks stand behind it.
    pub fn is_unasked(&self) -> bool {
        self.origin == ValueOrigin::ToolOutput
            && !matches!(self.place, ContactPlace::Own | ContactPlace::Site)
    }
}

fn place(to: &ContactTarget, around: &ScriptSurroundings) -> ContactPlace {
    match to {
        ContactTarget::Resolver => ContactPlace::Own,
        ContactTarget::Address(address) => {
            if within(&around.device.networks, *address) || address.is_loopback() {
                ContactPlace::Own
            } else if within(&around.site_networks, *address) {
                ContactPlace::Site
            } else if is_public(*address) {
                ContactPlace::Public
            } else {
                ContactPlace::Elsewhere
            }
        }
        ContactTarget::Network(network) => {
            let covered = |known: &[IpNet]| known.iter().any(|known| known.contains(network));
            if covered(&around.device.networks) {
                ContactPlace::Own
            } else if covered(&around.site_networks) {
                ContactPlace::Site
            } else {
                ContactPlace::Elsewhere
            }
        }
        ContactTarget::Name(name) if around.is_site_name(name) => ContactPlace::Site,
        ContactTarget::Name(_) => ContactPlace::Public,
    }
}
