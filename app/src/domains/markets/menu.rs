//! The menu of the drawing under the pointer: opened by a right click or a long press, neither of
//! which acts on its own.

use kit::{Key, browser, each, on, press};
use leptos::{ev, html, prelude::*};

use super::{
    page_state::{ChartPageState, Form},
    texts,
};

const MENU: &str = "drawing-menu";

/// Opens it at a position of the chart.
pub(super) fn open(shared: ChartPageState, id: &str, x: f64, y: f64) {
    shared.select(Some(id));
    shared.menu.set(Some(id.to_owned()));
    if let Some(menu) = document().get_element_by_id(MENU) {
        let frame = document().get_element_by_id("chart");
        let corner = frame.map(|frame| frame.get_bounding_client_rect());
        let (left, top) = corner.map_or((0.0, 0.0), |corner| (corner.x(), corner.y()));
        browser::set_property(&menu, "--x", &format!("{}px", left + x));
        browser::set_property(&menu, "--y", &format!("{}px", top + y));
    }
    browser::open_popover(MENU);
}

pub(super) fn menu(shared: ChartPageState) -> AnyView {
    let frame = NodeRef::<html::Div>::new();
    let closed = on(move |_: ev::Event| {
        let menu = frame.get_untracked();
        let is_open = menu.is_some_and(|menu| menu.matches(":popover-open").unwrap_or(false));
        if !is_open {
            shared.menu.try_set(None);
        }
    });
    view! {
        <div
            class="desk__menu"
            id=MENU
            popover="auto"
            role="dialog"
            aria-label=texts::drawings::THE_DRAWING
            node_ref=frame
            on:toggle=closed
        >
            {each(
                move || {
                    let id = shared.menu.get();
                    let drawing = id.and_then(|id| shared.drawing(&id));
                    drawing.into_iter().collect()
                },
                |drawing| Key::of(format!("{} {}", drawing.id(), drawing.version())),
                move |drawing| {
                    let id = drawing.id().to_owned();
                    let act = |name: &'static str, act: fn(ChartPageState, &str)| {
                        let id = id.clone();
                        let go = move || {
                            browser::close_popover(MENU);
                            act(shared, &id);
                        };
                        view! {
                            <button type="button" class="button button--small" on:click=press(go)>
                                {name}
                            </button>
                        }
                        .into_any()
                    };
                    let barred = shared.channel.bars();
                    let acts = match barred {
                        Some(why) => view! { <p class="desk__hint">{why}</p> }.into_any(),
                        None => {
                            let lock: (&str, fn(ChartPageState, &str)) = if drawing.is_locked() {
                                (texts::drawings::UNLOCK, |shared, id| shared.lock(id, false))
                            } else {
                                (texts::drawings::LOCK, |shared, id| shared.lock(id, true))
                            };
                            (
                                act(
                                    texts::drawings::EDIT_IN_FORM,
                                    |shared, id| shared.open_form(id, Form::Edit),
                                ),
                                act(texts::drawings::HIDE, |shared, id| shared.hide(id, true)),
                                act(lock.0, lock.1),
                                act(
                                    texts::drawings::DELETE_IN_FORM,
                                    |shared, id| shared.open_form(id, Form::Delete),
                                ),
                            )
                                .into_any()
                        }
                    };
                    view! {
                        <h3 class="desk__menu-title" tabindex="-1" autofocus>
                            {drawing.title()}
                        </h3>
                        {acts}
                    }
                    .into_any()
                },
            )}
        </div>
    }
    .into_any()
}
