//! The URLs of the built site: provided by the server in the context of every request.

/// URL paths of the built site, with their hashes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assets {
    pub script: String,
    pub wasm: String,
    pub style: String,
    /// The further style sheet of the pages without the module.
    pub pages_style: String,
    /// Scripts that panels load with their pages.
    pub scripts: Vec<PanelScript>,
    /// The build that the server announces in its hello on the websocket.
    pub build: String,
}

/// A script that a panel loads when it is needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PanelScript {
    /// The page names its URL in the meta element `jarvis-NAME`.
    pub name: &'static str,
    pub path: String,
}
