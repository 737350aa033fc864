//! Pages without the module: whole documents with plain forms, rendered on the server only.
//!
//! Each page is a struct of the data that it shows, with its texts and its view beside it. Everything
//! untrusted in it is text of a view, which escapes it.

mod qr_code;
pub mod settings;
pub mod sign_in;
mod texts;

use leptos::prelude::*;
use protocol::Timestamp;

/// The looks of a page: the theme that the browser asks for, and the URL path of the style sheet.
pub struct PageLook {
    pub theme: &'static str,
    pub style: String,
}

/// The script of a page, which its content policy has to allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageScript {
    None,
    /// Buttons that copy a secret.
    Copy,
    /// Asks for passkeys, and tells the server of them.
    Passkeys,
}

impl PageScript {
    fn path(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Copy => Some("/copy.js"),
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
        let title = texts::title_of_document(&self.title);
        let script = self
            .script
            .path()
            .map(|path| view! { <script src=path defer></script> }.into_any());
        let view = view! {
            <html lang="en" data-theme=look.theme>
                <head>
                    <meta charset="utf-8" />
                    <meta name="viewport" content="width=device-width, initial-scale=1" />
                    <meta name="color-scheme" content="dark light" />
                    <title>{title}</title>
                    <link rel="icon" href="/favicon.svg" />
                    <link rel="stylesheet" href=look.style />
                    {script}
                </head>
                <body class=self.class>{self.body}</body>
            </html>
        };
        format!("<!DOCTYPE html>{}", view.to_html())
    }
}

/// Formats a moment in words, to the minute, in UTC: these pages have no script that knows the
/// reader's time zone.
fn moment(at: Timestamp) -> String {
    let minutes = at.0.div_euclid(60_000);
    let (days, minute) = (minutes.div_euclid(1440), minutes.rem_euclid(1440));
    let (year, month, day) = units::civil::date(days);
    let (hour, minute) = (minute / 60, minute % 60);
    texts::utc(&format!(
        "{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_of_the_calendar() {
        for (ms, text) in [
            (0, "1970-01-01 00:00 UTC"),
            (951_782_400_000, "2000-02-29 00:00 UTC"),
            (1_700_000_000_000, "2023-11-14 22:13 UTC"),
            (1_709_251_199_999, "2024-02-29 23:59 UTC"),
            (4_107_542_400_000, "2100-03-01 00:00 UTC"),
            (-60_000, "1969-12-31 23:59 UTC"),
        ] {
            assert_eq!(moment(Timestamp(ms)), text);
        }
    }
}
