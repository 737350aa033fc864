//! `[telemetry]`: the receiver of traces.

use otlp::{CollectorHeaders, CollectorUrl};

use super::{reader::Reader, value::Secret};
use crate::texts;

/// The receiver of traces.
#[derive(Debug, Clone)]
pub struct TraceReceiver {
    pub collector: CollectorUrl,
    /// They may have its token.
    pub headers: CollectorHeaders,
    /// The name under which the receiver files the spans.
    pub service: String,
}

/// Without an endpoint nothing is traced.
pub(super) fn read(r: &mut Reader<'_>) -> Option<TraceReceiver> {
    r.section(
        "telemetry",
        "Traces for OpenTelemetry, as OTLP over HTTP in JSON. They are off until there is an endpoint. \
         Nothing that people, models or systems write is in them; docs/monitoring describes them.",
    );
    let endpoint = r
        .key::<String>(
            "telemetry.endpoint",
            "base address of a collector; /v1/traces is added",
        )
        .env("OTEL_EXPORTER_OTLP_ENDPOINT")
        .optional("\"http://127.0.0.1:4318\"");
    let headers = r
        .key::<Secret>(
            "telemetry.headers",
            "headers for the collector, name=value, separated by commas",
        )
        .env("OTEL_EXPORTER_OTLP_HEADERS")
        .optional("\"authorization=Bearer%20a-token\"");
    let service = r
        .key("telemetry.service", "service.name of the spans")
        .env("OTEL_SERVICE_NAME")
        .or("jarvis".to_owned());
    let collector = endpoint.map(|endpoint| {
        let collector = CollectorUrl::parse(&endpoint.value);
        collector.map_err(|fault| {
            let message = texts::config::is_wrong("telemetry.endpoint", &fault);
            r.refuse(&endpoint.source, message);
        })
    });
    let headers = headers.map(|headers| {
        let parsed = CollectorHeaders::parse(headers.reveal());
        parsed.map_err(|fault| {
            let message = texts::config::is_wrong("telemetry.headers", &fault);
            r.refuse(&headers.source, message);
        })
    });
    Some(TraceReceiver {
        collector: collector?.ok()?,
        headers: headers.unwrap_or(Ok(CollectorHeaders::default())).ok()?,
        service: service.value,
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::config::{Config, Flags};

    fn read(text: &str, variables: &[(&str, &str)]) -> Result<Config, Vec<String>> {
        let flags = Flags {
            data_dir: Some("/data".into()),
            ..Flags::default()
        };
        let variables = variables
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let config = Config::read(&flags, Path::new("jarvis.toml"), text, variables, &[]);
        config.map_err(|problems| problems.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn traces_are_off_until_there_is_an_endpoint() {
        let headers = "headers = \"authorization=Bearer%20hunter2\"\n";
        for (keys, is_on) in [
            ("", false),
            (headers, false),
            ("endpoint = \"http://127.0.0.1:4318\"\n", true),
            (
                format!("endpoint = \"https://otel.lan/x\"\n{headers}").as_str(),
                true,
            ),
        ] {
            let config = read(&format!("[telemetry]\n{keys}"), &[]).expect("valid");
            assert_eq!(config.telemetry.is_some(), is_on, "{keys}");
            assert!(!format!("{config:?}").contains("hunter2"));
        }
        let variable = [("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318")];
        assert!(read("", &variable).expect("valid").telemetry.is_some());
        for (keys, expect) in [
            (
                "endpoint = \"otel.lan\"\n",
                "telemetry.endpoint: expected http://",
            ),
            (
                "endpoint = \"https://a:hunter2@otel.lan\"\n",
                "without a user name",
            ),
            (
                "headers = \"hunter2\"\n",
                "telemetry.headers: expected name=value",
            ),
        ] {
            let problems = read(&format!("[telemetry]\n{keys}"), &[]).unwrap_err();
            assert!(problems[0].contains(expect), "{keys}: {problems:?}");
            assert!(!problems[0].contains("hunter2"), "{problems:?}");
        }
    }
}
