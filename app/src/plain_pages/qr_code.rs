//! QR codes of links, so that a phone can open what a computer shows.

use std::fmt::Write as _;

use leptos::prelude::*;
use qrcodegen::{QrCode, QrCodeEcc};

/// Light modules around the code, which readers need.
const MARGIN: i32 = 4;

/// Draws the code of a text; nothing if the text is too long for one.
pub(super) fn view(text: &str, label: &'static str) -> Option<AnyView> {
    let code = QrCode::encode_text(text, QrCodeEcc::Medium).ok()?;
    let side = code.size() + 2 * MARGIN;
    let view = format!("0 0 {side} {side}");
    Some(
        view! {
            <svg class="plain-qr" viewBox=view role="img" aria-label=label>
                <path d=dark(&code) />
            </svg>
        }
        .into_any(),
    )
}

/// Returns the code of a text as an SVG document; none if the text is too long for one.
pub fn qr_svg(text: &str) -> Option<String> {
    let code = QrCode::encode_text(text, QrCodeEcc::Medium).ok()?;
    let side = code.size() + 2 * MARGIN;
    Some(format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}"><path fill="#fff" d="M0 0h{side}v{side}H0z"/><path d="{}"/></svg>"##,
        dark(&code)
    ))
}

/// The dark modules as a path: one rectangle for each run in a row.
fn dark(code: &QrCode) -> String {
    let size = code.size();
    let mut path = String::new();
    for y in 0..size {
        let mut x = 0;
        while x < size {
            let from = x;
            while x < size && code.get_module(x, y) {
                x += 1;
            }
            if x > from {
                // Writing to a string cannot fail.
                let _ = write!(
                    path,
                    "M{} {}h{}v1H{0}z",
                    from + MARGIN,
                    y + MARGIN,
                    x - from
                );
            }
            x += 1;
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The finder patterns of three corners are known; the rest is the library's.
    #[test]
    fn runs_of_a_row_are_one_rectangle() {
        let code = QrCode::encode_text(
            "https://jarvis.example/sign-in?token=abc",
            QrCodeEcc::Medium,
        );
        let path = dark(&code.unwrap());
        assert!(path.starts_with("M4 4h7v1H4z"), "{path}");
        assert!(path.contains("M4 5h1v1H4zM10 5h1v1H10z"), "{path}");
    }

    #[test]
    fn what_is_too_long_has_none() {
        assert!(view(&"x".repeat(5000), "").is_none());
    }
}
