//! The labels: closed sets, so that nothing from outside can add a series.

use std::sync::Arc;

use agent::ports::{Durability, ModelErrorKind};
use prometheus_client::encoding::EncodeLabelSet;
use protocol::{Tier, ToolOutcome, Verdict};

/// The label of every tool and model that is not among the known ones.
pub(super) const OTHER: &str = "other";
/// The outcome of a call of which nobody knows whether it took effect.
pub(super) const UNKNOWN: &str = "unknown";

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct TurnLabels {
    pub(super) outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct RequestLabels {
    pub(super) model: Arc<str>,
    pub(super) outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct TokenLabels {
    pub(super) model: Arc<str>,
    pub(super) kind: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct ModelLabels {
    pub(super) model: Arc<str>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct CallLabels {
    pub(super) tool: Arc<str>,
    pub(super) tier: &'static str,
    pub(super) outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct ToolLabels {
    pub(super) tool: Arc<str>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct VerdictLabels {
    pub(super) tier: &'static str,
    pub(super) verdict: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct WriteLabels {
    pub(super) durability: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct DeliveryLabels {
    pub(super) outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct SpanLabels {
    pub(super) outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct TargetLabels {
    pub(super) target: &'static str,
}

pub(crate) fn call(outcome: &ToolOutcome) -> &'static str {
    match outcome {
        ToolOutcome::Succeeded { .. } => "succeeded",
        ToolOutcome::Failed { .. } => "failed",
        ToolOutcome::Cancelled => "cancelled",
        ToolOutcome::OutcomeUnknown { .. } | ToolOutcome::Unknown => UNKNOWN,
    }
}

pub(crate) fn tier(tier: Option<Tier>) -> &'static str {
    match tier {
        Some(Tier::Green) => "green",
        Some(Tier::Yellow) => "yellow",
        Some(Tier::Red) => "red",
        Some(Tier::Black) => "black",
        None => "unknown",
    }
}

pub(super) fn verdict(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Approved => "approved",
        Verdict::Denied { .. } => "denied",
        Verdict::Expired => "expired",
        Verdict::Withdrawn => "withdrawn",
        Verdict::Unknown => "unknown",
    }
}

pub(super) fn durability(durability: Durability) -> &'static str {
    match durability {
        Durability::Process => "process",
        Durability::Power => "power",
    }
}

pub(crate) fn model_error(kind: ModelErrorKind) -> &'static str {
    match kind {
        ModelErrorKind::Authentication => "authentication",
        ModelErrorKind::Permission => "permission",
        ModelErrorKind::NotFound => "not_found",
        ModelErrorKind::Address => "address",
        ModelErrorKind::RateLimited => "rate_limited",
        ModelErrorKind::Overloaded => "overloaded",
        ModelErrorKind::Unreachable => "unreachable",
        ModelErrorKind::Timeout => "timeout",
        ModelErrorKind::ContextOverflow => "context_overflow",
        ModelErrorKind::InvalidRequest => "invalid_request",
        ModelErrorKind::Protocol => "protocol",
        ModelErrorKind::Failed => "failed",
    }
}
