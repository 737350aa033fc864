//! Reading models, budgets and usage.

use crate::{BudgetLimit, ModelChoice, ModelMenu, ModelOption, Spending, Spent, struct_from_json};

struct_from_json!(ModelChoice { model, effort });
struct_from_json!(ModelOption {
    id,
    name,
    class,
    usual,
    window,
    efforts,
    price,
    note
});
struct_from_json!(ModelMenu { models, lack });
struct_from_json!(Spent {
    usage,
    cost,
    unpriced
});
struct_from_json!(Spending {
    conversation,
    conversation_limit,
    day,
    day_limit,
    since,
    window
});
struct_from_json!(BudgetLimit { cost, tokens });
