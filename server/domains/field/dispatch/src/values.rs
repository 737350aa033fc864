//! Hidden values for the rest of the server: covering, restoring, finding leaks, looks of people.

use field_redaction::{Leak, RedactionError};
use field_tables::LookRequest;

use crate::dispatch::Dispatch;
use crate::error::DispatchRefusal;
use crate::vaults::{CoverSource, CoveredText, ShownValue};

impl Dispatch {
    /// Covers a text with the values of a site. Its tokens are stored when this returns.
    ///
    /// # Errors
    /// There is no such site, its vault is full, or the database fails.
    pub async fn cover(
        &self,
        site: &str,
        text: &str,
        source: CoverSource,
    ) -> Result<CoveredText, DispatchRefusal> {
        self.0.vaults.cover(site, text, source, self.now_ms()).await
    }

    /// A text with values in place of tokens: for the policy and the device, never for a model, a log or
    /// an error. None if there is no such site.
    ///
    /// # Errors
    /// A token that this site does not have.
    pub fn restore(&self, site: &str, text: &str) -> Option<Result<String, RedactionError>> {
        self.0.vaults.restore(site, text)
    }

    /// The first value of a site in the bytes of a request, just before they leave.
    ///
    /// # Errors
    /// The search did not end.
    pub async fn leaks(&self, site: &str, bytes: Vec<u8>) -> Result<Option<Leak>, DispatchRefusal> {
        self.0.vaults.leaks(site, bytes).await
    }

    /// Sets the text of the server itself that is in each request: names that are words of it are covered
    /// only where they are called names. See the README of `field-redaction`.
    pub fn set_fixed_text(&self, text: &str) {
        self.0.vaults.set_fixed_text(text);
    }

    /// The lines that explain the tokens of a site, the same for the same values.
    pub fn legend(&self, site: &str) -> Option<String> {
        self.0.vaults.legend(site)
    }

    /// Gives a person values. The look is recorded before any of them is given out; that the person may,
    /// the caller has checked.
    ///
    /// # Errors
    /// Too many values at once, or the database fails.
    pub async fn reveal(&self, look: &LookRequest) -> Result<Vec<ShownValue>, DispatchRefusal> {
        self.0.vaults.reveal(look, self.now_ms()).await
    }
}
