//! Fields that several types have in common, and the kinds of types that repeat.

use super::FieldKind::{
    Check, Currency, Data, Date, Float, Int, Link, Percent, Select, SmallText, TextEditor, Time,
};
use super::{FieldRow, RightRow, TypeRow};

pub(super) const DRAFTED: &[FieldRow] = &[
    ("amended_from", Data, "", "rn"),
    ("status", Select, "", "rnls"),
];

pub(super) const PRICED: &[FieldRow] = &[
    ("currency", Link, "Currency", "*"),
    ("conversion_rate", Float, "", ""),
    ("total_qty", Float, "", "r"),
    ("total", Currency, "", "r"),
    ("base_total", Currency, "", "r"),
    ("net_total", Currency, "", "r"),
    ("base_net_total", Currency, "", "r"),
    (
        "apply_discount_on",
        Select,
        "Grand Total\nNet Total",
        " =Grand Total",
    ),
    ("additional_discount_percentage", Percent, "", ""),
    ("discount_amount", Currency, "", ""),
    ("total_taxes_and_charges", Currency, "", "r"),
    ("base_total_taxes_and_charges", Currency, "", "r"),
    ("grand_total", Currency, "", "rl"),
    ("base_grand_total", Currency, "", "r"),
    ("disable_rounded_total", Check, "", ""),
    ("rounding_adjustment", Currency, "", "r"),
    ("rounded_total", Currency, "", "r"),
    ("base_rounded_total", Currency, "", "r"),
    ("taxes_and_charges", Data, "", ""),
];

pub(super) const POSTED: &[FieldRow] = &[
    ("posting_date", Date, "", "*nl"),
    ("posting_time", Time, "", "n"),
    ("set_posting_time", Check, "", ""),
];

/// Columns of the rows of every trading document.
pub(super) const ITEM_ROW: &[FieldRow] = &[
    ("item_code", Link, "Item", "*l"),
    ("item_name", Data, "", ""),
    ("description", TextEditor, "", ""),
    ("qty", Float, "", "*l"),
    ("uom", Link, "UOM", "*"),
    ("stock_uom", Link, "UOM", "r"),
    ("conversion_factor", Float, "", "*"),
    ("stock_qty", Float, "", "r"),
    ("price_list_rate", Currency, "", ""),
    ("discount_percentage", Percent, "", ""),
    ("rate", Currency, "", "l"),
    ("amount", Currency, "", "rl"),
    ("base_rate", Currency, "", "r"),
    ("base_amount", Currency, "", "r"),
    ("net_rate", Currency, "", "r"),
    ("net_amount", Currency, "", "r"),
    ("base_net_amount", Currency, "", "r"),
    ("warehouse", Link, "Warehouse", ""),
    ("cost_center", Link, "Cost Center", ""),
    ("project", Link, "Project", ""),
];

pub(super) const TAX_ROW: &[FieldRow] = &[
    (
        "charge_type",
        Select,
        "Actual\nOn Net Total\nOn Previous Row Amount\nOn Previous Row Total\nOn Item Quantity",
        "*l",
    ),
    ("row_id", Data, "", ""),
    ("account_head", Link, "Account", "*l"),
    ("description", SmallText, "", ""),
    ("included_in_print_rate", Check, "", ""),
    ("cost_center", Link, "Cost Center", ""),
    ("rate", Float, "", "l"),
    ("tax_amount", Currency, "", "l"),
    ("base_tax_amount", Currency, "", "r"),
    ("tax_amount_after_discount_amount", Currency, "", "r"),
    ("total", Currency, "", "r"),
    ("base_total", Currency, "", "r"),
];

pub(super) const TREE: &[FieldRow] = &[
    ("is_group", Check, "", ""),
    ("lft", Int, "", "r"),
    ("rgt", Int, "", "r"),
];

pub(super) const SELLERS: &[RightRow] = &[
    ("Sales User", "rwcsxa"),
    ("Sales Manager", "rwcsxda"),
    ("Stock User", "r"),
    ("Accounts User", "r"),
    ("Auditor", "r"),
];

pub(super) const BUYERS: &[RightRow] = &[
    ("Purchase User", "rwcsxa"),
    ("Purchase Manager", "rwcsxda"),
    ("Stock User", "r"),
    ("Accounts User", "r"),
    ("Auditor", "r"),
];

pub(super) const STOREKEEPERS: &[RightRow] = &[
    ("Stock User", "rwcsxa"),
    ("Stock Manager", "rwcsxda"),
    ("Manufacturing User", "rwcsxa"),
    ("Accounts User", "r"),
    ("Auditor", "r"),
];

pub(super) const BOOKKEEPERS: &[RightRow] = &[
    ("Accounts User", "rwcsxa"),
    ("Accounts Manager", "rwcsxda"),
    ("Auditor", "r"),
];

/// Masters that all departments read and managers change.
pub(super) const MASTERS: &[RightRow] = &[
    ("Sales User", "r"),
    ("Purchase User", "r"),
    ("Stock User", "r"),
    ("Accounts User", "r"),
    ("Manufacturing User", "r"),
    ("Auditor", "r"),
    ("Sales Manager", "rwcd"),
    ("Purchase Manager", "rwcd"),
    ("Stock Manager", "rwcd"),
    ("Accounts Manager", "rwcd"),
];

pub(super) const ADMINISTRATORS: &[RightRow] = &[("System Manager", "rwcd")];

/// The rows of a table: their rights are those of the document that they are in.
pub(super) const fn table(name: &'static str, fields: &'static [&'static [FieldRow]]) -> TypeRow {
    TypeRow {
        name,
        naming: "hash",
        marks: "t",
        title: "",
        search: "",
        fields,
        rights: &[],
    }
}

/// A type that all departments read, and whose documents are known by their names alone.
pub(super) const fn master(
    name: &'static str,
    naming: &'static str,
    fields: &'static [&'static [FieldRow]],
) -> TypeRow {
    TypeRow {
        name,
        naming,
        marks: "",
        title: "",
        search: "",
        fields,
        rights: MASTERS,
    }
}
