//! The attributes of `serde` that decide how a type is read.

use syn::{Attribute, ExprPath, LitStr, Path, Result, Token, meta::ParseNestedMeta};

/// The value of a field that is missing.
pub(crate) enum Default {
    /// The default of its type.
    OfType,
    /// The value that a function returns.
    By(Path),
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
    /// # Errors
    /// An attribute that this reader does not know: serde would read the type in another way.
    pub(crate) fn of(attributes: &[Attribute]) -> Result<Self> {
        let mut found = Self::default();
        for attribute in attributes {
            if attribute.path().is_ident("serde") {
                attribute.parse_nested_meta(|meta| found.add(&meta))?;
            }
        }
        Ok(found)
    }

    fn add(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        let name = meta.path.require_ident()?.to_string();
        let text = || meta.value()?.parse::<LitStr>();
        match name.as_str() {
            "rename" => self.name = Some(text()?),
            "rename_all" => {
                let rule = text()?;
                if rule.value() != "snake_case" {
                    return Err(syn::Error::new(rule.span(), "only snake_case is known"));
                }
                self.is_snake_case = true;
            }
            "tag" => self.tag = Some(text()?),
            "other" => self.is_other = true,
            "default" if meta.input.peek(Token![=]) => {
                self.default = Some(Default::By(text()?.parse::<ExprPath>()?.path));
            }
            "default" => self.default = Some(Default::OfType),
            "flatten" => self.is_flat = true,
            // A struct of one unnamed field is read like this in any case.
            "transparent" => {}
            // Unknown fields are always skipped: a newer server may have added them.
            "deny_unknown_fields" => {}
            // For writing.
            "skip_serializing_if" => drop(text()?),
            _ => return Err(meta.error("`FromJson` cannot read this")),
        }
        Ok(())
    }
}
