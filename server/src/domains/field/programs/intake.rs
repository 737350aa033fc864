//! Diagnostics from elsewhere.

use std::collections::BTreeMap;

use axum::{Extension, body::Bytes, http::HeaderMap};
use field_dispatch::{DiagnosticsOrder, Dispatch, MAX_BUNDLE};
use protocol::Role;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sign_in::SignedIn;

use crate::{
    domains::field::answers::{DeviceAnswer, answered, message_of},
    routes::{Attempt, Route},
};

/// The largest body in bytes: a bundle, with room for what JSON escapes.
const LARGEST: usize = 2 * MAX_BUNDLE as usize;

/// Diagnostics that a program sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "FieldDiagnostics")]
pub(in crate::domains::field) struct DiagnosticsBody {
    /// The identifier of the site whose values are hidden in them.
    site: String,
    /// The device that they are about, if it is one of the site.
    #[serde(default)]
    device: Option<String>,
    /// Milliseconds since 1970 at which they were taken.
    #[serde(default)]
    taken_ms: Option<i64>,
    sections: Vec<SectionBody>,
}

/// One text of diagnostics.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "FieldDiagnosticsSection")]
struct SectionBody {
    /// Of `[a-z0-9_]`, 40 characters at most.
    name: String,
    text: String,
}

/// The diagnostics that were taken in.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "FieldDiagnosticsTaken")]
pub(in crate::domains::field) struct TakenBody {
    /// The identifier of the bundle.
    bundle: String,
    /// Hidden values by class, such as `ipv4`.
    counts: BTreeMap<String, u64>,
}

/// The route.
pub(super) fn route(dispatch: &Dispatch) -> Route {
    let dispatch = dispatch.clone();
    let diagnostics = move |Extension(who): Extension<SignedIn>,
                            Extension(attempt): Extension<Attempt>,
                            headers: HeaderMap,
                            body: Bytes| async move {
        Box::pin(take(&dispatch, &who, attempt, &headers, &body)).await
    };
    Route::post("/diagnostics", Role::Operator, diagnostics)
        .body(EXAMPLE)
        .limit(LARGEST)
}

/// A body that the simulated office takes.
const EXAMPLE: &str = r#"{"site": "nordlicht", "sections": [{"name": "note", "text": "slow"}]}"#;

/// Takes diagnostics in. The same request again, by its `Idempotency-Key`, is the same bundle.
async fn take(
    dispatch: &Dispatch,
    who: &SignedIn,
    attempt: Attempt,
    headers: &HeaderMap,
    body: &Bytes,
) -> Result<DeviceAnswer, DeviceAnswer> {
    let body: DiagnosticsBody = message_of(headers, body)?;
    let sections = body.sections.into_iter();
    let order = DiagnosticsOrder {
        site: body.site,
        device: body.device,
        source: who.user.id.to_string(),
        request: format!("{}-{:032x}", attempt.began.0, attempt.seed),
        taken_ms: body.taken_ms,
        sections: sections.map(|it| (it.name, it.text)).collect(),
    };
    let taken = dispatch.take_diagnostics(&order).await?;
    answered(&TakenBody {
        bundle: taken.bundle,
        counts: taken.counts,
    })
}
