//! Releases of the runner, as the server hands them out.

use field_package::ids::Sha256Hex;

use super::{ApiRequest, DeviceLink};
use crate::error::RunnerError;

impl DeviceLink {
    /// The newest signed release for this architecture, None if there is none.
    ///
    /// # Errors
    /// If there is no answer, or another refusal.
    pub(crate) async fn release(&mut self) -> Result<Option<Vec<u8>>, RunnerError> {
        let path = format!("update?architecture={}", std::env::consts::ARCH);
        let answer = self.authorized(&ApiRequest::get(path)).await?;
        match answer.status {
            404 => Ok(None),
            _ => answer.document().map(|envelope| Some(envelope.to_vec())),
        }
    }

    /// The piece of a program from this offset on, empty behind its end.
    ///
    /// # Errors
    /// If there is no answer, or a refusal.
    pub(crate) async fn program_piece(
        &mut self,
        sha256: &Sha256Hex,
        offset: u64,
    ) -> Result<Vec<u8>, RunnerError> {
        let path = format!("update/{sha256}?offset={offset}");
        let answer = self.authorized(&ApiRequest::get(path)).await?;
        answer.document().map(<[u8]>::to_vec)
    }
}
