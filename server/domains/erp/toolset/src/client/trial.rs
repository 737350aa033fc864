//! Requests of the check of a site, each sent once. They stand outside the lists that tools choose from,
//! so that no tool can send one.

use reqwest::{Method, RequestBuilder, Url};
use serde_json::{Value, json};

use super::{
    DataField, ErpClient, ErpRoute, MAX_BODY_BYTES, RestVersion, SiteAnswer, cause, encoding,
    envelope, envelope::RawAnswer,
};
use crate::{error::ErpError, texts::client as say};

/// A request of the check.
#[derive(Debug, Clone, Copy)]
pub(crate) enum SiteTrial<'a> {
    /// Names of a type without a limit.
    Unlimited {
        doctype: &'a str,
        rest: RestVersion,
    },
    /// A method of a document that is not saved. By GET the site rolls back whatever it did.
    Unsaved {
        document: &'a Value,
        method: &'static str,
        verb: TrialVerb,
    },
    Create {
        doctype: &'a str,
        rest: RestVersion,
        document: &'a Value,
    },
    Submit {
        document: &'a Value,
    },
    /// A cancel by a change of docstatus, with the `modified` that the caller last saw.
    CancelIfUnchanged {
        doctype: &'a str,
        name: &'a str,
        modified: &'a str,
    },
    Cancel {
        doctype: &'a str,
        name: &'a str,
    },
    Delete {
        doctype: &'a str,
        name: &'a str,
    },
}

/// Verb of a method that may be asked by either.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TrialVerb {
    Get,
    Post,
}

impl ErpClient {
    /// The site's clock less ours, in milliseconds; 0 below a second.
    pub(crate) fn clock_offset(&self) -> i64 {
        self.now() - (self.clock)()
    }

    /// True if the configuration leaves version 1 of the REST API out.
    pub(crate) fn is_v2_alone(&self) -> bool {
        self.methods == RestVersion::V2
    }

    /// Sends one request of the check.
    pub(crate) async fn try_out(&self, trial: SiteTrial<'_>) -> Result<SiteAnswer, ErpError> {
        let request = self.request(trial).map_err(ErpError::input)?;
        let _permit = self.permits.acquire().await;
        let request = request.headers(self.headers.clone()).timeout(self.timeout);
        let lost = |error: reqwest::Error| ErpError::Unreachable {
            site: self.site.clone(),
            cause: cause(&error).to_owned(),
        };
        let mut response = request.send().await.map_err(lost)?;
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(lost)? {
            if body.len() + chunk.len() > MAX_BODY_BYTES {
                return Err(ErpError::Unusable {
                    site: self.site.clone(),
                    cause: say::more_than_bytes(MAX_BODY_BYTES),
                });
            }
            body.extend_from_slice(&chunk);
        }
        let raw = RawAnswer {
            site: &self.site,
            status: response.status().as_u16(),
            retry_after: None,
            is_encoded: encoding::is_encoded(response.headers()),
            body: &body,
        };
        envelope::read(&raw, trial.data_field())
    }

    fn request(&self, trial: SiteTrial<'_>) -> Result<RequestBuilder, &'static str> {
        let document =
            |doctype, name| ErpRoute::Document { doctype, name }.url(&self.base, self.rest);
        let http = |method: Method, url: Url| self.http.request(method, url);
        Ok(match trial {
            SiteTrial::Unlimited { doctype, rest } => {
                let url = ErpRoute::List { doctype }.url(&self.base, rest)?;
                let name = match rest {
                    RestVersion::V1 => "limit_page_length",
                    RestVersion::V2 => "limit",
                };
                http(Method::GET, url).query(&[(name, "0")])
            }
            SiteTrial::Unsaved {
                document,
                method,
                verb,
            } => {
                let url = self.method_url("run_doc_method");
                let docs = document.to_string();
                match verb {
                    TrialVerb::Get => {
                        http(Method::GET, url).query(&[("method", method), ("docs", &docs)])
                    }
                    TrialVerb::Post => {
                        http(Method::POST, url).json(&json!({ "method": method, "docs": docs }))
                    }
                }
            }
            SiteTrial::Create {
                doctype,
                rest,
                document,
            } => {
                let url = ErpRoute::List { doctype }.url(&self.base, rest)?;
                http(Method::POST, url).json(document)
            }
            SiteTrial::Submit { document } => {
                let url = self.method_url("frappe.client.submit");
                http(Method::POST, url).json(&json!({ "doc": document }))
            }
            SiteTrial::CancelIfUnchanged {
                doctype,
                name,
                modified,
            } => {
                let url = document(doctype, name)?;
                http(Method::PUT, url).json(&json!({ "docstatus": 2, "modified": modified }))
            }
            SiteTrial::Cancel { doctype, name } => {
                let url = self.method_url("frappe.client.cancel");
                http(Method::POST, url).json(&json!({ "doctype": doctype, "name": name }))
            }
            SiteTrial::Delete { doctype, name } => http(Method::DELETE, document(doctype, name)?),
        })
    }

    fn method_url(&self, path: &'static str) -> Url {
        let mut url = self.base.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.clear().push("api");
            if self.is_v2_alone() {
                segments.push("v2");
            }
            segments.extend(["method", path]);
        }
        url
    }
}

impl SiteTrial<'_> {
    const fn data_field(self) -> DataField {
        match self {
            Self::Unlimited { .. }
            | Self::Create { .. }
            | Self::CancelIfUnchanged { .. }
            | Self::Delete { .. } => DataField::Data,
            Self::Unsaved { .. } => DataField::Docs,
            Self::Submit { .. } | Self::Cancel { .. } => DataField::Message,
        }
    }
}
