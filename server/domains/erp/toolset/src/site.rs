//! One site as the tools share it: connection, identity, types, reach, memory.

mod defaults;

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use erp_wire::DocumentsPart;
use serde_json::{Map, Value, json};

use crate::{
    cell,
    claims::{Claims, ShownEffects},
    client::{ErpClient, ErpClock, ErpMethod, ErpRoute, SiteAnswer},
    coalesced::Coalesced,
    config::{ErpConfig, RestVersion},
    error::{ErpError, ErpSetupError},
    identity::{self, ErpIdentity},
    memory::{KnownDocument, Memory},
    meta::{TypeCache, TypeMeta},
    reach::Reach,
    texts::{check as say, client, reach as limits},
};

/// Time after which roles and user permissions are read anew.
const IDENTITY_LIFETIME: Duration = Duration::from_secs(900);

/// More companies than one site has.
const MOST_COMPANIES: usize = 200;

/// A document as the site answers it.
pub(crate) type Document = Map<String, Value>;

/// One ERPNext site.
pub(crate) struct ErpSite {
    pub(crate) client: ErpClient,
    pub(crate) config: ErpConfig,
    pub(crate) reach: Reach,
    pub(crate) memory: Memory,
    /// Shared by all keys: two people may have the same ERP user.
    pub(crate) claims: Arc<Claims>,
    /// By call, so that all keys may share it.
    pub(crate) shown: Arc<ShownEffects>,
    types: TypeCache,
    identity: Coalesced<Arc<ErpIdentity>>,
    currencies: Coalesced<Arc<BTreeMap<String, String>>>,
    default_company: Coalesced<Option<String>>,
    /// The documents that wait for approval by this key, where it is a person's own, and the number of our
    /// own writes before they were read.
    pub(crate) approvals: Coalesced<(DocumentsPart, u64)>,
}

/// A query of documents of one type.
#[derive(Debug, Clone, Default)]
pub(crate) struct ListQuery<'a> {
    pub(crate) doctype: &'a str,
    /// Names, or on v16 functions as objects.
    pub(crate) fields: Vec<Value>,
    /// Each as `[field, operator, value]`.
    pub(crate) filters: Vec<Value>,
    pub(crate) any_of: Vec<Value>,
    /// Rows with the same value of this field are one; empty for none.
    pub(crate) group_by: &'a str,
    /// Without one the rows come in any order, and pages overlap.
    pub(crate) order: String,
    pub(crate) start: usize,
    pub(crate) limit: usize,
}

impl<'a> ListQuery<'a> {
    /// A query of those columns that the type has: they differ between versions.
    pub(crate) fn of(meta: &'a TypeMeta, columns: &[&str]) -> Self {
        let columns = columns.iter().filter(|it| meta.field(it).is_some());
        Self {
            doctype: &meta.name,
            fields: columns.map(|column| json!(column)).collect(),
            ..Self::default()
        }
    }
}

/// Rows of a query.
#[derive(Debug, Clone)]
pub(crate) struct ListRows {
    pub(crate) rows: Vec<Document>,
    /// True if there are more than the limit.
    pub(crate) has_more: bool,
    pub(crate) warnings: Vec<String>,
}

/// Newest first, and never two orders of the same rows.
pub(crate) const NEWEST: &str = "modified desc, name asc";

/// The same for a list with a filter over rows of a table: the rows have these columns as well, and v15 does not
/// tell which ones a bare name means.
pub(crate) fn newest_over_rows(doctype: &str) -> String {
    format!("`tab{doctype}`.`modified` desc, `tab{doctype}`.`name` asc")
}

impl ErpSite {
    pub(crate) fn new(config: ErpConfig, clock: ErpClock) -> Result<Self, ErpSetupError> {
        let client = ErpClient::new(&config, clock)?;
        Ok(Self {
            claims: Arc::new(Claims::new(client.address())),
            client,
            reach: Reach::new(&config),
            memory: Memory::default(),
            shown: Arc::default(),
            types: TypeCache::new(Duration::from_millis(config.meta_cache_ms)),
            identity: Coalesced::default(),
            currencies: Coalesced::default(),
            default_company: Coalesced::default(),
            approvals: Coalesced::default(),
            config,
        })
    }

    /// The same site for a person with an own key. What one user may see is never shown to another:
    /// identity, types, memory and what waits for approval are this person's.
    ///
    /// # Errors
    /// The key has characters that no key has.
    pub(crate) fn with_key(&self, api_key: &str, api_secret: &str) -> Result<Self, ErpError> {
        let config = self.config.clone();
        Ok(Self {
            client: self.client.with_key(api_key, api_secret)?,
            reach: Reach::new(&config),
            memory: Memory::default(),
            claims: Arc::clone(&self.claims),
            shown: Arc::clone(&self.shown),
            types: TypeCache::new(Duration::from_millis(config.meta_cache_ms)),
            identity: Coalesced::default(),
            currencies: Coalesced::default(),
            default_company: Coalesced::default(),
            approvals: Coalesced::default(),
            config,
        })
    }

    /// The user behind the key. Everything else asks for it first, so that a key with all rights
    /// is never used.
    pub(crate) async fn identity(&self) -> Result<Arc<ErpIdentity>, ErpError> {
        let read = async { identity::read(&self.client).await.map(Arc::new) };
        self.identity.get(IDENTITY_LIFETIME, read).await
    }

    /// The identity as it was read last, without a request.
    pub(crate) fn known_identity(&self) -> Option<Result<Arc<ErpIdentity>, ErpError>> {
        self.identity.peek()
    }

    /// A type whose documents may be read.
    pub(crate) async fn readable_type(&self, doctype: &str) -> Result<Arc<TypeMeta>, ErpError> {
        let meta = self.any_type(doctype).await?;
        if meta.is_table {
            Err(ErpError::input(limits::table_type(doctype)))
        } else {
            Ok(meta)
        }
    }

    /// A type, also that of a table's rows.
    pub(crate) async fn any_type(&self, doctype: &str) -> Result<Arc<TypeMeta>, ErpError> {
        self.reach.reads(doctype)?;
        self.identity().await?;
        self.types.get(&self.client, doctype).await
    }

    /// Documents of a type within reach.
    pub(crate) async fn list(
        &self,
        meta: &TypeMeta,
        mut query: ListQuery<'_>,
    ) -> Result<ListRows, ErpError> {
        query.filters.extend(self.reach.filter(meta));
        self.list_of_any(query).await
    }

    /// The same of any type, whatever its company: for checks whose rows are not shown.
    pub(crate) async fn list_of_any(&self, query: ListQuery<'_>) -> Result<ListRows, ErpError> {
        // Only newer releases of v2 know `or_filters`.
        let rest = if query.any_of.is_empty() {
            self.client.rest()
        } else {
            RestVersion::V1
        };
        let [start, limit] = match rest {
            RestVersion::V1 => ["limit_start", "limit_page_length"],
            RestVersion::V2 => ["start", "limit"],
        };
        // One more than wanted tells whether there are more.
        let mut parameters = vec![
            ("fields", json!(query.fields).to_string()),
            ("filters", json!(query.filters).to_string()),
            ("order_by", query.order),
            (start, query.start.to_string()),
            (limit, (query.limit + 1).to_string()),
        ];
        if !query.group_by.is_empty() {
            parameters.push(("group_by", query.group_by.to_owned()));
        }
        if !query.any_of.is_empty() {
            parameters.push(("or_filters", json!(query.any_of).to_string()));
        }
        let answer = match rest {
            RestVersion::V1 => self.client.list_as_in_v1(query.doctype, &parameters).await,
            RestVersion::V2 => {
                let route = ErpRoute::List {
                    doctype: query.doctype,
                };
                self.client.get(route, &parameters).await
            }
        }?;
        let rows = answer
            .data
            .as_array()
            .ok_or_else(|| self.unusable("data"))?;
        let rows = rows.iter().filter_map(Value::as_object).cloned();
        let mut rows: Vec<Document> = rows.collect();
        let has_more = rows.len() > query.limit || answer.has_more == Some(true);
        rows.truncate(query.limit);
        Ok(ListRows {
            rows,
            has_more,
            warnings: answer.warnings,
        })
    }

    /// The currency of each company within reach.
    pub(crate) async fn currencies(&self) -> Result<Arc<BTreeMap<String, String>>, ErpError> {
        let read = async {
            let meta = self.readable_type("Company").await?;
            let query = ListQuery {
                doctype: "Company",
                fields: vec![json!("name"), json!("default_currency")],
                order: NEWEST.to_owned(),
                limit: MOST_COMPANIES,
                ..ListQuery::default()
            };
            let found = self.list(&meta, query).await?;
            let text = |row: &Document, field: &str| Some(row.get(field)?.as_str()?.to_owned());
            let pairs = found.rows.iter();
            let pairs =
                pairs.filter_map(|row| text(row, "name").zip(text(row, "default_currency")));
            Ok(Arc::new(pairs.collect()))
        };
        Box::pin(self.currencies.get(IDENTITY_LIFETIME, read)).await
    }

    /// The same for cards; none where the ERP does not tell, so that amounts say that theirs is unknown.
    pub(crate) async fn known_currencies(&self) -> Arc<BTreeMap<String, String>> {
        match self.currencies().await {
            Ok(known) => known,
            Err(error) => {
                let reason = error.reason();
                tracing::debug!(reason, "the currencies of companies cannot be read");
                Arc::default()
            }
        }
    }

    /// A sum of fields over all documents that fit, by the version's own form of functions.
    pub(crate) async fn sums(
        &self,
        meta: &TypeMeta,
        fields: &[&str],
        filters: Vec<Value>,
    ) -> Result<Document, ErpError> {
        let is_v16 = self.identity().await?.is_v16();
        let sum = |field: &&str| {
            if is_v16 {
                json!({ "SUM": field, "as": field })
            } else {
                json!(format!("sum({field}) as {field}"))
            }
        };
        let query = ListQuery {
            doctype: &meta.name,
            fields: fields.iter().map(sum).collect(),
            filters,
            // A sum is one row; but without an order newer releases add one of their own.
            order: "creation desc".to_owned(),
            limit: 1,
            ..ListQuery::default()
        };
        let found = self.list(meta, query).await?;
        Ok(found.rows.into_iter().next().unwrap_or_default())
    }

    /// One document by its exact name.
    pub(crate) async fn document(&self, meta: &TypeMeta, name: &str) -> Result<Document, ErpError> {
        let route = ErpRoute::Document {
            doctype: &meta.name,
            name,
        };
        let answer = self.client.get(route, &[]).await?;
        let Value::Object(document) = answer.data else {
            return Err(self.unusable("data"));
        };
        self.reach.document(meta, &document)?;
        // The database finds a name in any case, and what is written must have the exact one.
        match document.get("name").and_then(Value::as_str) {
            Some(exact) if exact != name => Err(ErpError::input(say::exact_name(name, exact))),
            _ => {
                self.keep(meta, name, &document);
                Ok(document)
            }
        }
    }

    /// Calls a method that reads.
    pub(crate) async fn method(
        &self,
        method: ErpMethod,
        parameters: &[(&str, String)],
    ) -> Result<SiteAnswer, ErpError> {
        self.client.get(ErpRoute::Method(method), parameters).await
    }

    /// Remembers the outline of a document.
    pub(crate) fn keep(&self, meta: &TypeMeta, name: &str, document: &Document) {
        let columns = meta.list_columns();
        let columns = columns
            .into_iter()
            .map(|column| (column, meta.field(column)));
        self.memory.keep(KnownDocument {
            doctype: meta.name.clone(),
            name: name.to_owned(),
            facts: cell::row(columns, document),
            read_at: self.client.now(),
        });
    }

    pub(crate) fn unusable(&self, field: &str) -> ErpError {
        ErpError::Unusable {
            site: self.client.site().to_owned(),
            cause: client::no_field_in_it(field),
        }
    }
}
