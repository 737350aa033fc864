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

#[tokio::test]
async fn a_trial_balance_begins_with_the_balance_of_taxes() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let asked = json!({"report": "Trial Balance", "filters": [], "limit": 1});
        let found = ask(&erp, "run_report", asked).await.unwrap();
        let control = world.site.control();
        let tax = |name: &str| {
            let account = control.document("Account", name).unwrap();
            account["account_type"] == "Tax" && account["company"] == "Aldergate Cycles"
        };
        let names = control.names("GL Entry");
        let lines = names
            .iter()
            .map(|it| control.document("GL Entry", it).unwrap());
        let lines = lines.filter(|it| {
            it["is_cancelled"] != 1
                && it["posting_date"].as_str() <= Some("2026-12-31")
                && tax(it["account"].as_str().unwrap())
        });
        let owed: f64 = lines
            .map(|it| it["credit"].as_f64().unwrap() - it["debit"].as_f64().unwrap())
            .sum();
        // The company has bought more than it sold.
        assert!(owed < -1.0, "{owed}");
        let begins = "Trial Balance of Aldergate Cycles for 2026: ";
        let said = found.summary.strip_prefix(begins).unwrap();
        let (_, taxes) = said.split_once("; taxes to get back ").unwrap();
        let (amount, rest) = taxes.split_once(" EUR (").unwrap();
        let told: f64 = amount.replace(',', "").parse().unwrap();
        assert!((told + owed).abs() < 0.01, "{told} {owed}");
        assert!(rest.contains(" of sales less "), "{rest}");
        let data = &found.data["taxes"];
        assert_eq!(data["owed_less_input"], format!("-{amount} EUR"));
        // Other reports have no such part.
        let ages = json!({"report": "Accounts Receivable", "filters": []});
        let ages = ask(&erp, "run_report", ages).await.unwrap();
        assert_eq!(ages.data["taxes"], Value::Null);
    }
}
