//! How people may sign in besides by password, passkey and link.

use axum::http::{HeaderName, header};
use protocol::Role;

use super::{network::Networks, reader::Reader, source::Source, value::NewUsers};

/// A reverse proxy that says who is behind it.
#[derive(Debug, Clone)]
pub struct ProxySignIn {
    /// Where it connects from. From anywhere else its headers are not looked at.
    pub addresses: Networks,
    /// Names the user.
    pub user_header: HeaderName,
    /// Lists the user's groups, with commas between them.
    pub groups_header: Option<HeaderName>,
    /// The groups of each role. When there is one, whoever is in none of them stays out.
    pub groups: Vec<(Role, Vec<String>)>,
    /// The role of a user who is not known yet; none if that one stays out.
    pub new_users: Option<Role>,
    /// Where the proxy itself signs people out.
    pub sign_out_url: Option<String>,
}

impl ProxySignIn {
    /// The role of a member of these groups: none if groups do not matter here, `Err` if the member
    /// is in none that does.
    pub fn role<'a>(
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

/// In none of the groups that may sign in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoGroup;

/// Headers that say something else.
const TAKEN: [HeaderName; 7] = [
    header::AUTHORIZATION,
    header::CONNECTION,
    header::COOKIE,
    header::HOST,
    header::ORIGIN,
    header::USER_AGENT,
    HeaderName::from_static("x-forwarded-for"),
];

pub(super) fn read(r: &mut Reader<'_>) -> Option<ProxySignIn> {
    let addresses = r.optional::<Networks>("sign_in.proxy.addresses", None);
    let user_header = r.with_default(
        "sign_in.proxy.user_header",
        None,
        HeaderName::from_static("remote-user"),
    );
    let groups_header = r.optional::<HeaderName>("sign_in.proxy.groups_header", None);
    let lists = [
        (Role::Viewer, "sign_in.proxy.viewer_groups"),
        (Role::Operator, "sign_in.proxy.operator_groups"),
        (Role::Admin, "sign_in.proxy.admin_groups"),
    ]
    .map(|(role, key)| (role, r.optional::<Vec<String>>(key, None)));
    let new_users = r.with_default("sign_in.proxy.new_users", None, NewUsers::Refuse);
    let sign_out_url = r.optional::<String>("sign_in.proxy.sign_out_url", None);

    for header in [Some(&user_header), groups_header.as_ref()]
        .into_iter()
        .flatten()
    {
        if TAKEN.contains(&header.value) {
            let message = format!(
                "sign_in.proxy: the header {} says something else",
                header.value
            );
            r.refuse(&header.source, message);
        }
    }
    if let Some(groups) = &groups_header
        && groups.value == user_header.value
    {
        r.refuse(&groups.source, "sign_in.proxy: one header cannot say both");
    }
    if let Some(url) = &sign_out_url
        && !(url.starts_with("http://") || url.starts_with("https://"))
    {
        let message = "sign_in.proxy.sign_out_url: expected http://… or https://…";
        r.refuse(&url.source, message);
    }
    let mut groups = Vec::new();
    for (role, list) in lists {
        let Some(list) = list else { continue };
        if groups_header.is_none() {
            let message = "sign_in.proxy: groups need groups_header, which names them";
            r.refuse(&list.source, message);
        }
        groups.push((role, list.value));
    }
    if let Some(header) = &groups_header
        && groups.is_empty()
    {
        let message = "sign_in.proxy.groups_header: set viewer_groups, operator_groups or \
                       admin_groups beside it";
        r.refuse(&header.source, message);
    }
    let Some(addresses) = addresses else {
        if user_header.source != Source::Default || groups_header.is_some() {
            let source = groups_header.map_or(user_header.source, |header| header.source);
            r.refuse(
                &source,
                "sign_in.proxy: set addresses, or nobody is believed",
            );
        }
        return None;
    };
    Some(ProxySignIn {
        addresses: addresses.value,
        user_header: user_header.value,
        groups_header: groups_header.map(|header| header.value),
        groups,
        new_users: match new_users.value {
            NewUsers::Refuse => None,
            NewUsers::Viewer => Some(Role::Viewer),
            NewUsers::Operator => Some(Role::Operator),
            NewUsers::Admin => Some(Role::Admin),
        },
        sign_out_url: sign_out_url.map(|url| url.value),
    })
}
