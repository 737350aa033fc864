//! A user's sessions: their clients, and the forms that end them.

use leptos::prelude::*;
use protocol::Timestamp;

use super::{SettingsPage, Tab};
use crate::plain_pages::{moment, texts};

pub struct SessionsPage {
    pub sessions: Vec<SessionRow>,
}

/// A session of the user.
pub struct SessionRow {
    pub id: String,
    /// The `User-Agent` of the browser that began it.
    pub browser: Option<String>,
    pub address: Option<String>,
    pub began_by: WayIn,
    pub created: Timestamp,
    pub seen: Timestamp,
    /// True for the session that shows the page.
    pub own: bool,
}

/// The way in which a session began.
#[derive(Clone, Copy)]
pub enum WayIn {
    Link,
    Password,
    Passkey,
    PasswordAndPasskey,
    Proxy,
}

impl WayIn {
    fn words(self) -> &'static str {
        match self {
            Self::Link => texts::access::sessions::BY_LINK,
            Self::Password => texts::access::sessions::BY_PASSWORD,
            Self::Passkey => texts::access::sessions::BY_PASSKEY,
            Self::PasswordAndPasskey => texts::access::sessions::BY_PASSWORD_AND_PASSKEY,
            Self::Proxy => texts::access::sessions::BY_PROXY,
        }
    }
}

impl SettingsPage for SessionsPage {
    const TAB: Tab = Tab::Sessions;
    const SAVED: &'static str = texts::access::sessions::SAVED;

    fn view(self) -> AnyView {
        let more = self.sessions.len() > 1;
        let rows: Vec<_> = self.sessions.into_iter().map(row).collect();
        let all = more.then(|| {
            view! {
                <form method="post" action="/settings/sessions">
                    <button type="submit" class="button button--danger">
                        {texts::access::sessions::END_OTHERS}
                    </button>
                </form>
            }
        });
        view! {
            <section>
                <h2>{texts::access::sessions::ACTIVE}</h2>
                <p>{texts::access::sessions::LEAD}</p>
                <ul class="plain-list">{rows}</ul>
                {all}
            </section>
        }
        .into_any()
    }
}

fn row(session: SessionRow) -> AnyView {
    let browser = session.browser.as_deref();
    let browser = browser.map_or(texts::access::sessions::UNKNOWN_BROWSER.to_owned(), named);
    let about = texts::access::sessions::started(
        session
            .address
            .as_deref()
            .unwrap_or(texts::access::sessions::UNKNOWN_ADDRESS),
        &moment(session.created),
        session.began_by.words(),
        &moment(session.seen),
    );
    let end = if session.own {
        view! { <strong>{texts::access::sessions::THIS_ONE}</strong> }.into_any()
    } else {
        view! {
            <form method="post" action="/settings/sessions">
                <input type="hidden" name="session" value=session.id />
                <button type="submit" class="button button--small">
                    {texts::access::sessions::END}
                </button>
            </form>
        }
        .into_any()
    };
    view! {
        <li>
            <div>{browser} <small>{about}</small></div>
            {end}
        </li>
    }
    .into_any()
}

/// Returns the usual name of a browser from its `User-Agent`. Each one names several others too, so
/// the order counts.
fn named(browser: &str) -> String {
    let find = |list: &[(&str, &'static str)]| {
        let found = list.iter().find(|(mark, _)| browser.contains(mark));
        found.map(|(_, name)| *name)
    };
    let program = find(&[
        ("Edg", "Edge"),
        ("OPR/", "Opera"),
        ("Firefox/", "Firefox"),
        ("FxiOS/", "Firefox"),
        ("CriOS/", "Chrome"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    ]);
    let system = find(&[
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Android", "Android"),
        ("Windows", "Windows"),
        ("Mac OS X", "macOS"),
        ("CrOS", "ChromeOS"),
        ("Linux", "Linux"),
    ]);
    match (program, system) {
        (Some(program), Some(system)) => texts::access::sessions::program_on(program, system),
        (Some(program), None) => program.to_owned(),
        _ => browser.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn browsers_go_by_their_names() {
        let chrome = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) \
                      Chrome/149.0.0.0 Safari/537.36";
        let phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 \
                     (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";
        let edge = chrome.replace("X11; Linux x86_64", "Windows NT 10.0") + " Edg/149.0.0.0";
        for (browser, name) in [
            (chrome, "Chrome on Linux"),
            (phone, "Safari on iPhone"),
            (&edge, "Edge on Windows"),
            ("curl/8.5.0", "curl/8.5.0"),
        ] {
            assert_eq!(named(browser), name);
        }
    }
}
