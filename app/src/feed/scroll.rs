//! The reader's position, kept when the list changes.

use kit::browser;
use leptos::{html, prelude::*};
use protocol::FeedId;
use wasm_bindgen::JsCast;

/// Distance from the top that counts as the top, in pixels.
const TOP: i32 = 8;
/// Distance from an edge at which more is requested, in pixels.
const AHEAD: i32 = 900;

/// A handle on the part of the page that scrolls.
#[derive(Clone, Copy)]
pub(super) struct FeedScroll {
    pub(super) node: NodeRef<html::Div>,
    /// True while a correction is due at the next frame.
    keeping: StoredValue<bool>,
}

impl FeedScroll {
    pub(super) fn new() -> Self {
        Self {
            node: NodeRef::new(),
            keeping: StoredValue::new(false),
        }
    }

    /// Returns whether new lines may simply appear: the reader is at the top and has opened
    /// nothing.
    pub(super) fn at_top(self) -> bool {
        let Some(scroller) = self.node.get_untracked() else {
            return true;
        };
        let open = scroller.query_selector("details.event[open]");
        scroller.scroll_top() < TOP && open.ok().flatten().is_none()
    }

    pub(super) fn to_top(self) {
        if let Some(scroller) = self.node.get_untracked() {
            scroller.set_scroll_top(0);
        }
    }

    /// Returns whether the reader is near the upper edge, and near the lower.
    pub(super) fn near(self) -> (bool, bool) {
        self.node
            .get_untracked()
            .map_or((false, false), |scroller| {
                let top = scroller.scroll_top();
                let rest = scroller.scroll_height() - top - scroller.client_height();
                (top < AHEAD, rest < AHEAD)
            })
    }

    /// Keeps the position of the first visible line. Call it before the list changes: when the
    /// change is drawn, the line is where it was, whatever was added or removed above it.
    pub(super) fn keep(self) {
        if self.keeping.try_get_value() != Some(false) {
            return;
        }
        let Some(scroller) = self.node.get_untracked() else {
            return;
        };
        let edge = scroller.get_bounding_client_rect().y();
        let Some((id, before)) = first_seen(&scroller, edge) else {
            return;
        };
        self.keeping.set_value(true);
        // The change is drawn before the next frame, and this runs in that frame, before the paint.
        request_animation_frame(move || {
            self.keeping.try_set_value(false);
            let found = document().get_element_by_id(&id);
            let now = found.map(|line| line.get_bounding_client_rect().y());
            if let (Some(now), Some(scroller)) = (now, self.node.try_get_untracked().flatten()) {
                let moved = (now - before).round() as i32;
                if moved != 0 {
                    scroller.set_scroll_top(scroller.scroll_top() + moved);
                }
            }
        });
    }

    /// Scrolls an entry into view and opens it, once it is there.
    pub(super) fn show(self, id: FeedId) {
        request_animation_frame(move || {
            let found = document().get_element_by_id(&id.to_string());
            let (Some(line), Some(scroller)) = (found, self.node.try_get_untracked().flatten())
            else {
                return;
            };
            if let Ok(Some(details)) = line.query_selector("details.event") {
                browser::report(details.set_attribute("open", ""));
            }
            if let Ok(Some(summary)) = line.query_selector("summary")
                && let Some(summary) = summary.dyn_ref::<web_sys::HtmlElement>()
            {
                browser::report(summary.focus());
            }
            let top = line.get_bounding_client_rect().y() - scroller.get_bounding_client_rect().y();
            let third = f64::from(scroller.client_height()) / 3.0;
            scroller.set_scroll_top(scroller.scroll_top() + (top - third) as i32);
        });
    }
}

/// Returns the id and the position of the first line that reaches below the edge.
fn first_seen(scroller: &web_sys::Element, edge: f64) -> Option<(String, f64)> {
    let list = scroller.query_selector(".feed__list").ok()??;
    let mut next = list.first_element_child();
    while let Some(line) = next {
        let place = line.get_bounding_client_rect();
        if !line.id().is_empty() && place.y() + place.height() > edge {
            return Some((line.id(), place.y()));
        }
        next = line.next_element_sibling();
    }
    None
}
