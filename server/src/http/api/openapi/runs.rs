//! The operations on runs.

use schemars::SchemaGenerator;

use super::accepting;
use crate::{
    api_operations::{ApiOperation, header_parameter, of, path_parameter},
    http::api::runs::{NewRunBody, OwnRunBody, RunBegunBody},
    texts::api as texts,
};

pub(super) fn of_runs(schemas: &mut SchemaGenerator) -> Vec<ApiOperation> {
    vec![
        ApiOperation {
            path: "/api/v1/runs",
            name: "startRun",
            summary: texts::START_RUN,
            parameters: vec![header_parameter("Idempotency-Key", texts::IDEMPOTENCY_KEY)],
            body: Some(of::<NewRunBody>(schemas)),
            status: "201",
            answers: texts::ANSWER_RUN_BEGUN,
            answer: of::<RunBegunBody>(schemas),
            ..accepting(schemas)
        },
        ApiOperation {
            path: "/api/v1/runs/{id}",
            method: "get",
            name: "readRun",
            summary: texts::READ_RUN,
            parameters: vec![path_parameter("id", texts::RUN_ID)],
            status: "200",
            answers: texts::ANSWER_RUN,
            kind: "application/json",
            answer: of::<OwnRunBody>(schemas),
            errors: &["404"],
            ..ApiOperation::default()
        },
    ]
}
