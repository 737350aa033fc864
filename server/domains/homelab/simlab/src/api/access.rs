//! `/version` and `/access`: the release, sign-in, the caller's own permissions.

use serde_json::{Value, json};

use super::bit;
use crate::access::SimCaller;
use crate::inventory::{CLUSTER, PVE_VERSION};
use crate::reply::{Fail, ReplyResult};
use crate::route::{AccessCheck, ApiCall, ApiRoute, Takes, get, optional, post, required};
use crate::world::SimWorld;

pub(super) const ROUTES: &[ApiRoute] = &[
    get("/version", AccessCheck::Any, &[], version),
    post(
        "/access/ticket",
        AccessCheck::World,
        &[
            required("username", Takes::Text),
            required("password", Takes::Text),
            optional("realm", Takes::Text),
            optional("otp", Takes::Text),
            optional("new-format", Takes::Flag),
        ],
        ticket,
    ),
    get(
        "/access/permissions",
        AccessCheck::Any,
        &[
            optional("path", Takes::Text),
            optional("userid", Takes::Text),
        ],
        permissions,
    ),
];

fn version(_: &mut SimWorld, _: &ApiCall) -> ReplyResult {
    let (version, repoid) = PVE_VERSION;
    Ok(json!({ "version": version, "release": "9.1", "repoid": repoid }).into())
}

fn ticket(world: &mut SimWorld, call: &ApiCall) -> ReplyResult {
    let mut user = call.text("username").to_owned();
    if let Some(realm) = call.given("realm") {
        user = format!("{user}@{realm}");
    }
    let now = world.now as i64;
    let (username, ticket, csrf) = world.access.sign_in(&user, call.text("password"), now)?;
    Ok(json!({
        "username": username,
        "ticket": ticket,
        "CSRFPreventionToken": csrf,
        "clustername": CLUSTER,
    })
    .into())
}

fn permissions(world: &mut SimWorld, call: &ApiCall) -> ReplyResult {
    let mut about = call.caller.clone();
    if let Some(id) = call.given("userid") {
        let (user, token) = match id.split_once('!') {
            Some((user, token)) => (user, Some(token.to_owned())),
            None => (id, None),
        };
        about = SimCaller {
            user: user.to_owned(),
            token,
        };
        // The caller's own, and those of the user's tokens; anyone else's with a privilege on
        // /access.
        let own =
            about == call.caller || (call.caller.token.is_none() && about.user == call.caller.user);
        if !own && !world.access.allowed(&call.caller, "/access", "Sys.Audit") {
            return Err(Fail::forbidden("/access, Sys.Audit"));
        }
    }
    let table = match call.given("path") {
        Some(path) => [(path.to_owned(), world.access.privileges(&about, path))].into(),
        None => world.access.all(&about),
    };
    let table: serde_json::Map<String, Value> = table
        .into_iter()
        .map(|(path, privileges)| {
            let row = privileges
                .into_iter()
                .map(|(name, on)| (name.to_owned(), bit(on)));
            (path, Value::Object(row.collect()))
        })
        .collect();
    Ok(Value::Object(table).into())
}
