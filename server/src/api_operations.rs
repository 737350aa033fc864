//! Operations of `/api/v1` as the description in OpenAPI has them: the engine's, and those of domains.

use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

/// One operation.
#[derive(Debug, Default)]
pub(crate) struct ApiOperation {
    pub(crate) path: &'static str,
    /// In small letters.
    pub(crate) method: &'static str,
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) access: ApiAccess,
    pub(crate) parameters: Vec<Value>,
    /// The schema of its body.
    pub(crate) body: Option<Value>,
    /// The media type of its body; none for JSON.
    pub(crate) body_kind: Option<&'static str>,
    pub(crate) status: &'static str,
    pub(crate) answers: &'static str,
    /// The media type of its answer.
    pub(crate) kind: &'static str,
    pub(crate) answer: Value,
    /// Further answers without a body: statuses and their meaning.
    pub(crate) also: &'static [(&'static str, &'static str)],
    /// Statuses of its own errors; 401, 403, 429 and 503 are always possible.
    pub(crate) errors: &'static [&'static str],
}

/// The credential that an operation needs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum ApiAccess {
    /// A token of Settings.
    #[default]
    Token,
    /// None.
    Anyone,
    /// That of a scheme of a domain.
    Scheme(&'static str),
}

/// The part of one domain in the description, which does not depend on what is configured.
#[derive(Debug, Default)]
pub(crate) struct ApiPart {
    pub(crate) operations: Vec<ApiOperation>,
    /// Credentials of its devices: a name, and the scheme.
    pub(crate) schemes: Vec<(&'static str, Value)>,
}

impl ApiOperation {
    pub(crate) fn described(self) -> Value {
        let mut answers = Map::new();
        answers.insert(
            self.status.to_owned(),
            json!({
                "description": self.answers,
                "content": { self.kind: { "schema": self.answer } },
            }),
        );
        for (status, meaning) in self.also {
            answers.insert((*status).to_owned(), json!({ "description": meaning }));
        }
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
        match self.access {
            ApiAccess::Token => {}
            ApiAccess::Anyone => described["security"] = json!([]),
            ApiAccess::Scheme(name) => described["security"] = json!([{ name: [] }]),
        }
        if let Some(body) = self.body {
            let kind = self.body_kind.unwrap_or("application/json");
            described["requestBody"] = json!({
                "required": true,
                "content": { kind: { "schema": body } },
            });
        }
        described
    }
}

/// The schema of a type.
pub(crate) fn of<T: JsonSchema>(schemas: &mut SchemaGenerator) -> Value {
    schemas.subschema_for::<T>().to_value()
}

pub(crate) fn path_parameter(name: &str, description: &str) -> Value {
    parameter(name, "path", description, json!({ "type": "string" }))
}

pub(crate) fn header_parameter(name: &str, description: &str) -> Value {
    parameter(name, "header", description, json!({ "type": "string" }))
}

pub(crate) fn query(name: &str, description: &str, schema: Value) -> Value {
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
