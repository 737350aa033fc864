//! Texts about names and values that do not fit.

pub(crate) fn exact_type(asked: &str, exact: &str) -> String {
    format!("There is no type {asked:?}; the exact name is {exact:?}.")
}

pub(crate) fn no_such_field(field: &str, doctype: &str, similar: &[&str]) -> String {
    if similar.is_empty() {
        format!("{doctype} has no field {field:?}.")
    } else {
        format!(
            "{doctype} has no field {field:?}; similar ones: {}.",
            similar.join(", ")
        )
    }
}

pub(crate) fn no_value(field: &str) -> String {
    format!("{field:?} is part of the form's layout or a table; it has no value of its own.")
}

pub(crate) fn is_secret(field: &str) -> String {
    format!("{field:?} is a password; it is never read.")
}

pub(crate) fn above_level(field: &str, level: u8) -> String {
    format!("{field:?} is at permission level {level}, which this ERP user may not read.")
}

pub(crate) fn operator_takes(field: &str, op: &str, takes: &str) -> String {
    format!("{field:?}: the operator {op:?} takes {takes}.")
}

pub(crate) const ONE_VALUE: &str = "one text, number or boolean";
pub(crate) const SET_OR_NOT: &str = "\"set\" or \"not set\"";
pub(crate) const FROM_AND_TO: &str = "a list of two values, from and to";
pub(crate) const A_LIST: &str = "a list of 1 to 50 values";
pub(crate) const A_TEXT: &str = "a text, with % for any characters";

pub(crate) fn must_be(field: &str, value: &str, form: &str) -> String {
    format!("{field:?} must be {form}, not {value}.")
}

pub(crate) const A_WHOLE_NUMBER: &str = "a whole number without separators";
pub(crate) const A_NUMBER: &str = "a number without separators";
pub(crate) const YES_OR_NO: &str = "true or false";
pub(crate) const A_DAY: &str = "a day as YYYY-MM-DD";
pub(crate) const A_TIME: &str = "a time of the site as YYYY-MM-DD HH:MM:SS, without a zone";
pub(crate) const A_CLOCK: &str = "a time as HH:MM:SS";
pub(crate) const TEXT: &str = "a text";

pub(crate) fn not_a_choice(field: &str, value: &str, choices: &str) -> String {
    format!("{field:?} cannot be {value}; the choices are: {choices}.")
}

pub(crate) fn too_long(field: &str, most: usize) -> String {
    format!("{field:?} takes at most {most} characters.")
}

pub(crate) fn unknown_report_filter(report: &str, name: &str, known: &str) -> String {
    format!("{report} has no filter {name:?} here; the filters are: {known}.")
}

pub(crate) fn missing_report_filter(report: &str, names: &str) -> String {
    format!("{report} needs these filters: {names}.")
}

pub(crate) fn takes_no_period(report: &str) -> String {
    format!("{report} takes no period.")
}

pub(crate) const PERIOD_OR_DAYS: &str = "Give either a period or filters for the days.";

pub(crate) fn twice(name: &str) -> String {
    format!("The filter {name:?} is there twice.")
}

pub(crate) const TYPE_OR_LIKE: &str = "Give either the exact type or a part of its name.";

pub(crate) fn no_such_table(table: &str, doctype: &str, known: &str) -> String {
    if known.is_empty() {
        format!("{doctype} has no tables.")
    } else {
        format!("{doctype} has no table {table:?}; it has: {known}.")
    }
}

pub(crate) fn exact_name(asked: &str, exact: &str) -> String {
    format!("There is no {asked:?}; the exact name is {exact:?}.")
}
