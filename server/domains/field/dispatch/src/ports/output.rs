//! The last lines of a run's output, covered before they are cut.

use field::ports::{FieldFault, FieldFaultCode, LogText, OutputTail};
use field_tables::LogStream;

use super::FieldBackend;
use super::faults::{fault, stored};
use crate::vaults::CoverSource;

/// Bytes that are read for the last lines.
const TAIL: usize = 64 * 1024;
/// Lines at most.
const MOST_LINES: u32 = 200;

impl FieldBackend {
    pub(super) async fn output_tail(
        &self,
        id: &str,
        tail: &OutputTail,
    ) -> Result<LogText, FieldFault> {
        let job = self.known_job(id).await?;
        let stream = if tail.errors {
            LogStream::Err
        } else {
            LogStream::Out
        };
        let (bytes, all, mut is_cut) = match tail.step {
            None => {
                let read = self.tables().read_log(id, stream, None, TAIL);
                let read = read.await.map_err(stored)?;
                (read.bytes, read.length, read.start > 0)
            }
            Some(number) => {
                let places = self.step_output(id, number).await?;
                let place = places.map(|it| if tail.errors { it.err } else { it.out });
                let bytes = match place {
                    Some(place) => self.piece(id, stream, place).await?,
                    None => Vec::new(),
                };
                let length = bytes.len() as u64;
                (bytes, length, false)
            }
        };
        let text = String::from_utf8_lossy(&bytes);
        // Of a line that begins before what was read, half a value is not found.
        let whole = if is_cut {
            text.split_once('\n').map_or("", |(_, rest)| rest)
        } else {
            &text
        };
        let covered = self
            .dispatch
            .cover(&job.site, whole, CoverSource::Outside)
            .await;
        let covered = covered.map_err(fault(FieldFaultCode::Storage))?.text;
        let lines: Vec<_> = covered.split_inclusive('\n').collect();
        let wanted = usize::try_from(tail.lines.min(MOST_LINES)).unwrap_or(0);
        let skipped = lines.len().saturating_sub(wanted);
        is_cut |= skipped > 0;
        Ok(LogText {
            text: lines[skipped..].concat(),
            bytes: all,
            is_cut,
        })
    }
}
