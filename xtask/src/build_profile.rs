//! The profiles of a build: what it is for, and what cargo calls it.

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum BuildProfile {
    /// For what is shipped and measured: all optimisation, slow to build.
    Release,
    /// The same site in a server with little optimisation: quick to build.
    Quick,
    /// No optimisation, debug information.
    Dev,
}

impl BuildProfile {
    /// Returns cargo's profile for the module that the browser loads, and the folder that cargo
    /// gives it.
    pub(crate) fn wasm(self) -> (&'static str, &'static str) {
        match self {
            Self::Release | Self::Quick => ("wasm-release", "wasm-release"),
            Self::Dev => ("dev", "debug"),
        }
    }

    /// Returns cargo's profile for the server, and the folder that cargo gives it.
    pub(crate) fn server(self) -> (&'static str, &'static str) {
        match self {
            Self::Release => ("release", "release"),
            Self::Quick => ("quick", "quick"),
            Self::Dev => ("dev", "debug"),
        }
    }
}
