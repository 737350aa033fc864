//! Standing grants of a conversation: calls that run without asking, and their revocation.

use kit::{
    Icon, Key, browser, each,
    format::{between, countdown, exposed},
    icon, live, live_text, live_view, press,
};
use leptos::{html, prelude::*};
use protocol::{Command, ConversationId, GrantId};
use transcript::StandingGrant;

use crate::{
    channel::Channel,
    conversation::Conversation,
    texts::{calls as texts, common},
};

/// Draws the grants, if there are any.
pub(super) fn grants(conversation: &Conversation) -> AnyView {
    let grants = conversation.grants();
    let id = conversation.id();
    let frame = NodeRef::<html::Details>::new();
    let all = grants.clone();
    let list = move || {
        // A changed line is redrawn, perhaps with the focus on its button.
        if let Some(frame) = frame.get_untracked() {
            browser::keep_focus(&frame, browser::HEADS);
        }
        all.get()
    };
    let any = {
        let grants = grants.clone();
        Memo::new(move |_| !grants.read().is_empty())
    };
    let channel = expect_context::<Channel>();
    let title = move || {
        let now = channel.clock.second();
        let holding = grants
            .read()
            .iter()
            .filter(|grant| now.map_or(grant.revoked.is_none(), |now| grant.holds(now)))
            .count();
        texts::active_grants(holding)
    };
    view! {
        <details class="grants" node_ref=frame hidden=live(move || !any.get())>
            <summary class="grants__summary">
                {icon(Icon::CHECK)} <span>{live_text(title)}</span>
                <span class="chevron">{icon(Icon::CHEVRON)}</span>
            </summary>
            <ul class="grants__list">
                {each(
                    list,
                    |grant| Key::of((grant.grant.id, grant.used, grant.revoked.is_some())),
                    move |grant| line(channel, id, grant),
                )}
            </ul>
        </details>
    }
    .into_any()
}

fn line(channel: Channel, conversation: ConversationId, grant: StandingGrant) -> AnyView {
    let id = grant.grant.id;
    let terms = grant.grant.terms;
    let name = exposed(&grant.grant.sentence);
    let head = name.clone();
    let facts = texts::given_and_used(&exposed(&grant.by), grant.used, terms.uses);
    let standing = grant.clone();
    let left = move || {
        if let Some(by) = &standing.revoked {
            return texts::revoked_by(&exposed(by));
        }
        match channel.clock.second() {
            None => String::new(),
            Some(now) if standing.holds(now) => {
                common::time_left(&countdown(between(now, terms.until)))
            }
            Some(_) if standing.used >= terms.uses => texts::USED_UP.to_owned(),
            Some(_) => texts::EXPIRED.to_owned(),
        }
    };
    let holds = Memo::new(move |_| channel.clock.second().is_some_and(|now| grant.holds(now)));
    let button = live_view(move || {
        holds
            .get()
            .then(|| revoke(channel, conversation, id, &name))
            .into_any()
    });
    view! {
        <li class="grants__grant">
            <p class="grants__sentence">{head}</p>
            <p class="grants__facts">{facts} " · " {live_text(left)}</p>
            {button}
        </li>
    }
    .into_any()
}

fn revoke(channel: Channel, conversation: ConversationId, grant: GrantId, name: &str) -> AnyView {
    let take = move || {
        if untrack(|| channel.bars().is_some()) {
            return;
        }
        channel.command(Command::Revoke {
            conversation,
            grant,
        });
    };
    view! {
        <button
            type="button"
            class="button button--small"
            aria-label=texts::revoke(name)
            aria-disabled=live(move || channel.bars().map(|_| "true"))
            title=live(move || channel.bars())
            on:click=press(take)
        >
            {texts::REVOKE}
        </button>
    }
    .into_any()
}
