//! The pages of people without a session, or without enough rights: signing in and out.

use leptos::prelude::*;

use super::{PageScript, PlainPage, texts};

/// The form for name and password.
pub struct SignInForm {
    /// The reason why the attempt before failed.
    pub problem: Option<String>,
    /// The name of the attempt before, so that a wrong password costs nothing else.
    pub name: Option<String>,
    /// The address for which passkeys work; none where there are none.
    pub origin: Option<String>,
}

impl SignInForm {
    pub fn page(self) -> PlainPage {
        let problem = self
            .problem
            .map(|problem| view! { <p class="plain-problem" role="alert">{problem}</p> });
        let known = self.name.is_some();
        let body = view! {
            {problem}
            <form method="post" action="/sign-in" class="plain-form">
                <label>
                    {texts::NAME}
                    <input
                        name="name"
                        value=self.name
                        autocomplete="username"
                        maxlength="64"
                        required
                        autofocus=!known
                    />
                </label>
                <label>
                    {texts::sign_in::PASSWORD}
                    <input
                        name="password"
                        type="password"
                        autocomplete="current-password"
                        maxlength="256"
                        required
                        autofocus=known
                    />
                </label>
                <button type="submit" class="button button--primary">
                    {texts::sign_in::SIGN_IN}
                </button>
            </form>
            {passkey(self.origin, Rank::Second)}
            <p>
                {texts::sign_in::NO_PASSWORD}
                <code>{texts::SIGN_IN_LINK_COMMAND}</code>
                {texts::sign_in::MAKES_ONE_FOR_ADMIN}
            </p>
        };
        PlainPage {
            script: PageScript::Passkeys,
            ..page(
                texts::sign_in::SIGN_IN,
                texts::sign_in::SIGN_IN,
                body.into_any(),
            )
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
        let title = texts::sign_in::sign_in_as(&self.name);
        let action = format!("/sign-in?token={}", self.token);
        let instead = self
            .now
            .map(|now| view! { <p>{texts::sign_in::signed_in_as(&now)}</p> });
        let body = view! {
            <p>{texts::sign_in::LINK_SIGNS_IN_ONCE}</p>
            {instead}
            <form method="post" action=action class="plain-form">
                <button type="submit" class="button button--primary" autofocus>
                    {texts::sign_in::SIGN_IN}
                </button>
            </form>
        };
        page(&title, &title, body.into_any())
    }
}

/// The page of a link that is used, expired or unknown.
pub fn dead_link() -> PlainPage {
    let title = texts::sign_in::LINK_NO_LONGER_WORKS;
    let body = view! {
        <p><a href="/sign-in">{texts::sign_in::WITH_PASSWORD}</a></p>
        <p>{texts::sign_in::WHY_LINK_IS_DEAD}</p>
    };
    page(title, title, body.into_any())
}

/// The page while the database fails.
pub fn no_database() -> PlainPage {
    let title = texts::sign_in::NO_DATABASE;
    let text = texts::sign_in::TRY_IN_A_MOMENT;
    page(title, title, view! { <p>{text}</p> }.into_any())
}

/// The page after a correct password of a user who also needs a passkey. `origin` is the address for
/// which passkeys work; none where there are none.
pub fn second_step(origin: Option<String>) -> PlainPage {
    let title = texts::sign_in::NOW_YOUR_PASSKEY;
    let body = view! {
        <p>{texts::sign_in::PASSWORD_IS_CORRECT}</p>
        {passkey(origin, Rank::Only)}
        <p>
            {texts::sign_in::NO_PASSKEY}
            <a href="/sign-in">{texts::sign_in::START_OVER}</a>
        </p>
    };
    PlainPage {
        script: PageScript::Passkeys,
        ..page(title, title, body.into_any())
    }
}

/// The page for people that the reverse proxy names and that may not sign in.
pub fn access_denied(why: &'static str) -> PlainPage {
    let body = view! { <p>{why}</p> };
    page(
        texts::sign_in::NOT_SIGNED_IN,
        texts::sign_in::ACCESS_DENIED,
        body.into_any(),
    )
}

/// The page after a sign-out of a person whom the reverse proxy still recognises. `url` ends the
/// session there.
pub fn signed_out(url: Option<String>) -> PlainPage {
    let further = match url {
        Some(url) => {
            view! { <a href=url class="button">{texts::sign_in::SIGN_OUT_THERE}</a> }.into_any()
        }
        None => texts::sign_in::SIGN_OUT_THERE_OR_CLOSE.into_any(),
    };
    let body = view! {
        <p>{texts::sign_in::SESSION_HAS_ENDED}</p>
        <p>{further}</p>
    };
    page(
        texts::sign_in::SIGNED_OUT,
        texts::sign_in::SIGNED_OUT_OF_JARVIS,
        body.into_any(),
    )
}

/// The page for people who open a page of admins.
pub fn admins_only(why: &'static str) -> PlainPage {
    let body = view! {
        <p>{texts::sign_in::ask_an_admin(why)}</p>
        <p>
            <a href="/settings">{texts::sign_in::YOUR_SETTINGS}</a>
        </p>
    };
    page(
        texts::sign_in::ADMINS_ONLY,
        texts::sign_in::ADMINS_ONLY,
        body.into_any(),
    )
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
                    <p>{texts::sign_in::PROXY_SIGNS_IN}</p>
                    <button type="submit" class="button button--primary">
                        {texts::sign_in::SIGN_OUT}
                    </button>
                </form>
            }
            .into_any()
        } else if !self.own_way_in {
            view! {
                <p>
                    {texts::sign_in::BY_NEW_LINK}
                    <code>{texts::SIGN_IN_LINK_COMMAND}</code>
                    {texts::sign_in::MAKES_ONE}
                </p>
            }
            .into_any()
        } else {
            view! {
                {self.by_proxy.then_some(texts::sign_in::PROXY_IS_NOT_ENOUGH)}
                <p>
                    <a href="/sign-in" class="button button--primary">{texts::sign_in::SIGN_IN}</a>
                </p>
            }
            .into_any()
        };
        let title = texts::sign_in::SIGN_IN_AGAIN;
        let body = view! {
            <p>{texts::sign_in::NEEDS_FRESH}</p>
            {further}
        };
        page(title, title, body.into_any())
    }
}

fn page(title: &str, heading: &str, body: AnyView) -> PlainPage {
    let body = view! {
        <main>
            <p class="sign-in-name">{texts::sign_in::BRAND}</p>
            <h1>{heading.to_owned()}</h1>
            {body}
        </main>
    };
    PlainPage {
        class: "sign-in",
        title: title.to_owned(),
        body: body.into_any(),
        script: PageScript::None,
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
                {texts::sign_in::WITH_PASSKEY}
            </button>
            <p role="status">{alone.then_some(texts::PASSKEYS_NEED_JAVASCRIPT)}</p>
        </div>
    };
    Some(part.into_any())
}
