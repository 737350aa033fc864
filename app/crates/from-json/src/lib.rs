#![doc = include_str!("../README.md")]

mod attributes;
mod expand;

use proc_macro::TokenStream;

/// Implements `protocol::FromJson` as `serde` reads the type from JSON.
#[proc_macro_derive(FromJson, attributes(serde))]
pub fn from_json(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    expand::reader(&input)
        .unwrap_or_else(|error| error.to_compile_error())
        .into()
}
