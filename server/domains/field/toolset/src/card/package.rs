//! The facts of a package on its card: what it is made from, and what limits it.

use field_package::{levels::SandboxLevel, manifest::NetworkClass};
use protocol::{CardSection, Fact};

use super::{grouped, short};
use crate::{ports::ScriptAuthor, prepared::PreparedRun, texts::card as say};

/// The origin of the run.
pub(super) fn what(run: &PreparedRun, wait_minutes: u32) -> CardSection {
    let mut fields = Vec::new();
    if let Some(source) = &run.source {
        let version = &source.version;
        fields.extend([
            (say::PROPOSAL, source.head.id.clone()),
            (say::VERSION, version.version.to_string()),
            (
                say::WRITTEN_BY,
                match &version.made_by {
                    ScriptAuthor::Model => say::BY_MODEL.to_owned(),
                    ScriptAuthor::Person(name) => name.clone(),
                    ScriptAuthor::Program => say::BY_PROGRAM.to_owned(),
                },
            ),
            (say::WHY, version.why.clone()),
        ]);
        if let Some(expect) = &version.expect {
            fields.push((say::EXPECTED, expect.clone()));
        }
    }
    fields.extend([
        (say::DEVICE, run.device.id.clone()),
        (say::SITE, run.device.site.clone()),
        (say::DELIVERY, say::waits(wait_minutes)),
    ]);
    section(say::WHAT_RUNS, fields)
}

/// The limits of the run, and the digests that bind it.
pub(super) fn limits(run: &PreparedRun) -> CardSection {
    let core = &run.core;
    let caps = core.caps();
    let network = core.network();
    let class = match network.class {
        NetworkClass::None => say::NETWORK_NONE,
        NetworkClass::Local => say::NETWORK_LOCAL,
        NetworkClass::Listed => say::NETWORK_LISTED,
        NetworkClass::Any => say::NETWORK_ANY,
    };
    let sandbox = match core.sandbox_min() {
        SandboxLevel::Bubblewrap => say::SANDBOX_B,
        SandboxLevel::Systemd => say::SANDBOX_A,
        SandboxLevel::Podman | SandboxLevel::Nsjail => say::SANDBOX_NONE,
    };
    let policy = core.policy();
    section(
        say::PACKAGE,
        vec![
            (say::TIME, say::seconds(core.timeout_s())),
            (say::MEMORY, units::size(caps.memory)),
            (say::OUTPUT, say::output(&units::size(caps.output))),
            (say::NETWORK, class.to_owned()),
            (say::SANDBOX, sandbox.to_owned()),
            (say::RAW, say::raw(core.is_raw()).to_owned()),
            (say::DEVICE_KEY, grouped(core.device_key())),
            (
                say::POLICY,
                say::policy(policy.version, short(policy.hash.as_str())),
            ),
            (say::PAYLOAD_SHA, core.payload_digest().to_owned()),
            (say::CORE_SHA, core.digest().as_str().to_owned()),
        ],
    )
}

fn section(title: &str, fields: Vec<(&str, String)>) -> CardSection {
    let fields = fields.into_iter().map(|(label, value)| Fact {
        label: label.to_owned(),
        value,
    });
    CardSection::Fields {
        title: title.to_owned(),
        fields: fields.collect(),
    }
}
