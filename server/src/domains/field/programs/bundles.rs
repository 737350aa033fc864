//! Bundles of diagnostics, and their form for others.

use axum::{
    Extension,
    extract::{Path, Query},
};
use field::{
    field_redaction::VendorParts,
    ports::{BundleSummary, FieldBundles as _, FieldFaultCode},
};
use field_dispatch::ExportedBundle;
use field_tables::BundleFilter;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sign_in::SignedIn;

use super::{FieldPrograms, WantedPage, missing, ms, next_of};
use crate::domains::field::answers::{DeviceAnswer, answered};

const LIST: &str = "field bundles";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BundlesQuery {
    site: Option<String>,
    device: Option<String>,
    cursor: Option<String>,
    limit: Option<u32>,
}

/// A page of bundles, newest first.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "FieldBundles")]
pub(in crate::domains::field) struct FieldBundlesBody {
    bundles: Vec<FieldBundleLine>,
    /// The cursor of older ones; none if there are none.
    next: Option<String>,
}

/// A bundle in a list.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "FieldBundleLine")]
struct FieldBundleLine {
    id: String,
    site: String,
    /// None if a program brought it that named no device.
    device: Option<String>,
    /// By the clock of the device.
    taken_ms: Option<i64>,
    received_ms: i64,
    /// False while sections may still come.
    complete: bool,
    sections: u64,
    /// Secrets that were removed.
    secrets: u64,
    simulated: bool,
}

/// A bundle with its sections, without their texts.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "FieldBundle")]
pub(in crate::domains::field) struct FieldBundleBody {
    id: String,
    site: String,
    device: Option<String>,
    taken_ms: Option<i64>,
    received_ms: i64,
    complete: bool,
    sections: Vec<BundleSectionBody>,
    secrets: u64,
    simulated: bool,
    /// Lines that say what the tokens of the site mean.
    legend: String,
}

/// A section of a bundle.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "FieldBundleSection")]
struct BundleSectionBody {
    name: String,
    bytes: u64,
    lines: u64,
    /// Number of hidden values by class, such as `ipv4`.
    hidden: Value,
    /// The reason why it has no text.
    left_out: Option<String>,
}

/// The text of a section.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "FieldSectionText")]
pub(in crate::domains::field) struct FieldSectionBody {
    /// With tokens in place of values.
    text: String,
}

/// The section that a path names.
#[derive(Debug, Deserialize)]
pub(super) struct SectionName {
    id: String,
    name: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExportQuery {
    vendors: Option<ExportedVendors>,
}

/// The choice about vendors of hardware addresses in an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ExportedVendors {
    Shown,
    Hidden,
}

/// A bundle for others. It says neither of which site nor of which device it is.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "FieldExport")]
pub(in crate::domains::field) struct FieldExportBody {
    taken_ms: Option<i64>,
    received_ms: i64,
    sections: Vec<ExportedTextBody>,
    simulated: bool,
}

/// A section for others.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "FieldExportSection")]
struct ExportedTextBody {
    name: String,
    /// Addresses are others that share as many leading bits with each other as the real ones; other
    /// values are tokens. None if the section has no text.
    text: Option<String>,
}

impl From<BundleSummary> for FieldBundleLine {
    fn from(bundle: BundleSummary) -> Self {
        Self {
            sections: bundle.sections.len() as u64,
            taken_ms: ms(bundle.taken),
            received_ms: bundle.received.0,
            complete: bundle.is_complete,
            secrets: bundle.secrets,
            simulated: bundle.is_simulated,
            id: bundle.id,
            site: bundle.site,
            device: bundle.device,
        }
    }
}

impl From<ExportedBundle> for FieldExportBody {
    fn from(bundle: ExportedBundle) -> Self {
        let sections = bundle.sections.into_iter();
        let sections = sections.map(|section| ExportedTextBody {
            name: section.name,
            text: section.text,
        });
        Self {
            taken_ms: ms(bundle.taken),
            received_ms: bundle.received.0,
            sections: sections.collect(),
            simulated: bundle.is_simulated,
        }
    }
}

/// Returns a page of bundles.
pub(super) async fn list(
    it: FieldPrograms,
    Extension(who): Extension<SignedIn>,
    Query(query): Query<BundlesQuery>,
) -> Result<DeviceAnswer, DeviceAnswer> {
    let page = WantedPage::of(LIST, &who, query.cursor.as_deref(), query.limit)?;
    let filter = BundleFilter {
        site: query.site,
        device: query.device,
        before: page.from,
    };
    let found = Box::pin(it.backend.bundle_page(&filter, page.limit)).await?;
    let next = next_of(LIST, &who, &found);
    let bundles = found.items.into_iter().map(Into::into);
    answered(&FieldBundlesBody {
        bundles: bundles.collect(),
        next,
    })
}

/// Returns a bundle.
pub(super) async fn read(
    it: FieldPrograms,
    Path(id): Path<String>,
) -> Result<DeviceAnswer, DeviceAnswer> {
    let bundle = it.backend.bundle(&id).await?;
    let bundle = bundle.ok_or_else(|| missing(FieldFaultCode::UnknownBundle))?;
    let legend = it.backend.legend(&bundle.site).await?;
    let sections = bundle
        .sections
        .into_iter()
        .map(|section| BundleSectionBody {
            name: section.name,
            bytes: section.bytes,
            lines: section.lines,
            hidden: section.counts,
            left_out: section.left_out,
        });
    answered(&FieldBundleBody {
        sections: sections.collect(),
        id: bundle.id,
        site: bundle.site,
        device: bundle.device,
        taken_ms: ms(bundle.taken),
        received_ms: bundle.received.0,
        complete: bundle.is_complete,
        secrets: bundle.secrets,
        simulated: bundle.is_simulated,
        legend,
    })
}

/// Returns the covered text of a section.
pub(super) async fn section(
    it: FieldPrograms,
    Path(names): Path<SectionName>,
) -> Result<DeviceAnswer, DeviceAnswer> {
    let text = it.backend.section(&names.id, &names.name).await?;
    answered(&FieldSectionBody { text })
}

/// Exports a bundle. Each export has a random key of its own, so that no two of them can be joined.
pub(super) async fn export(
    it: FieldPrograms,
    Extension(who): Extension<SignedIn>,
    Path(id): Path<String>,
    Query(query): Query<ExportQuery>,
) -> Result<DeviceAnswer, DeviceAnswer> {
    let vendors = match query.vendors {
        Some(ExportedVendors::Shown) => VendorParts::Shown,
        Some(ExportedVendors::Hidden) | None => VendorParts::Hidden,
    };
    let export = it.backend.export_bundle(&id, vendors, who.user.id);
    let export = Box::pin(export).await?;
    answered(&FieldExportBody::from(export))
}
