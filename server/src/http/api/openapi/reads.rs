//! The operations that read what there is: tools, systems, the audit chain, the feed.

use schemars::SchemaGenerator;
use serde_json::json;

use super::MAX_PAGE;
use crate::{
    api_operations::{ApiOperation, of, query},
    http::api::{
        feed::FeedSlice,
        inventory::{AuditHeadBody, SystemList, ToolList},
    },
    texts::api as texts,
};

fn reading() -> ApiOperation {
    ApiOperation {
        method: "get",
        status: "200",
        kind: "application/json",
        ..ApiOperation::default()
    }
}

pub(super) fn of_reads(schemas: &mut SchemaGenerator) -> Vec<ApiOperation> {
    let text = |name, description| query(name, description, json!({ "type": "string" }));
    let time = |name, description| query(name, description, json!({ "type": "integer" }));
    vec![
        ApiOperation {
            path: "/api/v1/tools",
            name: "listTools",
            summary: texts::LIST_TOOLS,
            answers: texts::ANSWER_TOOLS,
            answer: of::<ToolList>(schemas),
            ..reading()
        },
        ApiOperation {
            path: "/api/v1/systems",
            name: "listSystems",
            summary: texts::LIST_SYSTEMS,
            answers: texts::ANSWER_SYSTEMS,
            answer: of::<SystemList>(schemas),
            ..reading()
        },
        ApiOperation {
            path: "/api/v1/audit/head",
            name: "readAuditHead",
            summary: texts::READ_AUDIT_HEAD,
            answers: texts::ANSWER_AUDIT_HEAD,
            answer: of::<AuditHeadBody>(schemas),
            ..reading()
        },
        ApiOperation {
            path: "/api/v1/feed",
            name: "readFeed",
            summary: texts::READ_FEED,
            parameters: vec![
                text("cursor", texts::FEED_CURSOR),
                query(
                    "limit",
                    texts::FEED_LIMIT,
                    json!({ "type": "integer", "minimum": 1, "maximum": MAX_PAGE }),
                ),
                text("kind", texts::FEED_KINDS),
                text("tier", texts::FEED_TIERS),
                text("target", texts::FEED_TARGET),
                text("person", texts::FEED_PERSON),
                text("q", texts::FEED_WORDS),
                time("from", texts::FEED_FROM),
                time("to", texts::FEED_TO),
            ],
            answers: texts::ANSWER_FEED,
            answer: of::<FeedSlice>(schemas),
            errors: &["400"],
            ..reading()
        },
    ]
}
