//! The board on the simulated company: values against its books, requests, rights, faults.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use agent::ports::{Picture, Screen, Toolset};
use erp::{Erp, ErpConfig, RestVersion};
use serde_json::{Value, json};
use simerp::{SimErpFault, SimErpProfile, SimErpTrigger, SimErpUser};
use tokio::sync::watch;

use crate::{
    acting::input,
    drafts::order,
    simulated::{NOW, World, data},
    stub::{self, Stub},
};

/// An ERP whose board looks again at once.
fn quick(world: &World, user: SimErpUser) -> Erp {
    let (key, secret) = world.site.key(user);
    let config = ErpConfig {
        url: world.site.url(),
        api_key: key,
        api_secret: secret.into(),
        rest: world.rest,
        board_ms: 1,
        ..ErpConfig::default()
    };
    Erp::connect_with_clock(config, || i64::try_from(NOW).unwrap() * 1000).unwrap()
}

/// The first picture that is enough, of a board that is watched until then.
async fn seen(erp: &Erp, is_enough: impl FnMut(&Picture) -> bool) -> Picture {
    let (sender, mut receiver) = watch::channel(Picture::new());
    let screen = Screen::new(move |picture| {
        sender.send_replace(picture);
    });
    let board = erp.board().unwrap();
    tokio::select! {
        () = board.watch(screen) => unreachable!("a board is watched until it is dropped"),
        found = receiver.wait_for(is_enough) => found.unwrap().clone(),
    }
}

fn is_whole(picture: &Picture) -> bool {
    let text = serde_json::to_string(picture).unwrap();
    !picture.is_empty() && !text.contains("not read yet")
}

/// A field of a part, or null if the picture does not have it.
fn field<'a>(picture: &'a Picture, key: &str, name: &str) -> &'a Value {
    picture.get(key).map_or(&Value::Null, |part| &part[name])
}

fn cents(value: &Value) -> i64 {
    let number = match value {
        Value::String(text) => text.parse().unwrap(),
        other => other.as_f64().unwrap(),
    };
    (number * 100.0_f64).round() as i64
}

fn sum_of(sums: &Value) -> i64 {
    let sums = sums.as_array().into_iter().flatten();
    sums.map(|sum| cents(&sum["text"])).sum()
}

#[tokio::test]
async fn the_values_are_those_of_the_books() {
    for world in World::both().await {
        let before = world.site.control().digest();
        let picture = seen(&world.erp(SimErpUser::Manager), is_whole).await;
        let books = world.site.control();
        let all = |doctype: &str| -> Vec<Value> {
            let names = books.names(doctype).into_iter();
            names
                .map(|name| books.document(doctype, &name).unwrap())
                .collect()
        };
        for (key, doctype) in [
            ("receivables", "Sales Invoice"),
            ("payables", "Purchase Invoice"),
        ] {
            let part = &picture[key];
            let invoices = all(doctype);
            let due: Vec<_> = invoices
                .iter()
                .filter(|it| it["docstatus"] == 1 && cents(&it["outstanding_amount"]) > 0)
                .filter(|it| it["due_date"].as_str().unwrap() < "2026-11-21")
                .collect();
            assert_eq!(part["count"], due.len(), "{key}: {part}");
            let shown = sum_of(&part["sums"]);
            let owed: i64 = due.iter().map(|it| cents(&it["outstanding_amount"])).sum();
            assert_eq!(shown, owed, "{key}: {part}");
            for (at, days, last) in [(0, 7, "2026-11-28"), (1, 30, "2026-12-21")] {
                let due = &part["due"][at];
                let open = invoices.iter().filter(|it| it["docstatus"] == 1);
                let open = open.filter(|it| {
                    let day = it["due_date"].as_str().unwrap();
                    ("2026-11-21"..=last).contains(&day)
                });
                // A credit note is no debt.
                let owed: i64 = open.map(|it| cents(&it["outstanding_amount"]).max(0)).sum();
                assert_eq!(due["days"], days, "{key}: {part}");
                assert_eq!(sum_of(&due["sums"]), owed, "{key}, {days}: {part}");
                assert!(owed > 0 || days == 7, "{key}: nothing to add up");
            }
            let days = part["rows"].as_array().unwrap().iter();
            let days: Vec<_> = days.map(|row| row["day"].as_str().unwrap()).collect();
            assert!(days.is_sorted() && days.len() <= 5, "{days:?}");
        }
        let receivables = picture["receivables"]["rows"].as_array().unwrap();
        let merlin = receivables
            .iter()
            .find(|row| row["party"] == "Merlin Bikes");
        assert_eq!(merlin.unwrap()["late"], 40, "{receivables:?}");
        assert_eq!(merlin.unwrap()["amount"]["unit"], "EUR");
        let late = picture["deliveries"]["rows"].as_array().unwrap();
        let harbour = late.iter().find(|row| row["party"] == "Harbour Wheels");
        assert_eq!(harbour.unwrap()["late"], 2, "{late:?}");
        let waiting = picture["approvals"]["rows"].as_array().unwrap();
        let order = waiting
            .iter()
            .find(|row| row["party"] == "Sprocket & Daughters")
            .unwrap();
        assert_eq!(order["by"], SimErpUser::Agent.email());
        assert_eq!(order["is_own"], false);
        let steps = order["steps"].as_array().unwrap();
        assert!(steps.iter().any(|step| step == "Approve"), "{order}");
        let drafts = &picture["drafts/Sales Order"];
        let in_books = all("Sales Order");
        let in_books = in_books.iter().filter(|it| it["docstatus"] == 0);
        assert_eq!(drafts["count"], in_books.count(), "{drafts}");
        // A journal entry has no currency of its own.
        let journal = &picture["drafts/Journal Entry"]["rows"][0]["amount"];
        assert_eq!(journal["unit"], "EUR", "{journal}");
        for row in picture["shortages"]["rows"].as_array().unwrap() {
            let bins = all("Bin");
            let bin = bins
                .iter()
                .find(|it| it["item_code"] == row["item"] && it["warehouse"] == row["warehouse"])
                .unwrap();
            let (shown, kept) = (&row["projected"]["text"], &bin["projected_qty"]);
            assert_eq!(cents(shown), cents(kept), "{row}");
            assert!(cents(kept) < 0);
        }
        let health = &picture["health"];
        assert_eq!(health["balanced"], true, "{health}");
        assert_eq!(health["queue_failed"], 0, "{health}");
        assert_eq!(health["user"], SimErpUser::Manager.email());
        // Our clock is an hour ahead.
        assert_eq!(health["clock_offset"], -3600);
        assert!(!health["last_posting"]["name"].as_str().unwrap().is_empty());
        assert_eq!(books.digest(), before, "a board changes nothing");
    }
}

#[tokio::test]
async fn of_too_many_invoices_only_whole_days_are_added_up() {
    // Three that are overdue, two of this week, and after them more than are read.
    for (days, whole) in [
        (
            ["2026-11-20", "2026-11-30", "2026-12-03"],
            [true, true, false],
        ),
        (
            ["2026-11-20", "2026-11-30", "2026-11-30"],
            [true, false, false],
        ),
        (
            ["2026-11-20", "2026-11-23", "2026-11-23"],
            [true, false, false],
        ),
        (
            ["2026-11-20", "2026-11-22", "2026-11-22"],
            [false, false, false],
        ),
    ] {
        let row = |day: &str| json!({"name": "S", "due_date": day, "outstanding_amount": 100, "party_account_currency": "EUR"});
        let counts = [3, 2, 600];
        let rows = days.iter().zip(counts);
        let rows: Vec<_> = rows
            .flat_map(|(day, count)| (0..count).map(|_| row(day)))
            .take(501)
            .collect();
        let site = Stub::plain(move |asked| {
            let is_list = asked.path.ends_with("/Sales%20Invoice");
            is_list.then(|| stub::data(json!(rows)))
        })
        .await;
        let picture = seen(&site.erp, |it| field(it, "receivables", "rows").is_array()).await;
        let part = &picture["receivables"];
        let known = [
            !part["count"].is_null(),
            part["due"][0]["sums"].is_array(),
            part["due"][1]["sums"].is_array(),
        ];
        assert_eq!(known, whole, "{days:?}: {part}");
        assert_eq!(part["sums"].is_array(), whole[0]);
        assert_eq!(part["lacks"].is_array(), !whole[0]);
        if whole[0] {
            assert_eq!(sum_of(&part["sums"]), 300 * 100);
        }
        if whole[1] {
            assert_eq!(sum_of(&part["due"][0]["sums"]), 200 * 100);
        }
        let why = part["due"][1]["sums"]["unknown"].as_str().unwrap();
        assert!(why.contains("more than 500"), "{why}");
    }
}

#[tokio::test]
async fn each_part_is_one_list_and_nobody_looking_asks_nothing() {
    let world = World::start(SimErpProfile::V16, RestVersion::V1).await;
    let erp = world.erp(SimErpUser::Agent);
    assert!(world.site.control().requests().is_empty());
    let picture = seen(&erp, is_whole).await;
    let asked = world.site.control().requests();
    let lists = |doctype: &str| {
        let path = format!("/api/resource/{doctype}");
        asked.iter().filter(|seen| seen.path == path).count()
    };
    for (doctype, count) in [
        ("Workflow Action", 1),
        // Drafts, and what is due.
        ("Sales Invoice", 2),
        ("Purchase Invoice", 2),
        // Drafts, and late deliveries.
        ("Sales Order", 2),
        ("Bin", 1),
        ("Submission Queue", 1),
        // The last posting, and the sums.
        ("GL Entry", 2),
        ("Payment Entry", 1),
        ("Journal Entry", 1),
        ("Delivery Note", 1),
    ] {
        assert_eq!(lists(doctype), count, "{doctype}");
    }
    assert!(picture.contains_key("drafts/Journal Entry"));
    let orders = picture["drafts/Purchase Order"]["rows"].as_array().unwrap();
    let waiting = orders.iter().find(|it| it["state"] == "Pending Approval");
    assert_eq!(
        waiting.unwrap()["waits_for"],
        json!(["Purchase Manager"]),
        "{orders:?}"
    );
    assert!(asked.iter().all(|seen| seen.method == "GET"));
    // The pages are shown again from memory, and nothing else is asked.
    let again = seen(&erp, is_whole).await;
    assert_eq!(again, picture);
    assert_eq!(world.site.control().requests().len(), asked.len());
}

#[tokio::test]
async fn for_notices_alone_few_lists_are_read() {
    let world = World::start(SimErpProfile::V16, RestVersion::V1).await;
    let erp = world.erp(SimErpUser::Agent);
    let (sender, mut shown) = watch::channel(0_usize);
    let (_looks, looked_at) = watch::channel(false);
    let screen = Screen::seen_by(looked_at, move |picture| {
        sender.send_modify(|parts| *parts = picture.len());
    });
    let board = erp.board().unwrap();
    assert!(board.is_guarded());
    tokio::select! {
        () = board.watch(screen) => unreachable!("a board is watched until it is dropped"),
        parts = shown.wait_for(|parts| *parts > 0) => assert!(*parts.unwrap() > 0),
    }
    let asked = world.site.control().requests();
    let drafts = asked
        .iter()
        .filter(|it| it.path.ends_with("/Payment Entry"));
    assert_eq!(drafts.count(), 0, "drafts raise no notice");
}

#[tokio::test]
async fn the_documents_of_an_unchanged_inbox_are_not_read_again() {
    let world = World::start(SimErpProfile::V15, RestVersion::V1).await;
    let erp = quick(&world, SimErpUser::Manager);
    let looks = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&looks);
    seen(&erp, move |_| counted.fetch_add(1, Ordering::Relaxed) > 6).await;
    let asked = world.site.control().requests();
    let inbox = asked
        .iter()
        .filter(|it| it.path.ends_with("/Workflow Action"));
    let quotations = asked
        .iter()
        .filter(|it| it.path.ends_with("resource/Quotation"));
    let (inbox, quotations) = (inbox.count(), quotations.count());
    assert!(inbox > 2, "{inbox}");
    assert!(quotations <= 1 + inbox / 10, "{quotations} of {inbox}");
}

/// The test ends long before a list would be due by itself.
#[tokio::test]
async fn a_call_of_ours_is_seen_at_once() {
    let world = World::start(SimErpProfile::V16, RestVersion::V1).await;
    let erp = world.erp(SimErpUser::Agent);
    let (sender, mut shown) = watch::channel(Picture::new());
    let screen = Screen::new(move |picture| {
        sender.send_replace(picture);
    });
    let board = erp.board().unwrap();
    let drafts_have = |picture: &Picture, name: &str| {
        let rows = field(picture, "drafts/Sales Order", "rows").as_array();
        rows.is_some_and(|rows| rows.iter().any(|row| row["name"] == name))
    };
    let acted = async {
        shown.wait_for(is_whole).await.unwrap();
        let made = data(&erp, "create_doc", order(2)).await;
        let name = made["name"].as_str().unwrap();
        shown.wait_for(|it| drafts_have(it, name)).await.unwrap();
        let draft = input(&erp, "Sales Order", name).await;
        data(&erp, "submit_doc", draft).await;
        shown.wait_for(|it| !drafts_have(it, name)).await.unwrap();
    };
    tokio::select! {
        () = board.watch(screen) => unreachable!("a board is watched until it is dropped"),
        in_time = tokio::time::timeout(Duration::from_secs(20), Box::pin(acted)) => in_time.unwrap(),
    }
}

#[tokio::test]
async fn without_rights_everything_is_unknown_rather_than_zero() {
    let world = World::start(SimErpProfile::V16, RestVersion::V1).await;
    let picture = seen(&world.erp(SimErpUser::Narrow), is_whole).await;
    for key in ["payables", "drafts/Payment Entry"] {
        let part = &picture[key];
        assert!(part["rows"]["unknown"].is_string(), "{key}: {part}");
        assert_eq!(
            (&part["count"], &part["sums"]),
            (&Value::Null, &Value::Null)
        );
    }
    let health = &picture["health"];
    assert!(health["balanced"]["unknown"].is_string(), "{health}");
    assert!(health["last_posting"]["unknown"].is_string(), "{health}");
    let missing = health["missing"].as_array().unwrap();
    for doctype in ["GL Entry", "Purchase Invoice", "Payment Entry"] {
        assert!(
            missing.iter().any(|it| it == doctype),
            "{doctype}: {missing:?}"
        );
    }
}

#[tokio::test]
async fn what_becomes_forbidden_is_dropped_and_what_is_lost_is_kept() {
    let world = World::start(SimErpProfile::V16, RestVersion::V2).await;
    let control = world.site.control();
    let erp = quick(&world, SimErpUser::Agent);
    let before = seen(&erp, is_whole).await;
    assert!(before["receivables"]["rows"].is_array());
    control.set_withdrawn(SimErpUser::Agent.email(), "Sales Invoice", true);
    let denied = |picture: &Picture| field(picture, "receivables", "rows")["unknown"].is_string();
    let after = seen(&erp, denied).await;
    assert_eq!(after["receivables"]["sums"], Value::Null);
    control.set_withdrawn(SimErpUser::Agent.email(), "Sales Invoice", false);
    seen(&erp, |it| {
        field(it, "receivables", "rows").is_array() && is_whole(it)
    })
    .await;
    control.fault(SimErpTrigger::next("", SimErpFault::LostBefore).times(u32::MAX));
    let lost = seen(&erp, |it| field(it, "health", "trouble").is_string()).await;
    let part = &lost["receivables"];
    assert_eq!(
        part["rows"], before["receivables"]["rows"],
        "the last rows stay"
    );
    assert!(part["trouble"].is_string() && part["at"].is_i64(), "{part}");
    assert!(lost["health"]["balanced"]["unknown"].is_string());
    control.clear_faults();
    let back = seen(&erp, |it| {
        let quiet = |part| field(it, part, "trouble").is_null();
        quiet("health") && quiet("receivables") && is_whole(it)
    })
    .await;
    assert_eq!(back["receivables"]["trouble"], Value::Null);
    assert!(lost["health"]["help"].is_string() && back["health"]["help"].is_null());
}

#[tokio::test]
async fn a_key_that_may_do_everything_reads_nothing() {
    let world = World::start(SimErpProfile::V16, RestVersion::V1).await;
    let picture = seen(&world.erp(SimErpUser::Boss), |it| {
        field(it, "health", "trouble").is_string()
    })
    .await;
    let user = picture["health"]["user"]["unknown"].as_str().unwrap();
    assert!(user.contains("System Manager"), "{user}");
    let help = picture["health"]["help"].as_str().unwrap();
    assert!(help.contains("narrow it by User Permission"), "{help}");
    assert!(picture["approvals"]["rows"]["unknown"].is_string());
    let asked = world.site.control().requests();
    assert!(asked.iter().all(|it| !it.path.contains("/resource/")));
}

#[tokio::test]
async fn companies_out_of_reach_are_not_on_the_board() {
    let world = World::start(SimErpProfile::V15, RestVersion::V1).await;
    let (key, secret) = world.site.key(SimErpUser::Agent);
    let config = ErpConfig {
        url: world.site.url(),
        api_key: key,
        api_secret: secret.into(),
        companies: vec!["Aldergate Trading".to_owned()],
        ..ErpConfig::default()
    };
    let now = i64::try_from(NOW).unwrap() * 1000;
    let erp = Erp::connect_with_clock(config, move || now).unwrap();
    let picture = seen(&erp, is_whole).await;
    let text = serde_json::to_string(&picture).unwrap();
    assert!(!text.contains(" - AC"), "{text}");
    assert!(!text.contains("Merlin Bikes"), "{text}");
    assert_eq!(picture["health"]["companies"][0], "Aldergate Trading");
}
