//! The page of the cluster: a first screen with everything that matters, and the guests below it.

use kit::{format::upright, live, live_view, on};
use leptos::{html, prelude::*};
use protocol::BoardPage;

use super::{
    act::{ActHome, act_panel},
    backups::backups,
    board::{HudBoard, keep_board, live_board},
    decisions::decisions,
    guests::guests,
    head::{head, is_stale},
    nodes::nodes,
    notices::notices,
    pieces::{hidden_heading, reasons},
    storages::storages,
    tally::HudTally,
    tasks::tasks,
    texts,
    wall::{Wall, wall_button},
};
use crate::channel::Channel;

/// Draws the HUD of a board from a page's data; live from then on.
pub(super) fn hud_view(page: BoardPage) -> AnyView {
    let board = live_board(page);
    keep_board(&board);
    board_view(&board)
}

/// Draws the HUD of a board.
pub(super) fn board_view(board: &HudBoard) -> AnyView {
    let channel = expect_context::<Channel>();
    let tally = HudTally::of(board);
    // Without a connection, nothing is current.
    let stale = {
        let board = board.clone();
        live(move || is_stale(&board, channel))
    };
    let wall = Wall::new();
    let scroller = NodeRef::<html::Div>::new();
    let moved = RwSignal::new(0_u32);
    // Browsers report scrolling once a frame.
    let scrolled = on(move |_: leptos::ev::Event| {
        moved.update(|moved| *moved = moved.wrapping_add(1));
    });
    view! {
        {act_panel(board, ActHome::Board)}
        <div
            class="hud hud--board"
            class:hud--past=stale
            class:hud--wall=live(move || wall.is_on())
            data-scroller=""
            tabindex="-1"
            node_ref=scroller
            on:scroll=scrolled
        >
            {head(board, tally)}
            <section class="hud__nodes" aria-labelledby="hud-nodes">
                {hidden_heading("hud-nodes", texts::hud::NODES)}
                {nodes(board, tally)}
            </section>
            <div class="hud__columns">
                <div class="hud__column">{decisions()} {notices(board)}</div>
                {section(
                    board,
                    HudSection::new("storage", texts::hud::STORAGE, texts::hud::FULLEST_FIRST),
                    "",
                    storages(board),
                )}
                <div class="hud__column">
                    {section(
                        board,
                        HudSection::new("tasks", texts::hud::TASKS, ""),
                        "tasks",
                        tasks(board),
                    )}
                    {section(
                        board,
                        HudSection::new("backups", texts::hud::BACKUPS, texts::hud::BY_NIGHT),
                        "backups",
                        backups(board, tally),
                    )}
                </div>
            </div>
            <section class="pane hud__guests" aria-labelledby="hud-guests">
                {guests(board, tally, scroller, moved, wall_button(wall))}
            </section>
        </div>
    }
    .into_any()
}

/// The head of a section.
struct HudSection {
    name: &'static str,
    title: &'static str,
    /// Its order, or the time that it covers.
    note: &'static str,
}

impl HudSection {
    fn new(name: &'static str, title: &'static str, note: &'static str) -> Self {
        Self { name, title, note }
    }
}

/// Draws a section of the page. If its reading is out of date, it says why; the head of the page
/// says so for the overview, on which most of it depends.
fn section(
    board: &HudBoard,
    section: HudSection,
    reading: &'static str,
    content: AnyView,
) -> AnyView {
    let id = format!("hud-{}", section.name);
    let board = board.clone();
    let note = live_view(move || {
        let trouble = board.reading(reading).and_then(|reading| reading.trouble);
        let trouble = trouble.map(|trouble| texts::out_of_date(&upright(trouble)));
        reasons(trouble.into_iter().collect())
    });
    view! {
        <section class="pane" aria-labelledby=id>
            <header class="pane__head">
                <h2 id=id.clone()>{section.title}</h2>
                <span class="pane__note">{section.note}</span>
            </header>
            {note}
            {content}
        </section>
    }
    .into_any()
}
