//! Acts of people: no model reaches them, a token is told once, and pages offer what makes sense.

use agent::ports::{Audience, CallActor, Progress, Reconciled, Recovery, ToolCall, Toolset};
use field::ports::{DeviceStanding, UserId};
use field_testkit::{
    ROOT_KEY, RunScenario,
    office::{BRANCH, BUNDLE, OFFICE, ROOM},
};
use protocol::{Assurance, ErrorBody, PageQuery, Tier, Timestamp};
use serde_json::{Value, json};

use crate::stub::{Stub, approved, call, person};

/// A person's own call.
fn own(number: u128, name: &str, input: Value) -> ToolCall {
    let mut call = call(number, name, input);
    call.origin.actor = CallActor::Person;
    call
}

async fn page(stub: &Stub, who: UserId, kind: &str, name: &str) -> Result<Value, ErrorBody> {
    let part = if kind == "enrolment" { "token" } else { kind };
    let query = PageQuery {
        kind: kind.to_owned(),
        name: name.to_owned(),
        part: part.to_owned(),
    };
    stub.field.page(who, &query).await
}

/// The tools that a page offers on a device.
async fn offered(stub: &Stub, who: UserId) -> Vec<String> {
    let page = page(stub, who, "device", ROOM).await.unwrap();
    let offers = page["offers"].as_array().unwrap().iter();
    let tools = offers.map(|offer| offer["tool"].as_str().unwrap().to_owned());
    tools.collect()
}

fn someone() -> UserId {
    UserId::new(Timestamp(1), 2)
}

#[test]
fn they_are_for_people_alone() {
    let stub = Stub::new();
    let tools = stub.field.tools();
    let specs = tools.iter().map(|tool| tool.spec());
    let people: Vec<_> = specs
        .filter(|spec| spec.audience == Audience::People)
        .map(|spec| {
            assert_eq!(spec.examples, [], "{}", spec.name);
            (spec.name, spec.tier, spec.recovery)
        })
        .collect();
    let again = Recovery::Idempotent;
    let expected = [
        ("enrol_device", Tier::Yellow, Recovery::Reconcilable),
        ("withdraw_enrolment", Tier::Yellow, again),
        ("adopt_device", Tier::Red, again),
        ("suspend_device", Tier::Yellow, again),
        ("resume_device", Tier::Red, again),
        ("retire_device", Tier::Red, again),
        ("edit_device", Tier::Yellow, again),
        ("set_public_addresses", Tier::Red, again),
        ("resolve_run", Tier::Yellow, again),
        ("edit_proposal", Tier::Yellow, again),
    ];
    let expected = expected.map(|(name, tier, recovery)| (name.to_owned(), tier, recovery));
    assert_eq!(people, expected);
}

#[tokio::test]
async fn a_token_is_told_once_to_the_person_who_made_it() {
    let stub = Stub::new();
    let input = json!({ "site": "nordlicht OFFICE ", "name": " Attic\n probe" });
    let call = own(1, "enrol_device", input.clone());
    let journal = call.origin.conversation.to_string();
    let tool = stub.tool("enrol_device");
    let known = tool.objects(&input);
    let made = stub.run(call.clone()).await.unwrap();
    assert!(!format!("{made:?}").contains(ROOT_KEY), "{made:?}");
    assert_eq!(made.data["name"], "Attic probe");
    assert_eq!(known, [format!("site/{OFFICE}")]);
    let theirs = page(&stub, someone(), "enrolment", &journal).await;
    assert!(theirs.is_err(), "somebody else made it");
    let told = page(&stub, person(), "enrolment", &journal).await.unwrap();
    assert!(told["token"].as_str().unwrap().ends_with(ROOT_KEY));
    assert_eq!(told["enrolment"], made.data["enrolment"]);
    let again = page(&stub, person(), "enrolment", &journal).await;
    assert!(again.is_err(), "it was told");
    // A restart knows that it was made, and cannot tell it.
    let found = tool.reconcile(&call, Timestamp(0)).await;
    let Reconciled::Done(Ok(found)) = found else {
        panic!("{found:?}");
    };
    assert!(!format!("{found:?}").contains(ROOT_KEY));
    let other = own(2, "enrol_device", input);
    let never = tool.reconcile(&other, Timestamp(0)).await;
    assert!(matches!(never, Reconciled::NotDone(_)));

    let keys = page(&stub, person(), "keys", "keys").await.unwrap();
    assert!(!keys.to_string().contains(ROOT_KEY), "{keys}");
    let offer = &keys["enrolments"][0]["offers"][0];
    assert_eq!(offer["tool"], "withdraw_enrolment");
    stub.memory.shut_out(someone());
    let theirs = page(&stub, someone(), "keys", "keys").await.unwrap();
    assert_eq!(theirs["enrolments"][0]["offers"], json!([]));
    let withdraw = own(3, "withdraw_enrolment", offer["with"].clone());
    stub.run(withdraw).await.unwrap();
    let keys = page(&stub, person(), "keys", "keys").await.unwrap();
    assert_eq!(keys["enrolments"], json!([]));
}

#[tokio::test]
async fn a_new_site_has_the_name_that_was_written() {
    let stub = Stub::new();
    let input = json!({ "site": "Harbour", "name": "Crane" });
    let made = stub.run(own(1, "enrol_device", input)).await.unwrap();
    assert_eq!(made.data["site"], "Harbour");
    let snapshot = stub.memory.ports().memory.snapshot();
    let found = snapshot
        .borrow()
        .sites
        .iter()
        .any(|it| it.name == "Harbour");
    assert!(found);
    for input in [
        json!({ "site": " ", "name": "Crane" }),
        json!({ "site": "Harbour", "name": "\n" }),
    ] {
        assert!(stub.run(own(2, "enrol_device", input)).await.is_err());
    }
}

#[tokio::test]
async fn pages_offer_what_makes_sense_and_nothing_to_viewers() {
    let stub = Stub::new();
    stub.memory.shut_out(someone());
    for (standing, expected) in [
        (DeviceStanding::Waiting, ["adopt_device", "retire_device"]),
        (DeviceStanding::Adopted, ["suspend_device", "retire_device"]),
        (
            DeviceStanding::Suspended,
            ["resume_device", "retire_device"],
        ),
    ] {
        stub.memory
            .edit_device(ROOM, |device| device.standing = standing);
        let all = offered(&stub, person()).await;
        assert!(all.ends_with(&expected.map(str::to_owned)), "{all:?}");
        let theirs = offered(&stub, someone()).await;
        assert!(
            !theirs
                .iter()
                .any(|tool| all[all.len() - 2..].contains(tool))
        );
        assert!(!theirs.contains(&"edit_device".to_owned()));
    }
}

/// The input that the page of a device offers under this label.
async fn offered_as(stub: &Stub, label: &str) -> Option<Value> {
    let page = page(stub, person(), "device", ROOM).await.unwrap();
    let mut offers = page["offers"].as_array().unwrap().iter();
    let offer = offers.find(|offer| offer["label"] == label);
    offer.map(|offer| offer["with"].clone())
}

#[tokio::test]
async fn people_say_what_a_device_is() {
    let stub = Stub::new();
    let edit = |number: u128, input: &Value| own(number, "edit_device", input.clone());
    let mark = offered_as(&stub, "Mark as critical").await.unwrap();
    for number in 1..=2 {
        let done = stub.run(edit(number, &mark)).await.unwrap();
        assert_eq!(done.data["tags"], json!(["office", "critical"]));
    }
    let unmark = offered_as(&stub, "No longer critical").await.unwrap();
    // What needs more people afterwards is a press, and what needs fewer a card.
    let tier = |input: &Value| stub.tool("edit_device").assess(input).tier;
    assert_eq!([tier(&mark), tier(&unmark)], [Tier::Yellow, Tier::Red]);
    let card = stub.preview(&edit(3, &unmark)).await.unwrap();
    assert_eq!(card.facts[0].value, "yes → no");
    stub.run(edit(4, &unmark)).await.unwrap();
    assert!(offered_as(&stub, "Mark as critical").await.is_some());
    let both = json!({ "device": ROOM, "name": " Board\n room", "metered": true });
    stub.run(edit(5, &both)).await.unwrap();
    let shown = page(&stub, person(), "device", ROOM).await.unwrap();
    assert_eq!(shown["device"]["name"], "Board room");
    assert_eq!(shown["device"]["tags"], json!(["office", "metered"]));
    for nothing in [
        json!({ "device": ROOM }),
        json!({ "device": ROOM, "name": " \n" }),
    ] {
        assert!(stub.run(edit(6, &nothing)).await.is_err(), "{nothing}");
    }
}

#[tokio::test]
async fn people_choose_whether_a_site_hides_public_addresses() {
    let stub = Stub::new();
    let input = json!({ "site": OFFICE, "addresses": "shown" });
    let objects = stub.tool("set_public_addresses").objects(&input);
    assert_eq!(objects, [format!("site/{OFFICE}")]);
    let show = own(1, "set_public_addresses", input);
    let card = stub.preview(&show).await.unwrap();
    assert_eq!(card.facts[0].value, "hidden → shown");
    assert!(!card.grantable);
    stub.run(show).await.unwrap();
    let snapshot = stub.memory.ports().memory.snapshot();
    let hides = |id: &str| snapshot.borrow().site(id).map(|it| it.hides_public);
    assert_eq!((hides(OFFICE), hides(BRANCH)), (Some(false), Some(true)));
    let nowhere = json!({ "site": "nowhere", "addresses": "shown" });
    let nowhere = own(2, "set_public_addresses", nowhere);
    assert!(stub.run(nowhere).await.is_err());
}

#[tokio::test]
async fn a_card_shows_the_key_and_an_adoption_is_of_that_key() {
    let stub = Stub::new();
    stub.memory
        .edit_device(ROOM, |device| device.standing = DeviceStanding::Waiting);
    let shown = page(&stub, person(), "device", ROOM).await.unwrap();
    let offer = &shown["offers"][0]["with"];
    let adopt = own(1, "adopt_device", offer.clone());
    let card = stub.preview(&adopt).await.unwrap();
    assert_eq!(card.facts[0].value, shown["fingerprint"]);
    assert_eq!(card.state["fingerprint"], offer["fingerprint"]);
    assert!(!card.grantable);
    let other = json!({ "device": ROOM, "fingerprint": "0".repeat(64) });
    assert!(stub.run(own(2, "adopt_device", other)).await.is_err());
    stub.run(adopt.clone()).await.unwrap();
    assert!(stub.preview(&adopt).await.is_err(), "it is adopted");

    let reason = json!({ "device": ROOM, "reason": "It moved." });
    let suspend = own(3, "suspend_device", reason.clone());
    for _ in 0..2 {
        let done = stub.run(suspend.clone()).await.unwrap();
        assert_eq!(done.data["standing"], "suspended");
    }
    let resume = own(4, "resume_device", json!({ "device": ROOM }));
    stub.run(resume.clone()).await.unwrap();
    assert!(stub.preview(&resume).await.is_err());
    let retire = own(5, "retire_device", reason);
    let card = stub.preview(&retire).await.unwrap();
    let word = "meeting room".to_owned();
    assert_eq!(card.assurance, Assurance::Type { word });
    assert!(card.irreversible.is_some());
    stub.run(retire).await.unwrap();
    // Its page stays, says so, and offers nothing: no tool knows the device any more.
    let left = page(&stub, person(), "device", ROOM).await.unwrap();
    assert_eq!(left["device"]["name"], "meeting room");
    assert_eq!(left["device"]["standing"], "retired");
    assert_eq!(left["retired"]["by"], "Ada");
    assert_eq!(left["retired"]["reason"], "It moved.");
    assert_eq!(left["offers"], json!([]));
    let read = stub.call("get_device", json!({ "device": ROOM })).await;
    assert!(read.is_err(), "{read:?}");
}

#[tokio::test]
async fn what_a_retired_device_leaves_offers_nothing() {
    let stub = Stub::new();
    let (proposal, version) = stub.proposal(1, json!([{ "run": "routes" }])).await;
    stub.memory.scenario(RunScenario::Waits);
    let script = stub.tool("run_script");
    let call = approved(2, &proposal, version, &["Ada"]);
    script.preview(&call).await.unwrap();
    let waiting = tokio::spawn(async move { script.call(call, Progress::ignored()).await });
    let mut snapshot = stub.memory.ports().memory.snapshot();
    let queued = snapshot.wait_for(|it| !it.runs.is_empty()).await.unwrap();
    let run = queued.runs[0].id.clone();
    drop(queued);
    waiting.abort();
    let offers = async |kind: &str, name: &str| {
        let page = page(&stub, person(), kind, name).await.unwrap();
        page["offers"].as_array().unwrap().len()
    };
    assert_eq!(offers("proposal", &proposal).await, 2);
    assert_eq!(offers("run", &run).await, 1);
    let gone = json!({ "device": ROOM, "reason": "It was stolen." });
    stub.run(own(3, "retire_device", gone)).await.unwrap();
    assert_eq!(offers("proposal", &proposal).await, 0);
    assert_eq!(offers("run", &run).await, 0);
    // And says whose it was by its name.
    for (kind, name) in [("proposal", &*proposal), ("run", &*run), ("bundle", BUNDLE)] {
        let left = page(&stub, person(), kind, name).await.unwrap();
        assert_eq!(left["device_name"], "meeting room", "{kind}");
    }
}

#[tokio::test]
async fn a_run_whose_outcome_is_unknown_is_resolved_by_a_person() {
    let stub = Stub::new();
    let steps = json!([{ "run": "routes" }]);
    let (proposal, version) = stub.proposal(1, steps).await;
    stub.memory.scenario(RunScenario::Unknown);
    let _unknown = stub.run(approved(2, &proposal, version, &["Ada"])).await;
    let listed = stub.call("list_runs", json!({})).await.unwrap();
    let run = listed.data["runs"][0]["run"].as_str().unwrap();
    let word = json!({ "run": run, "finding": "did_not_run", "reason": "Its log is empty." });
    let before = page(&stub, person(), "run", run).await.unwrap();
    assert_eq!(before["run"]["unresolved"], true);
    let cannot_tell =
        json!({ "run": run, "finding": "cannot_tell", "reason": "Nobody was there." });
    stub.run(own(5, "resolve_run", cannot_tell.clone()))
        .await
        .unwrap();
    let so_far = page(&stub, person(), "run", run).await.unwrap();
    assert_eq!(so_far["run"]["phase"], "found_nothing");
    assert_eq!(so_far["resolved"]["reason"], "Nobody was there.");
    assert_eq!(so_far.get("could_not_tell"), None);
    stub.run(own(3, "resolve_run", word.clone())).await.unwrap();
    let after = page(&stub, person(), "run", run).await.unwrap();
    assert_eq!(after["run"]["unresolved"], false);
    assert_eq!(after["run"]["phase"], "found_not_run");
    assert_eq!(after["resolved"]["by"], "Ada");
    assert_eq!(after["resolved"]["reason"], "Its log is empty.");
    assert_eq!(after["could_not_tell"]["reason"], "Nobody was there.");
    let read = stub.call("get_run", json!({ "run": run })).await.unwrap();
    assert!(
        !read.data.to_string().contains("log is empty"),
        "a model does not read the words of a person that nothing has covered"
    );
    for word in [word, cannot_tell] {
        let refused = stub.run(own(4, "resolve_run", word)).await;
        assert!(refused.is_err(), "a finding stays");
    }
}
