//! The reads and orders of programs.

use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Value, json};

use crate::{
    api_operations::{ApiOperation, header_parameter, of, path_parameter, query},
    domains::field::{
        programs::{
            FieldBundleBody, FieldBundlesBody, FieldDeviceBody, FieldDevicesBody, FieldEventBody,
            FieldExportBody, FieldProposalsBody, FieldRunBody, FieldRunReadBody, FieldRunsBody,
            FieldSectionBody, FieldValuesBody, FieldVersionBody, MOST_PAGE, NewFieldCancelBody,
            NewFieldCheckBody, NewFieldProposalBody, NewFieldRunBody,
        },
        texts::programs as texts,
    },
    texts::api as said,
};

pub(super) fn operations(schemas: &mut SchemaGenerator) -> Vec<ApiOperation> {
    let mut all = devices(schemas);
    all.push(events(schemas));
    all.extend(bundles(schemas));
    all.extend(proposals(schemas));
    all.extend(runs(schemas));
    all.extend(orders(schemas));
    all
}

fn devices(schemas: &mut SchemaGenerator) -> Vec<ApiOperation> {
    vec![
        ApiOperation {
            path: "/api/v1/field/devices",
            name: "listFieldDevices",
            summary: texts::LIST_DEVICES,
            parameters: listed(vec![text("site", texts::OF_SITE)]),
            answers: texts::A_PAGE,
            errors: &["400"],
            ..reading::<FieldDevicesBody>(schemas)
        },
        ApiOperation {
            path: "/api/v1/field/devices/{id}",
            name: "readFieldDevice",
            summary: texts::READ_DEVICE,
            parameters: vec![path_parameter("id", texts::DEVICE)],
            answers: texts::THE_DEVICE,
            ..reading::<FieldDeviceBody>(schemas)
        },
        ApiOperation {
            path: "/api/v1/field/values",
            name: "readFieldValues",
            summary: texts::READ_VALUES,
            parameters: vec![
                text("kind", texts::KIND),
                text("id", texts::THING),
                text("tokens", texts::TOKENS),
            ],
            answers: texts::THE_VALUES,
            errors: &["400", "404"],
            ..reading::<FieldValuesBody>(schemas)
        },
    ]
}

fn events(schemas: &mut SchemaGenerator) -> ApiOperation {
    let event = of::<FieldEventBody>(schemas);
    ApiOperation {
        path: "/api/v1/field/events",
        name: "followField",
        summary: texts::FOLLOW_FIELD,
        parameters: vec![
            header_parameter("Last-Event-ID", texts::LAST_PLACE),
            number("after", texts::AFTER, 0),
        ],
        answers: texts::FIELD_EVENTS,
        kind: "text/event-stream",
        answer: json!({
            "type": "string",
            "contentMediaType": "application/json",
            "contentSchema": event,
        }),
        errors: &["400"],
        ..reading::<FieldEventBody>(schemas)
    }
}

fn bundles(schemas: &mut SchemaGenerator) -> Vec<ApiOperation> {
    let id = || path_parameter("id", texts::BUNDLE);
    vec![
        ApiOperation {
            path: "/api/v1/field/bundles",
            name: "listFieldBundles",
            summary: texts::LIST_BUNDLES,
            parameters: listed(vec![
                text("site", texts::OF_SITE),
                text("device", texts::OF_DEVICE),
            ]),
            answers: texts::A_PAGE,
            errors: &["400"],
            ..reading::<FieldBundlesBody>(schemas)
        },
        ApiOperation {
            path: "/api/v1/field/bundles/{id}",
            name: "readFieldBundle",
            summary: texts::READ_BUNDLE,
            parameters: vec![id()],
            answers: texts::THE_BUNDLE,
            ..reading::<FieldBundleBody>(schemas)
        },
        ApiOperation {
            path: "/api/v1/field/bundles/{id}/sections/{name}",
            name: "readFieldSection",
            summary: texts::READ_SECTION,
            parameters: vec![id(), path_parameter("name", texts::SECTION)],
            answers: texts::THE_SECTION,
            ..reading::<FieldSectionBody>(schemas)
        },
        ApiOperation {
            path: "/api/v1/field/bundles/{id}/export",
            name: "exportFieldBundle",
            summary: texts::EXPORT_BUNDLE,
            parameters: vec![id(), text("vendors", texts::VENDORS)],
            answers: texts::THE_EXPORT,
            errors: &["400", "404"],
            ..reading::<FieldExportBody>(schemas)
        },
    ]
}

fn proposals(schemas: &mut SchemaGenerator) -> Vec<ApiOperation> {
    vec![
        ApiOperation {
            path: "/api/v1/field/proposals",
            name: "listFieldProposals",
            summary: texts::LIST_PROPOSALS,
            parameters: listed(vec![text("device", texts::OF_DEVICE)]),
            answers: texts::A_PAGE,
            errors: &["400"],
            ..reading::<FieldProposalsBody>(schemas)
        },
        ApiOperation {
            path: "/api/v1/field/proposals/{id}",
            name: "readFieldProposal",
            summary: texts::READ_PROPOSAL,
            parameters: vec![
                path_parameter("id", texts::PROPOSAL),
                number("version", texts::VERSION, 1),
            ],
            answers: texts::THE_VERSION,
            errors: &["400", "404"],
            ..reading::<FieldVersionBody>(schemas)
        },
    ]
}

fn runs(schemas: &mut SchemaGenerator) -> Vec<ApiOperation> {
    let id = || path_parameter("id", texts::RUN);
    let run = of::<FieldRunBody>(schemas);
    vec![
        ApiOperation {
            path: "/api/v1/field/runs",
            name: "listFieldRuns",
            summary: texts::LIST_RUNS,
            parameters: listed(vec![
                text("site", texts::OF_SITE),
                text("device", texts::OF_DEVICE),
                text("phase", texts::PHASES),
                text("call", texts::OF_CALL),
            ]),
            answers: texts::A_PAGE,
            errors: &["400"],
            ..reading::<FieldRunsBody>(schemas)
        },
        ApiOperation {
            path: "/api/v1/field/runs/{id}",
            name: "readFieldRun",
            summary: texts::READ_RUN,
            parameters: vec![id()],
            answers: texts::THE_RUN,
            ..reading::<FieldRunReadBody>(schemas)
        },
        ApiOperation {
            path: "/api/v1/field/runs/{id}/events",
            name: "followFieldRun",
            summary: texts::FOLLOW_RUN,
            parameters: vec![
                id(),
                header_parameter("Last-Event-ID", texts::LAST_PLACE),
                number("after", texts::AFTER, 0),
            ],
            answers: texts::EVENTS,
            kind: "text/event-stream",
            answer: json!({
                "type": "string",
                "contentMediaType": "application/json",
                "contentSchema": run,
            }),
            errors: &["400", "404"],
            ..reading::<FieldRunReadBody>(schemas)
        },
    ]
}

/// The orders of calls.
fn orders(schemas: &mut SchemaGenerator) -> Vec<ApiOperation> {
    let key = || header_parameter("Idempotency-Key", said::IDEMPOTENCY_KEY);
    vec![
        ApiOperation {
            path: "/api/v1/field/proposals/{id}/check",
            name: "checkFieldProposal",
            summary: texts::CHECK_PROPOSAL,
            parameters: vec![path_parameter("id", texts::PROPOSAL), key()],
            ..ordering::<NewFieldCheckBody>(schemas)
        },
        ApiOperation {
            path: "/api/v1/field/proposals",
            name: "proposeFieldScript",
            summary: texts::PROPOSE,
            parameters: vec![key()],
            ..ordering::<NewFieldProposalBody>(schemas)
        },
        ApiOperation {
            path: "/api/v1/field/runs",
            name: "beginFieldRun",
            summary: texts::BEGIN_RUN,
            parameters: vec![key()],
            ..ordering::<NewFieldRunBody>(schemas)
        },
        ApiOperation {
            path: "/api/v1/field/runs/{id}/cancel",
            name: "cancelFieldRun",
            summary: texts::CANCEL_RUN,
            parameters: vec![path_parameter("id", texts::RUN), key()],
            ..ordering::<NewFieldCancelBody>(schemas)
        },
    ]
}

fn reading<T: JsonSchema>(schemas: &mut SchemaGenerator) -> ApiOperation {
    ApiOperation {
        method: "get",
        status: "200",
        kind: "application/json",
        answer: of::<T>(schemas),
        errors: &["404"],
        ..ApiOperation::default()
    }
}

fn ordering<T: JsonSchema>(schemas: &mut SchemaGenerator) -> ApiOperation {
    ApiOperation {
        method: "post",
        body: Some(of::<T>(schemas)),
        status: "201",
        answers: texts::BEGUN,
        kind: "application/json",
        // The schema of startRun's answer, under the name that it has in this description.
        answer: json!({ "$ref": "#/components/schemas/RunBegun" }),
        errors: &["400", "404", "409", "413", "415", "422"],
        ..ApiOperation::default()
    }
}

/// The parameters of a list, behind those of its own.
fn listed(mut own: Vec<Value>) -> Vec<Value> {
    own.push(text("cursor", said::CURSOR));
    own.push(query(
        "limit",
        said::FEED_LIMIT,
        json!({ "type": "integer", "minimum": 1, "maximum": MOST_PAGE }),
    ));
    own
}

fn text(name: &str, description: &str) -> Value {
    query(name, description, json!({ "type": "string" }))
}

fn number(name: &str, description: &str, least: u64) -> Value {
    let schema = json!({ "type": "integer", "minimum": least });
    query(name, description, schema)
}
