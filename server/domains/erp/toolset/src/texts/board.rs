//! Texts of the board.

pub(crate) const NOT_READ_YET: &str = "not read yet";
pub(crate) const UNKNOWN: &str = "unknown";
pub(crate) const TOO_MANY_WAREHOUSES: &str =
    "there are too many warehouses to ask for those of the companies";

pub(crate) fn waiting_but_not_readable(count: usize) -> String {
    match count {
        1 => "1 document that the key may not read".to_owned(),
        _ => format!("{count} documents that the key may not read"),
    }
}

pub(crate) fn more_than_summed(most: usize) -> String {
    format!("there are more than {most}, so there is no sum")
}

pub(crate) fn more_than_read(most: usize) -> String {
    format!("more than {most} invoices are open until then")
}
