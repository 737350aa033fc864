//! Whoever sets a way in: a password, a passkey, a token.

use agent::ports::SignInWay;
use sqlx::SqliteConnection;

use crate::{Error, people::name_of, system::HowSet};

/// The sign-in with which somebody sets a way in of their own for later.
#[derive(Debug, Clone, Default)]
pub struct Setter<'a> {
    /// The name of who is signed in.
    pub name: &'a str,
    /// The way in which the session began.
    pub way: Option<SignInWay>,
    /// The address of the request.
    pub address: Option<String>,
}

impl Setter<'_> {
    /// As records keep it: an account that opens with a link opens to its maker too.
    pub(crate) async fn on_record(
        &self,
        connection: &mut SqliteConnection,
    ) -> Result<HowSet, Error> {
        Ok(HowSet {
            way: self.way.map(|way| way.word().to_owned()),
            link_by: match self.way {
                Some(SignInWay::Link { by: Some(maker) }) => name_of(connection, maker).await?,
                _ => None,
            },
            address: self.address.clone(),
        })
    }
}
