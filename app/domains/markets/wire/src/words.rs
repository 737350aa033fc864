//! Enums whose variants are one word each in JSON.

/// Defines an enum of words, with the way from a word to its variant and back.
///
/// The words are also in the schemas of tools. There, a doc comment of a variant would become a
/// part of what the model reads.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident {
        $(#[$of:meta])* $first:ident = $word:literal,
        $($(#[$of_more:meta])* $more:ident = $more_words:literal,)*
    }) => {
        $(#[$doc])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord,
            ::serde::Serialize, ::serde::Deserialize, ::protocol::FromJson,
        )]
        #[cfg_attr(not(target_arch = "wasm32"), derive(::schemars::JsonSchema))]
        pub enum $name {
            $(#[$of])*
            #[serde(rename = $word)]
            $first,
            $($(#[$of_more])* #[serde(rename = $more_words)] $more,)*
        }

        impl $name {
            /// All of them, in the order of their definition.
            pub const ALL: [Self; Self::NAMES.len()] = [Self::$first, $(Self::$more),*];

            /// The words, in the same order.
            pub const NAMES: &'static [&'static str] = &[$word, $($more_words),*];

            /// Returns the word for it.
            pub fn name(self) -> &'static str {
                Self::NAMES.get(self as usize).copied().unwrap_or_default()
            }

            /// Returns the one with this word.
            pub fn named(word: &str) -> Option<Self> {
                let place = ::protocol::place_of(word, Self::NAMES)?;
                Self::ALL.get(place).copied()
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

pub(crate) use words;
