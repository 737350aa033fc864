//! Addresses of the REST API that this crate reads: documents, lists, and methods that are constants.

use reqwest::Url;

use crate::{config::RestVersion, texts::client as say};

/// An address below the site. Names of types and documents are percent-encoded once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErpRoute<'a> {
    List { doctype: &'a str },
    Document { doctype: &'a str, name: &'a str },
    Method(ErpMethod),
}

macro_rules! methods {
    ($($(#[$doc:meta])* $method:ident = $path:literal;)*) => {
        /// A method that reads. The list is closed: no name of a method comes from anywhere else.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum ErpMethod { $($(#[$doc])* $method,)* }

        impl ErpMethod {
            pub(crate) const fn path(self) -> &'static str {
                match self { $(Self::$method => $path,)* }
            }
        }
    };
}

methods! {
    LoggedUser = "frappe.auth.get_logged_user";
    Value = "frappe.client.get_value";
    List = "frappe.client.get_list";
    Roles = "frappe.core.doctype.user.user.get_roles";
    UserPermissions = "frappe.core.doctype.user_permission.user_permission.get_user_permissions";
    HasPermission = "frappe.client.has_permission";
    Versions = "frappe.utils.change_log.get_versions";
    TimeZone = "frappe.client.get_time_zone";
    /// Answers with a text of JSON: the fields that a session has defaults for.
    SessionDefaults = "frappe.core.doctype.session_default_settings.session_default_settings.get_session_default_values";
    /// Answers with `docs` at the top: the type, then the types of its tables.
    TypeMeta = "frappe.desk.form.load.getdoctype";
    SearchLink = "frappe.desk.search.search_link";
    /// Unlike `frappe.client.get_count`, it counts what the user may see.
    Count = "frappe.desk.reportview.get_count";
    Transitions = "frappe.model.workflow.get_transitions";
    BomItems = "erpnext.manufacturing.doctype.bom.bom.get_bom_items";
    /// Maps a work order, which it does not change.
    EntryOfWorkOrder = "erpnext.manufacturing.doctype.work_order.work_order.make_stock_entry";
    Report = "frappe.desk.query_report.run";
    LinkedDocuments = "frappe.desk.form.linked_with.get_submitted_linked_docs";
    /// The newest entry of the queue of submits.
    LatestSubmissions =
        "frappe.core.doctype.submission_queue.submission_queue.get_latest_submissions";
    /// Answers with `docinfo` at the top: comments, versions and rights; marks nothing as seen.
    DocumentInfo = "frappe.desk.form.load.get_docinfo";
    // The mappers: a document made of another, computed and not saved.
    OrderOfQuotation = "erpnext.selling.doctype.quotation.quotation.make_sales_order";
    DeliveryOfOrder = "erpnext.selling.doctype.sales_order.sales_order.make_delivery_note";
    InvoiceOfOrder = "erpnext.selling.doctype.sales_order.sales_order.make_sales_invoice";
    PickListOfOrder = "erpnext.selling.doctype.sales_order.sales_order.create_pick_list";
    RequestOfOrder = "erpnext.selling.doctype.sales_order.sales_order.make_material_request";
    InvoiceOfDelivery = "erpnext.stock.doctype.delivery_note.delivery_note.make_sales_invoice";
    OrderOfRequest = "erpnext.stock.doctype.material_request.material_request.make_purchase_order";
    StockEntryOfRequest = "erpnext.stock.doctype.material_request.material_request.make_stock_entry";
    OrderOfSupplierQuotation =
        "erpnext.buying.doctype.supplier_quotation.supplier_quotation.make_purchase_order";
    ReceiptOfOrder = "erpnext.buying.doctype.purchase_order.purchase_order.make_purchase_receipt";
    InvoiceOfPurchase = "erpnext.buying.doctype.purchase_order.purchase_order.make_purchase_invoice";
    InvoiceOfReceipt =
        "erpnext.stock.doctype.purchase_receipt.purchase_receipt.make_purchase_invoice";
    PaymentOf = "erpnext.accounts.doctype.payment_entry.payment_entry.get_payment_entry";
    AccountingPreview = "erpnext.controllers.stock_controller.show_accounting_ledger_preview";
    StockPreview = "erpnext.controllers.stock_controller.show_stock_ledger_preview";
}

/// The field of an answer that has the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DataField {
    /// `data`, which is always there.
    Data,
    /// `message`, in v2 `data`, which is left out for nothing; older searches answer with `results`.
    Message,
    /// `docs`.
    Docs,
    /// `docinfo`.
    DocInfo,
}

impl ErpRoute<'_> {
    /// The address, for an API version.
    ///
    /// # Errors
    /// A name that no path can have.
    pub(super) fn url(self, base: &Url, rest: RestVersion) -> Result<Url, &'static str> {
        let (parts, is_folder): (Vec<&str>, bool) = match (self, rest) {
            (Self::List { doctype }, RestVersion::V1) => (vec!["resource", doctype], false),
            (Self::List { doctype }, RestVersion::V2) => (vec!["v2", "document", doctype], false),
            (Self::Document { doctype, name }, RestVersion::V1) => {
                (vec!["resource", doctype, name], false)
            }
            (Self::Document { doctype, name }, RestVersion::V2) => {
                (vec!["v2", "document", doctype, name], true)
            }
            (Self::Method(method), RestVersion::V1) => (vec!["method", method.path()], false),
            (Self::Method(method), RestVersion::V2) => (vec!["v2", "method", method.path()], false),
        };
        let mut parts = parts;
        if is_folder {
            parts.push("");
        }
        address(base, &parts)
    }

    /// The version that an address is asked in, of those for documents and for methods.
    pub(super) const fn rest(self, documents: RestVersion, methods: RestVersion) -> RestVersion {
        match self {
            Self::Method(_) => methods,
            Self::List { .. } | Self::Document { .. } => documents,
        }
    }

    pub(super) const fn data_field(self) -> DataField {
        match self {
            Self::Method(ErpMethod::TypeMeta) => DataField::Docs,
            Self::Method(ErpMethod::DocumentInfo) => DataField::DocInfo,
            Self::Method(_) => DataField::Message,
            Self::List { .. } | Self::Document { .. } => DataField::Data,
        }
    }
}

/// The address of these parts below `/api`. An empty last part ends it with a slash.
///
/// # Errors
/// A name that no path can have.
pub(super) fn address(base: &Url, parts: &[impl AsRef<str>]) -> Result<Url, &'static str> {
    let names: Vec<&str> = parts.iter().map(|part| part.as_ref()).collect();
    let count = parts.len().saturating_sub(1);
    // A URL library would leave such parts out.
    let is_lost = |(at, part): (usize, &str)| {
        matches!(part, "." | "..") || (part.is_empty() && (at < count || count < 3))
    };
    if names.iter().copied().enumerate().any(is_lost) {
        return Err(say::UNUSABLE_NAME);
    }
    let mut url = base.clone();
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.clear().push("api").extend(names);
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_encoded_once_and_stay_in_their_part() {
        let base = Url::parse("https://erp.example.org").unwrap();
        let path =
            |route: ErpRoute<'_>, rest| route.url(&base, rest).map(|url| url.path().to_owned());
        let order = |name| ErpRoute::Document {
            doctype: "Sales Order",
            name,
        };
        let (v1, v2) = (RestVersion::V1, RestVersion::V2);
        let list = ErpRoute::List {
            doctype: "Sales Order",
        };
        for (found, expect) in [
            (path(list, v1), "/api/resource/Sales%20Order"),
            (path(list, v2), "/api/v2/document/Sales%20Order"),
            (path(order("SO-1"), v1), "/api/resource/Sales%20Order/SO-1"),
            (
                path(order("SO-1"), v2),
                "/api/v2/document/Sales%20Order/SO-1/",
            ),
            (
                path(order("a/b%2F?c"), v1),
                "/api/resource/Sales%20Order/a%2Fb%252F%3Fc",
            ),
            (
                path(ErpRoute::Method(ErpMethod::TimeZone), v1),
                "/api/method/frappe.client.get_time_zone",
            ),
            (
                path(ErpRoute::Method(ErpMethod::TimeZone), v2),
                "/api/v2/method/frappe.client.get_time_zone",
            ),
        ] {
            assert_eq!(found.as_deref(), Ok(expect));
        }
        assert!(path(order(".."), v1).is_err());
        assert!(path(order(""), v2).is_err());
    }
}
