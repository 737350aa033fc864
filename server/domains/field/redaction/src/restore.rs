//! From tokens back to values: on the server only, into what an authorised person sees or a policy checks.

use crate::candidate::{RankedPlace, longest};
use crate::error::RedactionError;
use crate::layers::Layers;
use crate::token::{self, Pseudonym};
use crate::vault::{Vault, VaultEntry};

impl Vault {
    /// Replaces the tokens of this site by their values, and removes the escapes that covering added. Secrets
    /// do not come back: nothing of them was kept.
    ///
    /// The caller has decided that whoever gets the result may see the values. It never goes to a model, a
    /// log, an address or another service.
    ///
    /// # Errors
    ///
    /// If a token is unknown or belongs to another site. The error names the token.
    pub fn restore(&self, text: &str) -> Result<String, RedactionError> {
        self.restore_with(text, |entry| entry.value().to_owned())
    }

    /// The tokens in a text that are of this site, in their order, such as for a page that shows values
    /// beside them.
    #[must_use]
    pub fn tokens_in(&self, text: &str) -> Vec<&VaultEntry> {
        let shapes = token::scan(text).filter(|shape| shape.escapes == 0);
        shapes.filter_map(|shape| self.entry(shape.token)).collect()
    }

    pub(crate) fn restore_with(
        &self,
        text: &str,
        mut value: impl FnMut(&VaultEntry) -> String,
    ) -> Result<String, RedactionError> {
        let mut out = String::with_capacity(text.len());
        let mut from = 0;
        for RankedPlace { range, what, .. } in shapes(text) {
            let (escapes, token) = what;
            out.push_str(&text[from..range.start]);
            from = range.end;
            let written = &text[range];
            if escapes > 0 {
                out.push_str(written.strip_prefix('~').unwrap_or(written));
                continue;
            }
            out.push_str(&value(self.known_entry(token)?));
        }
        out.push_str(&text[from..]);
        Ok(out)
    }

    fn known_entry(&self, token: Pseudonym) -> Result<&VaultEntry, RedactionError> {
        let is_ours = token.site() == self.site().number.filter(|number| *number != 0);
        match self.entry(token) {
            Some(entry) => Ok(entry),
            None if is_ours => Err(RedactionError::UnknownToken(token)),
            None => Err(RedactionError::OtherSite(token)),
        }
    }
}

/// The tokens in a text that [`Vault::restore`] would replace, or refuse, in their order: of every site, and
/// known or not.
#[must_use]
pub fn live_tokens(text: &str) -> Vec<Pseudonym> {
    let live = shapes(text).into_iter().map(|place| place.what);
    let live = live.filter(|(escapes, _)| *escapes == 0);
    live.map(|(_, token)| token).collect()
}

/// Texts of the form of tokens, each with the number of its escapes; of those that overlap, the longest.
fn shapes(text: &str) -> Vec<RankedPlace<(usize, Pseudonym)>> {
    let layers = Layers::of(text);
    let mut places = Vec::new();
    let place = |range, depth, what: (usize, Pseudonym)| RankedPlace {
        range,
        rank: depth,
        what,
    };
    for shape in token::scan(text) {
        places.push(place(shape.range, 0, (shape.escapes, shape.token)));
    }
    layers.each(|layer, original| {
        for shape in token::scan(layer) {
            places.push(place(
                original(shape.range),
                1,
                (shape.escapes, shape.token),
            ));
        }
    });
    longest(places).taken
}
