//! Facts of packages, read from the signed bytes and remembered.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use field_package::manifest::{JobManifest, PolicyStamp};
use field_package::policy::RiskLevel;

/// Packages that are remembered at once.
const MOST: usize = 512;

/// Facts of a package.
#[derive(Debug, Clone)]
pub(crate) struct SignedFacts {
    pub(crate) timeout_s: u32,
    /// Bytes of output that are kept of each stream.
    pub(crate) output: u64,
    pub(crate) policy: PolicyStamp,
    pub(crate) risk: RiskLevel,
    /// Names of people, or that of a rule.
    pub(crate) approved_by: BTreeSet<String>,
}

impl SignedFacts {
    pub(crate) fn of(manifest: &JobManifest) -> Self {
        Self {
            timeout_s: manifest.timeout_s,
            output: manifest.caps.output,
            policy: manifest.policy.clone(),
            risk: manifest.risk.level,
            approved_by: manifest.approval.by.clone(),
        }
    }
}

/// Facts by job. A package never changes, so none of them is ever out of date.
#[derive(Default)]
pub(crate) struct KnownPackages(Mutex<HashMap<String, Arc<SignedFacts>>>);

impl KnownPackages {
    pub(crate) fn get(&self, job: &str) -> Option<Arc<SignedFacts>> {
        let facts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        facts.get(job).map(Arc::clone)
    }

    pub(crate) fn keep(&self, job: &str, facts: &Arc<SignedFacts>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MOST {
            all.clear();
        }
        all.insert(job.to_owned(), Arc::clone(facts));
    }
}
