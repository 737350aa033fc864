#![doc = include_str!("../README.md")]

mod held_tasks;
mod panic_banner;
mod texts;

use wasm_bindgen::prelude::wasm_bindgen;

/// Hydrates the page that the server rendered. Its effects run after [`settle`].
#[wasm_bindgen]
pub async fn hydrate() {
    std::panic::set_hook(Box::new(panic_banner::show));
    app::load_code().await;
    held_tasks::hold();
    leptos::mount::hydrate_body(app::App);
}

/// Runs the effects of the page, in a task of the main thread after the one that hydrated it.
#[wasm_bindgen]
pub fn settle() {
    held_tasks::release();
}
