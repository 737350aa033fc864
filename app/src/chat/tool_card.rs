//! A tool call: name, target, tier, time, and its content on request.

use kit::{Icon, Key, browser, each, format, icon, live, live_text, live_view, on, press};
use leptos::{ev, html, prelude::*};
use protocol::{ConversationId, Tier};
use transcript::{ToolRow, ToolState};

use super::{
    calls::{CallsPiece, piece},
    confirm::verdict,
    open_conversation::OpenConversation,
    outcome::Outcome,
    tier_chip::tier_chip,
    tool_state,
};
use crate::{
    attachment::attachments,
    channel::{Channel, StagePlace},
    conversation::Conversation,
    panel,
    route::Route,
    texts::calls as texts,
    words,
};

/// The current form of a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CardForm {
    /// A request to a person, with this revision.
    Asks(u32),
    Tells,
}

impl CardForm {
    fn of(tool: &ToolRow) -> Self {
        match &tool.asked {
            Some(asked) if tool.state == ToolState::Waiting => {
                Self::Asks(asked.confirmation.revision)
            }
            _ => Self::Tells,
        }
    }

    fn number(self) -> u64 {
        match self {
            Self::Asks(revision) => u64::from(revision) + 1,
            Self::Tells => 0,
        }
    }
}

#[component]
pub(super) fn ToolCard(tool: ArcRwSignal<ToolRow>) -> impl IntoView {
    let form = {
        let tool = tool.clone();
        Memo::new(move |_| CardForm::of(&tool.read()))
    };
    let state = tool.clone();
    let id = live(move || state.read().call.map(|call| call.to_string()));
    let row = NodeRef::<html::Div>::new();
    let forms = move || {
        let form = form.get();
        // The old form is still there, perhaps with the focus in it.
        if let Some(row) = row.get_untracked() {
            browser::keep_focus(&row, browser::HEADS);
        }
        vec![form]
    };
    view! {
        <div class="row call" id=id node_ref=row>
            // As a list of one: another revision gets new elements, with nothing left in them.
            {each(
                forms,
                |form| Key::of(form.number()),
                move |form| {
                    let tool = tool.clone();
                    match form {
                        CardForm::Asks(_) => piece(move || CallsPiece::Asks(tool.clone())),
                        CardForm::Tells => told(tool),
                    }
                },
            )}
        </div>
    }
    .into_any()
}

/// Draws a call that asks nobody.
fn told(tool: ArcRwSignal<ToolRow>) -> AnyView {
    let of = tool.clone();
    view! {
        {card(tool)}
        {beside(of)}
    }
    .into_any()
}

/// Draws the card of a call that asks nobody.
pub(super) fn card(tool: ArcRwSignal<ToolRow>) -> AnyView {
    let opened = RwSignal::new(false);
    let head = tool.clone();
    let state = tool.clone();
    let body = tool.clone();
    let open = expect_context::<OpenConversation>().conversation;
    view! {
        <details
            class=live(move || tool_state::class(&state.read()))
            on:toggle=on(move |event: ev::Event| opened.set(event_target::<web_sys::HtmlDetailsElement>(&event).open()))
        >
            <summary class="tool-card__summary">
                {live_view(move || summary(&head.read(), &open))} <Elapsed tool />
                <span class="chevron">{icon(Icon::CHEVRON)}</span>
            </summary>
            {live_view(move || {
                opened
                    .get()
                    .then(|| {
                        let tool = body.clone();
                        piece(move || CallsPiece::Body(tool.clone()))
                    })
                    .into_any()
            })}
        </details>
    }
    .into_any()
}

/// Draws what is in view beside the card of a call, whether or not it is open.
pub(super) fn beside(tool: ArcRwSignal<ToolRow>) -> AnyView {
    let pictures = tool.clone();
    let (placed, shown) = (tool.clone(), tool.clone());
    let channel = expect_context::<Channel>();
    let route = expect_context::<Route>();
    let open = expect_context::<OpenConversation>().conversation;
    let kept = !open.is_closed();
    let id = open.id();
    view! {
        {live_view(move || images(&pictures.read(), kept))}
        {live_view(move || staged(channel, id, &placed.read()))}
        {live_view(move || shown_at(route, &shown.read()))}
        <Outcome tool />
    }
    .into_any()
}

fn summary(tool: &ToolRow, open: &Conversation) -> AnyView {
    let target = tool.target.clone().map(format::upright).map(
        |target| view! { <span class="tool-card__target" title=target>{target.clone()}</span> },
    );
    let (class, line) = line(tool);
    view! {
        <span class="tool-card__state">{tool_state::picture(tool)}</span>
        <span class="tool-card__head">
            <span class="tool-card__name">{words::tool_name(&tool.name)}</span>
            {target}
            {tool.tier.filter(|tier| *tier != Tier::Green).map(tier_chip)}
        </span>
        <span class=class title=line>
            <span class="visually-hidden">{words::tool_state(&tool.state)} ": "</span>
            {line.clone()}
        </span>
        {tool.asked.as_deref().and_then(verdict)} {tool.grant.map(|grant| under_grant(open.grant_by(grant)))}
    }
    .into_any()
}

fn under_grant(by: Option<String>) -> AnyView {
    let by = by.map(|by| format::exposed(&by));
    let text = texts::ran_under_a_standing_grant(by.as_deref());
    view! { <span class="verdict verdict--approved">{text}</span> }.into_any()
}

/// Returns the line of the folded card.
fn line(tool: &ToolRow) -> (&'static str, String) {
    let text = match &tool.state {
        ToolState::Succeeded(output) => output.summary.clone(),
        ToolState::Failed(error) => error.message.clone(),
        ToolState::Blocked { message, .. } => message.clone(),
        ToolState::Running => tool
            .progress
            .clone()
            .unwrap_or_else(|| texts::RUNNING_NOW.to_owned()),
        ToolState::Writing => texts::PREPARING_THE_CALL.to_owned(),
        ToolState::Proposed => texts::ABOUT_TO_RUN.to_owned(),
        ToolState::Queued => texts::WAITING_FOR_EARLIER_CALLS.to_owned(),
        ToolState::Waiting => texts::WAITING_FOR_YOUR_DECISION.to_owned(),
        ToolState::Approved => texts::APPROVED_ABOUT_TO_RUN.to_owned(),
        ToolState::Denied => texts::DENIED_IT_DID_NOT_RUN.to_owned(),
        ToolState::Expired => texts::EXPIRED_IT_DID_NOT_RUN.to_owned(),
        ToolState::Withdrawn => texts::WITHDRAWN_IT_DID_NOT_RUN.to_owned(),
        ToolState::Cancelled => texts::CANCELLED_BEFORE_IT_DID_ANYTHING.to_owned(),
        ToolState::OutcomeUnknown { .. } => match &tool.resolved {
            Some(resolved) => resolved.message.clone(),
            None => texts::OUTCOME_IS_UNKNOWN.to_owned(),
        },
        ToolState::Abandoned => texts::CUT_OFF_IT_NEVER_RAN.to_owned(),
    };
    ("tool-card__line", format::upright(text))
}

/// Counts while the call runs, then stops.
#[component]
pub(super) fn Elapsed(tool: ArcRwSignal<ToolRow>) -> impl IntoView {
    let channel = expect_context::<Channel>();
    let text = move || {
        let tool = tool.read();
        match (tool.elapsed_ms, tool.started, &tool.state) {
            (Some(ms), ..) => Some(format::duration(ms)),
            (None, Some(started), ToolState::Running) => {
                let now = channel.clock.second()?;
                Some(format::span(format::between(started, now) / 1000))
            }
            _ => None,
        }
    };
    view! { <span class="tool-card__elapsed">{live_text(move || text().unwrap_or_default())}</span> }.into_any()
}

/// Draws the images of the result, visible without opening the card.
fn images(tool: &ToolRow, kept: bool) -> AnyView {
    match &tool.state {
        ToolState::Succeeded(output) => attachments(&output.images, kept).into_any(),
        _ => ().into_any(),
    }
}

/// Draws the place of a running call that needs a page, if it is not here.
fn staged(channel: Channel, conversation: ConversationId, tool: &ToolRow) -> AnyView {
    let place = match tool.state {
        ToolState::Running => tool
            .call
            .and_then(|call| Some((call, channel.place_of(call)?))),
        _ => None,
    };
    let (text, take) = match place {
        None | Some((_, StagePlace::Here)) => return ().into_any(),
        Some((_, StagePlace::Nowhere)) => (texts::WAITING_FOR_AN_OPEN_PAGE, None),
        Some((call, StagePlace::Elsewhere { could_take })) => {
            let take = could_take.then(|| {
                let take = move || channel.take_over(conversation, call);
                view! {
                    <button type="button" class="button button--small" on:click=press(take)>
                        {texts::TAKE_OVER}
                    </button>
                }
            });
            (texts::SHOWN_IN_ANOTHER_TAB, take)
        }
    };
    view! { <p class="tool-card__stage" role="status">{text} {take}</p> }.into_any()
}

/// Draws the link to a thing that a call made.
fn shown_at(route: Route, tool: &ToolRow) -> AnyView {
    let here = route.page().path();
    let made = match &tool.state {
        ToolState::Succeeded(output) => {
            let mut panels = panel::all().iter();
            panels.find_map(|panel| (panel.made)(&output.data, &here))
        }
        _ => None,
    };
    let link = |(path, words)| {
        view! {
            <p class="tool-card__stage">
                <a href=path>{words}</a>
            </p>
        }
    };
    made.map(link).into_any()
}
