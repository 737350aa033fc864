//! Types whose submit posts to no ledger and moves no stock.

/// Types that also bind nobody to deliver or to pay: their submit may run unasked.
const LIGHT: [&str; 8] = [
    "Job Card",
    "Material Request",
    "Packing Slip",
    "Pick List",
    "Request for Quotation",
    "Supplier Quotation",
    "Timesheet",
    "Work Order",
];

/// True if the configuration may let documents of the type be submitted unasked.
pub(crate) fn is_light(doctype: &str) -> bool {
    LIGHT.contains(&doctype)
}
