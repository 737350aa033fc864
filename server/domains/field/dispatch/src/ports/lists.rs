//! Lists in pages, newest first, for programs.

use field::ports::{BundleSummary, FieldFault, ProposalHead, RunRecord};
use field_tables::{BundleFilter, JobFilter};

use super::FieldBackend;
use super::faults::stored;
use super::proposals::head;

/// A page of a list, newest first.
#[derive(Debug, Clone, PartialEq)]
pub struct NewestFirst<T> {
    pub items: Vec<T>,
    /// The number before which the next page begins; none at the end of the list.
    pub before: Option<i64>,
}

impl FieldBackend {
    /// A page of bundles.
    ///
    /// # Errors
    /// The database fails.
    pub async fn bundle_page(
        &self,
        filter: &BundleFilter,
        limit: u32,
    ) -> Result<NewestFirst<BundleSummary>, FieldFault> {
        let rows = self.tables().bundles(filter, limit.saturating_add(1)).await;
        let page = cut(rows.map_err(stored)?, limit, |bundle| bundle.number);
        let mut items = Vec::with_capacity(page.items.len());
        for bundle in page.items {
            items.push(self.summary(bundle).await?);
        }
        Ok(NewestFirst {
            items,
            before: page.before,
        })
    }

    /// A page of proposals for a device, or for all.
    ///
    /// # Errors
    /// The database fails.
    pub async fn proposal_page(
        &self,
        device: Option<&str>,
        before: Option<i64>,
        limit: u32,
    ) -> Result<NewestFirst<ProposalHead>, FieldFault> {
        let more = limit.saturating_add(1);
        let rows = self.tables().proposals(device, before, more).await;
        let page = cut(rows.map_err(stored)?, limit, |proposal| proposal.number);
        Ok(NewestFirst {
            items: page.items.into_iter().map(head).collect(),
            before: page.before,
        })
    }

    /// A page of runs.
    ///
    /// # Errors
    /// The database fails.
    pub async fn run_page(
        &self,
        filter: &JobFilter,
        limit: u32,
    ) -> Result<NewestFirst<RunRecord>, FieldFault> {
        let rows = self.tables().jobs(filter, limit.saturating_add(1)).await;
        let page = cut(rows.map_err(stored)?, limit, |job| job.number);
        let mut items = Vec::with_capacity(page.items.len());
        for job in &page.items {
            items.push(self.run_of_job(job).await?);
        }
        Ok(NewestFirst {
            items,
            before: page.before,
        })
    }
}

/// The first rows of one more than a page has.
fn cut<T>(mut rows: Vec<T>, limit: u32, number: impl Fn(&T) -> i64) -> NewestFirst<T> {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let has_more = rows.len() > limit;
    rows.truncate(limit);
    let before = rows.last().filter(|_| has_more).map(number);
    NewestFirst {
        items: rows,
        before,
    }
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn a_page_says_where_the_next_one_begins() {
        for (rows, limit, items, before) in [
            (vec![], 2, 0, None),
            (vec![9, 7], 2, 2, None),
            (vec![9, 7, 4], 2, 2, Some(7)),
        ] {
            let page = cut(rows, limit, |number| *number);
            assert_eq!((page.items.len(), page.before), (items, before));
        }
    }
}
