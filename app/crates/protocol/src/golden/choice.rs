//! Snapshots of models and usage.

use super::{AT, check, usage};
use crate::{BudgetLimit, Cost, ModelClass, ModelMenu, ModelOption, Spending, Spent, Usage};

#[test]
fn menu() {
    check(
        "model_menu",
        &ModelMenu {
            models: vec![ModelOption {
                id: "claude-opus-5-5".to_owned(),
                name: "Claude Opus 5.5".to_owned(),
                class: Some(ModelClass::Smart),
                usual: false,
                window: Some(1_000_000),
                efforts: true,
                price: Some("$4 in, $20 out for a million tokens".to_owned()),
                note: None,
            }],
            lack: Some("The model's server gives no list.".to_owned()),
        },
    );
}

#[test]
fn estimates() {
    let estimated = Usage {
        estimated: true,
        ..usage()
    };
    check("usage_estimated", &estimated);
    let mut sum = usage();
    sum += estimated;
    sum += usage();
    assert!(sum.estimated, "one estimate makes the sum one");
}

#[test]
fn spending() {
    let spent = Spent {
        usage: usage(),
        cost: Cost(1234),
        unpriced: 7,
    };
    check(
        "spending",
        &Spending {
            conversation: spent,
            versions: Some(spent),
            conversation_limit: BudgetLimit {
                cost: Some(Cost(2_500_000)),
                tokens: None,
            },
            day: spent,
            day_limit: BudgetLimit::default(),
            since: AT,
            window: Some(200_000),
            history_limit: Some(20),
            may_be_estimated: false,
        },
    );
}
