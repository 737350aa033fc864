//! Keys pressed together, as text: `?`, `Shift+N`, `Mod+L`. `Mod` is Ctrl, and Cmd as well.

use leptos::ev;

/// Letters that the browser, or the fields of a page, need with Ctrl.
const OF_THE_BROWSER: &str = "ACFHNPQRTVWXYZ";

/// Returns the chord of an event; none for a modifier alone.
pub(super) fn of_event(event: &ev::KeyboardEvent) -> Option<String> {
    of_keys(
        &event.key(),
        event.ctrl_key() || event.meta_key(),
        event.alt_key(),
        event.shift_key(),
    )
}

fn of_keys(key: &str, primary: bool, alt: bool, shift: bool) -> Option<String> {
    let mut signs = key.chars();
    let sign = signs.next().filter(|_| signs.next().is_none());
    let letter = sign.is_some_and(char::is_alphabetic);
    if matches!(
        key,
        "" | "Alt"
            | "AltGraph"
            | "Control"
            | "Dead"
            | "Meta"
            | "Process"
            | "Shift"
            | "Unidentified"
    ) {
        return None;
    }
    let mut keys = String::new();
    for (held, name) in [
        (primary, "Mod+"),
        (alt, "Alt+"),
        // A character already reflects Shift, except for letters.
        (shift && (letter || sign.is_none()), "Shift+"),
    ] {
        if held {
            keys.push_str(name);
        }
    }
    match sign {
        Some(' ') => keys.push_str("Space"),
        Some(_) if letter => keys.push_str(&upper(key)),
        _ => keys.push_str(key),
    }
    Some(keys)
}

/// Returns the upper case, from the browser where there is one: tables of all letters are 17 kB.
fn upper(key: &str) -> String {
    #[cfg(target_family = "wasm")]
    return js_sys::JsString::from(key).to_upper_case().into();
    #[cfg(not(target_family = "wasm"))]
    key.to_uppercase()
}

/// Returns whether it types a character in a field.
pub(super) fn is_plain(keys: &str) -> bool {
    let sign = keys.strip_prefix("Shift+").unwrap_or(keys);
    sign.chars().count() == 1
}

/// Returns whether a person may bind it: a letter, a digit or a sign, alone or with Ctrl or Alt,
/// that neither the browser nor the parts of a page need.
pub(super) fn is_free(keys: &str) -> bool {
    let rest = keys.strip_prefix("Mod+").unwrap_or(keys);
    let rest = rest.strip_prefix("Alt+").unwrap_or(rest);
    let browser = keys.strip_prefix("Mod+").is_some_and(|sign| {
        sign.chars().count() == 1 && (OF_THE_BROWSER.contains(sign) || "+-0".contains(sign))
    });
    is_plain(rest) && !browser
}

/// Formats it for people.
pub(super) fn shown(keys: &str) -> String {
    keys.replace("Mod+", "Ctrl+").replace("Escape", "Esc")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_one_name() {
        for (key, held, expect) in [
            ("?", "s", Some("?")),
            ("n", "", Some("N")),
            ("N", "", Some("N")),
            ("N", "s", Some("Shift+N")),
            ("l", "c", Some("Mod+L")),
            ("L", "cs", Some("Mod+Shift+L")),
            ("Escape", "", Some("Escape")),
            (" ", "", Some("Space")),
            ("Tab", "s", Some("Shift+Tab")),
            ("Control", "c", None),
            ("Dead", "", None),
        ] {
            let held = |sign| held.contains(sign);
            let keys = of_keys(key, held('c'), held('a'), held('s'));
            assert_eq!(keys.as_deref(), expect, "{key}");
        }
    }

    #[test]
    fn what_may_be_bound() {
        for keys in [
            "X",
            "7",
            "/",
            "Shift+X",
            "Mod+J",
            "Alt+X",
            "Mod+Alt+W",
            "Mod+Shift+X",
        ] {
            assert!(is_free(keys), "{keys}");
        }
        for keys in [
            "Space",
            "Enter",
            "Tab",
            "Escape",
            "ArrowUp",
            "Mod+W",
            "Mod+Enter",
            "Mod+0",
            "F5",
        ] {
            assert!(!is_free(keys), "{keys}");
        }
        for (keys, plain) in [
            ("X", true),
            ("Shift+X", true),
            ("Mod+X", false),
            ("Escape", false),
        ] {
            assert_eq!(is_plain(keys), plain, "{keys}");
        }
    }
}
