//! The description of `/api/v1` in OpenAPI 3.1, whose schemas come from the types that the routes use.

mod confirmations;
mod reads;
mod runs;

use std::sync::LazyLock;

use axum::{
    body::Bytes,
    http::header,
    response::{IntoResponse, Response},
};
use schemars::{SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};

use super::{
    ai::{AnalysisBody, NewScriptBody, ScriptBegunBody, ScriptBody},
    conversations::MAX_PAGE,
    refusal::ShapedError,
    views::{AcceptedBody, EndBody, EventView, ListBody, MessageBody, StartBody, StopBody},
};
use crate::{
    api_operations::{ApiOperation, header_parameter, of, path_parameter, query},
    domains,
    texts::api as texts,
};

/// The description as JSON text, the same for everybody.
static TEXT: LazyLock<Bytes> = LazyLock::new(|| text().into());

/// Returns the description.
pub(super) async fn document() -> Response {
    let kind = [(header::CONTENT_TYPE, "application/json")];
    (kind, TEXT.clone()).into_response()
}

fn text() -> String {
    format!("{:#}\n", description())
}

/// Returns the description as JSON.
pub(in crate::http) fn description() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    let mut schemas = settings.into_generator();
    let mut paths = Map::new();
    let mut all = operations(&mut schemas);
    all.extend(of_analyses(&mut schemas));
    all.extend(confirmations::of_confirmations(&mut schemas));
    all.extend(reads::of_reads(&mut schemas));
    all.extend(runs::of_runs(&mut schemas));
    let mut schemes = Map::new();
    schemes.insert(
        "token".to_owned(),
        json!({ "type": "http", "scheme": "bearer" }),
    );
    for part in domains::api_parts(&mut schemas) {
        all.extend(part.operations);
        let own = part.schemes.into_iter();
        schemes.extend(own.map(|(name, scheme)| (name.to_owned(), scheme)));
    }
    for operation in all {
        let (path, method) = (operation.path, operation.method);
        let methods = paths.entry(path).or_insert_with(|| json!({}));
        methods[method] = operation.described();
    }
    let error = of::<ShapedError>(&mut schemas);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": texts::TITLE,
            "version": "1",
            "description": texts::ABOUT,
        },
        "security": [{ "token": [] }],
        "paths": paths,
        "components": {
            "securitySchemes": schemes,
            "responses": {
                "Error": {
                    "description": texts::ERROR,
                    "content": { "application/json": { "schema": error } },
                },
            },
            "schemas": schemas.take_definitions(true),
        },
    })
}

/// An operation that takes a command.
fn accepting(schemas: &mut SchemaGenerator) -> ApiOperation {
    ApiOperation {
        method: "post",
        status: "202",
        answers: texts::ANSWER_ACCEPTED,
        kind: "application/json",
        answer: of::<AcceptedBody>(schemas),
        errors: &["400", "404", "409", "413", "415", "422"],
        ..ApiOperation::default()
    }
}

/// The answer to whoever accepts a stream.
const STREAMED: &[(&str, &str)] = &[("200", texts::ANSWER_STREAMED)];

/// The operations on analyses and scripts.
fn of_analyses(schemas: &mut SchemaGenerator) -> Vec<ApiOperation> {
    let parameters = || {
        vec![
            header_parameter("Idempotency-Key", texts::IDEMPOTENCY_KEY),
            header_parameter("Last-Event-ID", texts::RESUMED_STREAM),
        ]
    };
    vec![
        ApiOperation {
            path: "/api/v1/ai/analyses",
            name: "startAnalysis",
            summary: texts::START_ANALYSIS,
            parameters: parameters(),
            body: Some(of::<AnalysisBody>(schemas)),
            status: "201",
            answers: texts::ANSWER_ANALYSIS,
            also: STREAMED,
            ..accepting(schemas)
        },
        ApiOperation {
            path: "/api/v1/ai/scripts",
            name: "proposeScript",
            summary: texts::PROPOSE_SCRIPT,
            parameters: parameters(),
            body: Some(of::<NewScriptBody>(schemas)),
            status: "201",
            answers: texts::ANSWER_SCRIPT_BEGUN,
            answer: of::<ScriptBegunBody>(schemas),
            also: STREAMED,
            ..accepting(schemas)
        },
        ApiOperation {
            path: "/api/v1/ai/scripts/{id}",
            method: "get",
            name: "readScript",
            summary: texts::READ_SCRIPT,
            parameters: vec![path_parameter("id", texts::SCRIPT_ID)],
            status: "200",
            answers: texts::ANSWER_SCRIPT,
            kind: "application/json",
            answer: of::<ScriptBody>(schemas),
            errors: &["404"],
            ..ApiOperation::default()
        },
    ]
}

fn operations(schemas: &mut SchemaGenerator) -> Vec<ApiOperation> {
    let id = || path_parameter("id", texts::CONVERSATION_ID);
    let key = || header_parameter("Idempotency-Key", texts::IDEMPOTENCY_KEY);
    // The kinds of events that have a schema are in the answer of this one too.
    let event = of::<EventView>(schemas);
    vec![
        ApiOperation {
            path: "/api/v1/conversations",
            method: "get",
            name: "listConversations",
            summary: texts::LIST_CONVERSATIONS,
            parameters: vec![
                query("cursor", texts::CURSOR, json!({ "type": "string" })),
                query(
                    "limit",
                    texts::LIMIT,
                    json!({ "type": "integer", "minimum": 1, "maximum": MAX_PAGE }),
                ),
            ],
            body: None,
            status: "200",
            answers: texts::ANSWER_LIST,
            kind: "application/json",
            answer: of::<ListBody>(schemas),
            errors: &["400"],
            ..ApiOperation::default()
        },
        ApiOperation {
            path: "/api/v1/conversations",
            name: "startConversation",
            summary: texts::START_CONVERSATION,
            parameters: vec![key()],
            body: Some(of::<StartBody>(schemas)),
            status: "201",
            answers: texts::ANSWER_STARTED,
            ..accepting(schemas)
        },
        ApiOperation {
            path: "/api/v1/conversations/{id}",
            method: "get",
            name: "readConversation",
            summary: texts::READ_CONVERSATION,
            parameters: vec![id()],
            body: None,
            status: "200",
            answers: texts::ANSWER_END,
            kind: "application/json",
            answer: of::<EndBody>(schemas),
            errors: &["404"],
            ..ApiOperation::default()
        },
        ApiOperation {
            path: "/api/v1/conversations/{id}/messages",
            name: "sendMessage",
            summary: texts::SEND_MESSAGE,
            parameters: vec![id(), key()],
            body: Some(of::<MessageBody>(schemas)),
            ..accepting(schemas)
        },
        ApiOperation {
            path: "/api/v1/conversations/{id}/stop",
            name: "stopTurn",
            summary: texts::STOP_TURN,
            parameters: vec![id()],
            body: Some(of::<StopBody>(schemas)),
            ..accepting(schemas)
        },
        ApiOperation {
            path: "/api/v1/conversations/{id}/events",
            method: "get",
            name: "followConversation",
            summary: texts::FOLLOW_CONVERSATION,
            parameters: vec![
                id(),
                header_parameter("Last-Event-ID", texts::LAST_EVENT_ID),
                query(
                    "after",
                    texts::AFTER,
                    json!({ "type": "integer", "minimum": 0 }),
                ),
            ],
            body: None,
            status: "200",
            answers: texts::ANSWER_EVENTS,
            kind: "text/event-stream",
            answer: json!({
                "type": "string",
                "contentMediaType": "application/json",
                "contentSchema": event,
            }),
            errors: &["400", "404"],
            ..ApiOperation::default()
        },
        ApiOperation {
            path: "/api/v1/openapi.json",
            method: "get",
            name: "describeApi",
            summary: texts::DESCRIBE_API,
            parameters: Vec::new(),
            body: None,
            status: "200",
            answers: texts::ANSWER_API,
            kind: "application/json",
            answer: json!({ "type": "object" }),
            errors: &[],
            ..ApiOperation::default()
        },
    ]
}

#[cfg(test)]
mod tests {
    use std::{env, fs, path::Path};

    use super::text;

    #[test]
    fn the_description_in_docs_is_the_one_that_is_served() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/openapi.json");
        if env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always") {
            fs::write(&file, text()).unwrap();
        }
        let kept = fs::read_to_string(&file).unwrap();
        assert!(
            kept == text(),
            "docs/openapi.json is older than the types: run this test with INSTA_UPDATE=always"
        );
    }
}
