//! Tool that has a device send diagnostics now.

use std::{sync::Arc, time::Duration};

use agent::ports::{
    Assessment, Impact, Preview, Progress, Reconciled, Recovery, Tool, ToolCall, ToolError,
    ToolExample, ToolSpec, read_input,
};
use async_trait::async_trait;
use protocol::{ErrorBody, ErrorCode, Tier, Timestamp, ToolOutput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::device_work::{device_value, online, short_wait};
use crate::{
    parts::FieldParts,
    ports::{CollectOrder, Collection, CollectionState, FieldFault},
    shape,
    texts::{card as words, collect as say},
};

const NAME: &str = "collect_diagnostics";
const DESCRIPTION: &str = "Has an online field device collect diagnostics and send them: a fixed set of \
    sections on addresses, routes, neighbours, links, Wi-Fi, DNS and the device itself, without a choice. \
    Returns the new bundle with its sections; read them with get_diagnostics. Use it when there is no \
    recent bundle.";
/// Seconds to wait for a bundle that its device has begun.
const PATIENCE: Duration = Duration::from_secs(160);

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CollectInput {
    /// The device, from list_devices.
    #[schemars(regex(pattern = r"^dev_[0-9a-z]{26}$"))]
    device: String,
}

pub(crate) struct CollectDiagnostics(pub(crate) Arc<FieldParts>);

impl CollectDiagnostics {
    async fn collect(&self, call: ToolCall, progress: &Progress) -> Result<ToolOutput, ErrorBody> {
        let parts = &*self.0;
        let input: CollectInput = read_input(call.input)?;
        let device = parts.adopted(&input.device)?;
        parts.enter(&call.origin, &device.site).await?;
        let now = parts.now();
        online(&device, now)?;
        let order = CollectOrder {
            call: call.id,
            device: device.id,
            person: call.origin.person,
            until: short_wait(now),
        };
        let collection = parts.ports.bundles.collect(&order).await?;
        let over = tokio::time::timeout(PATIENCE, self.until_over(collection, progress));
        match over.await {
            Ok(collection) => self.result(&collection?).await,
            Err(_elapsed) => Err(ErrorBody::new(ErrorCode::ToolTimeout, say::NOT_COMPLETE)
                .with_help(say::HELP_NOT_COMPLETE)),
        }
    }

    async fn until_over(
        &self,
        mut collection: Collection,
        progress: &Progress,
    ) -> Result<Collection, FieldFault> {
        let bundles = &self.0.ports.bundles;
        while !collection.state.is_over() {
            progress.report(match collection.state {
                CollectionState::Asked => say::WAITS,
                _ => say::SENDS,
            });
            let next = bundles.collection_after(collection.call, collection.revision);
            collection = next.await?;
        }
        Ok(collection)
    }

    async fn result(&self, collection: &Collection) -> Result<ToolOutput, ErrorBody> {
        let failed = |message: String| ErrorBody::new(ErrorCode::ToolFailed, message);
        match &collection.state {
            CollectionState::Complete { bundle } => {
                let known = self.0.ports.bundles.bundle(bundle).await?;
                let known = known.ok_or_else(|| failed(say::IS_GONE.to_owned()))?;
                let summary = say::collected(known.sections.len());
                Ok(shape::summed_up(summary, shape::bundle(&known)))
            }
            CollectionState::NotDelivered => Err(failed(say::NOT_DELIVERED.to_owned())),
            CollectionState::Failed { reason } => Err(failed(say::failed(reason))),
            CollectionState::Asked | CollectionState::Taken => {
                Err(failed(say::NOT_COMPLETE.to_owned()))
            }
        }
    }
}

#[async_trait]
impl Tool for CollectDiagnostics {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            tier: Tier::Yellow,
            recovery: Recovery::Reconcilable,
            timeout: Duration::from_secs(180),
            // It looks, and the device decides on nothing.
            impact: Impact::None,
            examples: vec![
                ToolExample::worked(
                    "Collect diagnostics from dev_0123456789abcdefghijklmnop.",
                    r#"{"device":"dev_0123456789abcdefghijklmnop"}"#,
                ),
                ToolExample::worked(
                    "Take fresh diagnostics of the field device dev_0123456789abcdefghijklmnop.",
                    r#"{"device":"dev_0123456789abcdefghijklmnop"}"#,
                ),
            ],
            ..ToolSpec::new::<CollectInput>(NAME, DESCRIPTION)
        }
    }

    fn target(&self, input: &Value) -> Option<String> {
        self.0.target(input)
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        self.0.objects(input)
    }

    fn assess(&self, input: &Value) -> Assessment {
        let device = input.get("device").and_then(Value::as_str);
        let device = self.0.adopted(device.unwrap_or_default());
        Assessment {
            tier: Tier::Yellow,
            risks: Vec::new(),
            protected: None,
            refused: device.err().map(|error| error.message),
            values: device_value(&self.0, input).into_iter().collect(),
        }
    }

    async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody> {
        let input: CollectInput = read_input(call.input.clone())?;
        let device = self.0.adopted(&input.device)?;
        self.0.enter(&call.origin, &device.site).await?;
        Ok(Preview {
            said: &["device"],
            state: serde_json::json!({ "device_key": device.fingerprint }),
            ..Preview::new(say::collect(&device.name), words::device(&device.name))
        })
    }

    async fn reconcile(&self, call: &ToolCall, _since: Timestamp) -> Reconciled {
        let bundles = &self.0.ports.bundles;
        let collection = match bundles.collection_of(call.id).await {
            Ok(None) => return Reconciled::NotDone(say::NOT_ASKED.to_owned()),
            Ok(Some(collection)) => collection,
            Err(fault) => return Reconciled::Unknown(ErrorBody::from(fault).message),
        };
        let nobody = Progress::ignored();
        let over = self.until_over(collection, &nobody);
        match tokio::time::timeout(PATIENCE, over).await {
            Ok(Ok(collection)) if collection.state == CollectionState::NotDelivered => {
                Reconciled::NotDone(say::NOT_DELIVERED.to_owned())
            }
            Ok(Ok(collection)) => {
                Reconciled::Done(self.result(&collection).await.map_err(ToolError))
            }
            Ok(Err(fault)) => Reconciled::Unknown(ErrorBody::from(fault).message),
            Err(_elapsed) => Reconciled::Unknown(say::NOT_COMPLETE.to_owned()),
        }
    }

    async fn stop(&self, call: &ToolCall) {
        if let Err(fault) = self.0.ports.bundles.stop_collecting(call.id).await {
            tracing::warn!(%fault, "collection of a stopped turn not taken back");
        }
    }

    async fn call(&self, call: ToolCall, progress: Progress) -> Result<ToolOutput, ToolError> {
        let collected = Box::pin(self.collect(call, &progress)).await;
        collected.map_err(ToolError)
    }
}
