//! The URLs of the built site: provided by the server in the context of every request.

/// URL paths of the built site, with their hashes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assets {
    pub script: String,
    pub wasm: String,
    pub style: String,
    /// The script of the chart, which is loaded with its page.
    pub chart: String,
    /// The build that the server announces in its hello on the websocket.
    pub build: String,
}
