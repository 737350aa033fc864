//! Access control: users, API tokens, roles, access control list, tickets. The one place that
//! decides about permissions.

mod roles;
mod ticket;

use std::collections::BTreeMap;

use hyper::header::{AUTHORIZATION, COOKIE, HeaderMap};

use crate::reply::Fail;
use crate::urlencoded;
use crate::wave::{mix, step};

/// The user that owns the tokens, and that may sign in with a password.
pub(crate) const USER: &str = "jarvis@pve";
/// The superuser.
pub(crate) const ROOT: &str = "root@pam";

/// Roles of a token or user on a path.
struct SimGrant {
    to: &'static str,
    path: &'static str,
    roles: &'static [&'static str],
}

const fn grant(to: &'static str, path: &'static str, roles: &'static [&'static str]) -> SimGrant {
    SimGrant { to, path, roles }
}

/// Access control list. As in Proxmox VE, an entry on a deeper path replaces those above it.
const GRANTS: &[SimGrant] = &[
    grant(USER, "/", &["Administrator"]),
    grant("jarvis@pve!admin", "/", &["Administrator"]),
    grant("jarvis@pve!auditor", "/", &["PVEAuditor"]),
    grant("jarvis@pve!operator", "/", &["PVEAuditor", "JarvisRead"]),
    grant(
        "jarvis@pve!operator",
        "/vms",
        &["PVEAuditor", "JarvisRead", "JarvisPower"],
    ),
    // The container that Jarvis runs in, and the models beside it.
    grant(
        "jarvis@pve!operator",
        "/vms/120",
        &["PVEAuditor", "JarvisRead"],
    ),
    grant(
        "jarvis@pve!operator",
        "/vms/220",
        &["PVEAuditor", "JarvisRead"],
    ),
];

/// The paths that `GET /access/permissions` always checks, besides those of the grants.
const PATHS: &[&str] = &[
    "/",
    "/access",
    "/access/groups",
    "/nodes",
    "/pool",
    "/sdn",
    "/storage",
    "/vms",
];

/// The user or token behind a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SimCaller {
    pub user: String,
    pub token: Option<String>,
}

impl SimCaller {
    fn user(name: &str) -> Self {
        Self {
            user: name.to_owned(),
            token: None,
        }
    }

    /// A caller who is not signed in.
    pub(crate) fn nobody() -> Self {
        Self::user("")
    }

    /// The id as in UPIDs: `user@realm` or `user@realm!token`.
    pub(crate) fn id(&self) -> String {
        match &self.token {
            Some(token) => format!("{}!{token}", self.user),
            None => self.user.clone(),
        }
    }
}

/// A privilege revoked by a fault, on a path and everything below it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Revoked {
    path: String,
    privilege: String,
}

pub(crate) struct SimAccess {
    seed: u64,
    revoked: Vec<Revoked>,
}

impl SimAccess {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            seed,
            revoked: Vec::new(),
        }
    }

    /// The full token: `USER@REALM!TOKENID=SECRET`.
    pub(crate) fn token(&self, name: &str) -> String {
        format!("{USER}!{name}={}", self.secret(name))
    }

    /// The password of the user and of the superuser.
    pub(crate) fn password(&self) -> String {
        format!("{:016x}", mix(self.seed, "password"))
    }

    fn secret(&self, token: &str) -> String {
        let high = mix(self.seed, token);
        let hex = format!("{high:016x}{:016x}", step(high));
        format!(
            "{}-{}-{}-{}-{}",
            &hex[..8],
            &hex[8..12],
            &hex[12..16],
            &hex[16..20],
            &hex[20..]
        )
    }

    pub(crate) fn revoke(&mut self, path: &str, privilege: &str) {
        self.revoked.push(Revoked {
            path: path.to_owned(),
            privilege: privilege.to_owned(),
        });
    }

    pub(crate) fn restore(&mut self) {
        self.revoked.clear();
    }

    /// Authenticates a request by its headers. A ticket cookie takes precedence over a token.
    pub(crate) fn authenticate(
        &self,
        headers: &HeaderMap,
        writes: bool,
        now: i64,
    ) -> Result<SimCaller, Fail> {
        if let Some(ticket) = cookie(headers, "PVEAuthCookie") {
            let user = ticket::verify(self.seed, &ticket, now)
                .ok_or_else(|| Fail::unauthorized("permission denied - invalid PVE ticket"))?;
            let csrf = headers
                .get("CSRFPreventionToken")
                .and_then(|value| value.to_str().ok());
            if writes && !csrf.is_some_and(|csrf| ticket::verify_csrf(self.seed, csrf, &user, now))
            {
                return Err(Fail::unauthorized("Permission denied - invalid csrf token"));
            }
            return Ok(SimCaller::user(&user));
        }
        let token = headers
            .get(AUTHORIZATION)
            .and_then(|value| value.to_str().ok())
            .and_then(|value| value.strip_prefix("PVEAPIToken="))
            .ok_or_else(|| Fail::unauthorized("No ticket"))?;
        let token = urlencoded::decode(token);
        let (id, secret) = token
            .split_once('=')
            .ok_or_else(|| Fail::unauthorized("no token secret specified"))?;
        let (user, name) = id
            .split_once('!')
            .ok_or_else(|| Fail::unauthorized("invalid token format"))?;
        let known = GRANTS.iter().any(|grant| grant.to == id) || id == "jarvis@pve!bare";
        if user != USER || !known {
            return Err(Fail::unauthorized(format!(
                "no such token '{name}' for user '{user}'"
            )));
        }
        if secret != self.secret(name) {
            return Err(Fail::unauthorized("invalid token value!"));
        }
        Ok(SimCaller {
            user: user.to_owned(),
            token: Some(name.to_owned()),
        })
    }

    /// The answer to `POST /access/ticket`: user, ticket and CSRF prevention token.
    pub(crate) fn sign_in(
        &self,
        user: &str,
        password: &str,
        now: i64,
    ) -> Result<(String, String, String), Fail> {
        let renewed = ticket::verify(self.seed, password, now);
        let right = renewed.as_deref() == Some(user)
            || ([USER, ROOT].contains(&user) && password == self.password());
        if !right {
            return Err(Fail::unauthorized("authentication failure"));
        }
        let csrf = ticket::csrf(self.seed, user, now);
        Ok((user.to_owned(), ticket::issue(self.seed, user, now), csrf))
    }

    /// Returns whether the caller has the privilege on the path. A token has only the privileges
    /// that its user has too.
    pub(crate) fn allowed(&self, caller: &SimCaller, path: &str, privilege: &str) -> bool {
        self.privileges(caller, path).contains_key(privilege)
    }

    /// All privileges of the caller on a path, each with its propagation to deeper paths.
    pub(crate) fn privileges(
        &self,
        caller: &SimCaller,
        path: &str,
    ) -> BTreeMap<&'static str, bool> {
        let mut privileges = granted(&caller.user, path);
        if caller.token.is_some() {
            let own = granted(&caller.id(), path);
            privileges.retain(|privilege, _| own.contains_key(privilege));
        }
        privileges.retain(|privilege, _| {
            !self
                .revoked
                .iter()
                .any(|revoked| revoked.privilege == *privilege && within(path, &revoked.path))
        });
        privileges
    }

    /// The table of `GET /access/permissions`: all paths with any privilege.
    pub(crate) fn all(&self, caller: &SimCaller) -> BTreeMap<String, BTreeMap<&'static str, bool>> {
        let revoked = self.revoked.iter().map(|revoked| revoked.path.as_str());
        PATHS
            .iter()
            .copied()
            .chain(GRANTS.iter().map(|grant| grant.path))
            .chain(revoked)
            .map(|path| (path.to_owned(), self.privileges(caller, path)))
            .filter(|(_, privileges)| !privileges.is_empty())
            .collect()
    }
}

fn granted(id: &str, path: &str) -> BTreeMap<&'static str, bool> {
    if id == ROOT {
        return roles::privileges("Administrator")
            .map(|privilege| (privilege, true))
            .collect();
    }
    GRANTS
        .iter()
        .filter(|grant| grant.to == id && within(path, grant.path))
        .max_by_key(|grant| grant.path.len())
        .into_iter()
        .flat_map(|grant| grant.roles)
        .flat_map(|role| roles::privileges(role))
        .map(|privilege| (privilege, true))
        .collect()
}

/// Returns whether a path is `above` or below it.
fn within(path: &str, above: &str) -> bool {
    above == "/"
        || path
            .strip_prefix(above)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn cookie(headers: &HeaderMap, name: &str) -> Option<String> {
    headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(key, _)| *key == name)
        .map(|(_, value)| urlencoded::decode(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(name: &str) -> SimCaller {
        SimCaller {
            user: USER.into(),
            token: Some(name.into()),
        }
    }

    #[test]
    fn rights_follow_the_access_control_list() {
        let mut access = SimAccess::new(1);
        for (caller, path, privilege, expect) in [
            (token("admin"), "/vms/100", "VM.PowerMgmt", true),
            (token("auditor"), "/nodes/pve", "Sys.Audit", true),
            (token("auditor"), "/vms/100", "VM.PowerMgmt", false),
            (
                token("auditor"),
                "/storage/pbs",
                "Datastore.AllocateSpace",
                false,
            ),
            (token("operator"), "/vms/100", "VM.PowerMgmt", true),
            (token("operator"), "/vms/220", "VM.PowerMgmt", false),
            (token("operator"), "/vms/220", "VM.Audit", true),
            (token("operator"), "/vms/2200", "VM.PowerMgmt", true),
            (token("operator"), "/nodes/pve", "Sys.PowerMgmt", false),
            (token("bare"), "/", "Sys.Audit", false),
            (SimCaller::user(ROOT), "/nodes/pve", "Sys.Modify", true),
        ] {
            let allowed = access.allowed(&caller, path, privilege);
            assert_eq!(allowed, expect, "{} {path} {privilege}", caller.id());
        }
        assert!(access.all(&token("bare")).is_empty());

        access.revoke("/nodes/pve", "Sys.Audit");
        assert!(!access.allowed(&token("admin"), "/nodes/pve", "Sys.Audit"));
        assert!(access.allowed(&token("admin"), "/nodes/Home", "Sys.Audit"));
        access.restore();
        assert!(access.allowed(&token("admin"), "/nodes/pve", "Sys.Audit"));
    }
}
