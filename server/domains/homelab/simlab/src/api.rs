//! Endpoints, one module for each area of the API.

mod access;
mod cluster;
mod guests;
mod nodes;
mod resources;
mod rrd;
mod snapshots;
mod storage;
mod tasks;

use std::collections::BTreeMap;

use serde_json::Value;

use crate::route::ApiRoute;

/// All endpoints.
pub(crate) fn routes() -> impl Iterator<Item = &'static ApiRoute> {
    [
        access::ROUTES,
        cluster::ROUTES,
        guests::ROUTES,
        nodes::ROUTES,
        resources::ROUTES,
        rrd::ROUTES,
        snapshots::ROUTES,
        storage::ROUTES,
        tasks::ROUTES,
    ]
    .into_iter()
    .flatten()
}

/// The endpoint for a method and the segments of a path, with the path parameters.
pub(crate) fn find(
    method: &str,
    path: &[String],
) -> Option<(&'static ApiRoute, BTreeMap<String, String>)> {
    routes()
        .filter(|route| route.method == method)
        .find_map(|route| Some((route, route.matches(path)?)))
}

/// A boolean, which this API writes as 0 or 1.
fn bit(value: bool) -> Value {
    Value::from(u8::from(value))
}

/// An object without its null members: Proxmox VE omits unknown values.
fn known(mut row: Value) -> Value {
    if let Some(members) = row.as_object_mut() {
        members.retain(|_, value| !value.is_null());
    }
    row
}

/// Whole seconds between two times.
fn seconds(from: f64, to: f64) -> u64 {
    (to - from).max(0.0) as u64
}

/// A fraction rounded to useful precision.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}
