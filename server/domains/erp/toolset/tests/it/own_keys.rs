//! Own keys of people on the simulated company: what the ERP sees, and what is refused.

use std::sync::{Arc, Mutex};

use agent::ports::Toolset;
use erp::{Erp, PersonKey, RestVersion};
use erp_testkit::MemoryPersonKeys;
use protocol::{ErrorBody, ErrorCode, PageQuery, Timestamp, ToolOutput, UserId};
use serde_json::{Value, json};
use simerp::{SimErpFault, SimErpProfile, SimErpTrigger, SimErpUser};

use crate::{
    acting::with,
    simulated::{World, is},
    stub::{Stub, call, message, tool},
};

fn person(n: u128) -> UserId {
    UserId::new(Timestamp(1), n)
}

/// A site where people may have keys.
struct Shop {
    world: World,
    erp: Erp,
    keys: MemoryPersonKeys,
}

impl Shop {
    async fn open(profile: SimErpProfile, rest: RestVersion) -> Self {
        let world = World::start(profile, rest).await;
        let keys = MemoryPersonKeys::default();
        let erp = world.erp(SimErpUser::Agent);
        Self {
            erp: erp.with_person_keys(Arc::new(keys.clone())),
            world,
            keys,
        }
    }

    /// Enters the key of an ERP user for a person, as the settings do.
    async fn enter(&self, person: UserId, user: SimErpUser, at: i64) -> Result<(), ErrorBody> {
        let own = self.erp.own_keys().unwrap();
        let (key, secret) = self.world.site.key(user);
        let account = own.check(&key, &secret).await?;
        assert_eq!(account.user, user.email());
        let key = PersonKey::new(&key, &secret, account);
        own.keep(person, key, Timestamp(at)).await
    }

    async fn ask(&self, person: UserId, name: &str, input: Value) -> Result<ToolOutput, ErrorBody> {
        let mut call = call(name, input);
        call.origin.person = person;
        let done = tool(&self.erp, name)
            .call(call, agent::ports::Progress::ignored())
            .await;
        done.map_err(|error| error.0)
    }

    /// The steps that the ERP's workflow offers for the order that the site's own user has made.
    async fn actions(&self, person: UserId) -> Value {
        let input = json!({"doctype": "Purchase Order", "name": self.waiting_order(person).await});
        let mut order = self.ask(person, "get_doc", input).await.unwrap();
        order.data["workflow"]["actions"].take()
    }

    async fn waiting_order(&self, person: UserId) -> String {
        let filters = json!([
            is("supplier", "Sprocket & Daughters"),
            is("workflow_state", "Pending Approval")
        ]);
        let input = json!({"doctype": "Purchase Order", "filters": filters});
        let found = self.ask(person, "search_doc", input).await.unwrap();
        found.data["rows"][0]["name"].as_str().unwrap().to_owned()
    }

    /// The buttons on that order's page.
    async fn offered(&self, person: UserId) -> Vec<String> {
        let query = PageQuery {
            kind: "document".to_owned(),
            name: format!("Purchase Order/{}", self.waiting_order(person).await),
            part: "document".to_owned(),
        };
        let page = self.erp.page(person, &query).await.unwrap();
        let offers = page["offers"].as_array().unwrap().iter();
        offers
            .map(|it| it["label"].as_str().unwrap().to_owned())
            .collect()
    }

    /// The documents that the overview shows a person as waiting for their own key.
    async fn own_approvals(&self, person: UserId) -> Value {
        let [kind, name, part] = ["own", "approvals", "list"].map(str::to_owned);
        let query = PageQuery { kind, name, part };
        self.erp.page(person, &query).await.unwrap()
    }

    /// The users of the requests since the one with this number.
    fn users_since(&self, since: usize) -> Vec<String> {
        let seen = self.world.site.control().requests().into_iter().skip(since);
        let mut users: Vec<_> = seen.map(|it| it.user).collect();
        users.dedup();
        users
    }

    fn asked(&self) -> usize {
        self.world.site.control().requests().len()
    }
}

#[tokio::test]
async fn the_erp_sees_the_person_whose_call_it_is_and_a_robot_without_a_key() {
    for (profile, rest) in [
        (SimErpProfile::V15, RestVersion::V1),
        (SimErpProfile::V16, RestVersion::V2),
    ] {
        let shop = Shop::open(profile, rest).await;
        let (manager, clerk, other) = (person(1), person(2), person(3));
        shop.enter(manager, SimErpUser::Manager, 1).await.unwrap();
        shop.enter(clerk, SimErpUser::Clerk, 1).await.unwrap();
        for (who, user, actions) in [
            // The order is the agent's own, and the clerk leads nothing.
            (other, SimErpUser::Agent, json!([])),
            (clerk, SimErpUser::Clerk, json!([])),
            (manager, SimErpUser::Manager, json!(["Approve", "Reject"])),
        ] {
            let since = shop.asked();
            assert_eq!(shop.actions(who).await, actions, "{user:?}");
            assert_eq!(shop.users_since(since), [user.email()]);
            assert_eq!(json!(shop.offered(who).await), actions, "{user:?}");
        }
        // What everybody sees comes from the site's key: nothing that a manager has read is in it.
        shop.erp.verify().await.unwrap();
        let context = shop.erp.context(&[]).await.remove(0).data.unwrap();
        assert_eq!(context["erp_user"], SimErpUser::Agent.email());
        let known = shop.erp.names().await.unwrap_or_default().len();
        let item = json!({"doctype": "Item", "name": "PUMP"});
        shop.ask(manager, "get_doc", item).await.unwrap();
        assert_eq!(shop.erp.names().await.unwrap_or_default().len(), known);
        // Removed, it is never used again.
        let own = shop.erp.own_keys().unwrap();
        own.remove(manager, Timestamp(2)).await.unwrap();
        let since = shop.asked();
        assert_eq!(shop.actions(manager).await, json!([]));
        assert_eq!(shop.users_since(since), [SimErpUser::Agent.email()]);
        assert_eq!(own.account(manager).await, Ok(None));
        assert_eq!(own.test(manager).await, Ok(None));
    }
}

#[tokio::test]
async fn what_waits_for_an_own_key_is_shown_to_its_person_alone() {
    for (profile, rest) in [
        (SimErpProfile::V15, RestVersion::V1),
        (SimErpProfile::V16, RestVersion::V2),
    ] {
        let shop = Shop::open(profile, rest).await;
        let (manager, clerk, other) = (person(1), person(2), person(3));
        shop.enter(manager, SimErpUser::Manager, 1).await.unwrap();
        shop.enter(clerk, SimErpUser::Clerk, 1).await.unwrap();
        let since = shop.asked();
        let waits = shop.own_approvals(manager).await;
        assert_eq!(shop.users_since(since), [SimErpUser::Manager.email()]);
        assert_eq!(waits["user"], SimErpUser::Manager.email());
        let rows = waits["list"]["rows"].as_array().unwrap();
        let order = rows.iter().find(|it| it["party"] == "Sprocket & Daughters");
        let order = order.unwrap_or_else(|| panic!("{waits}"));
        assert_eq!(order["steps"], json!(["Approve", "Reject"]), "{order}");
        // It is marked as made with Jarvis's key, not as made with this one.
        assert_eq!(order["by"], SimErpUser::Agent.email());
        assert_eq!(order["is_own"], true);
        assert_eq!(shop.own_approvals(manager).await, waits);
        // Nobody else is served from it: each asks with their own key, or not at all.
        let since = shop.asked();
        assert_eq!(shop.own_approvals(other).await, json!({}));
        assert_eq!(shop.asked(), since);
        let of_clerk = shop.own_approvals(clerk).await;
        assert_eq!(of_clerk["user"], SimErpUser::Clerk.email());
        assert_eq!(of_clerk["list"]["rows"], json!([]), "{of_clerk}");
        assert_eq!(shop.users_since(since), [SimErpUser::Clerk.email()]);
        // After a write of ours it is read anew.
        let order = json!({"doctype": "Purchase Order", "name": order["name"]});
        let read = shop.ask(manager, "get_doc", order.clone()).await.unwrap();
        let approve = json!({"action": "Approve", "modified": read.data["modified"]});
        let approve = with(&order, approve);
        shop.ask(manager, "apply_workflow", approve).await.unwrap();
        let waits = shop.own_approvals(manager).await;
        assert_eq!(waits["list"]["rows"], json!([]), "{waits}");
        // A replaced key has a list of its own, a removed one has none, and no other key takes the place of
        // one that cannot be read.
        shop.enter(manager, SimErpUser::Clerk, 2).await.unwrap();
        let replaced = shop.own_approvals(manager).await;
        assert_eq!(replaced["user"], SimErpUser::Clerk.email());
        let own = shop.erp.own_keys().unwrap();
        own.remove(manager, Timestamp(3)).await.unwrap();
        assert_eq!(shop.own_approvals(manager).await, json!({}));
        shop.keys.lose(true);
        let since = shop.asked();
        let lost = shop.own_approvals(clerk).await;
        let why = lost["list"]["rows"]["unknown"].as_str().unwrap();
        assert!(why.contains("key file"), "{lost}");
        assert_eq!(shop.asked(), since);
    }
}

#[tokio::test]
async fn a_key_that_may_not_be_used_is_refused_when_it_is_entered() {
    let shop = Shop::open(SimErpProfile::V16, RestVersion::V1).await;
    let ann = person(1);
    for (user, words) in [
        (SimErpUser::Boss, "System Manager"),
        (SimErpUser::Agent, "Jarvis itself"),
    ] {
        let error = shop.enter(ann, user, 1).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::ToolPermission);
        assert!(error.message.contains(words), "{error}");
        assert!(error.help.is_some_and(|it| it.contains("In the ERP")));
    }
    let own = shop.erp.own_keys().unwrap();
    let wrong = own.check("nobody", "nothing").await.unwrap_err();
    assert_eq!(wrong.message, "The ERP refused this API key.");
    assert!(wrong.help.is_some_and(|it| !it.contains("Your keys")));
    let since = shop.asked();
    for (key, secret) in [("", "s"), ("a:b", "s"), ("k", "s\r\nX: y"), ("k", "s s")] {
        let error = own.check(key, secret).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::ToolInputInvalid, "{error}");
    }
    assert_eq!(shop.asked(), since, "nothing of it was sent");
    assert_eq!(own.account(ann).await, Ok(None));
}

#[tokio::test]
async fn a_key_that_does_not_work_is_told_as_the_persons_and_no_other_takes_its_place() {
    let shop = Shop::open(SimErpProfile::V16, RestVersion::V1).await;
    let (ann, bob) = (person(1), person(2));
    shop.enter(ann, SimErpUser::Clerk, 1).await.unwrap();
    let item = || json!({"doctype": "Item", "name": "PUMP"});
    shop.ask(ann, "get_doc", item()).await.unwrap();
    let control = shop.world.site.control();
    let rotated = || SimErpTrigger::next("Item/PUMP", SimErpFault::KeyRotated);
    control.fault(rotated());
    let since = shop.asked();
    let error = shop.ask(ann, "get_doc", item()).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::ToolPermission);
    assert!(
        error.message.contains("the person's own API key"),
        "{error}"
    );
    assert!(
        error
            .help
            .is_some_and(|it| it.contains("Settings, Your keys"))
    );
    assert!(
        !shop
            .users_since(since)
            .contains(&SimErpUser::Agent.email().to_owned())
    );
    // The same of the site's key is about the configuration.
    shop.ask(bob, "get_doc", item()).await.unwrap();
    control.fault(rotated());
    let error = shop.ask(bob, "get_doc", item()).await.unwrap_err();
    assert!(error.help.is_some_and(|it| it.contains("api_secret")));
    control.clear_faults();

    // Without the file that opens it, nothing is asked at all.
    shop.keys.lose(true);
    let since = shop.asked();
    let error = shop.ask(ann, "get_doc", item()).await.unwrap_err();
    assert!(error.message.contains("key file"), "{error}");
    assert!(
        error
            .help
            .is_some_and(|it| it.contains("enter the key again"))
    );
    assert_eq!(shop.asked(), since);
    shop.ask(bob, "get_doc", item()).await.unwrap();
    shop.keys.lose(false);
    shop.ask(ann, "get_doc", item()).await.unwrap();
}

#[tokio::test]
async fn the_full_name_is_told_where_the_site_tells_it() {
    // The first to ask is the person.
    let users = Arc::new(Mutex::new(vec!["agent@example.org", "ann@example.org"]));
    let site = Stub::plain(move |asked| match asked.path.rsplit('.').next()? {
        "get_logged_user" => {
            let user = users.lock().unwrap().pop();
            Some(message(json!(user.unwrap())))
        }
        "get_value" => Some(message(json!({"full_name": " Ann Archer "}))),
        _ => None,
    })
    .await;
    let keys = MemoryPersonKeys::default();
    let erp = site.erp.clone().with_person_keys(Arc::new(keys));
    let own = erp.own_keys().unwrap();
    let account = own.check("key", "secret").await.unwrap();
    assert_eq!(account.user, "ann@example.org");
    assert_eq!(account.full_name.as_deref(), Some("Ann Archer"));
    let key = PersonKey::new("key", "secret", account);
    assert!(!format!("{own:?} {key:?}").contains("\"secret\""));
}

/// An order, as the input of `create_doc`.
fn order() -> Value {
    let field = |field: &str, value: Value| json!({"field": field, "value": value});
    json!({
        "doctype": "Sales Order",
        "fields": [
            field("customer", json!("Harbour Wheels")),
            field("company", json!("Aldergate Cycles")),
            field("delivery_date", json!("2026-12-10")),
        ],
        "tables": [{"table": "items", "rows": [{"fields": [
            field("item_code", json!("PUMP")),
            field("qty", json!(3)),
            field("warehouse", json!("Stores - AC")),
        ]}]}],
    })
}

#[tokio::test]
async fn what_a_person_makes_is_that_persons_in_the_erps_history() {
    for (profile, rest) in [
        (SimErpProfile::V15, RestVersion::V1),
        (SimErpProfile::V16, RestVersion::V2),
    ] {
        let shop = Shop::open(profile, rest).await;
        shop.enter(person(1), SimErpUser::Manager, 1).await.unwrap();
        for (who, user, author) in [
            (
                person(1),
                SimErpUser::Manager,
                "Jarvis for manager@aldergate.example",
            ),
            (person(2), SimErpUser::Agent, "Jarvis"),
        ] {
            let made = shop.ask(who, "create_doc", order()).await.unwrap().data;
            let control = shop.world.site.control();
            let name = made["name"].as_str().unwrap();
            let stored = || control.document("Sales Order", name).unwrap();
            assert_eq!(stored()["owner"], user.email());
            let submit = json!({
                "doctype": "Sales Order",
                "name": name,
                "modified": made["modified"],
            });
            let mut shown = call("submit_doc", submit.clone());
            shown.origin.person = who;
            let card = tool(&shop.erp, "submit_doc").preview(&shown).await.unwrap();
            let robots = card.risks.iter().filter(|it| it.rule == "erp_sees_robot");
            assert_eq!(robots.count(), usize::from(user == SimErpUser::Agent));
            assert_eq!(card.state["erp_user"], user.email());
            shop.ask(who, "submit_doc", submit).await.unwrap();
            let stored = stored();
            assert_eq!(
                (&stored["docstatus"], &stored["modified_by"]),
                (&json!(1), &json!(user.email()))
            );
            // The ERP shows the author that a comment names.
            let note = json!({"doctype": "Sales Order", "name": name, "text": "customer called"});
            let noted = shop.ask(who, "add_comment", note).await.unwrap().data;
            assert_eq!(noted["author"], author);
            let comments = control.names("Comment").into_iter();
            let comments: Vec<_> = comments
                .filter_map(|it| control.document("Comment", &it))
                .filter(|it| it["reference_name"] == name)
                .map(|it| (it["comment_by"].clone(), it["owner"].clone()))
                .collect();
            assert_eq!(comments, [(json!(author), json!(user.email()))]);
        }
        assert_eq!(shop.world.site.control().broken(), Vec::<String>::new());
    }
}
