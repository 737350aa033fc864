//! Reports of days in words, on the simulated company.

use serde_json::{Value, json};
use simerp::SimErpUser;

use crate::simulated::{World, ask};

#[tokio::test]
async fn a_report_of_last_month_says_whose_and_when() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let report = |name: &str, period: Value, filters: Value| json!({ "report": name, "filters": filters, "period": period });
        for (name, days) in [
            ("Gross Profit", ["from_date", "to_date"]),
            ("Trial Balance", ["from_date", "to_date"]),
            (
                "Profit and Loss Statement",
                ["period_start_date", "period_end_date"],
            ),
        ] {
            let asked = report(name, json!("last month"), json!([]));
            let found = ask(&erp, "run_report", asked).await.unwrap();
            let begins = format!("{name} of Aldergate Cycles from 1 Oct 2026 to 31 Oct 2026: ");
            assert!(found.summary.starts_with(&begins), "{}", found.summary);
            assert!(found.summary.contains(" EUR"), "{}", found.summary);
            let filters = &found.data["filters"];
            let [first, last] = days.map(|it| filters[it].as_str().unwrap_or_default());
            assert_eq!([first, last], ["2026-10-01", "2026-10-31"], "{filters}");
        }
        let day = json!([{"name": "from_date", "value": "2026-11-01"}]);
        for (name, filters, says) in [
            ("Accounts Receivable", json!([]), "takes no period"),
            ("Gross Profit", day, "either a period or filters"),
        ] {
            let asked = report(name, json!("this year"), filters);
            let error = ask(&erp, "run_report", asked).await.unwrap_err();
            assert!(error.message.contains(says), "{error}");
        }
        let ages = json!({"report": "Accounts Receivable", "filters": []});
        let found = ask(&erp, "run_report", ages).await.unwrap();
        let begins = "Accounts Receivable of Aldergate Cycles as of 21 Nov 2026: ";
        assert!(found.summary.starts_with(begins), "{}", found.summary);
    }
}
