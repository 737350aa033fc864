//! The operations on confirmations.

use schemars::SchemaGenerator;

use super::accepting;
use crate::{
    api_operations::{ApiOperation, header_parameter, of, path_parameter},
    http::api::confirmations::{ConfirmationBody, ConfirmationList, DecisionTaken, NewDecision},
    texts::api as texts,
};

pub(super) fn of_confirmations(schemas: &mut SchemaGenerator) -> Vec<ApiOperation> {
    let id = || path_parameter("id", texts::CONFIRMATION_ID);
    vec![
        ApiOperation {
            path: "/api/v1/confirmations",
            method: "get",
            name: "listConfirmations",
            summary: texts::LIST_CONFIRMATIONS,
            status: "200",
            answers: texts::ANSWER_CONFIRMATIONS,
            kind: "application/json",
            answer: of::<ConfirmationList>(schemas),
            ..ApiOperation::default()
        },
        ApiOperation {
            path: "/api/v1/confirmations/{id}",
            method: "get",
            name: "readConfirmation",
            summary: texts::READ_CONFIRMATION,
            parameters: vec![id()],
            status: "200",
            answers: texts::ANSWER_CONFIRMATION,
            kind: "application/json",
            answer: of::<ConfirmationBody>(schemas),
            errors: &["404"],
            ..ApiOperation::default()
        },
        ApiOperation {
            path: "/api/v1/confirmations/{id}",
            name: "decideConfirmation",
            summary: texts::DECIDE_CONFIRMATION,
            parameters: vec![
                id(),
                header_parameter("Idempotency-Key", texts::IDEMPOTENCY_KEY),
            ],
            body: Some(of::<NewDecision>(schemas)),
            answer: of::<DecisionTaken>(schemas),
            ..accepting(schemas)
        },
    ]
}
