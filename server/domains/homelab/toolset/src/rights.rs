//! Privileges of the caller. Proxmox VE answers with fewer rows rather than with an error, so an
//! empty list means something only in combination with these.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::{
    error::{ProxmoxError, missing},
    texts,
};

/// Table from `GET /access/permissions`: path, privilege, and whether it propagates to paths below.
///
/// An entry without any privilege (role NoAccess on a single guest) is missing from that table, so
/// guests hidden that way stay hidden.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rights(Result<BTreeMap<String, BTreeMap<String, bool>>, String>);

impl Rights {
    pub(crate) fn new(answer: Result<&Value, &ProxmoxError>) -> Self {
        let table = match answer {
            Ok(Value::Object(paths)) => Ok(paths
                .iter()
                .map(|(path, privileges)| (path.clone(), privileges_of(privileges)))
                .collect()),
            // An empty table may arrive as an empty list.
            Ok(Value::Array(rows)) if rows.is_empty() => Ok(BTreeMap::new()),
            Ok(_) => Err(texts::client::LIST_OF_RIGHTS_CANNOT_BE_READ.to_owned()),
            Err(error) => Err(error.reason()),
        };
        Self(table)
    }

    /// The reason that a value needing one of `privileges` on `path` may be missing; `None` if not.
    pub(crate) fn lacks(&self, path: &str, privileges: &[&str]) -> Option<String> {
        match &self.0 {
            Err(reason) => Some(texts::client::rights_unknown(reason)),
            Ok(table) => {
                let held = effective(table, path);
                let any = privileges.iter().any(|name| held(name));
                (!any).then(|| missing(privileges, path))
            }
        }
    }

    /// The reasons why a list of everything below `path` may lack rows. Empty if it is complete.
    pub(crate) fn lacks_below(&self, path: &str, privileges: &[&str]) -> Vec<String> {
        let child = format!("{path}/*");
        match (&self.0, self.lacks(&child, privileges)) {
            (Err(_), reason) => reason.into_iter().collect(),
            (Ok(_), Some(_)) => vec![missing(privileges, path)],
            (Ok(table), None) => table
                .keys()
                .filter(|below| {
                    below
                        .strip_prefix(path)
                        .is_some_and(|rest| rest.starts_with('/'))
                })
                .filter_map(|below| self.lacks(below, privileges))
                .collect(),
        }
    }
}

/// The privileges on a path: those of its nearest entry. An ancestor's count only if they
/// propagate.
fn effective<'a>(
    table: &'a BTreeMap<String, BTreeMap<String, bool>>,
    path: &'a str,
) -> impl Fn(&str) -> bool + 'a {
    let mut at = Some(path);
    let nearest = loop {
        match at {
            None => break None,
            Some(candidate) => match table.get(candidate) {
                Some(privileges) => break Some((candidate, privileges)),
                None => at = parent(candidate),
            },
        }
    };
    move |name| {
        nearest.is_some_and(|(entry, privileges)| {
            privileges
                .get(name)
                .is_some_and(|goes_on| *goes_on || entry == path)
        })
    }
}

fn parent(path: &str) -> Option<&str> {
    match path.rsplit_once('/') {
        _ if path == "/" => None,
        Some(("", _)) => Some("/"),
        Some((parent, _)) => Some(parent),
        None => None,
    }
}

fn privileges_of(value: &Value) -> BTreeMap<String, bool> {
    value
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, goes_on)| {
            let goes_on = match goes_on {
                Value::Bool(flag) => *flag,
                Value::Number(number) => number.as_i64() != Some(0),
                Value::String(text) => text != "0",
                _ => false,
            };
            (name.clone(), goes_on)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nearest_entry_decides() {
        let table = json!({
            "/": {"Sys.Audit": 1, "VM.Audit": 1, "Local.Only": 0},
            "/vms": {"VM.Audit": 1, "VM.Backup": "1"},
            "/vms/120": {"VM.Audit": 1},
            "/storage/pbs": {"Datastore.Audit": 0},
        });
        let rights = Rights::new(Ok(&table));
        for (path, privilege, expect) in [
            ("/", "Sys.Audit", true),
            ("/nodes/pve", "Sys.Audit", true),
            ("/vms/100", "Sys.Audit", false),
            ("/vms/100", "VM.Backup", true),
            ("/vms/120", "VM.Backup", false),
            ("/vms/1200", "VM.Backup", true),
            ("/", "Local.Only", true),
            ("/nodes", "Local.Only", false),
            ("/storage/pbs", "Datastore.Audit", true),
            ("/storage/pbs/x", "Datastore.Audit", false),
            ("/storage/nas", "Datastore.Audit", false),
        ] {
            let expect = (!expect).then(|| format!("missing privilege {privilege} on {path}"));
            assert_eq!(
                rights.lacks(path, &[privilege]),
                expect,
                "{privilege} {path}"
            );
        }
        assert_eq!(rights.lacks("/vms/120", &["VM.Backup", "VM.Audit"]), None);
        assert_eq!(
            rights.lacks_below("/vms", &["VM.Audit"]),
            Vec::<String>::new()
        );
        assert_eq!(
            rights.lacks_below("/vms", &["VM.Backup"]),
            ["missing privilege VM.Backup on /vms/120"]
        );
        assert_eq!(
            rights.lacks_below("/storage", &["Datastore.Audit", "Datastore.AllocateSpace"]),
            ["missing privilege Datastore.Audit or Datastore.AllocateSpace on /storage"]
        );
    }

    #[test]
    fn unknown_rights_are_not_none() {
        let error = ProxmoxError::Failed {
            status: 500,
            message: "no".to_owned(),
        };
        let rights = Rights::new(Err(&error));
        let reason = "rights unknown: Proxmox failed (500): no";
        assert_eq!(rights.lacks("/", &["Sys.Audit"]).as_deref(), Some(reason));
        assert_eq!(rights.lacks_below("/vms", &["VM.Audit"]), [reason]);
        let none = Rights::new(Ok(&json!([])));
        assert_eq!(
            none.lacks("/", &["Sys.Audit"]).as_deref(),
            Some("missing privilege Sys.Audit on /")
        );
    }
}
