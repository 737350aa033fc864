//! Credentials and proxy headers of a request, as text.

use protocol::Role;

use crate::{names::bad_name, texts};

/// The headers in which browsers and programs identify themselves. It has no `Debug`: they are secrets.
#[derive(Clone, Default)]
pub struct Presented<'a> {
    /// The values of the `Cookie` headers.
    pub cookies: Vec<&'a str>,
    /// The value of the `Authorization` header.
    pub authorization: Option<&'a str>,
}

impl<'a> Presented<'a> {
    /// Returns the token. Browsers never send one unasked.
    pub fn token(&self) -> Option<&'a str> {
        let (scheme, token) = self.authorization?.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
    }

    pub(crate) fn cookie(&self, name: &str) -> Option<&'a str> {
        self.cookies
            .iter()
            .flat_map(|header| header.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .find_map(|(have, value)| (have == name).then_some(value))
    }
}

/// The headers in which a reverse proxy names the user, each with all its values.
#[derive(Debug, Clone, Default)]
pub struct ProxyHeaders<'a> {
    pub user: Vec<&'a [u8]>,
    /// Empty if groups do not matter.
    pub groups: Vec<&'a [u8]>,
}

/// Rules for the users of a reverse proxy.
#[derive(Debug, Clone, Default)]
pub struct ProxyRules {
    /// The groups of each role. If there are any, users in none of them cannot sign in.
    pub groups: Vec<(Role, Vec<String>)>,
    /// The role of a user who has no account yet; none if that one cannot sign in.
    pub new_users: Option<Role>,
}

/// The proxy's statement about a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    /// None, or the peer is not the proxy.
    None,
    /// The user, and the role from their groups, if groups matter.
    User { name: String, role: Option<Role> },
    /// None of the groups of this user may sign in.
    NotLetIn { name: String },
    /// The reason why it is rejected.
    Refused(&'static str),
}

impl ProxyRules {
    /// Reads the proxy's statement. The caller has checked that the peer is the proxy.
    pub fn word(&self, headers: &ProxyHeaders<'_>) -> Word {
        let name = match only(&headers.user) {
            Ok(Some(name)) => name,
            Ok(None) => return Word::None,
            Err(why) => return Word::Refused(why),
        };
        // A header value joined from two on the way contains a comma.
        if bad_name(name).is_some() || name.contains(',') {
            return Word::Refused(texts::PROXY_SENT_INVALID_NAME);
        }
        let groups = match only(&headers.groups) {
            Ok(groups) => groups.unwrap_or_default(),
            Err(why) => return Word::Refused(why),
        };
        match self.role(groups.split(',').map(str::trim)) {
            Ok(role) => Word::User {
                name: name.to_owned(),
                role,
            },
            Err(NoGroup) => Word::NotLetIn {
                name: name.to_owned(),
            },
        }
    }

    /// Returns the role of a member of these groups: none if groups do not matter here.
    fn role<'a>(
        &self,
        member_of: impl Iterator<Item = &'a str> + Clone,
    ) -> Result<Option<Role>, NoGroup> {
        if self.groups.is_empty() {
            return Ok(None);
        }
        let fits = |names: &[String]| {
            let mut of = member_of.clone();
            of.any(|group| names.iter().any(|name| name == group))
        };
        let roles = self.groups.iter().filter(|(_, names)| fits(names));
        roles.map(|(role, _)| *role).max().map(Some).ok_or(NoGroup)
    }
}

/// The user is in none of the groups that may sign in.
struct NoGroup;

/// Returns the only value of a header. Two values are refused: one of them may be the client's own.
fn only<'a>(values: &[&'a [u8]]) -> Result<Option<&'a str>, &'static str> {
    match values {
        [] => Ok(None),
        [value] => {
            let value = std::str::from_utf8(value);
            let value = value.map_err(|_| texts::PROXY_SENT_UNREADABLE_HEADER)?;
            Ok(Some(value.trim()))
        }
        _ => Err(texts::PROXY_SENT_HEADER_TWICE),
    }
}
