//! The parts that all tools share: settings, policy and ports.

use std::sync::Arc;

use agent::ports::{CallActor, CallOrigin, ToolCall};
use field_package::policy::FieldPolicy;
use protocol::{ErrorBody, ErrorCode, Timestamp};
use serde_json::Value;

use crate::{
    config::FieldConfig,
    once_tokens::OnceTokens,
    ports::{DeviceStanding, FieldFaultCode, FieldPorts, FieldSnapshot, KnownDevice},
    run_core::RunCore,
    shown_runs::ShownRuns,
    texts,
};

pub(crate) struct FieldParts {
    pub(crate) config: FieldConfig,
    pub(crate) policy: FieldPolicy,
    pub(crate) ports: FieldPorts,
    pub(crate) shown: ShownRuns,
    pub(crate) tokens: OnceTokens,
}

impl FieldParts {
    pub(crate) fn now(&self) -> Timestamp {
        self.ports.env.now()
    }

    /// The field as it was seen last.
    pub(crate) fn snapshot(&self) -> Arc<FieldSnapshot> {
        Arc::clone(&self.ports.memory.snapshot().borrow())
    }

    pub(crate) fn device(&self, id: &str) -> Result<KnownDevice, ErrorBody> {
        let snapshot = self.snapshot();
        let device = snapshot.device(id).cloned();
        device.ok_or_else(|| fault(FieldFaultCode::UnknownDevice))
    }

    /// A device that gets work.
    pub(crate) fn adopted(&self, id: &str) -> Result<KnownDevice, ErrorBody> {
        let device = self.device(id)?;
        if device.standing == DeviceStanding::Adopted {
            Ok(device)
        } else {
            Err(fault(FieldFaultCode::NotAdopted))
        }
    }

    /// Makes a conversation one about a site, which it stays: tokens of two sites never meet in it. A
    /// person's own call belongs to no conversation.
    pub(crate) async fn enter(&self, origin: &CallOrigin, site: &str) -> Result<(), ErrorBody> {
        if origin.actor == CallActor::Person {
            return Ok(());
        }
        let values = &self.ports.values;
        match values.site_of(origin.conversation, Some(site)).await? {
            Some(bound) if bound == site => Ok(()),
            _ => Err(
                ErrorBody::new(ErrorCode::ToolPermission, texts::tools::ANOTHER_SITE)
                    .with_help(texts::tools::HELP_ANOTHER_SITE),
            ),
        }
    }

    /// Refuses an approved run that is not what its card showed. Between the card and the call little can
    /// change, but a bundle that arrives may make another risk of the same script.
    pub(crate) fn as_shown(&self, call: &ToolCall, core: &RunCore) -> Result<(), ErrorBody> {
        if self.shown.has(call.id, &core.digest()) {
            return Ok(());
        }
        Err(ErrorBody::new(
            ErrorCode::ToolFailed,
            texts::tools::NOT_AS_SHOWN,
        ))
    }

    /// The site that a conversation is about; none for a person's own call.
    pub(crate) async fn site_of(&self, origin: &CallOrigin) -> Result<Option<String>, ErrorBody> {
        match origin.actor {
            CallActor::Person => Ok(None),
            CallActor::Model => {
                let values = &self.ports.values;
                Ok(values.site_of(origin.conversation, None).await?)
            }
        }
    }

    /// The thing that an input names, in words for a card.
    pub(crate) fn target(&self, input: &Value) -> Option<String> {
        let text = |name: &str| input.get(name).and_then(Value::as_str);
        let snapshot = self.snapshot();
        let bundle = text("bundle").and_then(|id| snapshot.bundle(id));
        let of_bundle = bundle.and_then(|bundle| bundle.device.as_deref());
        if let Some(id) = text("device").or(of_bundle) {
            let name = snapshot.device(id).map_or(id, |device| &device.name);
            return Some(texts::tools::device(name));
        }
        text("run").map(texts::tools::run)
    }

    /// The things that an input names, as a policy protects them.
    pub(crate) fn objects(&self, input: &Value) -> Vec<String> {
        let text = |name: &str| input.get(name).and_then(Value::as_str);
        let snapshot = self.snapshot();
        let run = text("run").and_then(|run| snapshot.run(run));
        let bundle = text("bundle").and_then(|id| snapshot.bundle(id));
        let of_bundle = || bundle.and_then(|bundle| bundle.device.as_deref());
        let device = text("device").or_else(|| run.map(|run| run.device.as_str()));
        let device = device.or_else(of_bundle);
        let site = device.and_then(|id| snapshot.device(id));
        let site = site.map(|device| format!("site/{}", device.site));
        let device = device.map(|id| format!("device/{id}"));
        device.into_iter().chain(site).collect()
    }
}

/// The error of a failure without a detail.
pub(crate) fn fault(code: FieldFaultCode) -> ErrorBody {
    crate::ports::FieldFault::new(code).into()
}

/// An error of ours about an input.
pub(crate) fn bad_input(message: impl Into<String>) -> ErrorBody {
    ErrorBody::new(ErrorCode::ToolInputInvalid, message)
}

/// A time as models read it.
pub(crate) fn time(at: Timestamp) -> String {
    units::civil::rfc3339(at.0.div_euclid(1000))
}

/// Seconds from one time to a later one.
pub(crate) fn seconds_since(at: Timestamp, now: Timestamp) -> u64 {
    u64::try_from(now.0.saturating_sub(at.0) / 1000).unwrap_or(0)
}
