//! Texts of notices.

pub(crate) const THE_ERP: &str = "the ERP";

pub(crate) fn does_not_answer(reason: &str) -> String {
    format!("The ERP cannot be read: {reason}.")
}

pub(crate) fn rights_missing(types: &str) -> String {
    format!("The key of the ERP may not read {types}.")
}

pub(crate) fn waits(doctype: &str, name: &str, hours: i64) -> String {
    let time = match hours / 24 {
        0 => format!("{hours} h"),
        1 => "1 day".to_owned(),
        days => format!("{days} days"),
    };
    format!("{doctype} {name} has waited for approval for {time}.")
}

pub(crate) const RECEIVABLES: &str = "receivables";
pub(crate) const PAYABLES: &str = "payables";

pub(crate) fn receivables(sum: &str, limit: u32) -> String {
    format!("Customers owe {sum} that is overdue, above the limit of {limit}.")
}

pub(crate) fn payables(sum: &str, limit: u32) -> String {
    format!("{sum} is overdue to suppliers, above the limit of {limit}.")
}

pub(crate) fn negative_stock(item: &str, warehouse: &str, stock: &str) -> String {
    format!("The stock of {item} in {warehouse} is {stock}.")
}

pub(crate) const QUEUE: &str = "submission queue";

pub(crate) fn failed_in_queue(count: u32) -> String {
    match count {
        1 => "1 document failed in the ERP's submission queue in the last 7 days.".to_owned(),
        _ => format!("{count} documents failed in the ERP's submission queue in the last 7 days."),
    }
}
