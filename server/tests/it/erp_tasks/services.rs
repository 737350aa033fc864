//! Two stories of a company that sells hours.

use serde_json::{Value, json};

use super::shop::{MAKER, TaskShop, cents, draft};

const PACK: &str = "erp-services";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hours_that_are_not_billed_are_billed() {
    for shop in TaskShop::of_both().await {
        let mut task = shop.task_with(&[PACK]).await;
        let project = shop.find("Project", |it| it["project_name"] == "Rental Fleet");
        let input = json!({ "project": project["name"] });
        let status = task.ask("How is the fleet?", "project_status", input).await;
        let input = json!({
            "project": project["name"], "from": "2026-11-01", "to": "2026-11-30",
        });
        let found = task
            .ask("What is not billed?", "unbilled_time", input)
            .await;
        let open = cents(&found["totals"][0]["amount"]);
        assert_eq!(cents(&status["time"]["unbilled"]), open);
        let sheets = shop.all("Timesheet").into_iter();
        let sheets: Vec<_> = sheets.filter(|it| it["docstatus"] == 1).collect();
        let rows = sheets
            .iter()
            .flat_map(|it| it["time_logs"].as_array().unwrap());
        let rows = rows.filter(|it| it["project"] == project["name"] && it["is_billable"] == 1);
        assert_eq!(
            rows.map(|it| cents(&it["billing_amount"])).sum::<i64>(),
            open
        );

        let groups = found["groups"].as_array().unwrap();
        let rows: Vec<_> = groups
            .iter()
            .map(|it| {
                let rate = it["amount"].as_f64().unwrap() / it["hours"].as_f64().unwrap();
                json!({ "item_code": "SRV-REPAIR", "qty": it["hours"], "rate": rate })
            })
            .collect();
        let head = json!({
            "customer": project["customer"], "company": MAKER, "project": project["name"],
        });
        let input = draft("Sales Invoice", &head, "items", &rows);
        let invoice = task.draft("Bill that to the city.", input).await;
        assert_eq!(cents(&invoice["net_total"]), open);
        let (card, invoice) = task.submit("Submit it.", &invoice).await;
        assert_eq!(shop.lines(&invoice["name"]), card.lines());
        assert_eq!(invoice["customer"], "City of Brackwede");
        shop.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn days_without_hours_are_filled() {
    for shop in TaskShop::of_both().await {
        let mut task = shop.task_with(&[PACK]).await;
        let farid = shop.find("Employee", |it| it["employee_name"] == "Farid Noor");
        let gaps = || json!({ "company": MAKER, "from": "2026-11-16", "to": "2026-11-20" });
        let days = |found: &Value| {
            let rows = found["gaps"].as_array().unwrap();
            let mut rows = rows.iter().filter(|it| it["name"] == "Farid Noor");
            rows.next()
                .map_or(0, |it| it["days_without_hours"].as_i64().unwrap())
        };
        let found = task
            .ask("Who has no hours?", "timesheet_gaps", gaps())
            .await;
        assert_eq!(days(&found), 5);
        let project = shop.find("Project", |it| it["project_name"] == "Cargo Trial");
        let row = |day: &str| {
            json!({
                "activity": "Repair", "date": day, "hours": 2.5, "billable": true,
                "project": project["name"],
            })
        };
        let input = json!({
            "employee": farid["name"], "rows": [row("2026-11-17"), row("2026-11-18")],
        });
        let made = task.does("Farid repaired.", "log_time", input).await;
        let sheet = shop.document("Timesheet", &made["name"]);
        assert_eq!(
            (&sheet["docstatus"], &sheet["total_hours"]),
            (&json!(0), &json!(5.0))
        );
        let unbilled =
            || json!({ "project": project["name"], "from": "2026-11-01", "to": "2026-11-30" });
        let found = task.ask("What is open?", "unbilled_time", unbilled()).await;
        assert_eq!(found["totals"], json!([]), "hours of a draft do not count");
        task.submit("Submit it.", &sheet).await;
        let found = task.ask("And now?", "unbilled_time", unbilled()).await;
        assert_eq!(found["totals"][0]["hours"], 5);
        let found = task
            .ask("Who has no hours?", "timesheet_gaps", gaps())
            .await;
        assert_eq!(days(&found), 3);
        shop.close().await;
    }
}
