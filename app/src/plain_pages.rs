//! Pages without the module: whole documents with plain forms, rendered on the server only.
//!
//! Each page is a struct of the data that it shows, with its texts and its view beside it. Everything
//! untrusted in it is text of a view, which escapes it.

mod qr_code;
pub mod settings;
pub mod sign_in;
mod texts;

pub use qr_code::qr_svg;

use leptos::prelude::*;
use protocol::Timestamp;

/// The looks of a page: the theme that the browser asks for, and the URL paths of the style sheets.
pub struct PageLook {
    pub theme: &'static str,
    pub styles: [String; 2],
}

/// The script of a page, which its content policy has to allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageScript {
    None,
    /// Buttons that copy a secret.
    Copy,
    /// The switch of this browser's notifications.
    Notifications,
    /// Asks for passkeys, and tells the server of them.
    Passkeys,
}

impl PageScript {
    fn path(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Copy => Some("/copy.js"),
            Self::Notifications => Some("/notify.js"),
            Self::Passkeys => Some("/passkeys.js"),
        }
    }
}

/// A whole page, before it is rendered.
pub struct PlainPage {
    class: &'static str,
    title: String,
    body: AnyView,
    script: PageScript,
}

impl PlainPage {
    pub fn script(&self) -> PageScript {
        self.script
    }

    pub fn html(self, look: PageLook) -> String {
        // As HTML, because a text of a view has a mark after it, which a title would show.
        let title = texts::title_of_document(&self.title)
            .replace('&', "&amp;")
            .replace('<', "&lt;");
        let script = self
            .script
            .path()
            .map(|path| view! { <script src=path defer></script> }.into_any());
        let styles = look
            .styles
            .map(|style| view! { <link rel="stylesheet" href=style /> });
        let view = view! {
            <html lang="en" data-theme=look.theme>
                <head>
                    <meta charset="utf-8" />
                    <meta name="viewport" content="width=device-width, initial-scale=1" />
                    <meta name="color-scheme" content="dark light" />
                    <title inner_html=title></title>
                    <link rel="icon" href="/favicon.svg" />
                    {styles}
                    {script}
                </head>
                <body class=self.class>{self.body}</body>
            </html>
        };
        format!("<!DOCTYPE html>{}", view.to_html())
    }
}

/// Formats a moment in UTC: these pages have no script that knows the reader's time zone.
fn moment(at: Timestamp) -> String {
    units::moment(at.0.div_euclid(1_000))
}
