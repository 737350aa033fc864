//! Readings from outside: of programs, and of sensors, which come in by their own door.

use std::sync::Arc;

use async_trait::async_trait;
use axum::{
    Extension, Json,
    http::{StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use lamps::{Reading, ReadingStore};
use lamps_tables::LampsTables;
use serde::Deserialize;
use serde_json::json;

use super::texts;
use crate::doors::{AdmittedDevice, DeviceCheck, DeviceDoor, DeviceRoute, NoDevice};

/// What the one sensor of the simulated house says.
const CREDENTIAL: &str = "Sensor of-the-cellar";
/// The one that was taken down.
const TAKEN_DOWN: &str = "Sensor of-the-attic";

/// How many lamps somebody has seen to be on.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SeenLamps {
    at_ms: i64,
    on: u32,
}

/// Keeps a reading.
pub(super) async fn take(tables: LampsTables, Json(seen): Json<SeenLamps>) -> Response {
    let reading = Reading {
        at_ms: seen.at_ms,
        on: seen.on,
    };
    match tables.add(reading).await {
        Ok(()) => Json(serde_json::json!({})).into_response(),
        Err(error) => (StatusCode::SERVICE_UNAVAILABLE, error.to_string()).into_response(),
    }
}

/// The door of the sensor.
pub(super) fn door(tables: LampsTables) -> DeviceDoor {
    let keep = move |Extension(_): Extension<AdmittedDevice>, seen| take(tables, seen);
    DeviceDoor {
        name: "lamp-sensor",
        check: Arc::new(Sensors),
        routes: vec![
            DeviceRoute::open("/hello", get(|| async { "hello" })),
            DeviceRoute::new("/readings", post(keep)).limit(1024),
        ],
    }
}

struct Sensors;

#[async_trait]
impl DeviceCheck for Sensors {
    async fn device(&self, head: &mut Parts) -> Result<AdmittedDevice, NoDevice> {
        let said = head.headers.get(header::AUTHORIZATION);
        if said.is_some_and(|said| said.as_bytes() == TAKEN_DOWN.as_bytes()) {
            let refusal =
                Json(json!({ "code": "sensor_taken_down", "message": texts::TAKEN_DOWN }));
            let refusal = (StatusCode::FORBIDDEN, refusal).into_response();
            return Err(NoDevice::Refused(Box::new(refusal)));
        }
        if said.is_some_and(|said| said.as_bytes() == CREDENTIAL.as_bytes()) {
            Ok(AdmittedDevice {
                id: "cellar".to_owned(),
            })
        } else {
            Err(NoDevice::Unknown)
        }
    }
}
