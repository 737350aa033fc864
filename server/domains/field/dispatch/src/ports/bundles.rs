//! Bundles of diagnostics and collections, for the toolset.

use async_trait::async_trait;
use field::ports::{
    BundleSummary, CollectOrder, Collection, CollectionState, FieldBundles, FieldFault,
    FieldFaultCode, SectionSummary,
};
use field_tables::{BundleFilter, CollectionPhase, CollectionRow, FieldBundle, SectionRecord};
use protocol::{CallId, Timestamp};

use super::FieldBackend;
use super::faults::{fault, stored};
use super::records::damaged;
use crate::texts::devices as texts;

#[async_trait]
impl FieldBundles for FieldBackend {
    async fn bundles(&self, device: &str, limit: u32) -> Result<Vec<BundleSummary>, FieldFault> {
        let filter = BundleFilter {
            device: Some(device.to_owned()),
            ..BundleFilter::default()
        };
        let bundles = self
            .tables()
            .bundles(&filter, limit)
            .await
            .map_err(stored)?;
        let mut all = Vec::with_capacity(bundles.len());
        for bundle in bundles {
            all.push(self.summary(bundle).await?);
        }
        Ok(all)
    }

    async fn bundle(&self, id: &str) -> Result<Option<BundleSummary>, FieldFault> {
        match self.tables().bundle(id).await.map_err(stored)? {
            Some(bundle) => self.summary(bundle).await.map(Some),
            None => Ok(None),
        }
    }

    async fn section(&self, bundle: &str, name: &str) -> Result<String, FieldFault> {
        let text = self
            .tables()
            .section_text(bundle, name)
            .await
            .map_err(stored)?;
        if let Some(text) = text {
            return Ok(text);
        }
        let known = self.tables().bundle(bundle).await.map_err(stored)?;
        Err(match known {
            Some(_) => FieldFaultCode::UnknownSection,
            None => FieldFaultCode::UnknownBundle,
        }
        .into())
    }

    async fn legend(&self, site: &str) -> Result<String, FieldFault> {
        Ok(self.dispatch.legend(site).unwrap_or_default())
    }

    async fn collect(&self, order: &CollectOrder) -> Result<Collection, FieldFault> {
        let call = order.call.to_string();
        let by = order.person.to_string();
        let asked = self
            .dispatch
            .collect(&call, &order.device, &by, order.until.0)
            .await;
        collection(asked.map_err(fault(FieldFaultCode::UnknownDevice))?)
    }

    async fn collection_of(&self, call: CallId) -> Result<Option<Collection>, FieldFault> {
        let call = call.to_string();
        let row = self.tables().collection(&call).await.map_err(stored)?;
        let now = self.dispatch.now_ms();
        let is_due = |row: &CollectionRow| match row.state {
            CollectionPhase::Asked => row.until_ms <= now,
            CollectionPhase::Taken => row.deadline_ms <= now,
            _ => false,
        };
        // What is due comes first, noted or not.
        let row = match row {
            Some(row) if is_due(&row) => {
                self.tables()
                    .end_due_collections(now)
                    .await
                    .map_err(stored)?;
                self.tables().collection(&call).await.map_err(stored)?
            }
            row => row,
        };
        row.map(collection).transpose()
    }

    async fn collection_after(
        &self,
        call: CallId,
        revision: u64,
    ) -> Result<Collection, FieldFault> {
        let unknown = || FieldFault::new(FieldFaultCode::UnknownBundle);
        let first = FieldBundles::collection_of(self, call)
            .await?
            .ok_or_else(unknown)?;
        let mut changes = self.dispatch.0.changes.follow_of(&first.device);
        loop {
            let found = FieldBundles::collection_of(self, call)
                .await?
                .ok_or_else(unknown)?;
            if found.revision != revision {
                return Ok(found);
            }
            changes.next().await;
        }
    }

    async fn stop_collecting(&self, call: CallId) -> Result<(), FieldFault> {
        let call = call.to_string();
        self.tables().stop_collection(&call).await.map_err(stored)?;
        if let Some(row) = self.tables().collection(&call).await.map_err(stored)? {
            self.dispatch.0.changes.count_of(&row.device);
        }
        Ok(())
    }
}

impl FieldBackend {
    /// A bundle with its sections.
    pub(super) async fn summary(&self, bundle: FieldBundle) -> Result<BundleSummary, FieldFault> {
        let sections = self.tables().sections(&bundle.id).await.map_err(stored)?;
        let number = |section: &SectionRecord, pointer: &str| {
            let value = section.counts.pointer(pointer);
            value.and_then(serde_json::Value::as_u64).unwrap_or(0)
        };
        let secrets = sections.iter().map(|section| {
            number(section, "/classes/secret") + number(section, "/dropped_by_device")
        });
        Ok(BundleSummary {
            secrets: secrets.sum(),
            is_simulated: sections.iter().any(|it| it.counts["simulated"] == true),
            sections: sections
                .iter()
                .map(|section| SectionSummary {
                    name: section.name.clone(),
                    bytes: section.size,
                    lines: number(section, "/lines"),
                    counts: section.counts["classes"].clone(),
                    left_out: section.counts["left_out"].as_str().map(str::to_owned),
                })
                .collect(),
            id: bundle.id,
            site: bundle.site,
            device: bundle.device,
            taken: bundle.taken_ms.map(Timestamp),
            received: Timestamp(bundle.received_ms),
            is_complete: bundle.completed_ms.is_some(),
        })
    }
}

fn collection(row: CollectionRow) -> Result<Collection, FieldFault> {
    Ok(Collection {
        call: row.call.parse().map_err(|_| damaged("call"))?,
        device: row.device,
        revision: row.revision,
        state: match (row.state, row.bundle) {
            (CollectionPhase::Asked, _) => CollectionState::Asked,
            (CollectionPhase::Taken, _) => CollectionState::Taken,
            (CollectionPhase::Complete, Some(bundle)) => CollectionState::Complete { bundle },
            (CollectionPhase::NotDelivered, _) => CollectionState::NotDelivered,
            (CollectionPhase::Failed | CollectionPhase::Complete, _) => CollectionState::Failed {
                reason: texts::NO_WHOLE_BUNDLE.to_owned(),
            },
        },
    })
}
