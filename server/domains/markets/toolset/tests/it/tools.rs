//! The tools that read, on the sample data.

use std::sync::Arc;

use agent::ports::{Progress, ToolSpec};
use markets::{intake, tools::Tools};
use markets_testkit::{MemoryCandles, MemoryRecords};
use protocol::{ErrorBody, Timestamp, ToolOutput, UserId};
use serde_json::{Value, json};

use crate::desk::{model, wording};

async fn tools() -> Tools {
    let (candles, records) = (MemoryCandles::default(), MemoryRecords::default());
    intake::samples(&candles, &records).await.unwrap();
    Tools::new(Arc::new(candles), Arc::new(records))
}

/// Calls a tool, even if its schema rejects the input.
pub(crate) async fn call(tools: &Tools, name: &str, input: Value) -> Result<ToolOutput, ErrorBody> {
    let mut all = tools.all().into_iter();
    let tool = all.find(|tool| tool.spec().name == name).unwrap();
    let done = tool.call(model(1, 1, name, input), Progress::ignored());
    done.await.map_err(|error| error.0)
}

pub(crate) async fn data(tools: &Tools, name: &str, input: Value) -> Value {
    call(tools, name, input).await.unwrap().data
}

fn specs(tools: &Tools) -> Vec<ToolSpec> {
    tools.all().iter().map(|tool| tool.spec()).collect()
}

#[tokio::test]
async fn what_the_model_reads() {
    let all: Vec<Value> = specs(&tools().await)
        .into_iter()
        .map(|tool| {
            let schema = tool.input_schema.as_object().unwrap();
            assert_eq!(schema["additionalProperties"], false, "{}", tool.name);
            for name in schema["required"].as_array().unwrap() {
                assert!(schema["properties"].get(name.as_str().unwrap()).is_some());
            }
            for (field, property) in schema["properties"].as_object().unwrap() {
                assert!(property["description"].is_string(), "{} {field}", tool.name);
            }
            wording(&tool)
        })
        .collect();
    insta::assert_json_snapshot!(all);
}

#[tokio::test]
async fn all_answer_and_none_takes_what_it_does_not_know() {
    let tools = tools().await;
    for tool in specs(&tools) {
        let name = &tool.name[..];
        let mut input = json!({ "symbol": "EURUSD" });
        match name {
            "get_candles" => input["timeframe"] = json!("D1"),
            "get_event_statistics" => input["event"] = json!("Nonfarm payrolls"),
            _ => {}
        }
        let answer = call(&tools, name, input.clone()).await.unwrap();
        let size = answer.data.to_string().len();
        assert!(size < 16_000, "{name}: {size} bytes");
        // The code is as strict as the schema.
        input["confirmed"] = json!(true);
        let refused = call(&tools, name, input).await.unwrap_err();
        assert!(
            refused.message.contains("unknown field `confirmed`"),
            "{refused}"
        );
        let refused = call(&tools, name, json!({ "symbol": "DOGE" }))
            .await
            .unwrap_err();
        assert!(
            refused.message.contains("unknown variant `DOGE`"),
            "{refused}"
        );
        // Without data nothing is made up.
        let mut other = json!({ "symbol": "USDJPY" });
        match name {
            "get_candles" => other["timeframe"] = json!("H1"),
            "get_event_statistics" => other["event"] = json!("Nonfarm payrolls"),
            _ => {}
        }
        match call(&tools, name, other).await {
            Ok(answer) => assert!(name.starts_with("get_trade"), "{answer:?}"),
            Err(error) => assert!(error.message.starts_with("No "), "{error}"),
        }
    }
}

#[tokio::test]
async fn answers() {
    let tools = tools().await;
    let eur = || json!({ "symbol": "EURUSD" });
    let price = data(&tools, "get_current_price", eur()).await;
    assert_eq!(price["simulated"], true);
    assert_eq!(
        (&price["bid"], &price["ask"]),
        (&json!(1.20065), &json!(1.20075))
    );
    assert_eq!(price["as_of"], "2017-12-29T22:00:00Z");

    let candles = json!({ "symbol": "EURUSD", "timeframe": "H1", "count": 2 });
    let candles = data(&tools, "get_candles", candles).await;
    let last = json!([
        "2017-12-29T21:00:00Z",
        1.19984,
        1.2013,
        1.19931,
        1.20075,
        4_885_529_785_i64
    ]);
    assert_eq!((&candles["rows"][1], &candles["gaps"]), (&last, &json!([])));
    assert_eq!(candles["pip"], 0.0001);
    // The trade of Christmas Day was short.
    let december = json!({ "symbol": "EURUSD", "timeframe": "H1", "count": 200 });
    let december = data(&tools, "get_candles", december).await;
    let gaps = december["gaps"].as_array().unwrap();
    assert!(
        gaps.iter().any(|gap| gap["length_s"] == 14 * 3_600),
        "{gaps:?}"
    );
    let many = json!({ "symbol": "EURUSD", "timeframe": "H1", "count": 501 });
    let error = call(&tools, "get_candles", many).await.unwrap_err().message;
    assert_eq!(error, "501 is not between 1 and 500.");

    let jobs = json!({ "symbol": "EURUSD", "event": "nonfarm payrolls" });
    let jobs = data(&tools, "get_event_statistics", jobs).await;
    assert_eq!(
        (&jobs["n"], &jobs["synthetic_values"]),
        (&json!(12), &json!(true))
    );
    let ratio = jobs["median_ratio_to_usual_range"].as_f64().unwrap();
    assert!((3.1..3.2).contains(&ratio), "{ratio}");

    let cot = data(&tools, "get_cot_positioning", eur()).await;
    // The report of the 26th is published on the 29th, 20:30: known at 22:00.
    assert_eq!(
        (&cot["as_of"], &cot["synthetic"]),
        (&json!("2017-12-26"), &json!(true))
    );
    assert_eq!(cot["groups"][0]["index"][2]["reports"], 156);
    assert!(cot["groups"][0]["index"][2]["value"]["unknown"].is_string());
    let history = data(&tools, "get_cot_history", eur()).await;
    assert_eq!(history["rows"].as_array().map(Vec::len), Some(26));

    let trades = data(&tools, "get_trade_history", eur()).await;
    assert_eq!(trades["trades"].as_array().map(Vec::len), Some(20));
    assert!(
        trades["trades"]
            .as_array()
            .unwrap()
            .iter()
            .all(|trade| trade["synthetic"] == true)
    );
    let stats = data(&tools, "get_trade_stats", eur()).await;
    assert!(stats["definitions"]["profit_factor"].is_string());
    assert_eq!(stats["figures"]["open"], 1);
    // No account is made up.
    assert_eq!(stats["initial_balance"], Value::Null);
    let unknown = json!({ "unknown": "no initial balance of the account was given" });
    for figure in ["final_balance", "max_drawdown_ratio"] {
        assert_eq!(stats["figures"][figure], unknown, "{figure}");
    }
    let fall = stats["figures"]["max_drawdown"].clone();
    let with = json!({ "symbol": "EURUSD", "initial_balance": 10_000 });
    let with = data(&tools, "get_trade_stats", with).await;
    assert_eq!(
        (&with["initial_balance"], &fall),
        (&json!(10_000.0), &with["figures"]["max_drawdown"])
    );
    assert!(with["figures"]["final_balance"].is_number());
    let headlines = data(&tools, "get_headlines", eur()).await;
    assert_eq!(headlines["headlines"].as_array().map(Vec::len), Some(10));
    let news = json!({ "symbol": "EURUSD", "hours_back": 720, "impact": "high" });
    let news = data(&tools, "get_news_events", news).await;
    assert_eq!(news["events"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn trades_say_whose_they_are() {
    let (candles, records) = (MemoryCandles::default(), MemoryRecords::default());
    intake::samples(&candles, &records).await.unwrap();
    let text = "id,symbol,side,lots,opened_at,entry,closed_at,exit,gross,person\n\
        1,EURUSD,long,1,2017-03-10T14:00:00Z,1.06,2017-03-10T18:00:00Z,1.065,50,Ada\n\
        2,EURUSD,long,1,2017-03-11T14:00:00Z,1.06,2017-03-11T18:00:00Z,1.055,-50,Bob\n\
        3,EURUSD,long,1,2017-03-12T14:00:00Z,1.06,2017-03-12T18:00:00Z,1.065,30,\n";
    let open = || Ok(text.as_bytes());
    intake::records(open, intake::Records::Trades, &records)
        .await
        .unwrap();
    let tools = Tools::new(Arc::new(candles), Arc::new(records));
    let eur = || json!({ "symbol": "EURUSD" });
    let history = data(&tools, "get_trade_history", eur()).await;
    let whose: Vec<_> = (0..3_usize)
        .map(|row| &history["trades"][row]["person"])
        .collect();
    assert_eq!(whose, [&Value::Null, &json!("Bob"), &json!("Ada")]);
    let stats = data(&tools, "get_trade_stats", eur()).await;
    assert_eq!(stats["people"], json!([null, "Ada", "Bob"]));
    // Those of all together are nobody's, so each has their own.
    assert_eq!(stats["figures"]["closed"], 3);
    let each = stats["of_each"].as_array().unwrap();
    let each = each
        .iter()
        .map(|it| (&it["person"], &it["figures"]["closed"]));
    assert_eq!(
        each.collect::<Vec<_>>(),
        [
            (&Value::Null, &json!(1)),
            (&json!("Ada"), &json!(1)),
            (&json!("Bob"), &json!(1)),
        ]
    );
}

/// Trades of one person are in no answer to somebody else, and count once for them.
#[tokio::test]
async fn private_trades_are_their_persons_alone() {
    let (candles, records) = (MemoryCandles::default(), MemoryRecords::default());
    intake::samples(&candles, &records).await.unwrap();
    let header = "id,symbol,side,lots,opened_at,entry,closed_at,exit,gross\n";
    let first = "1,EURUSD,long,1,2017-03-10T14:00:00Z,1.06,2017-03-10T18:00:00Z,1.065,50\n";
    let second = "2,EURUSD,long,1,2017-03-11T14:00:00Z,1.06,2017-03-11T18:00:00Z,1.055,-50\n";
    let (all, hers) = (
        format!("{header}{first}"),
        format!("{header}{first}{second}"),
    );
    let eve = UserId::new(Timestamp(1), 2);
    let owner = eve.to_string();
    let open = || Ok(all.as_bytes());
    intake::trades(open, None, &records).await.unwrap();
    for written in [2, 0] {
        let open = || Ok(hers.as_bytes());
        let done = intake::trades(open, Some(&owner), &records).await;
        assert_eq!(done.unwrap().written, written);
    }
    let tools = Tools::new(Arc::new(candles), Arc::new(records));
    let told = async |name: &str, person: UserId| {
        let mut call = model(1, 1, name, json!({ "symbol": "EURUSD" }));
        call.origin.person = person;
        let mut all = tools.all().into_iter();
        let tool = all.find(|tool| tool.spec().name == name).unwrap();
        let done = tool.call(call, Progress::ignored()).await;
        done.map_err(|error| error.0).unwrap().data
    };
    for (person, ids) in [
        (eve, &["2", "1"][..]),
        (UserId::new(Timestamp(1), 1), &["1"][..]),
    ] {
        let history = told("get_trade_history", person).await;
        let rows = history["trades"].as_array().unwrap();
        let found: Vec<_> = rows.iter().map(|row| row["id"].as_str().unwrap()).collect();
        assert_eq!(found, ids);
        let is_private = |row: &Value| row["seen_by"].is_string();
        assert_eq!(rows.iter().all(is_private), person == eve);
        let stats = told("get_trade_stats", person).await;
        assert_eq!(stats["figures"]["closed"], ids.len());
    }
}
