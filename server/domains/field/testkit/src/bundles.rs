//! Bundles, and collections that the device completes at once if it is online.

use async_trait::async_trait;
use field::{
    field_redaction::VendorParts,
    ports::{
        BundleSummary, CallId, CollectOrder, Collection, CollectionState, FieldBundles, FieldFault,
        FieldFaultCode,
    },
};

use crate::{MemoryField, office, state::RunScenario};

#[async_trait]
impl FieldBundles for MemoryField {
    async fn bundles(&self, device: &str, limit: u32) -> Result<Vec<BundleSummary>, FieldFault> {
        self.read(|state| {
            state.storage()?;
            let all = state.bundles.iter().rev();
            let of_device = all.filter(|it| it.device.as_deref() == Some(device));
            Ok(of_device.take(limit as usize).cloned().collect())
        })
    }

    async fn bundle(&self, id: &str) -> Result<Option<BundleSummary>, FieldFault> {
        self.read(|state| {
            state.storage()?;
            Ok(state.bundles.iter().find(|it| it.id == id).cloned())
        })
    }

    async fn section(&self, bundle: &str, name: &str) -> Result<String, FieldFault> {
        self.read(|state| {
            state.storage()?;
            let key = (bundle.to_owned(), name.to_owned());
            let text = state.sections.get(&key).cloned();
            text.ok_or_else(|| FieldFaultCode::UnknownSection.into())
        })
    }

    async fn legend(&self, site: &str) -> Result<String, FieldFault> {
        self.read(|state| {
            state.storage()?;
            Ok(state.vaults[site].legend(VendorParts::Hidden))
        })
    }

    async fn collect(&self, order: &CollectOrder) -> Result<Collection, FieldFault> {
        self.read(|state| state.storage())?;
        if let Some(known) = self.collection_of(order.call).await? {
            return Ok(known);
        }
        let now = self.env.now();
        Ok(self.change(|state| {
            let done = match state.scenario {
                RunScenario::Waits => CollectionState::Asked,
                RunScenario::NotDelivered => CollectionState::NotDelivered,
                RunScenario::Refused | RunScenario::Unknown | RunScenario::Lost => {
                    CollectionState::Failed {
                        reason: "the collector of neighbours failed".to_owned(),
                    }
                }
                RunScenario::Ends | RunScenario::Fails => {
                    let first = state.bundles.first().expect("the bundle of the office");
                    let bundle = BundleSummary {
                        device: Some(order.device.clone()),
                        received: now,
                        ..first.clone()
                    };
                    let id = state.id("bun_");
                    let text = state.sections
                        [&(office::BUNDLE.to_owned(), "neighbours".to_owned())]
                        .clone();
                    state
                        .sections
                        .insert((id.clone(), "neighbours".to_owned()), text);
                    state.bundles.push(BundleSummary {
                        id: id.clone(),
                        ..bundle
                    });
                    CollectionState::Complete { bundle: id }
                }
            };
            let collection = Collection {
                call: order.call,
                device: order.device.clone(),
                revision: 1,
                state: done,
            };
            state.collections.push(collection.clone());
            collection
        }))
    }

    async fn collection_of(&self, call: CallId) -> Result<Option<Collection>, FieldFault> {
        self.read(|state| {
            state.storage()?;
            let known = state.collections.iter().find(|it| it.call == call);
            Ok(known.cloned())
        })
    }

    async fn collection_after(
        &self,
        call: CallId,
        revision: u64,
    ) -> Result<Collection, FieldFault> {
        let mut snapshots = self.snapshot.subscribe();
        loop {
            let known = self.collection_of(call).await?;
            let known = known.expect("a collection that was asked for");
            if known.revision != revision {
                return Ok(known);
            }
            snapshots.changed().await.expect("the memory is there");
        }
    }

    async fn stop_collecting(&self, call: CallId) -> Result<(), FieldFault> {
        self.change(|state| {
            let known = state.collections.iter_mut().find(|it| it.call == call);
            if let Some(known) = known.filter(|it| !it.state.is_over()) {
                known.state = CollectionState::NotDelivered;
                known.revision += 1;
            }
        });
        Ok(())
    }
}
