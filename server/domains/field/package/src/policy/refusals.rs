//! Scripts that the policy refuses, whatever a person would decide.

use std::net::IpAddr;

use super::{
    contacts::ContactFact,
    facts::{ScriptFacts, ScriptForm},
    settings::FieldPolicy,
    surroundings::ScriptSurroundings,
};
use crate::{
    script::ScriptSpan,
    steps::{ContactProtocol, ContactTarget},
    texts,
    values::{is_many, is_trusting},
};

/// A refusal with its rule and the place in the script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyRefusal {
    pub rule: RefusalRule,
    pub span: ScriptSpan,
}

/// A rule that refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RefusalRule {
    /// Multicast, broadcast, or no address at all.
    ManyDestination,
    /// A web request or a test to the device itself, its link, or a cloud's metadata.
    TrustingDestination,
    ServerItself,
    /// A network that settings forbid.
    ForbiddenNetwork,
    /// A sweep outside the device's own networks.
    ForeignSweep,
    /// A test whose server is not in the configuration.
    UnnamedTest,
    UnknownInterface,
    /// A pseudonym that was not replaced by its value.
    UnknownToken,
    /// A remedy needs a capability that is not offered.
    Capability,
    TooLong,
}

impl RefusalRule {
    pub const ALL: [Self; 10] = [
        Self::ManyDestination,
        Self::TrustingDestination,
        Self::ServerItself,
        Self::ForbiddenNetwork,
        Self::ForeignSweep,
        Self::UnnamedTest,
        Self::UnknownInterface,
        Self::UnknownToken,
        Self::Capability,
        Self::TooLong,
    ];

    /// Stable name.
    pub fn id(self) -> &'static str {
        match self {
            Self::ManyDestination => "many_destination",
            Self::TrustingDestination => "trusting_destination",
            Self::ServerItself => "server_itself",
            Self::ForbiddenNetwork => "forbidden_network",
            Self::ForeignSweep => "foreign_sweep",
            Self::UnnamedTest => "unnamed_test",
            Self::UnknownInterface => "unknown_interface",
            Self::UnknownToken => "unknown_token",
            Self::Capability => "capability",
            Self::TooLong => "too_long",
        }
    }

    /// The one who refuses: the built-in policy, or the settings of the installation.
    pub fn by(self) -> &'static str {
        match self {
            Self::ForbiddenNetwork => texts::policy::BY_SETTINGS,
            _ => texts::policy::BY_POLICY,
        }
    }

    /// The reason in one sentence.
    pub fn sentence(self) -> &'static str {
        texts::policy::refusal(self.id())
    }
}

/// All reasons to refuse a script.
pub(super) fn refusals(
    facts: &ScriptFacts,
    around: &ScriptSurroundings,
    policy: &FieldPolicy,
) -> Vec<PolicyRefusal> {
    let mut found = Vec::new();
    let mut refuse = |rule, span: &ScriptSpan| {
        found.push(PolicyRefusal {
            rule,
            span: span.clone(),
        });
    };
    if facts.form == ScriptForm::Remedy {
        refuse(RefusalRule::Capability, &facts.whole());
    }
    if facts.seconds > crate::script::MAX_SECONDS {
        refuse(RefusalRule::TooLong, &facts.whole());
    }
    for contact in &facts.contacts {
        for rule in of_contact(contact, around, policy) {
            refuse(rule, &contact.span);
        }
        let mut tests = facts.line_tests.iter();
        let of_test = tests.any(|test| test.contains(&contact.span.start));
        if of_test && !around.is_named(&contact.to) {
            refuse(RefusalRule::UnnamedTest, &contact.span);
        }
    }
    if let Some(known) = &around.device.interfaces {
        for (span, interface) in &facts.interfaces {
            if !known.contains(interface) {
                refuse(RefusalRule::UnknownInterface, span);
            }
        }
    }
    found
}

fn of_contact(
    contact: &ContactFact,
    around: &ScriptSurroundings,
    policy: &FieldPolicy,
) -> Vec<RefusalRule> {
    let mut rules = Vec::new();
    if around.server.contains(&contact.to.to_string()) && contact.protocol.is_some() {
        rules.push(RefusalRule::ServerItself);
    }
    match &contact.to {
        ContactTarget::Address(address) => {
            if is_many(*address) || is_broadcast(*address, around) {
                rules.push(RefusalRule::ManyDestination);
            }
            if contact.protocol == Some(ContactProtocol::Tcp) && is_trusting(*address) {
                rules.push(RefusalRule::TrustingDestination);
            }
            if policy.forbidden().iter().any(|it| it.contains(address)) {
                rules.push(RefusalRule::ForbiddenNetwork);
            }
        }
        ContactTarget::Name(name) => {
            let local = name == "localhost" || name.ends_with(".localhost");
            if contact.protocol == Some(ContactProtocol::Tcp) && local {
                rules.push(RefusalRule::TrustingDestination);
            }
            if is_token(name) && !around.person_values.contains(name) {
                rules.push(RefusalRule::UnknownToken);
            }
        }
        ContactTarget::Network(network) => {
            let mut own = around.device.networks.iter();
            if !own.any(|own| own.contains(network)) {
                rules.push(RefusalRule::ForeignSweep);
            }
            let mut forbidden = policy.forbidden().iter();
            if forbidden.any(|it| it.contains(network) || network.contains(it)) {
                rules.push(RefusalRule::ForbiddenNetwork);
            }
        }
        ContactTarget::Resolver => {}
    }
    rules
}

/// True for the address of all hosts in one of the device's networks.
fn is_broadcast(address: IpAddr, around: &ScriptSurroundings) -> bool {
    let mut networks = around.device.networks.iter();
    networks.any(|network| {
        address.is_ipv4() && network.prefix_len() < 31 && network.broadcast() == address
    })
}

/// True for a name in the form of the redaction's tokens, such as `host-2` or `host-s7-2`: the server
/// puts the value in the place of each before a script gets here.
fn is_token(name: &str) -> bool {
    const KINDS: [&str; 14] = [
        "host", "iccid", "imei", "imsi", "ip", "ip6", "mac", "mail", "net", "pub", "sn", "ssid",
        "tel", "user",
    ];
    let Some((kind, mut rest)) = name.split_once('-') else {
        return false;
    };
    for (mark, end) in [('s', '-'), ('n', '.')] {
        let inner = rest.strip_prefix(mark);
        if let Some((number, behind)) = inner.and_then(|inner| inner.split_once(end))
            && is_number(number)
        {
            rest = behind;
        }
    }
    KINDS.contains(&kind) && is_number(rest)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
