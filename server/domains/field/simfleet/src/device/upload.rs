//! Upload of a job's streams in chunks, from the offset that the server names.

use super::http::WireRequest;
use super::streams::StreamName;
use super::{FleetDevice, FleetError};
use crate::protocol::{MAX_CHUNK, OffsetAnswer};

/// Offsets that a server may correct in a row.
const MAX_CORRECTIONS: u32 = 8;

impl FleetDevice {
    /// Sends what the server lacks of a job's streams. A job that is gone takes no more.
    pub(super) async fn upload(&mut self, claim: &str) -> Result<(), FleetError> {
        for stream in StreamName::ALL {
            let mut corrections = 0;
            while let Some(entry) = self.journal.entry(claim)
                && let Some(chunk) = entry.streams.next_chunk(stream, MAX_CHUNK)
            {
                let (job, epoch, word) = (&entry.job, entry.epoch, stream.word());
                let offset = chunk.offset;
                let path = format!("jobs/{job}/log/{word}?offset={offset}&epoch={epoch}");
                let request = WireRequest::chunk(path, &chunk.bytes).with_claim(claim);
                let answer = self.authorized(request).await?;
                let next = match answer.status {
                    410 => return Ok(()),
                    409 if corrections < MAX_CORRECTIONS => {
                        corrections += 1;
                        // Without an offset the claim itself is stale.
                        let Some(right) = answer.refusal().right else {
                            return Ok(());
                        };
                        right.offset
                    }
                    _ => {
                        let next: OffsetAnswer = answer.read()?;
                        if next.offset <= offset as u64 {
                            return Err(FleetError::Answer(
                                "an offset that stands still".to_owned(),
                            ));
                        }
                        next.offset
                    }
                };
                if let Some(entry) = self.journal.entry(claim) {
                    entry.streams.go_on_from(stream, next);
                }
            }
        }
        Ok(())
    }
}
