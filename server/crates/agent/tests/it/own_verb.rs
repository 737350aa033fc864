//! The word "cancel" on cards: an order for a call that cancels, a doubt for every other.

use agent::ports::Recovery;
use protocol::{Origin, OriginSource, Tier};
use serde_json::json;
use testkit::{Script, ScriptedModel, ScriptedTools, spec};

use crate::{confirm::question, world::World};

/// The sentences and the source on the card of a call about `pve`.
async fn card(tool: &str, tier: Tier, words: &str) -> (Vec<String>, OriginSource) {
    let call = Script::new().call("a", tool, json!({ "node": "pve" }));
    let tools = ScriptedTools::new().with(spec(tool, tier, Recovery::Unsafe));
    let scripts = vec![call, Script::say("Sir.")];
    let world = World::new(ScriptedModel::in_order(scripts), tools);
    let conversation = world.start(words).await;
    let mut watch = world.watch(conversation).await;
    let (_, card) = question(&mut watch).await;
    let Origin { source, .. } = card.origins.first().unwrap().clone();
    (card.risks, source)
}

#[tokio::test(start_paused = true)]
async fn a_card_doubts_the_word_cancel_only_where_its_call_is_no_cancel() {
    let mut wrong = Vec::new();
    let doubt = "Your words name pve, but seem to say to leave it alone.";
    for (tool, tier, words, is_doubted) in [
        ("cancel_run", Tier::Red, "Cancel pve", false),
        (
            "cancel_run",
            Tier::Red,
            "Could you please cancel pve: it was a mistake",
            false,
        ),
        (
            "cancel_run",
            Tier::Red,
            "Never touch pve. Now cancel pve.",
            true,
        ),
        ("start_run", Tier::Red, "Cancel pve", true),
        ("cancelled_run", Tier::Red, "Cancel pve", true),
        ("cancel_run", Tier::Red, "Don't cancel pve", true),
        ("cancel_run", Tier::Red, "Never touch pve", true),
        (
            "cancel_run",
            Tier::Red,
            "Cancel pve. No, leave it alone.",
            true,
        ),
        (
            "cancel_run",
            Tier::Red,
            "Cancel everything except pve",
            true,
        ),
        ("cancel_run", Tier::Red, "Should I cancel pve?", true),
        (
            "cancel_run",
            Tier::Red,
            "Start pve\n> cancel pve\n\nleave pve alone",
            true,
        ),
        // Here the doubt is why a person is asked at all.
        ("cancel_run", Tier::Yellow, "Cancel pve", true),
    ] {
        let (risks, source) = card(tool, tier, words).await;
        let told = risks.iter().any(|it| it == doubt);
        let expect = if is_doubted {
            OriginSource::Excluded
        } else {
            OriginSource::User
        };
        if (told, &source) != (is_doubted, &expect) {
            wrong.push((tool, words, told, source));
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}
