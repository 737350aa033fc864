//! The implementation for a type.
//!
//! The generated code is minimal, for the size of the browser's module: shared logic is in
//! `protocol::JsonReader`, and an enum is a match on an index in a list of names.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{
    Data, DataEnum, DeriveInput, Error, Field, Fields, FieldsNamed, FieldsUnnamed, Ident, LitStr,
    Result, Type, Variant, ext::IdentExt as _, parse_quote,
};

use crate::attributes::{Attributes, Default};

// The attributes that each place may have.
const STRUCT: [&str; 4] = ["rename", "rename_all", "default", "deny_unknown_fields"];
const NEWTYPE: [&str; 2] = ["rename", "transparent"];
const ENUM: [&str; 4] = ["rename", "rename_all", "tag", "deny_unknown_fields"];
const VARIANT: [&str; 3] = ["rename", "rename_all", "other"];
const FIELD: [&str; 4] = ["rename", "default", "flatten", "skip_serializing_if"];

/// Returns the implementation of `FromJson` for a type.
pub(crate) fn reader(input: &DeriveInput) -> Result<TokenStream> {
    let known: &[&str] = match &input.data {
        Data::Enum(_) => &ENUM,
        Data::Struct(data) if matches!(data.fields, Fields::Unnamed(_)) => &NEWTYPE,
        _ => &STRUCT,
    };
    let attributes = Attributes::of(&input.attrs, known)?;
    let body = match &input.data {
        Data::Struct(data) => of_struct(&input.ident, &data.fields, &attributes)?,
        Data::Enum(data) => of_enum(data, &attributes)?,
        Data::Union(_) => return Err(Error::new_spanned(&input.ident, "a union cannot be read")),
    };
    let mut generics = input.generics.clone();
    for parameter in generics.type_params_mut() {
        parameter.bounds.push(parse_quote!(::protocol::FromJson));
    }
    let name = &input.ident;
    let (parameters, arguments, bounds) = generics.split_for_impl();
    Ok(quote! {
        impl #parameters ::protocol::FromJson for #name #arguments #bounds {
            fn read_json(json: &mut ::protocol::JsonReader) -> Self {
                #body
            }
        }
    })
}

fn of_struct(name: &Ident, fields: &Fields, attributes: &Attributes) -> Result<TokenStream> {
    match fields {
        Fields::Named(fields) if !fields.named.is_empty() => {
            let has_whole = match attributes.default {
                Some(Default::By(_)) => {
                    return Err(Error::new_spanned(name, "a default by a function"));
                }
                Some(Default::OfType) => true,
                None => false,
            };
            let whole = quote!(let instead: Self = ::core::default::Default::default(););
            let whole = has_whole.then_some(whole);
            let fields = named(fields, has_whole)?;
            Ok(quote!(#whole Self { #fields }))
        }
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
            no_attributes(fields)?;
            Ok(quote!(Self(::protocol::FromJson::read_json(json))))
        }
        _ => Err(Error::new_spanned(
            name,
            "neither named fields nor a single one",
        )),
    }
}

/// # Errors
/// A field without a name has an attribute.
fn no_attributes(fields: &FieldsUnnamed) -> Result<()> {
    let mut all = fields.unnamed.iter();
    all.try_for_each(|field| Attributes::of(&field.attrs, &[]).map(drop))
}

/// Readers for the fields of a struct or a variant. With `has_whole`, missing fields are taken from
/// the variable `instead`.
fn named(fields: &FieldsNamed, has_whole: bool) -> Result<TokenStream> {
    let all = fields.named.iter().map(|field| one(field, has_whole));
    let all = all.collect::<Result<Vec<_>>>()?;
    Ok(quote!(#(#all,)*))
}

fn one(field: &Field, has_whole: bool) -> Result<TokenStream> {
    let attributes = Attributes::of(&field.attrs, &FIELD)?;
    let member = &field.ident;
    if attributes.is_flat {
        if attributes.name.is_some() || attributes.default.is_some() || is_option(&field.ty) {
            let reason = "a flattened field has no name, no default and no `Option`";
            return Err(Error::new_spanned(member, reason));
        }
        return Ok(quote!(#member: ::protocol::FromJson::read_json(json)));
    }
    let name = match (&attributes.name, member) {
        (Some(name), _) => name.clone(),
        (None, Some(member)) => text(member, &member.unraw().to_string()),
        (None, None) => return Err(Error::new_spanned(field, "a field without a name")),
    };
    let instead = match &attributes.default {
        Some(Default::By(function)) => quote!(#function()),
        Some(Default::OfType) => quote!(::core::default::Default::default()),
        None if has_whole => quote!(instead.#member),
        None if is_option(&field.ty) => quote!(::core::option::Option::None),
        None => return Ok(quote!(#member: json.take(#name))),
    };
    Ok(quote!(#member: json.take_or(#name, #instead)))
}

/// Returns whether a type is an `Option`, which may be missing, as in serde.
fn is_option(of: &Type) -> bool {
    let Type::Path(path) = of else {
        return false;
    };
    let last = path.path.segments.last();
    last.is_some_and(|last| last.ident == "Option")
}

fn of_enum(data: &DataEnum, attributes: &Attributes) -> Result<TokenStream> {
    let mut names = Vec::new();
    let mut values = Vec::new();
    let mut other = None;
    for variant in &data.variants {
        let of_variant = Attributes::of(&variant.attrs, &VARIANT)?;
        if of_variant.is_other {
            let name = &variant.ident;
            other = Some(quote!(Self::#name));
            continue;
        }
        let name = of_variant.name.unwrap_or_else(|| {
            let name = variant.ident.unraw().to_string();
            let name = if attributes.is_snake_case {
                snake_case(&name)
            } else {
                name
            };
            text(&variant.ident, &name)
        });
        values.push(value(variant, &name, attributes.tag.is_some())?);
        names.push(name);
    }
    let place = place(data, attributes, &names, other.is_some())?;
    // The last arm also runs after a mistake.
    let Some(rest) = other.or_else(|| values.pop()) else {
        return Err(Error::new_spanned(&data.variants, "no variant to read"));
    };
    let places = 0..values.len();
    Ok(quote! {
        match #place {
            #(#places => #values,)*
            _ => #rest,
        }
    })
}

/// An expression for the index of the variant's name in `names`.
fn place(
    data: &DataEnum,
    attributes: &Attributes,
    names: &[LitStr],
    has_other: bool,
) -> Result<TokenStream> {
    let is_every = |fits: fn(&Fields) -> bool| data.variants.iter().all(|it| fits(&it.fields));
    if let Some(tag) = &attributes.tag {
        return Ok(if has_other {
            quote!(json.tag_or_other(#tag, &[#(#names),*]))
        } else {
            quote!(json.tag(#tag, &[#(#names),*]))
        });
    }
    if is_every(|fields| matches!(fields, Fields::Unit)) {
        return Ok(if has_other {
            quote!(json.word_or_other(&[#(#names),*]))
        } else {
            quote!(json.word(&[#(#names),*]))
        });
    }
    if is_every(|fields| matches!(fields, Fields::Unnamed(_))) && !has_other {
        return Ok(quote!(json.key(&[#(#names),*])));
    }
    Err(Error::new_spanned(
        &data.variants,
        "neither words, nor tagged, nor all with one unnamed field",
    ))
}

fn value(variant: &Variant, name: &LitStr, is_tagged: bool) -> Result<TokenStream> {
    let variant_name = &variant.ident;
    Ok(match &variant.fields {
        Fields::Unit => quote!(Self::#variant_name),
        Fields::Named(fields) => {
            let fields = named(fields, false)?;
            quote!(Self::#variant_name { #fields })
        }
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 && !is_tagged => {
            no_attributes(fields)?;
            quote!(Self::#variant_name(json.take(#name)))
        }
        Fields::Unnamed(_) => {
            return Err(Error::new_spanned(variant_name, "these fields need names"));
        }
    })
}

fn snake_case(name: &str) -> String {
    let mut words = String::new();
    for (at, letter) in name.char_indices() {
        if letter.is_uppercase() && at > 0 {
            words.push('_');
        }
        words.push(letter.to_ascii_lowercase());
    }
    words
}

fn text(at: &Ident, text: &str) -> LitStr {
    LitStr::new(text, at.span())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(definition: &str, reason: &str) {
        let input: DeriveInput = syn::parse_str(definition).unwrap();
        let error = reader(&input).unwrap_err();
        assert_eq!(error.to_string(), reason, "{definition}");
    }

    #[test]
    fn what_serde_would_read_in_another_way_does_not_compile() {
        for (definition, name) in [
            ("#[serde(untagged)] enum Any { One(u64) }", "untagged"),
            (
                r#"#[serde(tag = "t", content = "c")] enum Any { One(u64) }"#,
                "content",
            ),
            ("struct Any { #[serde(skip)] one: u64 }", "skip"),
            (
                r#"struct Any { #[serde(deserialize_with = "f")] one: u64 }"#,
                "deserialize_with",
            ),
            // Known, but not there.
            (r#"struct Any(#[serde(with = "f")] u64);"#, "with"),
            (r#"enum Any { One(#[serde(with = "f")] u64) }"#, "with"),
            (
                "#[serde(transparent)] struct Any { one: u64 }",
                "transparent",
            ),
            ("#[serde(flatten)] struct Any { one: u64 }", "flatten"),
            (r#"struct Any { #[serde(tag = "t")] one: u64 }"#, "tag"),
        ] {
            let reason = format!("`FromJson` does not support `{name}` here");
            refused(definition, &reason);
        }
        refused(
            "struct Any { #[serde(flatten)] one: Option<u64> }",
            "a flattened field has no name, no default and no `Option`",
        );
        refused("struct Any {}", "neither named fields nor a single one");
        refused(
            r#"#[serde(rename_all = "lowercase")] enum Any { One }"#,
            "`FromJson` supports only `snake_case`",
        );
        refused(
            r#"#[serde(tag = "t")] enum Any { One(u64) }"#,
            "these fields need names",
        );
        refused(
            "struct Any(u64, u64);",
            "neither named fields nor a single one",
        );
    }

    #[test]
    fn words_of_variants() {
        for (name, words) in [("Done", "done"), ("NotDone", "not_done"), ("ABig", "a_big")] {
            assert_eq!(snake_case(name), words);
        }
    }
}
