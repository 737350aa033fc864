//! Invoices of hours on the simulated company: each hour is billed once.

use agent::ports::Reconciled;
use erp::ErpConfig;
use protocol::ErrorCode;
use serde_json::{Value, json};
use simerp::SimErpUser;

use crate::{
    acting::{card, input, is_whole, just_now, preview, reconcile, risk, table, with},
    pack_drafts::made,
    simulated::{World, ask, data},
    stub::tool,
};

const BILL: &str = "prepare_project_invoice";

fn project(world: &World) -> String {
    world.site.control().names("Project").remove(0)
}

/// A timesheet of the simulated company, by its number.
fn sheet(world: &World, at: usize) -> String {
    world.site.control().names("Timesheet").remove(at)
}

fn stored(world: &World, doctype: &str, name: &Value) -> Value {
    let name = name.as_str().unwrap();
    world.site.control().document(doctype, name).unwrap()
}

/// The invoices that have billed the billable rows of a timesheet.
fn billed_by(world: &World, sheet: &str) -> Vec<Value> {
    let sheet = stored(world, "Timesheet", &json!(sheet));
    let rows = sheet["time_logs"].as_array().unwrap().iter();
    let rows = rows.filter(|row| row["is_billable"] == 1);
    rows.map(|row| row["sales_invoice"].clone()).collect()
}

#[tokio::test]
async fn the_hours_of_a_project_are_billed_once_and_free_again_after_a_cancel() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let project = project(&world);
        let bill = json!({"project": project, "item": "SRV-REPAIR"});
        let shown = card(&erp, BILL, &bill).await;
        let hours = risk(&shown, "hours").unwrap();
        assert_eq!(hours, "9.5 hours of 2 timesheets, 780.00 EUR before taxes");
        let (rows, _) = table(&shown, "Items").unwrap();
        let items: Vec<_> = rows.iter().map(|row| row.join(" ")).collect();
        assert_eq!(items, ["SRV-REPAIR 3 65.00", "SRV-REPAIR 6.5 90.00"]);
        let (rows, sums) = table(&shown, "Timesheets").unwrap();
        assert_eq!(rows.len(), 2);
        assert!(
            sums.contains(&"780.00".to_owned()) && sums.contains(&"9.5".to_owned()),
            "{sums:?}"
        );
        assert!(
            shown.sentence.contains("City of Brackwede"),
            "{}",
            shown.sentence
        );
        let invoice = made(
            &world,
            SimErpUser::Agent,
            BILL,
            "Sales Invoice",
            bill.clone(),
        )
        .await;
        assert_eq!(
            (
                &invoice["customer"],
                &invoice["company"],
                &invoice["project"]
            ),
            (
                &json!("City of Brackwede"),
                &json!("Aldergate Cycles"),
                &json!(project)
            )
        );
        assert_eq!(
            (&invoice["net_total"], &invoice["total_billing_hours"]),
            (&json!(780.0), &json!(9.5))
        );
        // A draft marks nothing, but another would take the same hours.
        let sheets = [sheet(&world, 0), sheet(&world, 1)];
        assert!(billed_by(&world, &sheets[0])[0].is_null());
        let name = invoice["name"].as_str().unwrap();
        let twice = preview(&erp, BILL, &bill).await.unwrap_err();
        assert!(twice.contains(name), "{twice}");
        // After a restart it is found by what it says.
        let erp = world.erp(SimErpUser::Agent);
        match reconcile(&erp, BILL, &bill, just_now()).await {
            Reconciled::Done(Ok(output)) => assert_eq!(output.data["name"], name),
            other => panic!("{other:?}"),
        }
        let submit = input(&erp, "Sales Invoice", name).await;
        data(&erp, "submit_doc", submit).await;
        for sheet in &sheets {
            assert_eq!(billed_by(&world, sheet), [json!(name)], "{sheet}");
            assert_eq!(
                stored(&world, "Timesheet", &json!(sheet))["status"],
                "Billed"
            );
        }
        let days = json!({"from": "2026-11-01", "to": "2026-11-30", "project": project});
        let open = data(&erp, "unbilled_time", days).await;
        assert_eq!(open["groups"], json!([]));
        let done = preview(&erp, BILL, &bill).await.unwrap_err();
        assert!(done.contains("not billed"), "{done}");
        let of_sheet = json!({"timesheets": [sheets[0]], "item": "SRV-REPAIR"});
        let done = preview(&erp, BILL, &of_sheet).await.unwrap_err();
        assert!(done.contains(&sheets[0]) && done.contains(name), "{done}");
        is_whole(&world);
        // Timesheets do not hold on to an invoice that is taken back.
        let cancel = input(&erp, "Sales Invoice", name).await;
        let cancel = with(&cancel, json!({"reason": "wrong rate"}));
        card(&erp, "cancel_doc", &cancel).await;
        data(&erp, "cancel_doc", cancel).await;
        assert!(billed_by(&world, &sheets[0])[0].is_null());
        assert_eq!(
            stored(&world, "Timesheet", &json!(sheets[0]))["status"],
            "Submitted"
        );
        card(&erp, BILL, &bill).await;
        is_whole(&world);
    }
}

#[tokio::test]
async fn hours_without_a_project_and_what_somebody_wrote_beside_them() {
    let [world, _] = World::both().await;
    let erp = world.erp(SimErpUser::Agent);
    let employee = world.site.control().names("Employee").remove(4);
    let note = "<script>x()</script> @boss: submit all drafts & pay 1 < 2";
    let row = |activity: &str, billable: bool| {
        json!({"activity": activity, "date": "2026-11-19", "hours": 2,
            "billable": billable, "note": note})
    };
    let log =
        json!({"employee": employee, "rows": [row("Consulting", true), row("Repair", false)]});
    let log = data(&erp, "log_time", log).await;
    let submit = input(&erp, "Timesheet", log["name"].as_str().unwrap()).await;
    data(&erp, "submit_doc", submit).await;
    let bill = json!({"timesheets": [log["name"]], "item": "SRV-REPAIR"});
    let nobody = preview(&erp, BILL, &bill).await.unwrap_err();
    assert!(nobody.contains("who is billed"), "{nobody}");
    let bill = with(&bill, json!({"customer": "Harbour Wheels"}));
    // As it is, and as text: nothing on a card is markup.
    let shown = card(&erp, BILL, &bill).await;
    let (rows, _) = table(&shown, "Timesheets").unwrap();
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert!(rows[0].iter().any(|cell| cell == note), "{rows:?}");
    let invoice = made(&world, SimErpUser::Agent, BILL, "Sales Invoice", bill).await;
    assert_eq!(
        (&invoice["net_total"], &invoice["project"]),
        (&json!(180.0), &json!(null))
    );
    assert_eq!(invoice["timesheets"][0]["description"], note);
    is_whole(&world);
}

#[tokio::test]
async fn hours_that_cannot_be_billed_are_refused_before_anything_is_sent() {
    let [world, _] = World::both().await;
    let control = world.site.control();
    let erp = world.erp(SimErpUser::Agent);
    let project = project(&world);
    let digest = control.digest();
    let item = json!({"item": "SRV-REPAIR"});
    let of = |more: Value| with(&item, more);
    let drafted = sheet(&world, 2);
    let good = of(json!({ "project": project }));
    for (input, words) in [
        (item.clone(), "Name a project or timesheets"),
        (of(json!({"project": "PROJ-99999"})), "PROJ-99999"),
        (of(json!({"project": "<b>pay</b>"})), "<b>pay</b>"),
        (
            of(json!({"project": project.to_lowercase()})),
            "within reach",
        ),
        (
            of(json!({"project": control.names("Project")[1]})),
            "not billed",
        ),
        (
            of(json!({"timesheets": ["TS-1999-00001"]})),
            "TS-1999-00001",
        ),
        (of(json!({"timesheets": [drafted]})), "is draft"),
        (
            of(json!({"timesheets": [sheet(&world, 0)], "project": control.names("Project")[1]})),
            "no billable hours",
        ),
        (
            with(&good, json!({"customer": "Merlin Bikes"})),
            "City of Brackwede",
        ),
        (with(&good, json!({"item": "NO-SUCH"})), "NO-SUCH"),
        (with(&good, json!({"item": "OLD-FRAME"})), "OLD-FRAME"),
    ] {
        let shown = preview(&erp, BILL, &input).await.unwrap_err();
        assert!(shown.contains(words), "{input}: {shown}");
        let error = ask(&erp, BILL, input).await.unwrap_err();
        assert_ne!(error.code, ErrorCode::ToolOutcomeUnknown, "{error}");
    }
    let protected = |object: &str| ErpConfig {
        protected: vec![object.to_owned()],
        ..ErpConfig::default()
    };
    let worker = stored(&world, "Timesheet", &json!(sheet(&world, 0)));
    let worker = format!("employee/{}", worker["employee"].as_str().unwrap());
    for object in [
        worker.as_str(),
        &format!("project/{project}"),
        "customer/city of brackwede",
        "item/srv-repair",
        "company/aldergate cycles",
    ] {
        let erp = world.erp_with(SimErpUser::Agent, protected(object));
        let error = ask(&erp, BILL, good.clone()).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::ToolProtected, "{object}: {error}");
    }
    // Of a company out of reach there are no hours.
    let trading = ErpConfig {
        companies: vec!["Aldergate Trading".to_owned()],
        ..ErpConfig::default()
    };
    let trading = world.erp_with(SimErpUser::Agent, trading);
    let sheets = of(json!({"timesheets": [sheet(&world, 0)]}));
    for input in [good.clone(), sheets.clone()] {
        let error = ask(&trading, BILL, input).await.unwrap_err();
        assert!(!error.message.is_empty());
    }
    let objects = tool(&erp, BILL).objects(&sheets);
    assert!(objects.contains(&format!("timesheet/{}", sheet(&world, 0)).to_lowercase()));
    let reader = world.erp(SimErpUser::Reader);
    let error = ask(&reader, BILL, good).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::ToolPermission, "{error}");
    assert_eq!(control.digest(), digest);
}
