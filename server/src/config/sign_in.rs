//! Sign-in by a reverse proxy.

use axum::http::{HeaderName, header};
use protocol::Role;
use sign_in::ProxyRules;

use super::{
    network::Networks,
    reader::Reader,
    source::Source,
    value::{NewUsers, is_web_address},
};
use crate::texts;

/// A reverse proxy that says who is behind it.
#[derive(Debug, Clone)]
pub struct ProxySignIn {
    /// Addresses it connects from; its headers are ignored from any other.
    pub addresses: Networks,
    /// Names the user.
    pub user_header: HeaderName,
    /// Lists the user's groups, with commas between them.
    pub groups_header: Option<HeaderName>,
    pub rules: ProxyRules,
    /// The proxy's own sign-out page.
    pub sign_out_url: Option<String>,
}

/// Headers with another meaning.
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
    r.section(
        "sign_in.proxy",
        "A reverse proxy that signs people in and passes on their identity, such as Authelia or \
         oauth2-proxy. It must remove these headers from clients' requests.",
    );
    let addresses = r
        .key::<Networks>(
            "sign_in.proxy.addresses",
            "its addresses: the headers are accepted from them alone",
        )
        .optional("[\"192.168.1.2\", \"127.0.0.1\"]");
    let user_header = r
        .key("sign_in.proxy.user_header", "header with the user's name")
        .or(HeaderName::from_static("remote-user"));
    let groups_header = r
        .key::<HeaderName>(
            "sign_in.proxy.groups_header",
            "comma-separated; without it, roles are set in Jarvis",
        )
        .optional("\"Remote-Groups\"");
    let mut groups = |role, key, help: &'static str, example: &'static str| {
        (role, r.key::<Vec<String>>(key, help).optional(example))
    };
    let lists = [
        groups(
            Role::Viewer,
            "sign_in.proxy.viewer_groups",
            "anyone who is in none of the groups is refused",
            "[\"staff\"]",
        ),
        groups(
            Role::Operator,
            "sign_in.proxy.operator_groups",
            "groups of operators",
            "[\"ops\"]",
        ),
        groups(
            Role::Admin,
            "sign_in.proxy.admin_groups",
            "groups of admins",
            "[\"admins\"]",
        ),
    ];
    let new_users = r
        .key(
            "sign_in.proxy.new_users",
            "refuse, or the role for users who sign in for the first time; existing accounts are \
             linked by an admin in Settings, Users",
        )
        .or(NewUsers::Refuse);
    let sign_out_url = r
        .key::<String>(
            "sign_in.proxy.sign_out_url",
            "where the proxy signs people out",
        )
        .optional("\"https://auth.lan/logout\"");

    for header in [Some(&user_header), groups_header.as_ref()]
        .into_iter()
        .flatten()
    {
        if TAKEN.contains(&header.value) {
            let message = texts::config::header_already_used(&header.value);
            r.refuse(&header.source, message);
        }
    }
    if let Some(groups) = &groups_header
        && groups.value == user_header.value
    {
        r.refuse(&groups.source, texts::config::ONE_HEADER_FOR_BOTH);
    }
    if let Some(url) = &sign_out_url
        && !is_web_address(url)
    {
        let message = texts::config::SIGN_OUT_URL_IS_NO_ADDRESS;
        r.refuse(&url.source, message);
    }
    let mut groups = Vec::new();
    for (role, list) in lists {
        let Some(list) = list else { continue };
        if groups_header.is_none() {
            let message = texts::config::GROUPS_NEED_HEADER;
            r.refuse(&list.source, message);
        }
        groups.push((role, list.value));
    }
    if let Some(header) = &groups_header
        && groups.is_empty()
    {
        let message = texts::config::HEADER_NEEDS_GROUPS;
        r.refuse(&header.source, message);
    }
    let Some(addresses) = addresses else {
        if user_header.source != Source::Default || groups_header.is_some() {
            let source = groups_header.map_or(user_header.source, |header| header.source);
            r.refuse(&source, texts::config::PROXY_NEEDS_ADDRESSES);
        }
        return None;
    };
    Some(ProxySignIn {
        addresses: addresses.value,
        user_header: user_header.value,
        groups_header: groups_header.map(|header| header.value),
        rules: ProxyRules {
            groups,
            new_users: match new_users.value {
                NewUsers::Refuse => None,
                NewUsers::Viewer => Some(Role::Viewer),
                NewUsers::Operator => Some(Role::Operator),
                NewUsers::Admin => Some(Role::Admin),
            },
        },
        sign_out_url: sign_out_url.map(|url| url.value),
    })
}
