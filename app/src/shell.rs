//! The HTML document around the app, rendered on the server for every page.

use kit::{density::Density, theme::Theme};
use leptos::{
    nonce::{Nonce, use_nonce},
    prelude::*,
    server_fn::axum_export::http::{
        HeaderValue,
        header::{CONTENT_SECURITY_POLICY, COOKIE},
        request::Parts,
    },
};
use leptos_axum::ResponseOptions;
use leptos_meta::MetaTags;

use crate::{App, Assets, PanelScript, texts};

const DARK: &str = "#070d18";
const LIGHT: &str = "#eef3f8";

/// Renders the document: needs [`Assets`] in the context and sets the page's content security
/// policy, because only here the nonce of its scripts is known.
pub fn shell(assets: Assets) -> impl IntoView {
    let nonce = use_nonce();
    set_policy(nonce.as_ref());
    let parts = use_context::<Parts>();
    let cookies = parts
        .as_ref()
        .and_then(|parts| parts.headers.get(COOKIE)?.to_str().ok())
        .unwrap_or_default();
    let (theme, density) = (Theme::from_cookies(cookies), Density::from_cookies(cookies));
    // In three tasks, so that keys and clicks between them are answered.
    let start = format!(
        "import init,{{hydrate,settle}} from {script:?};\
         const turn=()=>new Promise(done=>setTimeout(done));\
         init({{module_or_path:{wasm:?}}}).then(turn).then(hydrate).then(turn).then(settle);\
         addEventListener('load',()=>navigator.serviceWorker?.register('/sw.js').catch(()=>{{}}))",
        script = assets.script,
        wasm = assets.wasm,
    );
    let scripts = assets.scripts.into_iter();
    let scripts: Vec<_> = scripts
        .map(|PanelScript { name, path }| view! { <meta name=format!("jarvis-{name}") content=path /> })
        .collect();
    // The colour of the browser's own bars; see `--space` of the style.
    let bars = |colour: &'static str| leptos::html::meta().name("theme-color").content(colour);
    let colours = match theme {
        Theme::Dark => bars(DARK).into_any(),
        Theme::Light => bars(LIGHT).into_any(),
        Theme::System => (
            bars(DARK).attr("media", "(prefers-color-scheme: dark)"),
            bars(LIGHT).attr("media", "(prefers-color-scheme: light)"),
        )
            .into_any(),
    };
    view! {
        <!DOCTYPE html>
        <html class="app" lang="en" data-theme=theme.name() data-density=density.name()>
            <head>
                <meta charset="utf-8" />
                <meta
                    name="viewport"
                    content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content"
                />
                <meta name="color-scheme" content="dark light" />
                {colours}
                <meta name="description" content=texts::page::DESCRIPTION />
                <meta name="jarvis-build" content=assets.build />
                {scripts}
                <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
                <link rel="manifest" href="/manifest.webmanifest" />
                <link rel="apple-touch-icon" href="/icon-192.png" />
                <link rel="stylesheet" href=assets.style />
                <link rel="modulepreload" href=assets.script />
                <link
                    rel="preload"
                    href=assets.wasm
                    r#as="fetch"
                    r#type="application/wasm"
                    crossorigin="anonymous"
                    // The page is there before the module: its style comes first on a slow line.
                    fetchpriority="low"
                />
                <script type="module" nonce=nonce>
                    {start}
                </script>
                <MetaTags />
            </head>
            <body>
                <App />
            </body>
        </html>
    }
}

/// Sets the policy: scripts run only with the nonce of this response, styles come only from files,
/// and the page connects only to its own server.
fn set_policy(nonce: Option<&Nonce>) {
    let Some(response) = use_context::<ResponseOptions>() else {
        return;
    };
    let nonce = nonce.map_or("", |nonce| nonce);
    let policy = format!(
        "default-src 'none'; script-src 'nonce-{nonce}' 'strict-dynamic' 'wasm-unsafe-eval'; \
         style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; \
         manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    );
    if let Ok(value) = HeaderValue::from_str(&policy) {
        response.insert_header(CONTENT_SECURITY_POLICY, value);
    }
}
