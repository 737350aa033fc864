#![doc = include_str!("../README.md")]

mod collector;
mod encode;
mod exporter;
mod names;
mod span;

pub use collector::{CollectorHeaders, CollectorUrl, CollectorUrlFault, HeadersFault};
pub use exporter::{
    ExporterConfig, ExporterFault, ExporterLimits, SpanCount, SpanExporter, SpanOutcome, SpanQueue,
    exporter,
};
pub use names::{attribute, error_type, mcp_method, operation, tool_type};
pub use span::{AttributeValue, FinishedSpan, SpanContext, SpanId, SpanKind, TraceId};
