//! A call whose outcome is unknown: the facts so far, and the ways to settle it.

use kit::{Icon, browser, format::exposed, icon, live, live_view, press};
use leptos::{html, prelude::*};
use protocol::{Command, Resolution};
use transcript::{ToolRow, ToolState};

use super::open_conversation::OpenConversation;
use crate::{channel::Channel, route::Page, texts::calls as texts, words};

#[component]
pub(super) fn Outcome(tool: ArcRwSignal<ToolRow>) -> impl IntoView {
    let open = expect_context::<OpenConversation>().conversation;
    let (id, closed) = (open.id(), open.is_closed());
    let parent = open.parent();
    let channel = expect_context::<Channel>();
    let frame = NodeRef::<html::Div>::new();
    let shown = move || {
        // The buttons may go, with the focus on one of them.
        let card = frame
            .get_untracked()
            .and_then(|frame| frame.parent_element());
        if let Some(card) = card {
            browser::keep_focus(&card, browser::HEADS);
        }
        let tool = tool.read();
        let ToolState::OutcomeUnknown { known } = &tool.state else {
            return None;
        };
        let call = tool.call?;
        let known = known
            .as_deref()
            .map_or_else(|| texts::NO_FURTHER_DETAILS.to_owned(), exposed);
        let resolved = tool.resolved.as_ref();
        let found = resolved.map(|resolved| {
            let by = resolved.by.as_deref().map_or_else(
                || texts::ACCORDING_TO_A_CHECK.to_owned(),
                |by| texts::reported_by(&exposed(by)),
            );
            let what = words::resolution(resolved.resolution);
            let message = exposed(&resolved.message);
            // The message may begin with the same words, and add nothing.
            let more = message.strip_prefix(what).unwrap_or(&message);
            let text = match more.trim_start_matches([':', '.', ' ']) {
                "" => texts::said_by(what, &by),
                more => texts::said_by_with_more(what, &by, more),
            };
            view! { <p class="outcome__found">{text}</p> }
        });
        let settled = |resolution| resolution != Resolution::Unknown;
        let copied = tool.copied;
        let open =
            !closed && !copied && !resolved.is_some_and(|resolved| settled(resolved.resolution));
        let button = move |picture: Option<Icon>, name: &'static str, command: Command| {
            // Checking again is reading; stating the outcome is deciding.
            let decides = matches!(command, Command::Resolve { .. });
            let bar = move || channel.bars().filter(|_| decides);
            let act = move || {
                if untrack(|| !channel.is_asking(call) && bar().is_none()) {
                    channel.command(command.clone());
                }
            };
            // Not disabled: it would lose the focus before the answer arrives.
            let busy = live(move || (channel.is_asking(call) || bar().is_some()).then_some("true"));
            view! {
                <button type="button" class="button button--small" aria-disabled=busy title=live(bar) on:click=press(act)>
                    {picture.map(icon)}
                    {name}
                </button>
            }
            .into_any()
        };
        let say = |resolution| Command::Resolve {
            conversation: id,
            call,
            resolution,
        };
        let actions = open.then(|| {
            let check = Command::CheckOutcome {
                conversation: id,
                call,
            };
            view! {
                <div class="outcome__actions">
                    {button(Some(Icon::RETRY), texts::CHECK_AGAIN, check)}
                    {button(None, texts::MARK_AS_DONE, say(Resolution::Done))}
                    {button(None, texts::MARK_AS_NOT_DONE, say(Resolution::NotDone))}
                </div>
            }
        });
        let elsewhere = (!closed && copied && resolved.is_none()).then(|| {
            let link = parent.map(|parent| {
                view! { {texts::SEE_ITS_RESULT_IN} <a href=Page::Chat(parent).path()>{texts::THE_ORIGINAL_BRANCH}</a> "." }
            });
            view! { <p>{texts::THIS_RAN_BEFORE_THE_BRANCH_WAS_MADE} {link}</p> }
        });
        Some(
            view! {
                <div class="outcome" class:outcome--open=open node_ref=frame role="group" aria-label=texts::OUTCOME>
                    <p>{known}</p>
                    {found} {elsewhere} {actions}
                </div>
            }
            .into_any(),
        )
    };
    live_view(move || shown().into_any())
}
