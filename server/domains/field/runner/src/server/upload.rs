//! Output of a job on its way to the server, from the offset that the server names.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use field_queue::message::JobCall;

use super::{ApiRequest, DeviceLink, http::OffsetMember};
use crate::{error::RunnerError, launch::StreamPieces};

const STREAMS: [&str; 3] = ["out", "err", "step"];

/// Bytes of the streams that the server has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SentOffsets(pub [u64; 3]);

/// The result of one round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SentPieces {
    All,
    /// Some bytes are on their way: there may be more.
    Some,
    /// The server takes no more for this claim.
    Refused,
}

/// Sends pieces that begin at the offsets, and moves these.
///
/// # Errors
/// If the server does not answer.
pub async fn send_pieces(
    link: &mut DeviceLink,
    call: &JobCall,
    offsets: &mut SentOffsets,
    pieces: &StreamPieces,
) -> Result<bool, RunnerError> {
    let sent = send(link, call, offsets, pieces).await?;
    Ok(sent == SentPieces::Some)
}

async fn send(
    link: &mut DeviceLink,
    call: &JobCall,
    offsets: &mut SentOffsets,
    pieces: &StreamPieces,
) -> Result<SentPieces, RunnerError> {
    let claim = String::from(call.claim.clone());
    let mut result = SentPieces::All;
    for ((name, piece), offset) in STREAMS.iter().zip(pieces).zip(&mut offsets.0) {
        let bytes = BASE64_STANDARD.decode(piece);
        let bytes = bytes.map_err(|_| RunnerError::Answer("pieces"))?;
        if bytes.is_empty() {
            continue;
        }
        let (job, epoch) = (&call.job, call.epoch.0);
        let path = format!("jobs/{job}/log/{name}?offset={offset}&epoch={epoch}");
        let request = ApiRequest::chunk(path, &bytes).with_claim(&claim);
        let answer = link.authorized(&request).await?;
        match answer.status {
            409 => match answer.problem().right {
                Some(right) => *offset = right.offset,
                // Without an offset the claim itself is stale.
                None => return Ok(SentPieces::Refused),
            },
            404 | 410 | 413 => return Ok(SentPieces::Refused),
            _ => *offset = answer.read::<OffsetMember>()?.offset,
        }
        result = SentPieces::Some;
    }
    Ok(result)
}
