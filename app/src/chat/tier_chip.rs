//! The mark of a tier.

use leptos::prelude::*;
use protocol::Tier;

use crate::{texts::calls as texts, words};

pub(super) fn tier_chip(tier: Tier) -> AnyView {
    view! {
        <span class=words::tier_class(tier) title=words::tier_meaning(tier)>
            <span class="visually-hidden">{texts::TIER}</span>
            {words::tier_name(tier)}
        </span>
    }
    .into_any()
}
