//! The operations of field devices in the description of the interface.

mod programs;

use schemars::SchemaGenerator;
use serde_json::{Value, json};

use super::programs::{DiagnosticsBody, TakenBody};
use crate::{
    api_operations::{
        ApiAccess, ApiOperation, ApiPart, header_parameter, of, path_parameter, query,
    },
    domains::field::texts::api as texts,
};

/// The scheme of a device's session.
const SCHEME: &str = "device";
const BYTES: &str = "application/octet-stream";

pub(super) fn part(schemas: &mut SchemaGenerator) -> ApiPart {
    let mut operations = vec![diagnostics(schemas)];
    operations.extend(programs::operations(schemas));
    operations.extend(strangers());
    operations.extend(jobs());
    operations.extend(rest());
    let scheme = json!({
        "type": "http",
        "scheme": "device",
        "description": texts::SESSION_OF_A_DEVICE,
    });
    ApiPart {
        operations,
        schemes: vec![(SCHEME, scheme)],
    }
}

/// The intake of programs.
fn diagnostics(schemas: &mut SchemaGenerator) -> ApiOperation {
    ApiOperation {
        path: "/api/v1/field/diagnostics",
        method: "post",
        name: "takeFieldDiagnostics",
        summary: texts::DIAGNOSTICS,
        parameters: vec![header_parameter("Idempotency-Key", texts::IDEMPOTENCY_KEY)],
        body: Some(of::<DiagnosticsBody>(schemas)),
        status: "200",
        answers: texts::TAKEN,
        kind: "application/json",
        answer: of::<TakenBody>(schemas),
        errors: &["400", "404", "409", "413", "415", "422"],
        ..ApiOperation::default()
    }
}

/// Requests of a device without a session.
fn strangers() -> [ApiOperation; 3] {
    let open = |operation| ApiOperation {
        access: ApiAccess::Anyone,
        ..operation
    };
    [
        open(message(
            "/api/v1/device/enrol",
            "post",
            "enrolDevice",
            texts::ENROL,
        )),
        open(message(
            "/api/v1/device/session",
            "post",
            "challengeDevice",
            texts::CHALLENGE,
        )),
        open(message(
            "/api/v1/device/session",
            "put",
            "openDeviceSession",
            texts::OPEN_SESSION,
        )),
    ]
}

/// The queue of a device.
fn jobs() -> [ApiOperation; 6] {
    let job = |path, name, summary| {
        let operation = message(path, "post", name, summary);
        ApiOperation {
            parameters: vec![path_parameter("id", texts::JOB)],
            ..operation
        }
    };
    let claim = message("/api/v1/device/claim", "post", "claimJob", texts::CLAIM);
    let log = message(
        "/api/v1/device/jobs/{id}/log/{stream}",
        "put",
        "appendJobLog",
        texts::LOG,
    );
    [
        ApiOperation {
            also: &[("204", texts::NO_WORK)],
            ..claim
        },
        job("/api/v1/device/jobs/{id}/start", "startJob", texts::START),
        job("/api/v1/device/jobs/{id}/renew", "renewJob", texts::RENEW),
        job(
            "/api/v1/device/jobs/{id}/refuse",
            "refuseJob",
            texts::REFUSE,
        ),
        job("/api/v1/device/jobs/{id}/end", "endJob", texts::END),
        bytes(
            log,
            vec![
                path_parameter("id", texts::JOB),
                path_parameter("stream", texts::STREAM),
                number("epoch", texts::EPOCH),
                number("offset", texts::OFFSET),
                header_parameter("Jarvis-Claim", texts::CLAIM_SECRET),
            ],
        ),
    ]
}

/// The device's word about itself, its diagnostics, and what it reads of the server.
fn rest() -> [ApiOperation; 6] {
    let section = message(
        "/api/v1/device/bundles/{id}/sections/{name}",
        "put",
        "putDeviceSection",
        texts::SECTION,
    );
    let root = message(
        "/api/v1/device/root/{version}",
        "get",
        "readRootDocument",
        texts::ROOT,
    );
    let update = message(
        "/api/v1/device/update",
        "get",
        "readRunnerUpdate",
        texts::UPDATE,
    );
    let program = message(
        "/api/v1/device/update/{sha256}",
        "get",
        "readRunnerProgram",
        texts::PROGRAM,
    );
    [
        message("/api/v1/device/hello", "post", "greetServer", texts::HELLO),
        message(
            "/api/v1/device/bundles",
            "post",
            "beginDeviceBundle",
            texts::BUNDLE,
        ),
        bytes(
            section,
            vec![
                path_parameter("id", texts::BUNDLE_ID),
                path_parameter("name", texts::SECTION_NAME),
                number("offset", texts::OFFSET),
            ],
        ),
        ApiOperation {
            parameters: vec![path_parameter("version", texts::ROOT_VERSION)],
            body: None,
            ..root
        },
        ApiOperation {
            parameters: vec![query(
                "architecture",
                texts::ARCHITECTURE,
                json!({ "type": "string" }),
            )],
            body: None,
            ..update
        },
        ApiOperation {
            parameters: vec![
                path_parameter("sha256", texts::PROGRAM_DIGEST),
                number("offset", texts::OFFSET),
            ],
            body: None,
            kind: BYTES,
            answer: json!({ "type": "string", "format": "binary" }),
            ..program
        },
    ]
}

/// A message of a device in JSON. Its members are those of the device's own protocol, which has a version of
/// its own, so they have no schema here.
fn message(
    path: &'static str,
    method: &'static str,
    name: &'static str,
    summary: &'static str,
) -> ApiOperation {
    ApiOperation {
        path,
        method,
        name,
        summary,
        access: ApiAccess::Scheme(SCHEME),
        body: Some(json!({ "type": "object" })),
        status: "200",
        answers: texts::ANSWER,
        kind: "application/json",
        answer: json!({ "type": "object" }),
        errors: &["400", "404", "409", "410", "413", "415", "426"],
        ..ApiOperation::default()
    }
}

/// The same for a piece of bytes.
fn bytes(operation: ApiOperation, parameters: Vec<Value>) -> ApiOperation {
    ApiOperation {
        parameters,
        body: Some(json!({ "type": "string", "format": "binary" })),
        body_kind: Some(BYTES),
        ..operation
    }
}

fn number(name: &str, description: &str) -> Value {
    query(
        name,
        description,
        json!({ "type": "integer", "minimum": 0 }),
    )
}
