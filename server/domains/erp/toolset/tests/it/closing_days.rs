//! The day on which a closing of a till posts, by version.

use std::collections::BTreeSet;

use erp::RestVersion;
use serde_json::json;
use simerp::{SimErpProfile, SimErpUser};

use crate::{
    acting::{DAY, card, is_whole, world},
    closings::{SUBMIT, closing},
    simulated::{World, data},
    stub::tool,
};

/// The days of the lines that closings have posted.
fn days(world: &World) -> BTreeSet<String> {
    let control = world.site.control();
    let entries = control.names("GL Entry").into_iter();
    let entries = entries.filter_map(|it| control.document("GL Entry", &it));
    let of_closings = entries.filter(|it| {
        let invoice = it["voucher_no"].as_str().unwrap_or_default();
        let invoice = control.document("Sales Invoice", invoice);
        invoice.is_some_and(|it| it["is_consolidated"] == 1)
    });
    of_closings
        .map(|it| it["posting_date"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn a_closing_posts_on_the_day_of_its_card_and_on_another_day_it_is_another_card() {
    // Newer releases date it anew with every save.
    for (profile, rest, moves) in [
        (SimErpProfile::V15, RestVersion::V1, false),
        (SimErpProfile::V16, RestVersion::V2, true),
    ] {
        let (world, clock) = world(profile, rest).await;
        let erp = world.erp(SimErpUser::Agent);
        let closing = closing(&world, 0).await;
        let before = card(&erp, SUBMIT, &closing).await;
        clock.advance(DAY);
        // The answer of this request tells the new time.
        data(&erp, "get_doc", json!({"doctype": "Item", "name": "PUMP"})).await;
        let after = card(&erp, SUBMIT, &closing).await;
        let day = if moves { "2026-11-22" } else { "2026-11-21" };
        let said = if moves { "22 Nov 2026" } else { "21 Nov 2026" };
        let sentence = &after.sentence;
        assert!(sentence.ends_with(&format!(" on {said}.")), "{sentence}");
        assert_eq!(before.state != after.state, moves);
        if moves {
            let drift = tool(&erp, SUBMIT).drift(&before.facts, &after).unwrap();
            assert_eq!(drift, "Posts on was 2026-11-21 and is 2026-11-22 now.");
        }
        let done = data(&erp, SUBMIT, closing).await;
        assert_eq!(done["posting_date"], day);
        assert_eq!(days(&world), BTreeSet::from([day.to_owned()]));
        is_whole(&world);
    }
}
