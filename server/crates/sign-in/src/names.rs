//! Names of users and passkeys.

use crate::texts;

/// The longest name, in characters.
const MAX_NAME: usize = 64;

/// Returns the problem with a name, as a sentence.
pub fn bad_name(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        Some(texts::NAME_IS_EMPTY)
    } else if name.chars().count() > MAX_NAME {
        Some(texts::NAME_IS_TOO_LONG)
    } else if name.chars().any(is_hidden) {
        Some(texts::NAME_HAS_INVISIBLE_CHARACTERS)
    } else {
        None
    }
}

/// Returns whether a character is invisible, or changes the display of others.
fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}
