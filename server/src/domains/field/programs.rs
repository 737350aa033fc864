//! Routes for programs: diagnostics from elsewhere, reads, and the calls that a program may order.
//!
//! Reads give tokens in place of values, to everybody: those who may see values ask for them by their
//! tokens, as a page does, and each such look is recorded.

mod bundles;
mod devices;
mod events;
mod follow;
mod intake;
mod proposals;
mod runs;

use std::sync::Arc;

use axum::{
    body::Bytes,
    http::{HeaderMap, StatusCode},
};
use field::{
    Field,
    ports::{FieldFault, FieldFaultCode},
};
use field_dispatch::{Dispatch, FieldBackend, NewestFirst};
use protocol::{ErrorBody, Role, Timestamp};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use sign_in::SignedIn;

pub(super) use self::{
    bundles::{FieldBundleBody, FieldBundlesBody, FieldExportBody, FieldSectionBody},
    devices::{FieldDeviceBody, FieldDevicesBody, FieldValuesBody},
    events::FieldEventBody,
    intake::{DiagnosticsBody, TakenBody},
    proposals::{FieldProposalsBody, FieldVersionBody, NewFieldCheckBody, NewFieldProposalBody},
    runs::{FieldRunBody, FieldRunReadBody, FieldRunsBody, NewFieldCancelBody, NewFieldRunBody},
};
use super::answers::{DeviceAnswer, message_of, refusal};
use crate::{
    cursor::{cursor, place},
    routes::Route,
    texts::api as said,
};

/// Entries of a page, unless the program asks for another number, and the most of them.
const PAGE: u32 = 50;
pub(super) const MOST_PAGE: u32 = 100;
/// The largest body of what names things only, in bytes.
const NAMES: usize = 4 * 1024;
/// The largest body with a script, in bytes.
const SCRIPT: usize = 64 * 1024;

/// The devices as the routes of programs ask them. Cheap to clone.
#[derive(Clone)]
pub(super) struct FieldPrograms {
    pub(super) dispatch: Dispatch,
    pub(super) backend: Arc<FieldBackend>,
    pub(super) toolset: Field,
}

/// The handler of a route: a function that takes the devices, and then the parts of a request.
macro_rules! with {
    ($it:expr, $handler:path, $($part:ident),+) => {{
        let it = $it.clone();
        move |$($part),+| $handler(it, $($part),+)
    }};
}

/// The routes. The matrix of rights asks for things that no server has, unless a list is enough.
pub(super) fn routes(it: &FieldPrograms) -> Vec<Route> {
    let (viewer, operator) = (Role::Viewer, Role::Operator);
    vec![
        intake::route(&it.dispatch),
        Route::stream("/events", viewer, with!(it, events::follow, last, query)),
        Route::get("/devices", viewer, with!(it, devices::list, who, query)),
        Route::get("/devices/{id}", viewer, with!(it, devices::read, id))
            .example("/devices/dev_00000000000000000000000000")
            .status(404),
        Route::get("/values", operator, with!(it, devices::values, who, query))
            .example("/values?kind=device&id=dev_00000000000000000000000000&tokens=ip-s1-n1.1")
            .status(404)
            .recorded(),
        Route::get("/bundles", viewer, with!(it, bundles::list, who, query)),
        Route::get("/bundles/{id}", viewer, with!(it, bundles::read, id))
            .example("/bundles/bun_00000000000000000000000000")
            .status(404),
        Route::get(
            "/bundles/{id}/sections/{name}",
            viewer,
            with!(it, bundles::section, names),
        )
        .example("/bundles/bun_00000000000000000000000000/sections/note")
        .status(404),
        Route::get(
            "/bundles/{id}/export",
            operator,
            with!(it, bundles::export, who, id, query),
        )
        .example("/bundles/bun_00000000000000000000000000/export")
        .status(404)
        .recorded(),
        Route::get("/proposals", viewer, with!(it, proposals::list, who, query)),
        Route::call("/proposals", operator, proposals::propose)
            .body(EXAMPLE_SCRIPT)
            .limit(SCRIPT),
        Route::get(
            "/proposals/{id}",
            viewer,
            with!(it, proposals::read, id, query),
        )
        .example("/proposals/pro_00000000000000000000000000")
        .status(404),
        Route::call(
            "/proposals/{id}/check",
            viewer,
            with!(it, proposals::check, id, headers, body),
        )
        .example("/proposals/pro_00000000000000000000000000/check")
        .status(404)
        .limit(NAMES),
        Route::get("/runs", viewer, with!(it, runs::list, who, query)),
        Route::call("/runs", operator, runs::begin)
            .body(EXAMPLE)
            .limit(NAMES),
        Route::get("/runs/{id}", viewer, with!(it, runs::read, who, id))
            .example("/runs/run_00000000000000000000000000")
            .status(404),
        Route::stream(
            "/runs/{id}/events",
            viewer,
            with!(it, follow::events, last, id, query),
        )
        .example("/runs/run_00000000000000000000000000/events")
        .status(404),
        Route::call(
            "/runs/{id}/cancel",
            operator,
            with!(it, runs::cancel, id, headers, body),
        )
        .example("/runs/run_00000000000000000000000000/cancel")
        .status(404)
        .limit(NAMES),
    ]
}

/// A run that the gate refuses: there is no such device.
const EXAMPLE: &str = r#"{"proposal": "pro_00000000000000000000000000", "version": 1, "device": "dev_00000000000000000000000000"}"#;

/// A proposal that the policy refuses, for the same reason.
const EXAMPLE_SCRIPT: &str = r#"{"device": "dev_00000000000000000000000000", "title": "Routes", "why": "It is slow.", "steps": [{"run": "routes"}]}"#;

/// The page of a list that a program asks for.
#[derive(Debug, Clone, Copy)]
struct WantedPage {
    /// The number in the cursor.
    from: Option<i64>,
    limit: u32,
}

impl WantedPage {
    fn of(
        list: &str,
        who: &SignedIn,
        cursor: Option<&str>,
        limit: Option<u32>,
    ) -> Result<Self, DeviceAnswer> {
        let limit = limit.unwrap_or(PAGE);
        if !(1..=MOST_PAGE).contains(&limit) {
            let message = said::page_size(MOST_PAGE as usize);
            return Err(malformed(&message));
        }
        let from = match cursor {
            None => None,
            Some(cursor) => Some(place(list, who.user.id, cursor).ok_or_else(|| {
                refusal(
                    StatusCode::BAD_REQUEST,
                    "cursor_invalid",
                    said::CURSOR_INVALID,
                    said::START_OVER,
                )
            })?),
        };
        Ok(Self { from, limit })
    }
}

/// The cursor of the page behind this one.
fn next_of<T>(list: &str, who: &SignedIn, page: &NewestFirst<T>) -> Option<String> {
    page.before.map(|before| cursor(list, who.user.id, before))
}

fn malformed(message: &str) -> DeviceAnswer {
    refusal(
        StatusCode::BAD_REQUEST,
        "malformed",
        message,
        said::SEE_OPENAPI,
    )
}

/// The message in a body that may be empty, which is one without members.
fn message_or_none<T: DeserializeOwned + Default>(
    headers: &HeaderMap,
    body: &Bytes,
) -> Result<T, DeviceAnswer> {
    if body.is_empty() {
        return Ok(T::default());
    }
    message_of(headers, body)
}

impl From<FieldFault> for DeviceAnswer {
    fn from(fault: FieldFault) -> Self {
        let code = fault.code;
        let status = match code {
            FieldFaultCode::UnknownDevice
            | FieldFaultCode::UnknownBundle
            | FieldFaultCode::UnknownSection
            | FieldFaultCode::UnknownProposal
            | FieldFaultCode::UnknownRun => StatusCode::NOT_FOUND,
            FieldFaultCode::NotAllowed => StatusCode::FORBIDDEN,
            FieldFaultCode::Storage => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::CONFLICT,
        };
        let error = ErrorBody::from(fault);
        let help = error.help.unwrap_or_default();
        refusal(status, code.word(), &error.message, &help)
    }
}

/// A thing that is not there.
fn missing(code: FieldFaultCode) -> DeviceAnswer {
    FieldFault::new(code).into()
}

fn ms(at: Option<Timestamp>) -> Option<i64> {
    at.map(|at| at.0)
}

/// A word of an enum, or an object, as it is written.
fn written(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}
