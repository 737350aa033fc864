//! The person who sets up a way to sign in: a password, a passkey, a token.

use agent::ports::SignInWay;
use sqlx::SqliteConnection;

use crate::{Error, people::name_of, system::HowSet};

/// The sign-in with which somebody sets up a way to sign in later.
#[derive(Debug, Clone, Default)]
pub struct Setter<'a> {
    /// The name of the signed-in user.
    pub name: &'a str,
    /// The way in which the session began.
    pub way: Option<SignInWay>,
    /// The address of the request.
    pub address: Option<String>,
}

impl Setter<'_> {
    /// The form for records: an account that opens with a link is open to the link's maker too.
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
