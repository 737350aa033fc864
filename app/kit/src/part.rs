//! Pieces of a page whose code is a part of the module.

use std::{future::Future, pin::Pin};

use futures::FutureExt;
use leptos::{prelude::*, wasm_split::SplitLoaderError};
use protocol::{ErrorBody, ErrorCode};

use crate::{live::live_view, texts};

/// The loading of a part of the module.
pub type CodeLoading = Pin<Box<dyn Future<Output = Result<(), SplitLoaderError>>>>;

/// A part of the module, and what stands in for its pieces while it is not there.
#[derive(Clone, Copy)]
pub struct CodePart {
    /// Loads it ahead of its first piece.
    pub load: fn() -> CodeLoading,
    /// The view while it loads.
    pub waits: fn() -> AnyView,
    /// The view if it cannot be loaded; the callback tries again.
    pub fails: fn(ErrorBody, Callback<()>) -> AnyView,
}

#[derive(Clone)]
enum PartState {
    Waits,
    Loaded,
    Fails(ErrorBody),
}

/// Returns the error for a part whose code could not be loaded.
pub fn missing_code(_: SplitLoaderError) -> ErrorBody {
    ErrorBody::new(ErrorCode::Internal, texts::THIS_PAGE_COULD_NOT_BE_LOADED)
        .with_help(texts::CHECK_THE_CONNECTION_AND_TRY_AGAIN)
}

impl CodePart {
    /// Draws a piece: at once on the server and when the part is loaded, later otherwise. A page
    /// from the server has its pieces in its HTML, so that their parts are loaded before it comes
    /// to life (`page::load_code`).
    #[inline]
    pub fn draw<F, E>(self, piece: impl Fn() -> F + Send + 'static) -> AnyView
    where
        F: Future<Output = Result<AnyView, E>>,
    {
        self.drawn(Box::new(move || piece().now_or_never()?.ok()))
    }

    fn drawn(self, piece: Box<dyn Fn() -> Option<AnyView> + Send>) -> AnyView {
        if let Some(view) = piece() {
            return view;
        }
        let state = RwSignal::new(PartState::Waits);
        let load = move || {
            leptos::task::spawn_local(async move {
                let loaded = (self.load)().await;
                state.try_set(match loaded {
                    Ok(()) => PartState::Loaded,
                    Err(error) => PartState::Fails(missing_code(error)),
                });
            });
        };
        load();
        let again = Callback::new(move |()| {
            state.set(PartState::Waits);
            load();
        });
        live_view(move || match state.get() {
            PartState::Waits => (self.waits)(),
            PartState::Loaded => piece().into_any(),
            PartState::Fails(error) => (self.fails)(error, again),
        })
    }

    /// Loads the part before it is needed.
    pub fn want(self) {
        leptos::task::spawn_local(async move {
            // Its first piece tries again, and says so.
            if let Err(error) = (self.load)().await {
                leptos::logging::warn!("{error}");
            }
        });
    }
}
