//! Tables that scroll sideways where they have no room.

use leptos::prelude::*;

/// Draws a table from the cells of its head and its rows.
pub(crate) fn scroll_table(label: &'static str, head: Vec<AnyView>, rows: Vec<AnyView>) -> AnyView {
    view! {
        <div class="table-scroll" tabindex="0" role="group" aria-label=label>
            <table>
                <thead>
                    <tr>{head}</tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}
