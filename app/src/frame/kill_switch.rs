//! The kill switch, on every page.

use kit::{Icon, Moment, browser, format::exposed, icon, live, live_view, press};
use leptos::prelude::*;
use protocol::Command;

use crate::{channel::Channel, texts::frame as texts};

/// Id of the panel that asks before anything is switched.
const PANEL: &str = "kill-switch";
/// Id of the button that is there whether it is on or off.
const SWITCH: &str = "kill-switch-button";
/// Id of the reason why the person may not switch it.
const BARRED: &str = "kill-switch-barred";

#[component]
pub(super) fn KillSwitch() -> impl IntoView {
    let channel = expect_context::<Channel>();
    let is_on = Memo::new(move |_| channel.kill_switch.read().on);
    let name = move || {
        texts::kill_switch(if is_on.get() {
            texts::ON_ACTIONS_BLOCKED
        } else {
            texts::OFF
        })
    };
    view! {
        <button
            type="button"
            class="icon-button kill-switch"
            id=SWITCH
            class:kill-switch--on=live(move || is_on.get())
            popovertarget=PANEL
            title=live(name)
            aria-label=live(name)
        >
            {icon(Icon::OCTAGON)}
            <span class="kill-switch__name">{texts::KILL_SWITCH}</span>
        </button>
        <div class="user-menu kill-panel" id=PANEL popover="auto">
            {live_view(move || panel(channel, is_on.get()))}
        </div>
    }
    .into_any()
}

fn panel(channel: Channel, on: bool) -> AnyView {
    let barred = if on {
        channel.bars_lifting()
    } else {
        channel.bars()
    };
    let set = move || {
        if barred.is_some() {
            return;
        }
        channel.command(Command::KillSwitch { on: !on });
        browser::close_popover(PANEL);
        // The banner that opened the panel disappears when the switch is lifted.
        browser::show(SWITCH.to_owned());
    };
    let (title, text, class, action) = if on {
        (
            texts::LIFT_THE_KILL_SWITCH,
            texts::LIFTING_MEANS,
            "button",
            texts::LIFT_IT,
        )
    } else {
        (
            texts::BLOCK_ALL_ACTIONS,
            texts::TURNING_ON_MEANS,
            "button button--danger",
            texts::TURN_THE_KILL_SWITCH_ON,
        )
    };
    view! {
        <p class="user-menu__name">{title}</p>
        <p class="kill-panel__text">{text}</p>
        {barred.map(|reason| view! { <p class="kill-panel__text" id=BARRED>{reason}</p> })}
        <div class="kill-panel__buttons">
            <button
                type="button"
                class=class
                aria-disabled=barred.map(|_| "true")
                aria-describedby=barred.map(|_| BARRED)
                on:click=press(set)
            >
                {action}
            </button>
            <button type="button" class="button button--quiet" popovertarget=PANEL popovertargetaction="hide">
                {texts::CANCEL}
            </button>
        </div>
    }
    .into_any()
}

/// Shows on every page that the kill switch is on, by whom and since when.
#[component]
pub(super) fn KillSwitchBanner() -> impl IntoView {
    let channel = expect_context::<Channel>();
    let state = channel.kill_switch;
    let shown = move || {
        let state = state.get();
        if !state.on {
            return ().into_any();
        }
        let by = state
            .by
            .map_or(String::new(), |by| texts::turned_on_by(&exposed(&by)));
        view! {
            <div class="banner banner--bad">
                <p><strong>{texts::THE_KILL_SWITCH_IS_ON}</strong> {by} " " <Moment at=Signal::stored(state.at) /></p>
                <button type="button" class="button button--small" popovertarget=PANEL>{texts::LIFT}</button>
            </div>
        }
        .into_any()
    };
    view! { <div role="status">{live_view(shown)}</div> }.into_any()
}
