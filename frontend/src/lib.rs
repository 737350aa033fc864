#![doc = include_str!("../README.md")]

mod panic_banner;

use wasm_bindgen::prelude::wasm_bindgen;

/// Hydrates the page that the server rendered.
#[wasm_bindgen]
pub async fn hydrate() {
    std::panic::set_hook(Box::new(panic_banner::show));
    app::load_code().await;
    leptos::mount::hydrate_body(app::App);
}
