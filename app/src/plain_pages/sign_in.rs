//! The pages of people without a session, or without enough rights: signing in and out.

use leptos::prelude::*;

use super::{PASSKEYS, PlainPage};

/// The form for name and password.
pub struct SignInForm {
    /// The reason why the attempt before failed.
    pub problem: Option<String>,
    /// The address for which passkeys work; none where there are none.
    pub origin: Option<String>,
}

impl SignInForm {
    pub fn page(self) -> PlainPage {
        let problem = self
            .problem
            .map(|problem| view! { <p class="plain-problem" role="alert">{problem}</p> });
        let body = view! {
            {problem}
            <form method="post" action="/sign-in" class="plain-form">
                <label>
                    "Name"
                    <input name="name" autocomplete="username" maxlength="64" required autofocus />
                </label>
                <label>
                    "Password"
                    <input
                        name="password"
                        type="password"
                        autocomplete="current-password"
                        maxlength="256"
                        required
                    />
                </label>
                <button type="submit" class="button button--primary">
                    "Sign in"
                </button>
            </form>
            {passkey(self.origin, Rank::Second)}
            <p>
                "No password? An admin can make you a sign-in link. On the server, "
                <code>"jarvis sign-in-link"</code> " makes one for an admin."
            </p>
        };
        PlainPage {
            script: Some(PASSKEYS),
            ..page("Sign in", "Sign in", body.into_any())
        }
    }
}

/// The page of a valid link.
pub struct LinkOffer {
    pub token: String,
    /// The user that the link signs in.
    pub name: String,
    /// The user who is signed in with this browser.
    pub now: Option<String>,
}

impl LinkOffer {
    pub fn page(self) -> PlainPage {
        let title = format!("Sign in as {}", self.name);
        let action = format!("/sign-in?token={}", self.token);
        let instead = self.now.map(
            |now| view! { <p>{format!("You are signed in as {now}. That session will end.")}</p> },
        );
        let body = view! {
            <p>"This link signs this browser in, once. If you didn't expect it, close this page."</p>
            {instead}
            <form method="post" action=action class="plain-form">
                <button type="submit" class="button button--primary" autofocus>
                    "Sign in"
                </button>
            </form>
        };
        page(&title, &title, body.into_any())
    }
}

/// The page of a link that is used, expired or unknown.
pub fn dead_link() -> PlainPage {
    let title = "This link no longer works";
    let body = view! {
        <p><a href="/sign-in">"Sign in with a password"</a></p>
        <p>
            "A sign-in link works once and for one hour. This one has expired, was used or is \
            incomplete. Ask whoever gave it to you for a new one."
        </p>
    };
    page(title, title, body.into_any())
}

/// The page while the database fails.
pub fn no_database() -> PlainPage {
    let title = "Jarvis can't reach its database";
    let text = "Try again in a moment. The server's log has the details.";
    page(title, title, view! { <p>{text}</p> }.into_any())
}

/// The page after a correct password of a user who also needs a passkey. `origin` is the address for
/// which passkeys work; none where there are none.
pub fn second_step(origin: Option<String>) -> PlainPage {
    let title = "Now your passkey";
    let body = view! {
        <p>"Your password is correct. You chose to require a passkey as well."</p>
        {passkey(origin, Rank::Only)}
        <p>
            "No passkey at hand? An admin can make you a sign-in link. "
            <a href="/sign-in">"Start over"</a>
        </p>
    };
    PlainPage {
        script: Some(PASSKEYS),
        ..page(title, title, body.into_any())
    }
}

/// The page for people that the reverse proxy names and that may not sign in.
pub fn access_denied(why: &'static str) -> PlainPage {
    let body = view! { <p>{why}</p> };
    page("Not signed in", "Access denied", body.into_any())
}

/// The page after a sign-out of a person whom the reverse proxy still recognises. `url` ends the
/// session there.
pub fn signed_out(url: Option<String>) -> PlainPage {
    let further = match url {
        Some(url) => view! { <a href=url class="button">"Sign out there too"</a> }.into_any(),
        None => view! { "Sign out there too, or close the browser." }.into_any(),
    };
    let body = view! {
        <p>
            "Your session here has ended. Your reverse proxy still recognises you, so the \
            next page you open starts a new one."
        </p>
        <p>{further}</p>
    };
    page("Signed out", "Signed out of Jarvis", body.into_any())
}

/// The page for people who open a page of admins.
pub fn admins_only(why: &'static str) -> PlainPage {
    let body = view! {
        <p>{why} " Ask an admin, or sign in as one."</p>
        <p>
            <a href="/settings">"Your settings"</a>
        </p>
    };
    page("Admins only", "Admins only", body.into_any())
}

/// The page before a change that needs a fresh sign-in.
pub struct SignInAgain {
    /// True if the reverse proxy signed the person in, which is not enough.
    pub by_proxy: bool,
    /// True if the person has a password or a passkey.
    pub own_way_in: bool,
}

impl SignInAgain {
    pub fn page(self) -> PlainPage {
        let further = if self.by_proxy && !self.own_way_in {
            view! {
                <form method="post" action="/sign-out">
                    <p>"Your reverse proxy signs you in: sign out, then open this page again."</p>
                    <button type="submit" class="button button--primary">"Sign out"</button>
                </form>
            }
            .into_any()
        } else {
            view! {
                {self.by_proxy.then_some("Signing in through your reverse proxy isn't enough.")}
                <p>
                    <a href="/sign-in" class="button button--primary">"Sign in"</a>
                </p>
            }
            .into_any()
        };
        let title = "Sign in again";
        let body = view! {
            <p>
                "This change needs a sign-in within the last 15 minutes, with your password \
                or a passkey. Nothing was changed."
            </p>
            {further}
        };
        page(title, title, body.into_any())
    }
}

fn page(title: &str, heading: &str, body: AnyView) -> PlainPage {
    let body = view! {
        <main>
            <p class="sign-in-name">"J.A.R.V.I.S."</p>
            <h1>{heading.to_owned()}</h1>
            {body}
        </main>
    };
    PlainPage {
        class: "sign-in",
        title: title.to_owned(),
        body: body.into_any(),
        script: None,
    }
}

/// The place of a passkey among the ways in of a page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rank {
    Only,
    Second,
}

/// Draws the part of a page that asks for a passkey; none without an address for it.
fn passkey(origin: Option<String>, rank: Rank) -> Option<AnyView> {
    let alone = rank == Rank::Only;
    let class = if alone {
        "button button--primary"
    } else {
        "button"
    };
    let origin = origin?;
    let part = view! {
        <div class="plain-form" data-passkey="sign-in" data-origin=origin>
            <button type="button" class=class hidden>
                "Sign in with a passkey"
            </button>
            <p role="status">{alone.then_some("Passkeys need JavaScript.")}</p>
        </div>
    };
    Some(part.into_any())
}
