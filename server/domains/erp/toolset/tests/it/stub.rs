//! A site of a few fixed answers, in the shapes of v15 and v16. It keeps what it was asked.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::{Duration, UNIX_EPOCH},
};

use agent::ports::{CallActor, CallOrigin, Progress, Tool, ToolCall, Toolset};
use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    http::{Response, StatusCode, header},
};
use erp::{Erp, ErpConfig, RestVersion};
use protocol::{CallId, ConversationId, ErrorBody, Timestamp, ToolOutput, UserId};
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinHandle};

/// 2026-11-23, noon in Berlin.
pub(crate) const NOW: i64 = 1_795_431_600_000;

/// An answer: status, `Retry-After`, body.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) retry_after: Option<&'static str>,
    pub(crate) body: String,
}

pub(crate) fn ok(body: &Value) -> Reply {
    refuse(200, body)
}

pub(crate) fn refuse(status: u16, body: &Value) -> Reply {
    Reply {
        status,
        retry_after: None,
        body: body.to_string(),
    }
}

pub(crate) fn message(value: Value) -> Reply {
    ok(&json!({ "message": value }))
}

pub(crate) fn data(value: Value) -> Reply {
    ok(&json!({ "data": value }))
}

/// A request that the site received.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Asked {
    pub(crate) path: String,
    pub(crate) query: BTreeMap<String, String>,
}

impl Asked {
    pub(crate) fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.query[name]).unwrap()
    }
}

type Answers = Arc<dyn Fn(&Asked) -> Option<Reply> + Send + Sync>;

#[derive(Clone)]
struct Shared {
    asked: Arc<Mutex<Vec<Asked>>>,
    answers: Answers,
}

pub(crate) struct Stub {
    pub(crate) erp: Erp,
    asked: Arc<Mutex<Vec<Asked>>>,
    server: JoinHandle<()>,
}

impl Drop for Stub {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl Stub {
    /// A site whose answers come from `answers`, or else are those of the narrow user `agent`.
    pub(crate) async fn start(
        config: ErpConfig,
        answers: impl Fn(&Asked) -> Option<Reply> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let shared = Shared {
            asked: Arc::clone(&asked),
            answers: Arc::new(answers),
        };
        let app = Router::new().fallback(answer).with_state(shared);
        let server = tokio::spawn(async move {
            axum::serve(listener, app).await.unwrap();
        });
        let config = ErpConfig {
            url: format!("http://{address}"),
            api_key: "key".to_owned(),
            api_secret: "secret".to_owned().into(),
            ..config
        };
        let erp = Erp::connect_with_clock(config, || NOW).unwrap();
        Self { erp, asked, server }
    }

    pub(crate) async fn plain(
        answers: impl Fn(&Asked) -> Option<Reply> + Send + Sync + 'static,
    ) -> Self {
        Self::start(ErpConfig::default(), answers).await
    }

    pub(crate) async fn call(&self, name: &str, input: Value) -> Result<ToolOutput, ErrorBody> {
        let tool = tool(&self.erp, name);
        let done = tool.call(call(name, input), Progress::ignored()).await;
        done.map_err(|error| error.0)
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// The requests to an address that ends so.
    pub(crate) fn asked_of(&self, end: &str) -> Vec<Asked> {
        let asked = self.asked().into_iter();
        asked.filter(|asked| asked.path.ends_with(end)).collect()
    }
}

pub(crate) fn tool(erp: &Erp, name: &str) -> Arc<dyn Tool> {
    let packs = erp.packs();
    let packs = packs.iter().flat_map(Toolset::tools);
    let mut tools = erp.tools().into_iter().chain(packs);
    tools.find(|tool| tool.spec().name == name).unwrap()
}

pub(crate) fn call(name: &str, input: Value) -> ToolCall {
    ToolCall {
        id: CallId::new(Timestamp(1), 1),
        name: name.to_owned(),
        input,
        approval: None,
        origin: CallOrigin {
            conversation: ConversationId::new(Timestamp(1), 7),
            person: UserId::new(Timestamp(1), 1),
            turn: None,
            message: None,
            actor: CallActor::Model,
        },
    }
}

async fn answer(State(shared): State<Shared>, request: Request) -> Response<Body> {
    assert_eq!(request.headers()[header::AUTHORIZATION], "token key:secret");
    assert_eq!(request.headers()[header::ACCEPT], "application/json");
    assert_eq!(request.method(), "GET");
    let url = reqwest::Url::parse(&format!("http://site{}", request.uri())).unwrap();
    let query = url
        .query_pairs()
        .map(|(name, value)| (name.into_owned(), value.into_owned()));
    let asked = Asked {
        path: request.uri().path().to_owned(),
        query: query.collect(),
    };
    shared.asked.lock().unwrap().push(asked.clone());
    let own = (shared.answers)(&asked);
    let reply = own
        .or_else(|| usual(&asked))
        .unwrap_or_else(|| refuse(404, &json!({"exc_type": "DoesNotExistError"})));
    let now = UNIX_EPOCH + Duration::from_millis(NOW.unsigned_abs());
    let mut response = Response::builder()
        .status(StatusCode::from_u16(reply.status).unwrap())
        .header(header::DATE, httpdate::fmt_http_date(now));
    if let Some(seconds) = reply.retry_after {
        response = response.header(header::RETRY_AFTER, seconds);
    }
    response.body(Body::from(reply.body)).unwrap()
}

/// The answers of a site of v16 to a narrow user.
fn usual(asked: &Asked) -> Option<Reply> {
    let method = asked.path.strip_prefix("/api/method/")?;
    Some(match method.rsplit('.').next()? {
        "get_logged_user" => message(json!("agent@example.org")),
        "get_roles" => message(json!(["All", "Sales User"])),
        "has_permission" => message(json!({"has_permission": false})),
        "get_user_permissions" => message(json!({})),
        "get_versions" => {
            message(json!({"frappe": {"version": "16.34.0"}, "erpnext": {"version": "16.2.1"}}))
        }
        "get_time_zone" => message(json!({"time_zone": "Europe/Berlin"})),
        "getdoctype" => type_meta(&asked.query["doctype"])?,
        _ => return None,
    })
}

fn field(name: &str, fieldtype: &str, options: &str) -> Value {
    json!({"fieldname": name, "label": name.replace('_', " "), "fieldtype": fieldtype, "options": options})
}

fn type_meta(name: &str) -> Option<Reply> {
    let mut fields = match name {
        "Sales Order" => vec![
            field("customer", "Link", "Customer"),
            field("transaction_date", "Date", ""),
            field("grand_total", "Currency", ""),
            field("status", "Select", "\nDraft\nTo Deliver\nCompleted\nClosed"),
            field("territory", "Link", "Territory"),
            field("notes", "Text Editor", ""),
            field("margin", "Currency", ""),
            field("items", "Table", "Sales Order Item"),
            field("secret_code", "Password", ""),
            field("section", "Section Break", ""),
        ],
        "Sales Invoice" => vec![
            field("customer", "Link", "Customer"),
            field("due_date", "Date", ""),
            field("outstanding_amount", "Currency", ""),
            field("party_account_currency", "Link", "Currency"),
            field("items", "Table", "Sales Invoice Item"),
            field("workflow_state", "Link", "Workflow State"),
        ],
        "Customer" => vec![
            field("customer_name", "Data", ""),
            field("credit_limits", "Table", "Customer Credit Limit"),
        ],
        "Payment Entry" => vec![
            field("party", "Dynamic Link", "party_type"),
            field("paid_amount", "Currency", ""),
            field("paid_from_account_currency", "Link", "Currency"),
            field("posting_date", "Date", ""),
        ],
        "GL Entry" => vec![
            field("posting_date", "Date", ""),
            field("account", "Link", "Account"),
            field("debit", "Currency", ""),
            field("credit", "Currency", ""),
            field("voucher_type", "Link", "DocType"),
            field("voucher_no", "Dynamic Link", "voucher_type"),
            field("party_type", "Link", "DocType"),
            field("party", "Dynamic Link", "party_type"),
            field("is_cancelled", "Check", ""),
        ],
        "Workflow Action" => vec![
            field("status", "Select", "Open\nCompleted"),
            field("reference_doctype", "Link", "DocType"),
            field("reference_name", "Dynamic Link", "reference_doctype"),
            field("workflow_state", "Data", ""),
        ],
        "Company" => vec![field("default_currency", "Link", "Currency")],
        _ => return None,
    };
    if !matches!(name, "Customer" | "Company" | "Workflow Action") {
        fields.push(field("company", "Link", "Company"));
    }
    for field in &mut fields {
        field["in_list_view"] = u8::from(field["fieldname"] == "customer").into();
        field["permlevel"] = u8::from(field["fieldname"] == "margin").into();
    }
    let mut parent = json!({
        "name": name, "fields": fields, "is_submittable": u8::from(!matches!(name, "Customer" | "Company" | "Workflow Action")),
        "permissions": [{"role": "Sales User", "permlevel": 0, "read": 1, "write": 1, "create": 1}],
    });
    if name == "Sales Invoice" {
        parent["__workflow_docs"] = json!([{
            "name": "Invoice Approval", "is_active": 1, "workflow_state_field": "workflow_state",
            "states": [{"state": "Pending"}, {"state": "Approved"}],
            "transitions": [
                {"state": "Pending", "action": "Approve", "next_state": "Approved", "allowed": "Sales User", "allow_self_approval": 0},
                {"state": "Pending", "action": "Reject", "next_state": "Rejected", "allowed": "Boss", "allow_self_approval": 1},
            ],
        }]);
    }
    let order_row = json!({"name": "Sales Order Item", "istable": 1, "fields": [field("item_code", "Link", "Item"), field("qty", "Float", ""), field("prevdoc_docname", "Link", "Quotation")]});
    let invoice_row = json!({"name": "Sales Invoice Item", "istable": 1, "fields": [field("item_code", "Link", "Item"), field("sales_order", "Link", "Sales Order")]});
    Some(ok(&json!({ "docs": [parent, order_row, invoice_row] })))
}

/// Both versions of the REST API.
pub(crate) fn both() -> [ErpConfig; 2] {
    [RestVersion::V1, RestVersion::V2].map(|rest| ErpConfig {
        rest,
        ..ErpConfig::default()
    })
}
