//! The lines of a long list that are in sight: only they are in the document.

use kit::{browser, effect, live, live_view};
use leptos::{html, prelude::*};
use wasm_bindgen::JsCast;

/// Up to this number of lines all of them are drawn.
pub(super) const MOST: usize = 200;
/// Lines that are drawn before it is known which of them are in sight.
const FIRST: usize = 60;
/// Lines that are drawn beyond each edge.
const AHEAD: usize = 8;
/// The first line is a multiple of this, so that most scrolling changes nothing.
const STEP: usize = 8;

/// A handle on the part of a list that is drawn.
#[derive(Clone, Copy)]
pub(super) struct ListWindow {
    /// The element that scrolls.
    scroller: NodeRef<html::Div>,
    /// The element around the list.
    pub(super) frame: NodeRef<html::Div>,
    /// Changes when the scroller moved or the list was laid out again.
    moved: RwSignal<u32>,
    alive: RwSignal<bool>,
}

/// Sizes in pixels, and how many entries are side by side.
#[derive(Debug, Clone, Copy, PartialEq)]
struct ListMeasures {
    /// From the upper edge of the list to the upper edge of what is in sight.
    above: f64,
    /// Height of what is in sight.
    height: f64,
    line: f64,
    side_by_side: usize,
}

/// The drawn entries, and the room of the others in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct DrawnSpan {
    pub(super) from: usize,
    pub(super) to: usize,
    above: u32,
    below: u32,
}

impl ListWindow {
    pub(super) fn new(scroller: NodeRef<html::Div>, moved: RwSignal<u32>) -> Self {
        let alive = RwSignal::new(false);
        effect(move || {
            alive.set(true);
            let resized = window_event_listener(leptos::ev::resize, move |_| {
                moved.update(|moved| *moved = moved.wrapping_add(1));
            });
            on_cleanup(move || resized.remove());
        });
        Self {
            scroller,
            frame: NodeRef::new(),
            moved,
            alive,
        }
    }

    /// Measures again once a change of the list is drawn.
    pub(super) fn changes(self) {
        let moved = self.moved;
        request_animation_frame(move || {
            moved.try_update(|moved| *moved = moved.wrapping_add(1));
        });
    }

    /// Returns the entries to draw out of `count`; with `whole` all of them, for a list whose lines
    /// are not alike.
    pub(super) fn span(self, count: usize, whole: bool) -> DrawnSpan {
        if whole || count <= MOST {
            return DrawnSpan {
                from: 0,
                to: count,
                above: 0,
                below: 0,
            };
        }
        self.moved.track();
        let measures = self.alive.get().then(|| self.measure()).flatten();
        match measures {
            Some(measures) => in_sight(count, measures),
            None => DrawnSpan {
                from: 0,
                to: FIRST,
                above: 0,
                below: 0,
            },
        }
    }

    fn measure(self) -> Option<ListMeasures> {
        let scroller = self.scroller.get_untracked()?.get_bounding_client_rect();
        let frame = self.frame.get_untracked()?;
        let list = frame.query_selector(".guests__body").ok()??;
        let line = list.query_selector(".guests__line").ok()??;
        let line = line.dyn_into::<web_sys::Element>().ok()?;
        let (list_box, line) = (
            list.get_bounding_client_rect(),
            line.get_bounding_client_rect(),
        );
        let across = (list_box.width() / line.width().max(1.0)).floor();
        Some(ListMeasures {
            above: scroller.y() - list_box.y(),
            height: scroller.height(),
            line: line.height() + browser::row_gap(&list),
            side_by_side: (across as usize).max(1),
        })
    }
}

fn in_sight(count: usize, measures: ListMeasures) -> DrawnSpan {
    let line = measures.line.max(1.0);
    let across = measures.side_by_side;
    let lines = count.div_ceil(across);
    let first = (measures.above.max(0.0) / line) as usize;
    let seen = (measures.height / line) as usize + 1;
    let from = first.saturating_sub(AHEAD).min(lines) / STEP * STEP;
    let to = (first + seen + AHEAD + STEP).min(lines);
    let room = |lines: usize| (lines as f64 * line).round() as u32;
    DrawnSpan {
        from: from * across,
        to: (to * across).min(count),
        above: room(from),
        below: room(lines - to),
    }
}

/// The side of the drawn entries on which room is left for the others.
#[derive(Clone, Copy)]
pub(super) enum Room {
    Above,
    Below,
}

impl Room {
    /// Draws the room as an attribute of an image: the page's content security policy allows no
    /// style attribute.
    pub(super) fn draw(self, span: Memo<DrawnSpan>, wrap: fn(AnyView) -> AnyView) -> AnyView {
        let height = Memo::new(move |_| {
            let span = span.read();
            match self {
                Self::Above => span.above,
                Self::Below => span.below,
            }
        });
        let there = Memo::new(move |_| height.get() > 0);
        live_view(move || {
            if there.get() {
                wrap(
                view! { <svg width="1" height=live(move || height.get().to_string()) aria-hidden="true" /> }
                    .into_any(),
            )
            } else {
                ().into_any()
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_in_sight_is_drawn() {
        let measures = ListMeasures {
            above: 0.0,
            height: 640.0,
            line: 32.0,
            side_by_side: 1,
        };
        for (above, side_by_side, expect) in [
            // Above the list, and at its start.
            (-900.0, 1, (0, 37, 0, 463 * 32)),
            (0.0, 1, (0, 37, 0, 463 * 32)),
            (3_200.0, 1, (88, 137, 88 * 32, 363 * 32)),
            // At the end.
            (16_000.0, 1, (488, 500, 488 * 32, 0)),
            (320.0, 6, (0, 282, 0, 37 * 32)),
        ] {
            let span = in_sight(
                500,
                ListMeasures {
                    above,
                    side_by_side,
                    ..measures
                },
            );
            let found = (span.from, span.to, span.above, span.below);
            assert_eq!(found, expect, "{above}");
        }
    }
}
