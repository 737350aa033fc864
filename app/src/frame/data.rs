//! The frame's data: the server requests it before it draws a page and sends it along.
//!
//! Signals are filled from it before anything is drawn. A part of a page that waits for its data is
//! read by several threads of the server, and a signal that one of them writes cannot be read by
//! another.

use std::sync::Arc;

use kit::wire::Wire;
use leptos::prelude::*;
use protocol::{ErrorBody, ErrorCode, ModelChoice};

use crate::{
    api::{ApiError, FrameData},
    channel::Channel,
    conversation::Chosen,
    panel,
    texts::frame as texts,
};

/// The data that came with the page, or the reason why none did.
#[derive(Debug, Clone)]
pub struct Arrived(Arc<Result<FrameData, ApiError>>);

impl Arrived {
    /// Wraps the data for the context of a page to be drawn.
    #[must_use]
    pub fn new(data: Result<FrameData, ApiError>) -> Self {
        Self(Arc::new(data))
    }

    /// Returns, on the server the data in the context, in the browser the page's.
    fn here() -> Self {
        let data = SharedValue::<_, Wire>::new_with_encoding(|| match use_context::<Self>() {
            Some(here) => (*here.0).clone(),
            None => Err(ApiError(
                ErrorBody::new(ErrorCode::Internal, texts::THE_PAGE_LOADED_WITHOUT_ITS_DATA)
                    .with_help(texts::RELOAD_THE_PAGE),
            )),
        });
        Self::new(data.into_inner())
    }

    /// Fills the channel's signals, and provides the rest to the parts of the frame.
    pub(crate) fn provide(channel: Channel) {
        let arrived = Self::here();
        if let Ok(data) = &*arrived.0 {
            channel.kill_switch.set(data.status.kill_switch.clone());
            channel.role.set(data.status.role);
            let model = &data.status.model;
            channel.usual.set(Some(Chosen {
                choice: ModelChoice {
                    model: model.id.clone(),
                    effort: None,
                },
                window: model.context_window,
            }));
            channel.noticed.set(data.status.notices);
            channel.packs.set(data.status.packs.clone());
            channel.list.waiting.set(data.waiting.clone());
            channel.list.seconds.set(data.seconds.clone());
            channel.list.start(data.conversations.clone());
            let systems = data.status.systems.iter();
            panel::tell_present(
                systems.map(|system| system.toolset.clone()).collect(),
                data.status.questions.clone(),
            );
        }
        provide_context(arrived);
    }
}

/// Draws a part from the frame's data.
pub(super) fn frame_part(draw: fn(&Result<FrameData, ApiError>) -> AnyView) -> AnyView {
    draw(&expect_context::<Arrived>().0)
}
