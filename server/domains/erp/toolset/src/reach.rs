//! Types that are never written or never read, and companies out of reach.

use protocol::{ErrorBody, ErrorCode};
use serde_json::{Map, Value, json};

use crate::{config::ErpConfig, error::ErpError, meta::TypeMeta, texts::reach as say};

/// Types that decide who may do what, run code, or are the frame of the books. Never written.
const BLACK: [&str; 77] = [
    "Access Log",
    "Account",
    "Accounting Dimension",
    "Accounting Period",
    "Activity Log",
    "API Key",
    "Assignment Rule",
    "Authorization Rule",
    "Auto Email Report",
    "Auto Repeat",
    "Automation Flow",
    "Bulk Update",
    "Client Script",
    "Company",
    "Connected App",
    "Custom DocPerm",
    "Custom Field",
    "Custom HTML Block",
    "Custom Role",
    "Customize Form",
    "Dashboard Chart Source",
    "Data Import",
    "Deleted Document",
    "DocPerm",
    "DocShare",
    "DocType",
    "Document Naming Rule",
    "Email Account",
    "Email Domain",
    "Email Queue",
    "Error Log",
    "Fiscal Year",
    "Global Defaults",
    "Has Role",
    "LDAP Settings",
    "Letter Head",
    "Module Profile",
    "Naming Series",
    "Notification",
    "OAuth Authorization Code",
    "OAuth Bearer Token",
    "OAuth Client",
    "Package Import",
    "Page",
    "Patch Log",
    "Payment Gateway",
    "Period Closing Voucher",
    "Permission Type",
    "Print Format",
    "Property Setter",
    "Report",
    "Repost Item Valuation",
    "Role",
    "Role Permission for Page and Report",
    "Role Profile",
    "Scheduled Job Type",
    "Server Script",
    "Slack Webhook URL",
    "Social Login Key",
    "System Console",
    "Token Cache",
    "Transaction Deletion Record",
    "User",
    "User Group",
    "User Invitation",
    "User Permission",
    "User Type",
    "Version",
    "Web Form",
    "Web Page",
    "Web Template",
    "Webhook",
    "Website Script",
    "Website Theme",
    "Workflow",
    "Workflow Action",
    "Workflow State",
];

/// Types whose documents hold secrets, or what others did. Never read.
const SECRET: [&str; 30] = [
    "Access Log",
    "Activity Log",
    "API Key",
    "Client Script",
    "Connected App",
    "Deleted Document",
    "DocShare",
    "Email Account",
    "Email Domain",
    "Error Log",
    "Integration Request",
    "LDAP Settings",
    "OAuth Authorization Code",
    "OAuth Bearer Token",
    "OAuth Client",
    "OAuth Provider Settings",
    "Payment Gateway",
    "Prepared Report",
    "Push Notification Settings",
    "S3 Backup Settings",
    "Server Script",
    "Slack Webhook URL",
    "SMS Settings",
    "Social Login Key",
    "System Console",
    "System Settings",
    "Token Cache",
    "User",
    "Webhook",
    "Webhook Request Log",
];

/// Payroll, clinical and bank types, readable only if the configuration lists them.
const SENSITIVE: [&str; 17] = [
    "Additional Salary",
    "Bank Account",
    "Bank Statement Import",
    "Bank Transaction",
    "Clinical Procedure",
    "Inpatient Record",
    "Lab Test",
    "Patient",
    "Patient Appointment",
    "Patient Encounter",
    "Patient Medical Record",
    "Payroll Entry",
    "Salary Slip",
    "Salary Structure",
    "Salary Structure Assignment",
    "Therapy Session",
    "Vital Signs",
];

/// The limits of the configuration, on top of the rights of the key.
#[derive(Debug, Clone)]
pub(crate) struct Reach {
    companies: Vec<String>,
    black: Vec<String>,
    readable: Vec<String>,
    protected: Vec<String>,
}

impl Reach {
    pub(crate) fn new(config: &ErpConfig) -> Self {
        Self {
            companies: config.companies.clone(),
            black: config.black_types.clone(),
            readable: config.readable_types.clone(),
            protected: config
                .protected
                .iter()
                .map(|it| it.trim().to_lowercase())
                .collect(),
        }
    }

    /// The configured companies; empty for all.
    pub(crate) fn companies(&self) -> &[String] {
        &self.companies
    }

    /// True for a type that is never written from here, in any case of its letters.
    pub(crate) fn is_black(&self, doctype: &str) -> bool {
        let name = doctype.trim();
        let begins = |start: &str| {
            let head = name.get(..start.len());
            head.is_some_and(|head| head.eq_ignore_ascii_case(start))
        };
        let ends = |end: &str| {
            let at = name.len().checked_sub(end.len());
            at.and_then(|at| name.get(at..))
                .is_some_and(|tail| tail.eq_ignore_ascii_case(end))
        };
        among(&BLACK, name)
            || self.black.iter().any(|it| it.eq_ignore_ascii_case(name))
            || begins("Workflow")
            || begins("Repost ")
            || ends(" Settings")
    }

    /// The reason why a call that touches these objects is refused, if one of them is protected.
    pub(crate) fn protects(&self, objects: &[String]) -> Option<String> {
        let found = objects.iter().find(|it| self.protected.contains(it));
        found.map(|it| say::is_protected(it))
    }

    /// Refuses a type that is never read.
    pub(crate) fn reads(&self, doctype: &str) -> Result<(), ErpError> {
        let name = doctype.trim();
        if among(&SECRET, name) {
            return Err(out_of_reach(say::secret_type(name)));
        }
        let listed = self.readable.iter().any(|it| it.eq_ignore_ascii_case(name));
        if among(&SENSITIVE, name) && !listed {
            let error = out_of_reach(say::sensitive_type(name));
            return Err(error);
        }
        Ok(())
    }

    /// Refuses a company out of reach.
    pub(crate) fn company(&self, name: &str) -> Result<(), ErpError> {
        if self.has_company(name) {
            Ok(())
        } else {
            Err(out_of_reach(say::company_out_of_reach(name)))
        }
    }

    pub(crate) fn has_company(&self, name: &str) -> bool {
        self.companies.is_empty() || self.companies.iter().any(|it| it == name)
    }

    /// The filter that keeps a list within the companies, if the type has one.
    pub(crate) fn filter(&self, meta: &TypeMeta) -> Option<Value> {
        let field = company_field(meta)?;
        (!self.companies.is_empty()).then(|| json!([field, "in", self.companies]))
    }

    /// Refuses a document of a company out of reach.
    pub(crate) fn document(
        &self,
        meta: &TypeMeta,
        document: &Map<String, Value>,
    ) -> Result<(), ErpError> {
        let Some(field) = company_field(meta) else {
            return Ok(());
        };
        match document.get(field).and_then(Value::as_str) {
            Some(company) if !company.is_empty() => self.company(company),
            _ => Ok(()),
        }
    }
}

/// The field that says to which company a document of this type belongs.
pub(crate) fn company_field(meta: &TypeMeta) -> Option<&'static str> {
    if meta.name == "Company" {
        return Some("name");
    }
    let mut fields = meta.fields.iter();
    let has = fields.any(|it| it.name == "company" && it.options == "Company");
    has.then_some("company")
}

fn among(list: &[&str], name: &str) -> bool {
    list.iter().any(|it| it.eq_ignore_ascii_case(name))
}

fn out_of_reach(message: String) -> ErpError {
    ErpError::Own(ErrorBody::new(ErrorCode::ToolProtected, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reach() -> Reach {
        Reach::new(&ErpConfig {
            companies: vec!["Aldergate Cycles".to_owned()],
            black_types: vec!["Item".to_owned()],
            readable_types: vec!["Bank Account".to_owned()],
            ..ErpConfig::default()
        })
    }

    #[test]
    fn lists_do_not_depend_on_case() {
        let reach = reach();
        for black in [
            "User",
            "user",
            "Workflow",
            "Workflow Transition",
            "Stock Settings",
            "Repost Payment Ledger",
            "DocShare",
            "custom role",
            "Role Permission for Page and Report",
            "Server Script",
            "Webhook",
            // Each lets somebody in, runs code, or sends what is in the books elsewhere.
            "User Invitation",
            "Letter Head",
            "slack webhook url",
            "Email Queue",
            "item",
        ] {
            assert!(reach.is_black(black), "{black}");
        }
        for other in ["Sales Order", "Settings", "Work Order", "Ünter"] {
            assert!(!reach.is_black(other), "{other}");
        }
        for secret in ["USER", "System Console", "Salary Slip"] {
            assert!(reach.reads(secret).is_err(), "{secret}");
        }
        for readable in ["Bank Account", "Sales Order", "Company"] {
            assert!(reach.reads(readable).is_ok(), "{readable}");
        }
    }

    #[test]
    fn a_company_is_named_exactly() {
        let reach = reach();
        assert!(reach.company("Aldergate Cycles").is_ok());
        assert!(reach.company("aldergate cycles").is_err());
        assert!(Reach::new(&ErpConfig::default()).company("Any").is_ok());
    }
}
