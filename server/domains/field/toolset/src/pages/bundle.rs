//! The page of a bundle: its sections, and the values that are hidden in it.

use field_wire::{BundleSectionRow, FieldBundlePage};
use protocol::{ErrorBody, Fact};
use serde_json::{Map, Value, json};

use super::{device_name, facts::counts, site_name};
use crate::{
    board::shown,
    findings,
    parts::{FieldParts, fault},
    ports::{BundleSummary, FieldFaultCode},
};

pub(super) async fn page(parts: &FieldParts, id: &str) -> Result<FieldBundlePage, ErrorBody> {
    let bundles = &parts.ports.bundles;
    let bundle = bundles.bundle(id).await?;
    let bundle = bundle.ok_or_else(|| fault(FieldFaultCode::UnknownBundle))?;
    let sections = bundle.sections.iter().map(|section| BundleSectionRow {
        name: section.name.clone(),
        lines: section.lines,
        bytes: section.bytes,
        hidden: counts(&section.counts),
        left_out: section.left_out.clone(),
    });
    let device_name = match &bundle.device {
        Some(device) => device_name(parts, device).await?,
        None => None,
    };
    let findings = findings::of(parts, &bundle).await?.into_iter();
    let findings = findings.map(|it| Fact {
        label: it.section.to_owned(),
        value: sentence(it.sentence),
    });
    Ok(FieldBundlePage {
        device_name,
        site_name: site_name(parts, &bundle.site),
        sections: sections.collect(),
        findings: findings.collect(),
        hidden: counts(&sums(&bundle)),
        secrets: bundle.secrets,
        legend: bundles.legend(&bundle.site).await?,
        bundle: shown::bundle(&bundle),
    })
}

/// A finding as a page has it.
fn sentence(mut finding: String) -> String {
    if let Some(first) = finding.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    finding + "."
}

/// The counts of all sections together.
fn sums(bundle: &BundleSummary) -> Value {
    let mut sums = Map::new();
    for section in &bundle.sections {
        for (class, count) in section.counts.as_object().into_iter().flatten() {
            let before = sums.get(class).and_then(Value::as_u64).unwrap_or(0);
            let sum = before + count.as_u64().unwrap_or(0);
            sums.insert(class.clone(), json!(sum));
        }
    }
    Value::Object(sums)
}
