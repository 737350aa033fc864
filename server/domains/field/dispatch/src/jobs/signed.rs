//! Packages as they were signed.

use std::sync::Arc;

use field_package::manifest::{JobManifest, MANIFEST_TYPE};
use field_package::package::SignedPackage;

use crate::dispatch::Dispatch;
use crate::error::DispatchRefusal;
use crate::known_packages::SignedFacts;

impl Dispatch {
    /// Facts of a job's package. None if it is not there, or if its signature is no longer valid: a
    /// key was revoked.
    pub(crate) async fn signed(
        &self,
        job: &str,
    ) -> Result<Option<Arc<SignedFacts>>, DispatchRefusal> {
        if let Some(facts) = self.0.packages.get(job) {
            return Ok(Some(facts));
        }
        let Some(manifest) = self.manifest(job).await? else {
            return Ok(None);
        };
        let facts = Arc::new(SignedFacts::of(&manifest));
        self.0.packages.keep(job, &facts);
        Ok(Some(facts))
    }

    /// The manifest of a job's package, verified as a device would.
    pub(crate) async fn manifest(&self, job: &str) -> Result<Option<JobManifest>, DispatchRefusal> {
        let Some(bytes) = self.0.tables.package(job).await? else {
            return Ok(None);
        };
        let root = self.0.keys.roots.newest();
        let package =
            SignedPackage::read(&bytes).map_err(|error| DispatchRefusal::failed(&error))?;
        let verified =
            package
                .manifest
                .verify(MANIFEST_TYPE, root.job_keys(), root.job_threshold());
        Ok(verified
            .ok()
            .and_then(|verified| JobManifest::read(&verified.document).ok()))
    }
}
