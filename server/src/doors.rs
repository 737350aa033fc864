//! Doors of domains: for devices, which have credentials of their own, and for models elsewhere.

use std::sync::Arc;

use async_trait::async_trait;
use axum::{http::request::Parts, response::Response, routing::MethodRouter};

/// The largest body of a route that names no other limit, in bytes.
const USUAL_BODY: usize = 256 * 1024;

/// A door of a domain for its devices, at `/api/v1/` and its name. Behind it no session and no token of
/// a program counts, and a device's credential opens nothing else.
pub struct DeviceDoor {
    /// One segment of a path, such as `device`.
    pub name: &'static str,
    pub check: Arc<dyn DeviceCheck>,
    pub routes: Vec<DeviceRoute>,
}

/// The check of a domain on the credentials of its devices.
#[async_trait]
pub trait DeviceCheck: Send + Sync {
    /// Returns the device behind a request, by its head: the body of a stranger is not read. Cookies
    /// are not in it. What its handlers need besides goes into the extensions of the head.
    ///
    /// # Errors
    /// There is none, or it may not come in now.
    async fn device(&self, head: &mut Parts) -> Result<AdmittedDevice, NoDevice>;
}

/// A device that was let in: an extension of its requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdmittedDevice {
    /// As its domain names it.
    pub id: String,
}

/// The reason why nobody was let in.
#[derive(Debug)]
pub enum NoDevice {
    /// No such credential, or it has ended.
    Unknown,
    /// The credential cannot be looked up now.
    Unavailable,
    /// The domain's own refusal, as an error with a code and a message.
    Refused(Box<Response>),
}

/// A route behind a door.
pub struct DeviceRoute {
    pub(crate) path: &'static str,
    pub(crate) is_open: bool,
    /// The largest body, in bytes.
    pub(crate) limit: usize,
    pub(crate) handler: MethodRouter,
}

impl DeviceRoute {
    /// A route at `path` below its door, for devices that were let in.
    pub fn new(path: &'static str, handler: MethodRouter) -> Self {
        Self {
            path,
            is_open: false,
            limit: USUAL_BODY,
            handler,
        }
    }

    /// A route for devices that have no credential yet, such as the one that gives it out. Its domain
    /// has to bound what strangers can do here.
    pub fn open(path: &'static str, handler: MethodRouter) -> Self {
        Self {
            is_open: true,
            ..Self::new(path, handler)
        }
    }

    /// The largest body that it takes, in bytes.
    #[must_use]
    pub fn limit(self, limit: usize) -> Self {
        Self { limit, ..self }
    }
}

/// A door of a domain for models elsewhere, at `/mcp/` and its name: the tools of its toolsets and no
/// others. What comes in here is a token's, as everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolDoor {
    /// One segment of a path, such as `attic-tools`. Clients are configured with it, so it stays.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// Changes when one of its tools takes another input or gives another result.
    pub version: &'static str,
}

/// Such a door on this server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OpenToolDoor {
    pub(crate) door: ToolDoor,
    /// The names of its toolsets.
    pub(crate) toolsets: Vec<String>,
}
