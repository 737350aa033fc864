//! The things that messages name: devices, bundles, proposals, runs.

use agent::ports::SubjectRefusal;
use protocol::{ErrorBody, Reference};
use serde_json::{Value, json};

use crate::{
    parts::{FieldParts, time},
    ports::{BundleSummary, FieldFault},
    shape,
    texts::context as say,
};

/// Bytes of one section in the text of a bundle.
const MAX_SECTION: usize = 32 * 1024;

/// A parsed reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldThing<'a> {
    Device(&'a str),
    Bundle(&'a str),
    Proposal(&'a str),
    Run(&'a str),
}

impl<'a> FieldThing<'a> {
    pub(crate) fn of(reference: &'a Reference) -> Option<Self> {
        let id = reference.id.as_str();
        let thing = match reference.kind.as_str() {
            "device" if is_id(id, "dev_") => Self::Device(id),
            "bundle" if is_id(id, "bun_") => Self::Bundle(id),
            "proposal" if is_id(id, "pro_") => Self::Proposal(id),
            "run" if is_id(id, "run_") => Self::Run(id),
            _ => return None,
        };
        Some(thing)
    }

    /// The thing in words, for the record of a look.
    pub(crate) fn place(&self) -> String {
        match self {
            Self::Device(id) => say::place("device", id),
            Self::Bundle(id) => say::place("bundle", id),
            Self::Proposal(id) => say::place("proposal", id),
            Self::Run(id) => say::place("run", id),
        }
    }
}

/// True for a prefix and 26 characters of `[0-9a-z]`.
fn is_id(text: &str, prefix: &str) -> bool {
    text.strip_prefix(prefix).is_some_and(|rest| {
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        rest.len() == 26 && rest.bytes().all(plain)
    })
}

/// The site of a thing; none if it is not known.
pub(crate) async fn site_of(parts: &FieldParts, thing: &FieldThing<'_>) -> Option<String> {
    find_site(parts, thing).await.ok()?
}

/// The site of a thing; none if there is no such thing.
async fn find_site(
    parts: &FieldParts,
    thing: &FieldThing<'_>,
) -> Result<Option<String>, FieldFault> {
    let ports = &parts.ports;
    let snapshot = parts.snapshot();
    Ok(match thing {
        FieldThing::Device(id) => match snapshot.device(id) {
            Some(device) => Some(device.site.clone()),
            None => ports
                .administration
                .retired(id)
                .await?
                .map(|it| it.device.site),
        },
        FieldThing::Bundle(id) => match snapshot.bundle(id) {
            Some(bundle) => Some(bundle.site.clone()),
            None => ports.bundles.bundle(id).await?.map(|bundle| bundle.site),
        },
        FieldThing::Proposal(id) => ports.proposals.proposal(id).await?.map(|head| head.site),
        FieldThing::Run(id) => match snapshot.run(id) {
            Some(run) => Some(run.site.clone()),
            None => ports.runs.run(id).await?.map(|run| run.site),
        },
    })
}

/// Checks that things exist and are of one site: tokens of two never meet in a conversation.
pub(crate) async fn check_subject(
    parts: &FieldParts,
    about: &[Reference],
) -> Result<(), SubjectRefusal> {
    let mut first = None;
    for reference in about {
        let missing = || SubjectRefusal::Missing(reference.clone());
        let thing = FieldThing::of(reference).ok_or_else(missing)?;
        let site = find_site(parts, &thing).await.map_err(ErrorBody::from)?;
        let site = site.ok_or_else(missing)?;
        if *first.get_or_insert_with(|| site.clone()) != site {
            return Err(SubjectRefusal::Apart);
        }
    }
    Ok(())
}

/// Describes a thing to the model.
pub(crate) async fn describe(parts: &FieldParts, reference: &Reference) -> Result<Value, String> {
    let unknown = || say::NO_SUCH_THING.to_owned();
    let why = |fault| ErrorBody::from(fault).message;
    let thing = FieldThing::of(reference).ok_or_else(unknown)?;
    let ports = &parts.ports;
    match thing {
        FieldThing::Device(id) => {
            let snapshot = parts.snapshot();
            let retired = match snapshot.device(id) {
                Some(_) => None,
                None => ports.administration.retired(id).await.map_err(why)?,
            };
            let retired = retired.as_ref().map(|it| &it.device);
            let device = snapshot.device(id).or(retired).ok_or_else(unknown)?;
            Ok(shape::device(device, &snapshot, parts.now()))
        }
        FieldThing::Bundle(id) => {
            let bundle = ports.bundles.bundle(id).await.map_err(why)?;
            let bundle = bundle.ok_or_else(unknown)?;
            // Its sections come as a text of their own.
            Ok(json!({
                "bundle": bundle.id,
                "device": bundle.device,
                "received": time(bundle.received),
                "complete": bundle.is_complete,
                "sections": bundle.sections.len(),
                "simulated": bundle.is_simulated,
            }))
        }
        FieldThing::Proposal(id) => {
            let head = ports.proposals.proposal(id).await.map_err(why)?;
            let head = head.ok_or_else(unknown)?;
            Ok(json!({
                "proposal": head.id,
                "device": head.device,
                "title": head.title,
                "newest_version": head.head,
                "changed": time(head.changed),
            }))
        }
        FieldThing::Run(id) => {
            let run = ports.runs.run(id).await.map_err(why)?;
            Ok(shape::run(&run.ok_or_else(unknown)?))
        }
    }
}

/// The whole text of a bundle or a run, covered. None for other things, and for one that is gone.
pub(crate) async fn text(parts: &FieldParts, reference: &Reference) -> Option<String> {
    match FieldThing::of(reference)? {
        FieldThing::Bundle(id) => {
            let bundle = parts.ports.bundles.bundle(id).await.ok()??;
            bundle_text(parts, &bundle).await
        }
        FieldThing::Run(id) => {
            let run = parts.ports.runs.run(id).await.ok()??;
            let results = parts.ports.runs.results(id).await.ok()?;
            let mut text = say::run(&run.id, run.phase.word());
            for step in results {
                text.push('\n');
                text.push_str(&say::step(step.number, step.step.run.word()));
                text.push('\n');
                text.push_str(&step.text);
            }
            Some(text)
        }
        FieldThing::Device(_) | FieldThing::Proposal(_) => None,
    }
}

async fn bundle_text(parts: &FieldParts, bundle: &BundleSummary) -> Option<String> {
    let bundles = &parts.ports.bundles;
    let received = time(bundle.received);
    let mut text = say::bundle(&bundle.id, &received, bundle.is_simulated);
    let legend = bundles.legend(&bundle.site).await.ok()?;
    text.push_str(&format!("\n{}\n{legend}", say::LEGEND));
    for section in &bundle.sections {
        text.push_str("\n\n");
        if let Some(why) = &section.left_out {
            text.push_str(&say::left_out(&section.name, why));
            continue;
        }
        text.push_str(&say::section(&section.name, section.lines));
        text.push('\n');
        let covered = bundles.section(&bundle.id, &section.name).await.ok()?;
        let end = covered.floor_char_boundary(MAX_SECTION);
        text.push_str(&covered[..end]);
        if end < covered.len() {
            text.push_str(say::CUT);
        }
    }
    Some(text)
}
