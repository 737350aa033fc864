//! The package of a claim, from its offer until its end.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use field_package::admission::{AdmittedJob, ClaimedJob};
use field_queue::message::JobCall;

use crate::launch::LaunchOrder;

/// The package of the present claim.
pub(super) struct HeldPackage {
    pub(super) claimed: ClaimedJob,
    pub(super) bytes: Vec<u8>,
    /// For calls beside those of the machine.
    pub(super) renewal: JobCall,
    pub(super) admitted: Option<AdmittedJob>,
}

impl HeldPackage {
    pub(super) fn order(&self, time: Option<u64>) -> LaunchOrder {
        LaunchOrder {
            job: self.claimed.job.clone(),
            package: BASE64_STANDARD.encode(&self.bytes),
            time,
        }
    }
}
