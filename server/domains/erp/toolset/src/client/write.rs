//! Writes: each is sent once, and its answer says whether it was certainly not done.

use std::time::Duration;

use reqwest::Method;
use serde_json::Value;
use tokio::sync::watch;

use super::{DataField, ErpClient, RestVersion, SiteAnswer, route::address};
use crate::error::{ErpError, RefusalKind};

/// The site itself gives up after 120 s; a shorter limit would leave the outcome unknown.
const WRITE_TIMEOUT: Duration = Duration::from_secs(125);

/// A request that changes something. The list is closed, as that of the methods that read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErpWrite<'a> {
    /// The body is a new document.
    Create { doctype: &'a str },
    /// The body is the changed fields, the whole of each changed table, and the `modified` of the
    /// copy that was changed: the ERP refuses it if the document has changed since.
    Update { doctype: &'a str, name: &'a str },
    /// The body is `{"doc": …}`, the whole document with its `modified`.
    Submit,
    /// The body is `{"doc": {doctype, name}, "action": …}`. It has no lock.
    ApplyWorkflow,
    /// The body is name and status of an order. It has no lock.
    OrderStatus(OrderMethod),
    /// The body is what `add_comment` takes.
    Comment,
}

/// The type of an order whose status is set, each with a method of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OrderMethod {
    SalesOrder,
    PurchaseOrder,
    MaterialRequest,
    DeliveryNote,
    PurchaseReceipt,
    /// It stops and resumes: the status says which.
    StopWorkOrder,
    CloseWorkOrder,
}

impl OrderMethod {
    const fn path(self) -> &'static str {
        match self {
            Self::SalesOrder => "erpnext.selling.doctype.sales_order.sales_order.update_status",
            Self::PurchaseOrder => {
                "erpnext.buying.doctype.purchase_order.purchase_order.update_status"
            }
            Self::MaterialRequest => {
                "erpnext.stock.doctype.material_request.material_request.update_status"
            }
            Self::DeliveryNote => {
                "erpnext.stock.doctype.delivery_note.delivery_note.update_delivery_note_status"
            }
            Self::PurchaseReceipt => {
                "erpnext.stock.doctype.purchase_receipt.purchase_receipt.update_purchase_receipt_status"
            }
            Self::StopWorkOrder => {
                "erpnext.manufacturing.doctype.work_order.work_order.stop_unstop"
            }
            Self::CloseWorkOrder => {
                "erpnext.manufacturing.doctype.work_order.work_order.close_work_order"
            }
        }
    }
}

/// Reason that a write failed. A write is never sent twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum WriteFailure {
    /// Certainly not done.
    NotDone(ErpError),
    /// Possibly done: it was sent, and no answer came that says otherwise.
    Unknown(ErpError),
}

impl<'a> ErpWrite<'a> {
    const fn data_field(self) -> DataField {
        match self {
            Self::Create { .. } | Self::Update { .. } => DataField::Data,
            Self::Submit | Self::ApplyWorkflow | Self::OrderStatus(_) | Self::Comment => {
                DataField::Message
            }
        }
    }

    const fn verb(self) -> Method {
        match self {
            Self::Update { .. } => Method::PUT,
            Self::Create { .. }
            | Self::Submit
            | Self::ApplyWorkflow
            | Self::OrderStatus(_)
            | Self::Comment => Method::POST,
        }
    }

    /// The address below `/api`, in the versions for documents and for methods.
    fn parts(self, documents: RestVersion, methods: RestVersion) -> Vec<&'a str> {
        let mut parts = match (self, documents) {
            (Self::Submit, _) => vec!["method", "frappe.client.submit"],
            (Self::ApplyWorkflow, _) => vec!["method", "frappe.model.workflow.apply_workflow"],
            (Self::OrderStatus(method), _) => vec!["method", method.path()],
            (Self::Comment, _) => vec!["method", "frappe.desk.form.utils.add_comment"],
            (Self::Create { doctype }, RestVersion::V1) => vec!["resource", doctype],
            (Self::Create { doctype }, RestVersion::V2) => vec!["v2", "document", doctype],
            (Self::Update { doctype, name }, RestVersion::V1) => vec!["resource", doctype, name],
            (Self::Update { doctype, name }, RestVersion::V2) => {
                vec!["v2", "document", doctype, name, ""]
            }
        };
        if methods == RestVersion::V2 && parts.first() == Some(&"method") {
            parts.insert(0, "v2");
        }
        parts
    }
}

impl ErpClient {
    /// Writes once. Who follows [`Self::written`] is told, unless it was certainly not done.
    pub(crate) async fn write(
        &self,
        write: ErpWrite<'_>,
        body: &Value,
    ) -> Result<SiteAnswer, WriteFailure> {
        let done = self.send_write(write, body).await;
        if !matches!(done, Err(WriteFailure::NotDone(_))) {
            self.written.send_modify(|count| *count += 1);
        }
        done
    }

    /// The number of writes so far that were done or may have been, with any key.
    pub(crate) fn written(&self) -> watch::Receiver<u64> {
        self.written.subscribe()
    }

    async fn send_write(
        &self,
        write: ErpWrite<'_>,
        body: &Value,
    ) -> Result<SiteAnswer, WriteFailure> {
        let url = address(&self.base, &write.parts(self.rest, self.methods));
        let url = url.map_err(|error| WriteFailure::NotDone(ErpError::input(error)))?;
        let _permit = self.permits.acquire().await;
        let request = self.writes.request(write.verb(), url);
        let request = request.headers(self.headers.clone());
        let request = request.json(body).timeout(WRITE_TIMEOUT);
        let response = match request.send().await {
            Ok(response) => response,
            Err(error) => {
                let was_sent = !error.is_connect() && !error.is_builder();
                let failure = self.failure(&error, WRITE_TIMEOUT);
                return Err(match (was_sent, &failure) {
                    (false, _) | (_, ErpError::Untrusted { .. }) => WriteFailure::NotDone(failure),
                    (true, _) => WriteFailure::Unknown(failure),
                });
            }
        };
        let answer = self
            .receive(response, write.data_field(), WRITE_TIMEOUT)
            .await;
        answer.map_err(|error| match error.kind() {
            // The proxy may have lost the answer of a write that was done.
            Some(RefusalKind::Gateway | RefusalKind::Unexpected) => WriteFailure::Unknown(error),
            // Any other refusal is Frappe's, which has rolled back.
            Some(_) => WriteFailure::NotDone(error),
            // It was sent, and its answer broke off or is none of Frappe's.
            None => WriteFailure::Unknown(error),
        })
    }
}
