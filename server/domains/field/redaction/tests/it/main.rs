//! Redaction from outside: the table of cases, properties, attacks.

#![expect(clippy::expect_used, reason = "tests")]

mod attacks;
mod cases;
mod covering;
mod exporting;
mod properties;
mod table;

use field_redaction::{PublicAddresses, SiteScope, Vault};

/// An empty vault of a site without a number.
fn vault() -> Vault {
    vault_of("berlin", None)
}

fn vault_of(id: &str, number: Option<u32>) -> Vault {
    let site = SiteScope {
        id: id.to_owned(),
        number,
    };
    Vault::new(site, PublicAddresses::Cover)
}
