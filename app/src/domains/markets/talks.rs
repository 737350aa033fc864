//! The conversations about charts: the dock turns to that of the symbol on view, and a list has all of
//! them.

use kit::{Key, each, effect, live, press};
use leptos::prelude::*;
use markets_wire::{ChartTalk, ChartTalks, Symbol};
use protocol::{ConversationId, FromJson};

use super::{
    list_filter::filter, page_state::ChartPageState, part_states::ChartTalkList, place::BOARD,
    texts,
};
use crate::{api, route::Page};

const TITLE: &str = "chart-talks";

impl ChartPageState {
    /// Turns the dock to the conversation about the symbol on view, now and whenever that changes.
    pub(super) fn follow_talks(self) {
        let symbol = Memo::new(move |_| self.at.read().symbol);
        let mut last = None;
        effect(move || {
            let now = symbol.get();
            // One that has just begun is listed as well.
            self.dock.page();
            let is_other = last.replace(now) != Some(now);
            leptos::task::spawn_local(self.load_talks(is_other.then_some(now)));
        });
    }

    async fn load_talks(self, turn_to: Option<Symbol>) {
        let before = untrack(|| self.dock.page());
        let kind = "conversations".to_owned();
        let answer = api::page(BOARD.to_owned(), kind, "all".to_owned(), String::new()).await;
        if !self.is_there() {
            return;
        }
        let answer = answer.map_err(|error| error.0);
        let talks = answer
            .and_then(|answer| ChartTalks::from_json(answer.value).ok_or_else(api::incompatible));
        match talks {
            Ok(ChartTalks { talks }) => self.talks.all.set(talks),
            Err(error) => {
                // The dock stays as it is.
                leptos::logging::log!("conversations about charts: {}", error.message);
                return;
            }
        }
        // Somebody may have gone elsewhere meanwhile.
        if let Some(symbol) = turn_to
            && self.at.with_untracked(|at| at.symbol == symbol)
            && untrack(|| self.dock.page()) == before
        {
            self.turn_dock(symbol);
        }
    }

    fn turn_dock(self, symbol: Symbol) {
        let ChartTalkList { all, is_ours, .. } = self.talks;
        let shown = match untrack(|| self.dock.page()) {
            Page::Chat(id) => Some(id),
            _ => None,
        };
        // What somebody has begun stays; so does the conversation that may have moved the chart.
        let is_begun = self.dock.is_new() && !is_ours.get_value();
        if is_begun || shown.is_some_and(|id| self.is_at_work(id)) {
            return;
        }
        let chosen = all.with_untracked(|all| chosen(all, shown, symbol));
        is_ours.set_value(chosen.is_none());
        self.dock.turn_to(chosen);
    }

    /// Returns whether a turn of a conversation is under way.
    fn is_at_work(self, id: ConversationId) -> bool {
        let Some(open) = self.channel.opened.get(id) else {
            return false;
        };
        let turn = open.turn();
        turn.with_untracked(Option::is_some)
    }
}

/// Returns the conversation beside a chart: the one that is there if it is about the symbol, or else
/// the newest that is. None if there is none: one about something else cannot draw.
fn chosen(
    talks: &[ChartTalk],
    shown: Option<ConversationId>,
    symbol: Symbol,
) -> Option<ConversationId> {
    let about = talks.iter().filter(|talk| talk.symbol == symbol);
    let mut about = about.map(|talk| talk.conversation);
    let there = about.clone().find(|id| Some(*id) == shown);
    there.or_else(|| about.next())
}

/// Draws the list of the conversations about the symbol on view, or about all of them.
pub(super) fn talks(shared: ChartPageState) -> AnyView {
    let ChartTalkList { all, is_whole, .. } = shared.talks;
    let listed = Memo::new(move |_| {
        let (symbol, is_whole) = (shared.at.read().symbol, is_whole.get());
        let mut listed = all.get();
        listed.retain(|talk| is_whole || talk.symbol == symbol);
        listed
    });
    view! {
        <section
            class="panel__turns"
            aria-labelledby=TITLE
            hidden=live(move || all.read().is_empty())
        >
            <div class="panel__turn">
                <h3 id=TITLE>{texts::talks::CONVERSATIONS}</h3>
                {filter(texts::talks::OF_ALL_SYMBOLS, is_whole)}
            </div>
            <ul class="panel__list" hidden=live(move || listed.read().is_empty())>
                {each(
                    move || listed.get(),
                    |talk| Key::of((talk.conversation, talk.title.clone())),
                    move |talk| line(shared, talk),
                )}
            </ul>
        </section>
    }
    .into_any()
}

fn line(shared: ChartPageState, talk: ChartTalk) -> AnyView {
    let chart = texts::talks::about(talk.symbol.label(), talk.timeframe.name());
    let (conversation, title) = (talk.conversation, talk.title);
    let name = title.clone();
    view! {
        <li class="panel__turn">
            <p>
                <span class="panel__names">{title}</span>
                {chart}
            </p>
            <button
                type="button"
                class="button button--small"
                on:click=press(move || shared.dock.take_up(conversation))
            >
                {texts::talks::OPEN}
                <span class="visually-hidden">" " {name}</span>
            </button>
        </li>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use markets_wire::Timeframe;
    use protocol::Timestamp;

    use super::*;

    #[test]
    fn the_dock_has_a_conversation_about_the_symbol() {
        let id = |n| ConversationId::new(Timestamp(1), n);
        let talk = |n, symbol| ChartTalk {
            conversation: id(n),
            title: String::new(),
            symbol,
            timeframe: Timeframe::H1,
        };
        let (euro, pound) = (Symbol::EurUsd, Symbol::GbpUsd);
        let all = [talk(3, pound), talk(2, euro), talk(1, euro)];
        for (shown, symbol, expect) in [
            (None, euro, Some(id(2))),
            (Some(id(1)), euro, Some(id(1))),
            (Some(id(3)), euro, Some(id(2))),
            // It is about no chart, and newer.
            (Some(id(9)), pound, Some(id(3))),
            (Some(id(9)), Symbol::UsdJpy, None),
        ] {
            assert_eq!(chosen(&all, shown, symbol), expect, "{shown:?} {symbol}");
        }
    }
}
