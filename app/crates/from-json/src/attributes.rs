//! The attributes of `serde` that decide how a type is read.

use syn::{Attribute, ExprPath, LitStr, Result, Token, meta::ParseNestedMeta};

/// The default value of a missing field.
pub(crate) enum Default {
    /// The default of its type.
    OfType,
    /// The return value of this function.
    By(ExprPath),
}

/// The attributes of a type, a variant or a field.
#[derive(std::default::Default)]
pub(crate) struct Attributes {
    /// `rename`.
    pub(crate) name: Option<LitStr>,
    /// `rename_all = "snake_case"`.
    pub(crate) is_snake_case: bool,
    /// `tag`: the field with the name of the variant.
    pub(crate) tag: Option<LitStr>,
    /// `other`: the variant for unknown names.
    pub(crate) is_other: bool,
    pub(crate) default: Option<Default>,
    /// `flatten`.
    pub(crate) is_flat: bool,
}

impl Attributes {
    /// Reads the attributes of a place that may have those in `known`.
    ///
    /// # Errors
    /// Another attribute: serde might read the type differently.
    pub(crate) fn of(attributes: &[Attribute], known: &[&str]) -> Result<Self> {
        let mut found = Self::default();
        for attribute in attributes {
            if attribute.path().is_ident("serde") {
                attribute.parse_nested_meta(|meta| found.add(&meta, known))?;
            }
        }
        Ok(found)
    }

    fn add(&mut self, meta: &ParseNestedMeta<'_>, known: &[&str]) -> Result<()> {
        let name = meta.path.require_ident()?.to_string();
        if !known.contains(&name.as_str()) {
            return Err(meta.error(format!("`FromJson` does not support `{name}` here")));
        }
        let text = || meta.value()?.parse::<LitStr>();
        match name.as_str() {
            "rename" => self.name = Some(text()?),
            "rename_all" => {
                let rule = text()?;
                if rule.value() != "snake_case" {
                    return Err(syn::Error::new(
                        rule.span(),
                        "`FromJson` supports only `snake_case`",
                    ));
                }
                self.is_snake_case = true;
            }
            "tag" => self.tag = Some(text()?),
            "other" => self.is_other = true,
            "default" if meta.input.peek(Token![=]) => {
                self.default = Some(Default::By(text()?.parse()?));
            }
            "default" => self.default = Some(Default::OfType),
            "flatten" => self.is_flat = true,
            // For writing.
            "skip_serializing_if" => drop(text()?),
            // `transparent`: a struct of one unnamed field is read like this in any case.
            // `deny_unknown_fields`: they are always skipped, as a newer server may have added them.
            _ => {}
        }
        Ok(())
    }
}
