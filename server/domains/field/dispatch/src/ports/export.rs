//! Bundles in the form for others: no value, no token of an address, and no name of their place.

use field::ports::{
    FieldBundles as _, FieldFault, FieldFaultCode, FieldValues as _, LookOrder, Timestamp, UserId,
};
use field_redaction::{ExportShapes, VendorParts};

use super::FieldBackend;
use super::faults::fault;
use crate::texts::devices as texts;

/// A bundle in the form for others. It does not say of which site or device it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportedBundle {
    pub taken: Option<Timestamp>,
    pub received: Timestamp,
    pub sections: Vec<ExportedSection>,
    pub is_simulated: bool,
}

/// A section of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportedSection {
    pub name: String,
    /// None for a section that has no text here.
    pub text: Option<String>,
}

impl FieldBackend {
    /// Exports a bundle under a key of its own, for a person who may see its values. That is recorded
    /// like a look, before anything is given out.
    ///
    /// # Errors
    /// There is no such bundle, the person may not, or the database fails.
    pub async fn export_bundle(
        &self,
        id: &str,
        vendors: VendorParts,
        person: UserId,
    ) -> Result<ExportedBundle, FieldFault> {
        let bundle = self.bundle(id).await?;
        let bundle = bundle.ok_or(FieldFault::new(FieldFaultCode::UnknownBundle))?;
        let look = LookOrder {
            site: bundle.site.clone(),
            tokens: Vec::new(),
            person,
            place: texts::export_of(id),
        };
        self.reveal(&look).await?;
        let shapes = ExportShapes::new(rand::random()).with_vendors(vendors);
        let mut sections = Vec::with_capacity(bundle.sections.len());
        for section in bundle.sections {
            let text = if section.left_out.is_some() {
                None
            } else {
                let covered = self.section(id, &section.name).await?;
                let vaults = &self.dispatch.0.vaults;
                let exported = vaults.export(&bundle.site, covered, shapes.clone());
                Some(exported.await.map_err(fault(FieldFaultCode::Storage))?)
            };
            sections.push(ExportedSection {
                name: section.name,
                text,
            });
        }
        Ok(ExportedBundle {
            taken: bundle.taken,
            received: bundle.received,
            sections,
            is_simulated: bundle.is_simulated,
        })
    }
}
