//! The page of the interface for programs.

pub(crate) const TITLE: &str = "API for programs";

pub(crate) const DESCRIPTION: &str = "The same in OpenAPI 3.1, for tools that make a client of it:";

pub(crate) const SHAPES: &str = "What requests and answers hold";

pub(crate) const SENT: &str = "Sent";

pub(crate) const REQUIRED: &str = "required";

pub(crate) const READ_ABOUT_API: &str = "What programs can ask with a token";
