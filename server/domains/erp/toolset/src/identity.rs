//! The user behind the key: name, roles, what narrows them, and the site's versions and time zone.

use std::collections::BTreeMap;

use futures::join;
use jiff::tz::TimeZone;
use protocol::{ErrorBody, ErrorCode};
use serde_json::Value;

use crate::{
    client::{ErpClient, ErpMethod, ErpRoute},
    error::{ErpError, RefusalKind},
    texts::site as say,
};

/// The user behind the key, and the site.
#[derive(Debug, Clone, PartialEq)]
pub struct ErpIdentity {
    /// Name of the user, usually a mail address.
    pub user: String,
    /// None if the site does not tell.
    pub roles: Option<Vec<String>>,
    /// Documents to which user permissions narrow this user, by type.
    pub narrowed_to: BTreeMap<String, Vec<String>>,
    /// Versions of the apps, such as `erpnext` `16.34.0`; empty if the site does not tell.
    pub versions: BTreeMap<String, String>,
    /// The site's time zone; UTC if it does not tell.
    pub time_zone: TimeZone,
}

impl ErpIdentity {
    /// True for v16 and newer, which take functions in lists as objects. A site that does not tell
    /// its version is taken for a new one.
    pub(crate) fn is_v16(&self) -> bool {
        let version = self
            .versions
            .get("frappe")
            .or_else(|| self.versions.get("erpnext"));
        let major = version.and_then(|it| it.split('.').next()?.parse::<u32>().ok());
        major.is_none_or(|major| major >= 16)
    }

    pub(crate) fn roles(&self) -> &[String] {
        self.roles.as_deref().unwrap_or_default()
    }
}

/// Reads the identity, and refuses a key that passes every check of the ERP.
pub(crate) async fn read(client: &ErpClient) -> Result<ErpIdentity, ErpError> {
    let user = method(client, ErpMethod::LoggedUser, &[]).await?;
    let user = user.as_str().unwrap_or_default().to_owned();
    if user.is_empty() || user == "Guest" {
        return Err(refused(say::NO_KEY.to_owned(), say::HELP_KEY));
    }
    let probe = [
        ("doctype", "DocType".to_owned()),
        ("docname", "User".to_owned()),
        ("perm_type", "write".to_owned()),
    ];
    let uid = [("uid", user.clone())];
    let (roles, probe, narrowed, versions, zone) = join!(
        method(client, ErpMethod::Roles, &uid),
        method(client, ErpMethod::HasPermission, &probe),
        method(client, ErpMethod::UserPermissions, &[]),
        method(client, ErpMethod::Versions, &[]),
        method(client, ErpMethod::TimeZone, &[]),
    );
    let roles = optional(roles)?.as_ref().and_then(names);
    // Only who may change the types themselves passes nearly every check. Asked as well, because a
    // site may hide the roles, and a role of another name may have the same rights.
    let changes_types =
        optional(probe)?.map(|it| it["has_permission"] == true || it["has_permission"] == 1);
    let is_manager = user == "Administrator"
        || changes_types == Some(true)
        || roles
            .iter()
            .flatten()
            .any(|it| it == "System Manager" || it == "Administrator");
    if is_manager {
        return Err(refused(say::system_manager(&user), say::HELP_NARROW_KEY));
    }
    if roles.is_none() && changes_types.is_none() {
        return Err(refused(say::rights_unknown(&user), say::HELP_NARROW_KEY));
    }
    Ok(ErpIdentity {
        roles,
        narrowed_to: optional(narrowed)?
            .map(|it| narrowing(&it))
            .unwrap_or_default(),
        versions: optional(versions)?
            .map(|it| of_apps(&it))
            .unwrap_or_default(),
        time_zone: optional(zone)?
            .and_then(|it| time_zone(&it))
            .unwrap_or(TimeZone::UTC),
        user,
    })
}

async fn method(
    client: &ErpClient,
    method: ErpMethod,
    query: &[(&str, String)],
) -> Result<Value, ErpError> {
    let answer = client.get(ErpRoute::Method(method), query).await?;
    Ok(answer.data)
}

/// An answer that a site may refuse or not have.
fn optional(answer: Result<Value, ErpError>) -> Result<Option<Value>, ErpError> {
    match answer {
        Ok(value) => Ok(Some(value)),
        Err(error) => match error.kind() {
            // An unknown method is a failed import for Frappe: 417 or 404.
            Some(RefusalKind::Permission | RefusalKind::NotFound | RefusalKind::Invalid) => {
                Ok(None)
            }
            _ => Err(error),
        },
    }
}

fn refused(message: String, help: &str) -> ErpError {
    ErpError::Own(ErrorBody::new(ErrorCode::ToolPermission, message).with_help(help))
}

fn names(list: &Value) -> Option<Vec<String>> {
    let list = list.as_array()?.iter();
    let names = list.filter_map(|it| it.as_str().map(str::to_owned));
    Some(names.collect())
}

/// `{"Territory": [{"doc": "North", …}]}`.
fn narrowing(answer: &Value) -> BTreeMap<String, Vec<String>> {
    let types = answer.as_object().into_iter().flatten();
    let named = |rows: &Value| {
        let rows = rows.as_array().into_iter().flatten();
        let docs = rows.filter_map(|row| row.get("doc").unwrap_or(row).as_str());
        docs.map(str::to_owned).collect::<Vec<_>>()
    };
    types
        .map(|(name, rows)| (name.clone(), named(rows)))
        .collect()
}

/// `{"frappe": {"version": "16.2.0", …}}`.
fn of_apps(answer: &Value) -> BTreeMap<String, String> {
    let apps = answer.as_object().into_iter().flatten();
    let version = |app: &Value| {
        app.get("version")
            .unwrap_or(app)
            .as_str()
            .map(str::to_owned)
    };
    apps.filter_map(|(name, app)| Some((name.clone(), version(app)?)))
        .collect()
}

/// `{"time_zone": "Europe/Berlin"}`.
fn time_zone(answer: &Value) -> Option<TimeZone> {
    let name = answer.get("time_zone").unwrap_or(answer).as_str()?;
    TimeZone::get(name).ok()
}
