//! Companies, accounts, years, taxes, warehouses, users and workflows.

use super::{Filled, MAKER, Seed, TRADER};
use crate::cell::{Decimal, SimDoc, cents};
use crate::clock::plus_days;
use crate::users::{EVERYBODY, SimErpUser};

/// Number, name, number of the group above, root, type; groups have no type and end in 00.
const ACCOUNTS: [(&str, &str, &str, &str, &str); 50] = [
    ("1000", "Assets", "", "Asset", "group"),
    ("1100", "Current Assets", "1000", "Asset", "group"),
    ("1110", "Cash", "1100", "Asset", "Cash"),
    ("1120", "Main Bank", "1100", "Asset", "Bank"),
    ("1130", "Savings Bank", "1100", "Asset", "Bank"),
    ("1200", "Debtors", "1100", "Asset", "Receivable"),
    ("1300", "Stock In Hand", "1100", "Asset", "Stock"),
    ("1310", "Raw Materials", "1100", "Asset", "Stock"),
    ("1320", "Finished Goods", "1100", "Asset", "Stock"),
    ("1400", "Prepaid Expenses", "1100", "Asset", ""),
    ("1410", "Input VAT 19", "1100", "Asset", "Tax"),
    ("1420", "Input VAT 7", "1100", "Asset", "Tax"),
    ("1500", "Fixed Assets", "1000", "Asset", "group"),
    ("1510", "Machines", "1500", "Asset", "Fixed Asset"),
    ("1520", "Office Equipment", "1500", "Asset", "Fixed Asset"),
    ("1590", "Accumulated Depreciation", "1500", "Asset", ""),
    ("2000", "Liabilities", "", "Liability", "group"),
    ("2100", "Creditors", "2000", "Liability", "Payable"),
    (
        "2110",
        "Stock Received But Not Billed",
        "2000",
        "Liability",
        "Stock Received But Not Billed",
    ),
    ("2200", "VAT 19", "2000", "Liability", "Tax"),
    ("2210", "VAT 7", "2000", "Liability", "Tax"),
    ("2220", "VAT Reverse Charge", "2000", "Liability", "Tax"),
    ("2300", "Payroll Payable", "2000", "Liability", ""),
    ("2400", "Bank Loan", "2000", "Liability", ""),
    ("2500", "Accrued Expenses", "2000", "Liability", ""),
    ("3000", "Equity", "", "Equity", "group"),
    ("3100", "Share Capital", "3000", "Equity", "Equity"),
    ("3200", "Retained Earnings", "3000", "Equity", "Equity"),
    ("3300", "Opening Balance", "3000", "Equity", "Equity"),
    ("4000", "Income", "", "Income", "group"),
    ("4100", "Sales", "4000", "Income", "Income Account"),
    ("4200", "Services", "4000", "Income", "Income Account"),
    ("4300", "Shipping", "4000", "Income", "Income Account"),
    ("4900", "Other Income", "4000", "Income", ""),
    ("5000", "Expenses", "", "Expense", "group"),
    (
        "5100",
        "Cost of Goods Sold",
        "5000",
        "Expense",
        "Cost of Goods Sold",
    ),
    (
        "5110",
        "Stock Adjustment",
        "5000",
        "Expense",
        "Stock Adjustment",
    ),
    ("5200", "Salaries", "5000", "Expense", "Expense Account"),
    (
        "5210",
        "Social Security",
        "5000",
        "Expense",
        "Expense Account",
    ),
    ("5300", "Rent", "5000", "Expense", "Expense Account"),
    ("5310", "Energy", "5000", "Expense", "Expense Account"),
    ("5320", "Insurance", "5000", "Expense", "Expense Account"),
    ("5400", "Marketing", "5000", "Expense", "Expense Account"),
    ("5410", "Travel", "5000", "Expense", "Expense Account"),
    ("5500", "Depreciation", "5000", "Expense", "Depreciation"),
    ("5600", "Bank Charges", "5000", "Expense", "Expense Account"),
    (
        "5700",
        "Office Supplies",
        "5000",
        "Expense",
        "Expense Account",
    ),
    ("5710", "Software", "5000", "Expense", "Expense Account"),
    (
        "5800",
        "Exchange Differences",
        "5000",
        "Expense",
        "Expense Account",
    ),
    ("5900", "Round Off", "5000", "Expense", "Round Off"),
];

/// The name of an account by its number.
pub(super) fn account(number: &str, abbr: &str) -> String {
    let found = ACCOUNTS.iter().find(|it| it.0 == number);
    format!("{number} - {} - {abbr}", found.map_or("", |it| it.1))
}

pub(super) fn fill(seed: &mut Seed<'_>) -> Filled<()> {
    let types: Vec<_> = seed.books.meta.all().cloned().collect();
    for of in types {
        let doc = SimDoc::new("DocType")
            .named(of.name)
            .with("module", "Aldergate")
            .with("istable", of.is_table())
            .with("issingle", of.is_single())
            .with("is_submittable", of.is_submittable());
        crate::books::put_new(seed.books, doc);
    }
    settings(seed)?;
    users(seed)?;
    for (name, abbr, currency, country) in [
        (MAKER, "AC", "EUR", "Germany"),
        (TRADER, "AT", "USD", "United States"),
    ] {
        company(seed, name, abbr, currency, country)?;
    }
    years(seed)?;
    taxes(seed)?;
    workflows(seed)
}

fn settings(seed: &mut Seed<'_>) -> Filled<()> {
    for (name, symbol, step) in [("EUR", "€", 1), ("USD", "$", 1), ("CHF", "CHF", 5)] {
        let doc = SimDoc::new("Currency")
            .with("currency_name", name)
            .with("symbol", symbol);
        seed.add(doc.with("smallest_currency_fraction_value", cents(step)))?;
    }
    for (from, to, rate) in [
        ("USD", "EUR", 92),
        ("EUR", "USD", 109),
        ("CHF", "EUR", 104),
        ("CHF", "USD", 113),
    ] {
        let day = seed.day(-super::DAYS - 30);
        let doc = SimDoc::new("Currency Exchange").with("date", day);
        let doc = doc.with("from_currency", from).with("to_currency", to);
        seed.add(doc.with("exchange_rate", cents(rate)))?;
    }
    seed.names(
        "UOM",
        "uom_name",
        &["Nos", "Kg", "Meter", "Hour", "Set", "Box"],
    )?;
    seed.names(
        "Territory",
        "territory_name",
        &[
            "All Territories",
            "North",
            "South",
            "East",
            "West",
            "Export",
        ],
    )?;
    seed.names(
        "Customer Group",
        "customer_group_name",
        &["All Customer Groups", "Dealers", "Shops", "Private"],
    )?;
    seed.names(
        "Supplier Group",
        "supplier_group_name",
        &["All Supplier Groups", "Parts", "Services"],
    )?;
    seed.names(
        "Item Group",
        "item_group_name",
        &[
            "All Item Groups",
            "Raw Material",
            "Sub Assemblies",
            "Bicycles",
            "Accessories",
            "Services",
        ],
    )?;
    for (name, kind) in [
        ("Wire Transfer", "Bank"),
        ("Cash", "Cash"),
        ("Credit Card", "Bank"),
    ] {
        seed.add(
            SimDoc::new("Mode of Payment")
                .with("mode_of_payment", name)
                .with("type", kind),
        )?;
    }
    for purpose in [
        "Material Receipt",
        "Material Issue",
        "Material Transfer",
        "Material Transfer for Manufacture",
        "Manufacture",
    ] {
        seed.add(
            SimDoc::new("Stock Entry Type")
                .named(purpose)
                .with("purpose", purpose),
        )?;
    }
    for (name, rate) in [("Assembly", 4200), ("Consulting", 9000), ("Repair", 6500)] {
        let doc = SimDoc::new("Activity Type").with("activity_type", name);
        seed.add(doc.with("billing_rate", cents(rate)))?;
    }
    for name in ["Frame Shop", "Wheel Shop", "Assembly Line"] {
        let doc = SimDoc::new("Workstation").with("workstation_name", name);
        seed.add(doc.with("hour_rate", cents(3800)))?;
    }
    let zone = SimDoc::new("System Settings").with("time_zone", crate::clock::ZONE);
    seed.add(
        zone.with("rounding_method", "Banker's Rounding")
            .with("language", "en"),
    )?;
    seed.add(SimDoc::new("Accounts Settings"))?;
    seed.add(SimDoc::new("Stock Settings"))?;
    Ok(())
}

fn users(seed: &mut Seed<'_>) -> Filled<()> {
    let mut roles: Vec<&str> = EVERYBODY
        .iter()
        .flat_map(|(_, roles)| roles.iter().copied())
        .collect();
    roles.extend(["All", "Guest", "Website Manager"]);
    roles.sort_unstable();
    roles.dedup();
    seed.names("Role", "role_name", &roles)?;
    for (user, roles) in EVERYBODY {
        let email = user.email();
        let name = email.split('@').next().unwrap_or_default();
        let mut doc = SimDoc::new("User")
            .with("email", email)
            .with(
                "full_name",
                format!("{}{}", name[..1].to_uppercase(), &name[1..]),
            )
            .with("user_type", "System User");
        for role in roles {
            doc.push("roles", SimDoc::new("Has Role").with("role", *role));
        }
        seed.add(doc)?;
    }
    let narrow = SimErpUser::Narrow.email();
    for (allow, value) in [("Company", MAKER), ("Territory", "North")] {
        let doc = SimDoc::new("User Permission").with("user", narrow);
        seed.add(doc.with("allow", allow).with("for_value", value))?;
    }
    Ok(())
}

fn company(
    seed: &mut Seed<'_>,
    name: &str,
    abbr: &str,
    currency: &str,
    country: &str,
) -> Filled<()> {
    let of = |number: &str| account(number, abbr);
    let center = format!("Main - {abbr}");
    let doc = SimDoc::new("Company")
        .with("company_name", name)
        .with("abbr", abbr)
        .with("default_currency", currency)
        .with("country", country)
        .with("default_receivable_account", of("1200"))
        .with("default_payable_account", of("2100"))
        .with("default_income_account", of("4100"))
        .with("default_expense_account", of("5100"))
        .with("stock_received_but_not_billed", of("2110"))
        .with("stock_adjustment_account", of("5110"))
        .with("default_inventory_account", of("1300"))
        .with("default_bank_account", of("1120"))
        .with("round_off_account", of("5900"))
        .with("exchange_gain_loss_account", of("5800"))
        .with("cost_center", center);
    seed.add(doc)?;
    for (number, own, parent, root, kind) in ACCOUNTS {
        let report = if matches!(root, "Income" | "Expense") {
            "Profit and Loss"
        } else {
            "Balance Sheet"
        };
        let group = kind == "group";
        let doc = SimDoc::new("Account")
            .with("account_name", own)
            .with("account_number", number)
            .with("company", name)
            .with(
                "parent_account",
                if parent.is_empty() {
                    String::new()
                } else {
                    of(parent)
                },
            )
            .with("root_type", root)
            .with("report_type", report)
            .with("account_type", if group { "" } else { kind })
            .with("account_currency", currency)
            .with("is_group", group);
        seed.add(doc)?;
    }
    for own in ["Main", "Production", "Sales", "Administration"] {
        let doc = SimDoc::new("Cost Center").with("cost_center_name", own);
        seed.add(doc.with("company", name))?;
    }
    let warehouses: &[(&str, &str)] = if name == MAKER {
        &[
            ("Stores", "1300"),
            ("Raw", "1310"),
            ("WIP", "1300"),
            ("Finished", "1320"),
            ("Shop", "1300"),
            ("Transit", "1300"),
        ]
    } else {
        &[("Stores", "1300"), ("Transit", "1300")]
    };
    for (own, number) in warehouses {
        let doc = SimDoc::new("Warehouse").with("warehouse_name", *own);
        seed.add(doc.with("company", name).with("account", of(number)))?;
    }
    for (list, buys) in [("Retail", false), ("Buying", true)] {
        let doc = SimDoc::new("Price List")
            .with("price_list_name", format!("{list} {currency}"))
            .with("currency", currency)
            .with("selling", !buys);
        seed.add(doc.with("buying", buys))?;
    }
    Ok(())
}

fn years(seed: &mut Seed<'_>) -> Filled<()> {
    let this = seed.today.year();
    for year in this - 2..=this + 1 {
        let doc = SimDoc::new("Fiscal Year")
            .with("year", year.to_string())
            .with("year_start_date", format!("{year}-01-01"));
        seed.add(doc.with("year_end_date", format!("{year}-12-31")))?;
    }
    Ok(())
}

fn taxes(seed: &mut Seed<'_>) -> Filled<()> {
    let tax = |kind: &'static str, number: &str, abbr: &str, rate: i64, included: bool| {
        SimDoc::new(kind)
            .with("charge_type", "On Net Total")
            .with("account_head", account(number, abbr))
            .with("description", format!("VAT {rate} %"))
            .with("included_in_print_rate", included)
            .with("rate", Decimal::from(rate))
    };
    let rows = [
        ("VAT 19", "2200", 19, false),
        ("VAT 19 included", "2200", 19, true),
        ("VAT 7", "2210", 7, false),
        ("Reverse Charge", "2220", 0, false),
    ];
    for (title, number, rate, included) in rows {
        let mut doc = SimDoc::new("Sales Taxes and Charges Template")
            .with("title", title)
            .with("company", MAKER);
        doc.push(
            "taxes",
            tax("Sales Taxes and Charges", number, "AC", rate, included),
        );
        seed.add(doc)?;
    }
    for (title, number, rate) in [("Input VAT 19", "1410", 19), ("Input VAT 7", "1420", 7)] {
        let mut doc = SimDoc::new("Purchase Taxes and Charges Template")
            .with("title", title)
            .with("company", MAKER);
        doc.push(
            "taxes",
            tax("Purchase Taxes and Charges", number, "AC", rate, false),
        );
        seed.add(doc)?;
    }
    for (name, terms) in [
        ("Net 14", vec![(100, 14)]),
        ("Net 30", vec![(100, 30)]),
        ("Half now", vec![(50, 0), (50, 30)]),
    ] {
        let mut doc = SimDoc::new("Payment Terms Template").with("template_name", name);
        for (portion, days) in terms {
            let row = SimDoc::new("Payment Terms Template Detail")
                .with("invoice_portion", Decimal::from(portion))
                .with("description", format!("{portion} % within {days} days"));
            doc.push("terms", row.with("credit_days", days));
        }
        seed.add(doc)?;
    }
    Ok(())
}

fn workflows(seed: &mut Seed<'_>) -> Filled<()> {
    let state = |state: &str, status: &str, role: &str| {
        SimDoc::new("Workflow Document State")
            .with("state", state)
            .with("doc_status", status)
            .with("allow_edit", role)
    };
    let step = |from: &str, action: &str, to: &str, role: &str, own: bool| {
        SimDoc::new("Workflow Transition")
            .with("state", from)
            .with("action", action)
            .with("next_state", to)
            .with("allowed", role)
            .with("allow_self_approval", own)
    };
    let order = SimDoc::new("Workflow")
        .with("workflow_name", "Purchase Order Approval")
        .with("document_type", "Purchase Order")
        .with("is_active", 1);
    let quote = SimDoc::new("Workflow")
        .with("workflow_name", "Quotation Release")
        .with("document_type", "Quotation")
        .with("is_active", 1);
    let (user, manager) = ("Purchase User", "Purchase Manager");
    let plans = [
        (
            order,
            vec![
                state("Draft", "0", user),
                state("Pending Approval", "0", manager),
                state("Approved", "1", manager),
                state("Rejected", "0", user),
                state("Cancelled", "2", manager),
            ],
            vec![
                step("Draft", "Request Approval", "Pending Approval", user, true),
                step("Pending Approval", "Approve", "Approved", manager, false),
                step("Pending Approval", "Reject", "Rejected", manager, true),
                step(
                    "Rejected",
                    "Request Approval",
                    "Pending Approval",
                    user,
                    true,
                ),
                step("Approved", "Cancel", "Cancelled", manager, true),
            ],
        ),
        (
            quote,
            vec![
                state("Draft", "0", "Sales User"),
                state("Released", "1", "Sales Manager"),
                state("Cancelled", "2", "Sales Manager"),
            ],
            vec![
                step("Draft", "Release", "Released", "Sales User", true),
                step("Released", "Cancel", "Cancelled", "Sales Manager", true),
            ],
        ),
    ];
    for (mut doc, states, steps) in plans {
        doc.tables.insert("states", states);
        doc.tables.insert("transitions", steps);
        seed.add(doc)?;
    }
    Ok(())
}

/// Closes what is past: a period, and the books until the end of the month before last.
pub(super) fn close(seed: &mut Seed<'_>) -> Filled<()> {
    let end = plus_days(seed.today.first_of_month(), -1);
    let end = plus_days(end.first_of_month(), -1);
    let doc = SimDoc::new("Accounting Period")
        .with("period_name", format!("Closed until {end}"))
        .with("company", MAKER)
        .with("start_date", end.first_of_year())
        .with("end_date", end);
    seed.add(doc)?;
    for company in [MAKER, TRADER] {
        let frozen = plus_days(end.first_of_month(), -1);
        seed.books.set_fields(
            "Company",
            company,
            [("accounts_frozen_till_date", frozen.into())],
        );
        let single = [("acc_frozen_upto", frozen.into())];
        seed.books
            .set_fields("Accounts Settings", "Accounts Settings", single);
    }
    Ok(())
}
