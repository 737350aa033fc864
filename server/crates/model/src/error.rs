//! The reasons why a client cannot be built.

/// A fault of the configuration.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the model's key must be visible ASCII without spaces")]
    Key,
    #[error("the model's base URL must be an http or https URL such as https://api.anthropic.com")]
    BaseUrl,
    #[error("the model's base URL must not contain a user name or a password")]
    BaseUrlSecret,
    #[error("no TLS for the model: {0}")]
    Tls(#[source] rustls::Error),
    #[error("the HTTP client could not be built")]
    Http(#[source] reqwest::Error),
}
