//! The JSON encoding of OTLP: ids in hexadecimal, whole numbers of 64 bits as texts.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::span::{AttributeValue, FinishedSpan, SpanContext, SpanKind};

/// The attributes that all spans of a process share.
#[derive(Debug, Clone)]
pub(crate) struct Resource {
    pub(crate) service: String,
    pub(crate) version: &'static str,
}

/// The body of a request.
pub(crate) fn request(resource: &Resource, spans: &[FinishedSpan]) -> String {
    let about: [(&'static str, AttributeValue); 2] = [
        ("service.name", resource.service.as_str().into()),
        ("service.version", resource.version.into()),
    ];
    let spans: Vec<_> = spans.iter().map(span).collect();
    json!({
        "resourceSpans": [{
            "resource": { "attributes": attributes(&about) },
            "scopeSpans": [{
                "scope": { "name": "jarvis", "version": resource.version },
                "spans": spans,
            }],
        }],
    })
    .to_string()
}

fn span(span: &FinishedSpan) -> Value {
    let links: Vec<_> = span.links.iter().map(link).collect();
    let kind = match span.kind {
        SpanKind::Internal => 1,
        SpanKind::Server => 2,
        SpanKind::Client => 3,
    };
    let mut out = json!({
        "traceId": hex(&span.context.trace.0),
        "spanId": hex(&span.context.span.0),
        "name": span.name,
        "kind": kind,
        "startTimeUnixNano": span.start.to_string(),
        // Clocks are set back.
        "endTimeUnixNano": span.end.max(span.start).to_string(),
        "attributes": attributes(&span.attributes),
        "links": links,
        "status": { "code": if span.failed { 2 } else { 0 } },
    });
    if let Some(parent) = span.parent {
        out["parentSpanId"] = hex(&parent.0).into();
    }
    out
}

fn link(context: &SpanContext) -> Value {
    json!({ "traceId": hex(&context.trace.0), "spanId": hex(&context.span.0) })
}

fn attributes(attributes: &[(&'static str, AttributeValue)]) -> Vec<Value> {
    let attribute =
        |(key, of): &(&'static str, AttributeValue)| json!({ "key": key, "value": value(of) });
    attributes.iter().map(attribute).collect()
}

fn value(of: &AttributeValue) -> Value {
    match of {
        AttributeValue::Text(text) => json!({ "stringValue": text }),
        AttributeValue::Texts(texts) => {
            let values: Vec<_> = texts
                .iter()
                .map(|text| json!({ "stringValue": text }))
                .collect();
            json!({ "arrayValue": { "values": values } })
        }
        AttributeValue::Whole(number) => json!({ "intValue": number.to_string() }),
        AttributeValue::Fraction(number) => json!({ "doubleValue": number }),
    }
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing to a text cannot fail.
        write!(text, "{byte:02x}").unwrap_or_default();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::{SpanId, TraceId};

    #[test]
    fn a_span_is_what_the_specification_says() {
        let context = SpanContext {
            trace: TraceId([0xab; 16]),
            span: SpanId([1; 8]),
        };
        let one = FinishedSpan {
            context,
            parent: Some(SpanId([2; 8])),
            name: "chat m-1".to_owned(),
            kind: SpanKind::Client,
            start: 1_700_000_000_000_000_001,
            end: 1,
            attributes: vec![
                ("a", "x".into()),
                ("b", u64::MAX.into()),
                ("c", AttributeValue::Fraction(0.5)),
                ("d", AttributeValue::Texts(vec!["y".to_owned()])),
            ],
            links: vec![context],
            failed: true,
        };
        let resource = Resource {
            service: "lab".to_owned(),
            version: "1.0",
        };
        let body: Value = serde_json::from_str(&request(&resource, &[one])).expect("JSON");
        let about = &body["resourceSpans"][0]["resource"]["attributes"][0];
        let expect = json!({ "key": "service.name", "value": { "stringValue": "lab" } });
        assert_eq!(*about, expect);
        let trace = "ab".repeat(16);
        assert_eq!(
            body["resourceSpans"][0]["scopeSpans"][0]["spans"],
            json!([{
                "traceId": trace,
                "spanId": "0101010101010101",
                "name": "chat m-1",
                "kind": 3,
                "startTimeUnixNano": "1700000000000000001",
                "endTimeUnixNano": "1700000000000000001",
                "attributes": [
                    { "key": "a", "value": { "stringValue": "x" } },
                    { "key": "b", "value": { "intValue": "9223372036854775807" } },
                    { "key": "c", "value": { "doubleValue": 0.5 } },
                    { "key": "d", "value": { "arrayValue": { "values": [{ "stringValue": "y" }] } } },
                ],
                "links": [{ "traceId": trace, "spanId": "0101010101010101" }],
                "status": { "code": 2 },
                "parentSpanId": "0202020202020202",
            }])
        );
    }
}
