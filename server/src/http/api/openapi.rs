//! The description of `/api/v1` in OpenAPI 3.1, whose schemas come from the types that the routes use.

use std::sync::LazyLock;

use axum::{
    body::Bytes,
    http::header,
    response::{IntoResponse, Response},
};
use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};

use super::{
    conversations::MAX_PAGE,
    refusal::ShapedError,
    views::{AcceptedBody, EndBody, EventView, ListBody, MessageBody, StartBody, StopBody},
};
use crate::texts::api as texts;

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

/// One operation.
struct Operation {
    path: &'static str,
    method: &'static str,
    name: &'static str,
    summary: &'static str,
    parameters: Vec<Value>,
    /// The schema of its body.
    body: Option<Value>,
    status: &'static str,
    answers: &'static str,
    kind: &'static str,
    answer: Value,
    /// Statuses of its own errors; 401, 403, 429 and 503 are always possible.
    errors: &'static [&'static str],
}

fn description() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    let mut schemas = settings.into_generator();
    let mut paths = Map::new();
    for operation in operations(&mut schemas) {
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
            "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } },
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

fn operations(schemas: &mut SchemaGenerator) -> Vec<Operation> {
    let id = || path_parameter("id", texts::CONVERSATION_ID);
    let key = || header_parameter("Idempotency-Key", texts::IDEMPOTENCY_KEY);
    // The kinds of events that have a schema are in the answer of this one too.
    let event = of::<EventView>(schemas);
    vec![
        Operation {
            path: "/api/v1/conversations",
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
            answers: texts::ANSWER_LIST,
            errors: &["400"],
            ..Operation::reading(of::<ListBody>(schemas))
        },
        Operation {
            path: "/api/v1/conversations",
            name: "startConversation",
            summary: texts::START_CONVERSATION,
            parameters: vec![key()],
            body: Some(of::<StartBody>(schemas)),
            status: "201",
            answers: texts::ANSWER_STARTED,
            ..Operation::accepting(schemas)
        },
        Operation {
            path: "/api/v1/conversations/{id}",
            name: "readConversation",
            summary: texts::READ_CONVERSATION,
            parameters: vec![id()],
            answers: texts::ANSWER_END,
            errors: &["404"],
            ..Operation::reading(of::<EndBody>(schemas))
        },
        Operation {
            path: "/api/v1/conversations/{id}/messages",
            name: "sendMessage",
            summary: texts::SEND_MESSAGE,
            parameters: vec![id(), key()],
            body: Some(of::<MessageBody>(schemas)),
            ..Operation::accepting(schemas)
        },
        Operation {
            path: "/api/v1/conversations/{id}/stop",
            name: "stopTurn",
            summary: texts::STOP_TURN,
            parameters: vec![id()],
            body: Some(of::<StopBody>(schemas)),
            ..Operation::accepting(schemas)
        },
        Operation {
            path: "/api/v1/conversations/{id}/events",
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
            answers: texts::ANSWER_EVENTS,
            kind: "text/event-stream",
            errors: &["400", "404"],
            ..Operation::reading(json!({
                "type": "string",
                "contentMediaType": "application/json",
                "contentSchema": event,
            }))
        },
        Operation {
            path: "/api/v1/openapi.json",
            name: "describeApi",
            summary: texts::DESCRIBE_API,
            answers: texts::ANSWER_API,
            ..Operation::reading(json!({ "type": "object" }))
        },
    ]
}

impl Operation {
    /// One that only reads. What is its own stays empty.
    fn reading(answer: Value) -> Self {
        Self {
            path: "",
            method: "get",
            name: "",
            summary: "",
            parameters: Vec::new(),
            body: None,
            status: "200",
            answers: "",
            kind: "application/json",
            answer,
            errors: &[],
        }
    }

    /// One whose command is accepted before it is carried out.
    fn accepting(schemas: &mut SchemaGenerator) -> Self {
        Self {
            method: "post",
            status: "202",
            answers: texts::ANSWER_ACCEPTED,
            errors: &["400", "404", "409", "413", "415", "422"],
            ..Self::reading(of::<AcceptedBody>(schemas))
        }
    }

    fn described(self) -> Value {
        let mut answers = Map::new();
        answers.insert(
            self.status.to_owned(),
            json!({
                "description": self.answers,
                "content": { self.kind: { "schema": self.answer } },
            }),
        );
        let mut errors = [self.errors, &["401", "403", "429", "503"]].concat();
        errors.sort_unstable();
        for status in errors {
            let error = json!({ "$ref": "#/components/responses/Error" });
            answers.insert(status.to_owned(), error);
        }
        let mut described = json!({
            "operationId": self.name,
            "summary": self.summary,
            "parameters": self.parameters,
            "responses": answers,
        });
        if let Some(body) = self.body {
            described["requestBody"] = json!({
                "required": true,
                "content": { "application/json": { "schema": body } },
            });
        }
        described
    }
}

fn of<T: JsonSchema>(schemas: &mut SchemaGenerator) -> Value {
    schemas.subschema_for::<T>().to_value()
}

fn path_parameter(name: &str, description: &str) -> Value {
    parameter(name, "path", description, json!({ "type": "string" }))
}

fn header_parameter(name: &str, description: &str) -> Value {
    parameter(name, "header", description, json!({ "type": "string" }))
}

fn query(name: &str, description: &str, schema: Value) -> Value {
    parameter(name, "query", description, schema)
}

fn parameter(name: &str, place: &str, description: &str, schema: Value) -> Value {
    json!({
        "name": name,
        "in": place,
        "required": place == "path",
        "description": description,
        "schema": schema,
    })
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
