//! Parts of the frame that show its data.

use leptos::prelude::*;

use crate::api::{ApiError, FrameData, FrameResource};

/// Draws a part when the frame's data is there. A function without surroundings of its own, so that
/// all parts share one machinery.
pub(super) fn frame_part(draw: fn(Result<FrameData, ApiError>) -> AnyView) -> AnyView {
    let frame = expect_context::<FrameResource>();
    view! { <Suspense>{move || Suspend::new(async move { draw(frame.await) })}</Suspense> }
        .into_any()
}
