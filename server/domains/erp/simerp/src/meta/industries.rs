//! Types of single kinds of business: tills, and the rooms of the app for hotels.

use super::FieldKind::{
    Check, Currency, Data, Date, Datetime, Float, Int, Link, Percent, Select, SmallText, Table,
};
use super::shared::{DRAFTED, ITEM_ROW, MASTERS, POSTED, PRICED, master, table};
use super::{RightRow, TypeRow};

const TILLS: &[RightRow] = &[
    ("Accounts User", "rwcsxa"),
    ("Accounts Manager", "rwcsxda"),
    ("Sales User", "rwcsx"),
    ("Sales Manager", "rwcsxda"),
    ("Auditor", "r"),
];

const RESERVATIONS: &[RightRow] = &[
    ("Sales User", "rwcsxa"),
    ("Sales Manager", "rwcsxda"),
    ("Accounts User", "r"),
    ("Auditor", "r"),
];

pub(super) const TYPES: &[TypeRow] = &[
    TypeRow {
        name: "Pricing Rule",
        naming: "series:PRLE-",
        marks: "",
        title: "title",
        search: "title",
        fields: &[&[
            ("title", Data, "", "*l"),
            (
                "apply_on",
                Select,
                "Item Code\nItem Group\nTransaction",
                "l =Item Code",
            ),
            ("items", Table, "Pricing Rule Item Code", ""),
            ("item_groups", Table, "Pricing Rule Item Group", ""),
            ("selling", Check, "", ""),
            ("buying", Check, "", ""),
            ("disable", Check, "", "l"),
            ("company", Link, "Company", ""),
            ("customer", Link, "Customer", ""),
            ("for_price_list", Link, "Price List", ""),
            ("min_qty", Float, "", ""),
            ("max_qty", Float, "", ""),
            ("valid_from", Date, "", ""),
            ("valid_upto", Date, "", ""),
            (
                "rate_or_discount",
                Select,
                "Rate\nDiscount Percentage\nDiscount Amount",
                " =Discount Percentage",
            ),
            ("rate", Currency, "", ""),
            ("discount_percentage", Percent, "", ""),
            ("discount_amount", Currency, "", ""),
            ("priority", Int, "", ""),
        ]],
        rights: MASTERS,
    },
    table(
        "Pricing Rule Item Code",
        &[&[("item_code", Link, "Item", "*l"), ("uom", Link, "UOM", "l")]],
    ),
    table(
        "Pricing Rule Item Group",
        &[&[("item_group", Link, "Item Group", "*l")]],
    ),
    TypeRow {
        name: "POS Opening Entry",
        naming: "series:POS-OPE-.YYYY.-",
        marks: "s",
        title: "",
        search: "pos_profile",
        fields: &[
            &[
                ("period_start_date", Datetime, "", "*l"),
                ("posting_date", Date, "", "*l"),
                ("company", Link, "Company", "*"),
                ("pos_profile", Link, "POS Profile", "*l"),
                ("user", Link, "User", "*l"),
                ("balance_details", Table, "POS Opening Entry Detail", "*"),
                ("pos_closing_entry", Data, "", "rn"),
            ],
            DRAFTED,
        ],
        rights: TILLS,
    },
    table(
        "POS Opening Entry Detail",
        &[&[
            ("mode_of_payment", Link, "Mode of Payment", "*l"),
            ("opening_amount", Currency, "", "l"),
        ]],
    ),
    TypeRow {
        name: "POS Invoice",
        naming: "series:ACC-PSINV-.YYYY.-",
        marks: "s",
        title: "customer",
        search: "customer,pos_profile",
        fields: &[
            &[
                (
                    "naming_series",
                    Select,
                    "ACC-PSINV-.YYYY.-",
                    "*o =ACC-PSINV-.YYYY.-",
                ),
                ("customer", Link, "Customer", "*l"),
                ("company", Link, "Company", "*"),
                ("pos_profile", Link, "POS Profile", "l"),
                ("selling_price_list", Link, "Price List", ""),
                ("cost_center", Link, "Cost Center", ""),
                ("project", Link, "Project", ""),
                ("set_warehouse", Link, "Warehouse", ""),
                ("is_return", Check, "", "n"),
                ("return_against", Link, "POS Invoice", "n"),
                ("items", Table, "POS Invoice Item", "*"),
                ("taxes", Table, "Sales Taxes and Charges", ""),
                ("payments", Table, "Sales Invoice Payment", ""),
                ("paid_amount", Currency, "", "r"),
                ("change_amount", Currency, "", ""),
                ("account_for_change_amount", Link, "Account", ""),
                ("consolidated_invoice", Link, "Sales Invoice", "rn"),
            ],
            POSTED,
            PRICED,
            DRAFTED,
        ],
        rights: TILLS,
    },
    table("POS Invoice Item", &[ITEM_ROW]),
    table(
        "Sales Invoice Payment",
        &[&[
            ("mode_of_payment", Link, "Mode of Payment", "*l"),
            ("account", Link, "Account", ""),
            ("amount", Currency, "", "*l"),
            ("base_amount", Currency, "", "r"),
        ]],
    ),
    TypeRow {
        name: "POS Closing Entry",
        naming: "series:POS-CLO-.YYYY.-",
        marks: "s",
        title: "",
        search: "pos_profile",
        fields: &[
            &[
                (
                    "period_start_date",
                    Datetime,
                    "",
                    "*r <pos_opening_entry.period_start_date",
                ),
                ("period_end_date", Datetime, "", "*l"),
                ("posting_date", Date, "", "*l"),
                ("pos_opening_entry", Link, "POS Opening Entry", "*"),
                ("company", Link, "Company", "*r <pos_opening_entry.company"),
                (
                    "pos_profile",
                    Link,
                    "POS Profile",
                    "*rl <pos_opening_entry.pos_profile",
                ),
                ("user", Link, "User", "*r <pos_opening_entry.user"),
                ("pos_transactions", Table, "POS Invoice Reference", "r"),
                ("taxes", Table, "POS Closing Entry Taxes", "r"),
                (
                    "payment_reconciliation",
                    Table,
                    "POS Closing Entry Detail",
                    "",
                ),
                ("grand_total", Currency, "", "r"),
                ("net_total", Currency, "", "r"),
                ("total_quantity", Float, "", "r"),
                ("error_message", SmallText, "", "r"),
            ],
            DRAFTED,
        ],
        rights: TILLS,
    },
    TypeRow {
        name: "POS Invoice Merge Log",
        naming: "hash",
        marks: "s",
        title: "",
        search: "customer",
        fields: &[&[
            ("posting_date", Date, "", "*l"),
            (
                "merge_invoices_based_on",
                Select,
                "Customer\nCustomer Group",
                "* =Customer",
            ),
            ("pos_closing_entry", Link, "POS Closing Entry", ""),
            ("customer", Link, "Customer", "*l"),
            ("pos_invoices", Table, "POS Invoice Reference", "*"),
            ("consolidated_invoice", Link, "Sales Invoice", "r"),
            ("consolidated_credit_note", Link, "Sales Invoice", "r"),
            ("amended_from", Data, "", "rn"),
        ]],
        rights: TILLS,
    },
    table(
        "POS Invoice Reference",
        &[&[
            ("pos_invoice", Link, "POS Invoice", "*l"),
            ("posting_date", Date, "", "*l"),
            ("customer", Link, "Customer", "*r"),
            ("grand_total", Currency, "", "*l"),
        ]],
    ),
    table(
        "Sales Invoice Reference",
        &[&[
            ("sales_invoice", Link, "Sales Invoice", "*l"),
            ("posting_date", Date, "", "*l"),
            ("customer", Link, "Customer", "*r"),
            ("grand_total", Currency, "", "*l"),
        ]],
    ),
    table(
        "POS Closing Entry Taxes",
        &[&[
            ("account_head", Link, "Account", "rl"),
            ("rate", Percent, "", "rl"),
            ("amount", Currency, "", "rl"),
        ]],
    ),
    table(
        "POS Closing Entry Detail",
        &[&[
            ("mode_of_payment", Link, "Mode of Payment", "*l"),
            ("opening_amount", Currency, "", "*rl"),
            ("expected_amount", Currency, "", "*rl"),
            ("closing_amount", Currency, "", "*l"),
            ("difference", Currency, "", "rl"),
        ]],
    ),
    master(
        "Hotel Room Type",
        "prompt",
        &[&[
            ("capacity", Int, "", "*l"),
            ("extra_bed_capacity", Int, "", "l"),
        ]],
    ),
    master(
        "Hotel Room",
        "prompt",
        &[&[
            ("hotel_room_type", Link, "Hotel Room Type", "*l"),
            ("capacity", Int, "", "l"),
        ]],
    ),
    master(
        "Hotel Room Package",
        "prompt",
        &[&[
            ("hotel_room_type", Link, "Hotel Room Type", "*l"),
            ("item", Link, "Item", "*l"),
            ("description", SmallText, "", ""),
        ]],
    ),
    master(
        "Hotel Room Pricing",
        "prompt",
        &[&[
            ("from_date", Date, "", "*l"),
            ("to_date", Date, "", "*l"),
            ("currency", Link, "Currency", ""),
            ("items", Table, "Hotel Room Pricing Item", ""),
        ]],
    ),
    table(
        "Hotel Room Pricing Item",
        &[&[("item", Link, "Item", "*l"), ("rate", Currency, "", "*l")]],
    ),
    TypeRow {
        name: "Hotel Room Reservation",
        naming: "series:HTL-RES-.YYYY.-",
        marks: "s",
        title: "guest_name",
        search: "guest_name",
        fields: &[
            &[
                ("guest_name", Data, "", "*l"),
                ("customer", Link, "Customer", ""),
                ("from_date", Date, "", "*l"),
                ("to_date", Date, "", "*l"),
                ("late_checkin", Check, "", ""),
                ("items", Table, "Hotel Room Reservation Item", "*"),
                ("net_total", Currency, "", "r"),
            ],
            DRAFTED,
        ],
        rights: RESERVATIONS,
    },
    table(
        "Hotel Room Reservation Item",
        &[&[
            ("item", Link, "Item", "*l"),
            ("qty", Int, "", "*l =1"),
            ("currency", Link, "Currency", ""),
            ("rate", Currency, "", "r"),
            ("amount", Currency, "", "r"),
        ]],
    ),
];
