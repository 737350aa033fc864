//! The currency of an amount, by the document that it is in.

use std::collections::BTreeMap;

use crate::{
    meta::{MetaField, TypeMeta},
    site::Document,
};

/// Currencies of companies, by their names.
pub(crate) type Currencies = BTreeMap<String, String>;

/// The field that says the currency of an amount, where its type names none.
const BY_NAME: [(&str, &str); 3] = [
    ("outstanding_amount", "party_account_currency"),
    ("paid_amount", "paid_from_account_currency"),
    ("received_amount", "paid_to_account_currency"),
];
/// Amounts of a payment in the currency of the party's account.
const OF_PARTY: [&str; 5] = [
    "allocated_amount",
    "outstanding_amount",
    "total_allocated_amount",
    "total_amount",
    "unallocated_amount",
];
const PAYMENT: &str = "Payment Entry";

/// The currency of an amount on a card.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum AmountCurrency {
    Known(String),
    /// The document is to have one, and the ERP chooses it.
    NotGiven,
    #[default]
    Unknown,
}

impl From<Option<String>> for AmountCurrency {
    fn from(currency: Option<String>) -> Self {
        currency.map_or(Self::Unknown, Self::Known)
    }
}

/// The place of an amount.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AmountPlace<'a> {
    pub(crate) document: &'a Document,
    /// The row that it is in, if it is in one.
    pub(crate) row: Option<&'a Document>,
    pub(crate) currencies: &'a Currencies,
}

impl<'a> AmountPlace<'a> {
    /// A text that is not empty, of the row or else of the document.
    pub(crate) fn text(&self, name: &str) -> Option<&'a str> {
        let of = |values: &'a Document| {
            let text = values.get(name)?.as_str()?;
            (!text.is_empty()).then_some(text)
        };
        self.row.and_then(of).or_else(|| of(self.document))
    }

    pub(crate) fn company(&self) -> Option<String> {
        self.currencies.get(self.text("company")?).cloned()
    }

    /// The currency of an amount of a stored document, as forms of the site find it; None if it is not known,
    /// also where the user may not see it.
    pub(crate) fn currency(&self, meta: &TypeMeta, field: &MetaField) -> Option<String> {
        if field.is_of_company() {
            return self.company();
        }
        for name in named(field).into_iter().flatten() {
            if let Some(text) = self.text(name) {
                return Some(text.to_owned());
            }
            if self.is_withheld(meta, name) {
                return None;
            }
        }
        self.company()
    }

    /// True for a field whose value may be there all the same: lists leave out columns above the user's
    /// level, and documents empty them.
    fn is_withheld(&self, meta: &TypeMeta, name: &str) -> bool {
        let value = self.document.get(name);
        meta.field(name).is_some_and(|field| match value {
            None => true,
            Some(value) => value.is_null() && field.permlevel > 0,
        })
    }

    /// The same where the ERP may still choose the currency: what the type has a field for and the
    /// document does not say is not the company's.
    pub(crate) fn chosen(
        &self,
        meta: &TypeMeta,
        columns: &[MetaField],
        field: &MetaField,
    ) -> AmountCurrency {
        if field.is_of_company() {
            return self.company().into();
        }
        let of_party = (meta.name == PAYMENT && OF_PARTY.contains(&&*field.name)).then(|| {
            if self.text("payment_type") == Some("Receive") {
                "paid_from_account_currency"
            } else {
                "paid_to_account_currency"
            }
        });
        let names = || {
            of_party
                .into_iter()
                .chain(named(field).into_iter().flatten())
        };
        if let Some(text) = names().find_map(|name| self.text(name)) {
            return AmountCurrency::Known(text.to_owned());
        }
        let has =
            |name: &str| meta.field(name).is_some() || columns.iter().any(|it| it.name == name);
        if names().any(has) {
            AmountCurrency::NotGiven
        } else {
            self.company().into()
        }
    }
}

/// True for an amount, also where its type calls it a mere number.
pub(crate) fn is_amount(meta: &TypeMeta, field: &MetaField) -> bool {
    use crate::meta::MetaFieldKind::{Currency, Decimal};
    let is_of_payment = meta.name == PAYMENT && OF_PARTY.contains(&&*field.name);
    field.kind == Currency || (field.kind == Decimal && is_of_payment)
}

impl MetaField {
    /// True for an amount that is always in the currency of the company.
    pub(crate) fn is_of_company(&self) -> bool {
        self.options.contains(':') || self.name.starts_with("base_")
    }
}

/// The fields that may say the currency of an amount, the first that does counts.
pub(crate) fn named(field: &MetaField) -> [Option<&str>; 2] {
    let own = match field.options.as_str() {
        "" => BY_NAME
            .iter()
            .find(|(name, _)| *name == field.name)
            .map(|it| it.1),
        options => Some(options),
    };
    [own, Some("currency")]
}
