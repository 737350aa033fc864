//! The reports of the catalogue and their filters. Filters of script reports live in the browser's
//! code, so the ERP has no schema of them; what is not listed here is refused.

use schemars::JsonSchema;
use serde::Deserialize;

/// Kind of a report filter's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReportFilterKind {
    /// The exact name of a document.
    Name,
    /// One or several names.
    Names,
    Day,
    Text,
    Flag,
    Choice(&'static [&'static str]),
}

/// A filter of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ReportFilter {
    pub(super) name: &'static str,
    pub(super) kind: ReportFilterKind,
    pub(super) is_required: bool,
}

const fn needs(name: &'static str, kind: ReportFilterKind) -> ReportFilter {
    ReportFilter {
        name,
        kind,
        is_required: true,
    }
}

const fn takes(name: &'static str, kind: ReportFilterKind) -> ReportFilter {
    ReportFilter {
        name,
        kind,
        is_required: false,
    }
}

use ReportFilterKind::{Choice, Day, Flag, Name, Names, Text};

const PERIODS: ReportFilterKind = Choice(&["Monthly", "Quarterly", "Half-Yearly", "Yearly"]);

const STATEMENT: &[ReportFilter] = &[
    needs("company", Name),
    needs("periodicity", PERIODS),
    takes("filter_based_on", Choice(&["Fiscal Year", "Date Range"])),
    takes("from_fiscal_year", Name),
    takes("to_fiscal_year", Name),
    takes("period_start_date", Day),
    takes("period_end_date", Day),
    takes("accumulated_values", Flag),
    takes("cost_center", Names),
];

const AGEING: &[ReportFilter] = &[
    needs("company", Name),
    needs("report_date", Day),
    needs("range", Text),
    takes(
        "ageing_based_on",
        Choice(&["Due Date", "Posting Date", "Supplier Invoice Date"]),
    ),
    takes("party_type", Name),
    takes("party", Names),
    takes("cost_center", Names),
];

const ORDERS: &[ReportFilter] = &[
    needs("company", Name),
    needs("from_date", Day),
    needs("to_date", Day),
    takes("status", Names),
    takes("project", Name),
];

macro_rules! reports {
    ($($report:ident = $name:literal, $filters:expr;)*) => {
        /// A report of the catalogue.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
        pub(crate) enum ReportName { $(#[serde(rename = $name)] $report,)* }

        impl ReportName {
            pub(super) const fn name(self) -> &'static str {
                match self { $(Self::$report => $name,)* }
            }

            pub(super) const fn filters(self) -> &'static [ReportFilter] {
                match self {
                    $(Self::$report => {
                        const FILTERS: &[ReportFilter] = $filters;
                        FILTERS
                    })*
                }
            }
        }
    };
}

reports! {
    GeneralLedger = "General Ledger", &[
        needs("company", Name), needs("from_date", Day), needs("to_date", Day),
        takes("account", Names), takes("party_type", Name), takes("party", Names),
        takes("voucher_no", Text), takes("cost_center", Names), takes("project", Names),
    ];
    TrialBalance = "Trial Balance", &[
        needs("company", Name), needs("fiscal_year", Name),
        takes("from_date", Day), takes("to_date", Day), takes("cost_center", Name),
    ];
    ProfitAndLoss = "Profit and Loss Statement", STATEMENT;
    BalanceSheet = "Balance Sheet", STATEMENT;
    AccountsReceivable = "Accounts Receivable", AGEING;
    AccountsPayable = "Accounts Payable", AGEING;
    GrossProfit = "Gross Profit", &[
        needs("company", Name), needs("from_date", Day), needs("to_date", Day),
        takes("group_by", Choice(&["Invoice", "Item Code", "Item Group", "Brand", "Warehouse",
            "Customer", "Customer Group", "Territory", "Sales Person", "Project", "Monthly"])),
        takes("sales_invoice", Name), takes("item_code", Name),
    ];
    SalesAnalytics = "Sales Analytics", &[
        needs("company", Name), needs("from_date", Day), needs("to_date", Day),
        needs("tree_type", Choice(&["Customer Group", "Customer", "Item Group", "Item", "Territory",
            "Order Type", "Project"])),
        needs("doc_type", Choice(&["Quotation", "Sales Order", "Delivery Note", "Sales Invoice"])),
        needs("value_quantity", Choice(&["Value", "Quantity"])),
        needs("range", Choice(&["Weekly", "Monthly", "Quarterly", "Yearly"])),
        needs("curves", Choice(&["select", "all", "non-zeros", "total"])),
    ];
    SalesOrderAnalysis = "Sales Order Analysis", ORDERS;
    PurchaseOrderAnalysis = "Purchase Order Analysis", ORDERS;
    StockLedger = "Stock Ledger", &[
        needs("company", Name), needs("from_date", Day), needs("to_date", Day),
        takes("item_code", Names), takes("warehouse", Names), takes("voucher_no", Text),
    ];
    StockBalance = "Stock Balance", &[
        needs("from_date", Day), needs("to_date", Day), takes("company", Name),
        takes("item_code", Names), takes("warehouse", Names), takes("item_group", Name),
    ];
    StockProjectedQty = "Stock Projected Qty", &[
        takes("company", Name), takes("item_code", Name), takes("warehouse", Names),
        takes("item_group", Name),
    ];
    ItemShortage = "Item Shortage Report", &[needs("company", Name), takes("warehouse", Names)];
    DelayedOrders = "Delayed Order Report", &[
        needs("company", Name), needs("from_date", Day), needs("to_date", Day),
        needs("based_on", Choice(&["Sales Invoice", "Delivery Note"])),
        takes("customer", Name), takes("item_group", Name),
    ];
}
