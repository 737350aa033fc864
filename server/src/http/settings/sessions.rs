//! A user's sessions: their clients, and the forms that end them.

use agent::ports::SignInWay;
use axum::{Form, extract::rejection::FormRejection, response::Response};
use leptos::prelude::*;
use serde::Deserialize;

use super::{Note, Tab, UNREADABLE, Visit, done, moment};

#[derive(Deserialize)]
pub(super) struct Fields {
    /// The session to end; none ends all others.
    session: Option<String>,
}

pub(super) async fn page(visit: Visit) -> Response {
    let note = visit.note("The selected sessions have ended.");
    show(&visit, note).await
}

pub(super) async fn end(visit: Visit, fields: Result<Form<Fields>, FormRejection>) -> Response {
    let Ok(Form(fields)) = fields else {
        return show(&visit, Note::Problem(UNREADABLE.into())).await;
    };
    let auth = &visit.http.auth;
    let ended = auth.end_sessions(&visit.signed_in, fields.session.as_deref());
    match ended.await {
        Ok(()) => done("/settings/sessions?done=1"),
        Err(error) => visit.failed(&error),
    }
}

async fn show(visit: &Visit, note: Note) -> Response {
    let sessions = match visit.http.auth.sessions(&visit.signed_in).await {
        Ok(sessions) => sessions,
        Err(error) => return visit.failed(&error),
    };
    let more = sessions.len() > 1;
    let rows: Vec<_> = sessions
        .into_iter()
        .map(|session| {
            let browser = session.browser.as_deref();
            let browser = browser.map_or("Unknown browser".to_owned(), named);
            let how = match session.way {
                SignInWay::Link { .. } => "link",
                SignInWay::Password => "password",
                SignInWay::Passkey => "passkey",
                SignInWay::PasswordAndPasskey => "password and passkey",
                SignInWay::Proxy => "your reverse proxy",
            };
            let about = format!(
                "{} · started {} by {how} · last used {}",
                session.address.as_deref().unwrap_or("unknown address"),
                moment(session.created),
                moment(session.seen),
            );
            let end = if session.own {
                view! { <strong>"This session"</strong> }.into_any()
            } else {
                view! {
                    <form method="post" action="/settings/sessions">
                        <input type="hidden" name="session" value=session.id />
                        <button type="submit" class="button button--small">
                            "End session"
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
        })
        .collect();
    let all = more.then(|| {
        view! {
            <form method="post" action="/settings/sessions">
                <button type="submit" class="button button--danger">
                    "End all others"
                </button>
            </form>
        }
    });
    let body = view! {
        <section>
            <h2>"Active sessions"</h2>
            <p>"Anyone using one of these sessions can do what you can. End any you don't \
            recognise."</p>
            <ul class="plain-list">{rows}</ul>
            {all}
        </section>
    };
    visit.page(Tab::Sessions, note, body.into_any())
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
        (Some(program), Some(system)) => format!("{program} on {system}"),
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
