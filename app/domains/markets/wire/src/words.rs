//! Enums whose variants are one word each in JSON.

use serde_json::Value;

/// Defines an enum of words, with the way from a word to its variant and back.
///
/// The words are also in the schemas of tools. There, a doc comment of a variant would become a
/// part of what the model reads.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$of:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord,
            ::serde::Serialize, ::serde::Deserialize,
        )]
        #[cfg_attr(not(target_arch = "wasm32"), derive(::schemars::JsonSchema))]
        pub enum $name {
            $($(#[$of])* #[serde(rename = $word)] $variant,)*
        }

        impl $name {
            /// All of them, in the order of their definition.
            pub const ALL: [Self; [$($word),*].len()] = [$(Self::$variant),*];

            /// The words, in the same order.
            const NAMES: [&'static str; [$($word),*].len()] = [$($word),*];

            /// Returns the word for it.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }

            /// Returns the one with this word.
            pub fn named(word: &str) -> Option<Self> {
                let at = $crate::words::place(&Self::NAMES, word)?;
                Self::ALL.get(at).copied()
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl ::protocol::FromJson for $name {
            fn from_json(json: ::serde_json::Value) -> Option<Self> {
                let at = $crate::words::place_of(&Self::NAMES, &json)?;
                Self::ALL.get(at).copied()
            }
        }
    };
}

pub(crate) use words;

/// Returns the place of a word in a list. One function for all enums, for the browser's sake.
pub(crate) fn place(names: &[&str], word: &str) -> Option<usize> {
    names.iter().position(|name| *name == word)
}

pub(crate) fn place_of(names: &[&str], json: &Value) -> Option<usize> {
    place(names, json.as_str()?)
}
