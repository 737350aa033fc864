//! What time brings about: claims that lapse, jobs that nobody took, results that do not come.

use field_tables::JobState;

use crate::clock::as_ms;
use crate::dispatch::Dispatch;
use crate::error::DispatchRefusal;

/// Jobs that one round settles.
const MOST: u32 = 200;

/// The times before which rows are no longer kept, in milliseconds since 1970.
#[derive(Debug, Clone, Copy)]
pub struct KeptSince {
    /// Of bundles; the newest complete one of each device stays.
    pub bundles_ms: i64,
    /// Of jobs that are over, with packages and output; tombstones stay.
    pub jobs_ms: i64,
    /// Of enrolments that have expired.
    pub enrolments_ms: i64,
}

impl Dispatch {
    /// Removes what is no longer kept, some hundred rows at most, to be repeated until the answer is 0.
    ///
    /// # Errors
    /// The database fails.
    pub async fn prune(&self, since: &KeptSince) -> Result<usize, DispatchRefusal> {
        let tables = &self.0.tables;
        let bundles = tables.prune_bundles(since.bundles_ms).await?;
        let jobs = tables.prune_jobs(since.jobs_ms).await?;
        tables.prune_enrolments(since.enrolments_ms).await?;
        if bundles + jobs > 0 {
            self.0.changes.count();
        }
        Ok(bundles + jobs)
    }

    /// One round of upkeep, to be made every second or two. Nothing depends on it being punctual: each
    /// act on a job looks at the clock itself.
    ///
    /// # Errors
    /// The database fails.
    pub async fn upkeep(&self) -> Result<(), DispatchRefusal> {
        let tables = &self.0.tables;
        let now = as_ms(self.job_time());
        for job in tables.settle_due_jobs(now, MOST).await? {
            if job.state == JobState::Unknown {
                tracing::warn!(
                    job = job.id,
                    device = job.device,
                    "no result of a field job came"
                );
            }
            self.job_changed(&job.id, &job.device);
        }
        if tables.end_due_collections(self.now_ms()).await? > 0 {
            self.0.changes.count();
        }
        let heard = self.take_heard();
        if !heard.is_empty() {
            tables.heard_of(&heard).await?;
            self.0.changes.count();
        }
        self.0.bundles.forget_old(self.now_ms());
        Ok(())
    }
}
