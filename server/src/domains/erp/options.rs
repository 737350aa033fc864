//! `[erp]`: the connection to an ERPNext site, and the ERP's share of `[notices]`.

use std::{path::PathBuf, sync::Arc};

use super::texts;
use crate::config::{Options, Reader, Secret, Whole};

/// The ERP's configuration.
#[derive(Debug, Clone)]
pub(super) struct ErpOptions {
    pub(super) way: ErpWay,
    /// Hours after which a document that waits for approval raises a notice.
    pub(super) approval_hours: u32,
    /// Sum of overdue invoices, in each currency, above which a notice is raised.
    pub(super) overdue_amount: u32,
}

/// Which ERP it is.
#[derive(Debug, Clone)]
pub(super) enum ErpWay {
    None,
    Simulated,
    Site(ErpAccess),
}

/// A site and the key for it.
#[derive(Debug, Clone)]
pub(super) struct ErpAccess {
    /// `https://HOST` or `https://HOST:PORT`.
    pub(super) url: String,
    pub(super) key: String,
    pub(super) secret: Secret,
    pub(super) ca_file: Option<PathBuf>,
    /// SHA-256 of certificates, in hexadecimal with or without colons.
    pub(super) fingerprints: Vec<String>,
    /// The companies within reach; empty for all that the key may see.
    pub(super) companies: Vec<String>,
    /// Payroll, clinical and bank types that may be read.
    pub(super) readable: Vec<String>,
    pub(super) timeout_seconds: u32,
}

impl Options for ErpOptions {
    fn is_connected(&self) -> bool {
        matches!(self.way, ErpWay::Site(_))
    }

    fn is_off(&self) -> bool {
        matches!(self.way, ErpWay::None)
    }

    fn policy(&self) -> String {
        match &self.way {
            ErpWay::Site(site) => format!("{:?}", (&site.companies, &site.readable)),
            ErpWay::None | ErpWay::Simulated => String::new(),
        }
    }
}

pub(super) fn read(r: &mut Reader<'_>) -> Arc<dyn Options> {
    let way = read_way(r);
    let approval = r
        .key(
            "notices.approval_hours",
            "how long a document may wait for approval in the ERP",
        )
        .or(Whole::<1, 8_760>(24));
    let overdue = r
        .key(
            "notices.overdue_amount",
            "sum of overdue invoices, in each currency, above which a notice is raised",
        )
        .or(Whole::<0, 1_000_000_000>(10_000));
    Arc::new(ErpOptions {
        way,
        approval_hours: approval.0,
        overdue_amount: overdue.0,
    })
}

fn read_way(r: &mut Reader<'_>) -> ErpWay {
    r.section(
        "erp",
        "An ERPNext site, version 15 or 16. Use the API key of a user with the roles that Jarvis \
         needs and no others; a key with System Manager is refused.",
    );
    let url = r
        .key::<String>("erp.url", "address of the site, without a path")
        .env("ERPNEXT_URL")
        .optional("\"https://erp.example.org\"");
    let key = r
        .key::<String>("erp.api_key", "API key of the user")
        .env("ERPNEXT_API_KEY")
        .optional("\"…\"");
    let secret = r
        .key::<Secret>("erp.api_secret", "its secret")
        .env("ERPNEXT_API_SECRET")
        .optional("\"…\"");
    let ca_file = r
        .key::<PathBuf>("erp.ca_file", "certificate of the CA, PEM")
        .env("ERPNEXT_CA_FILE")
        .under("For a certificate that the system doesn't trust:")
        .optional("\"/etc/jarvis/erp-ca.pem\"");
    let fingerprints = r
        .key::<Vec<String>>("erp.fingerprints", "SHA-256 of the certificate")
        .env("ERPNEXT_FINGERPRINT")
        .optional("[\"AA:BB:…\"]");
    let companies = r
        .key::<Vec<String>>(
            "erp.companies",
            "companies within reach, also for reading; without it, all that the user may see",
        )
        .env("ERPNEXT_COMPANIES")
        .optional("[\"Example Ltd\"]");
    let readable = r
        .key::<Vec<String>>(
            "erp.readable_types",
            "payroll, clinical and bank types that may be read",
        )
        .optional("[\"Bank Account\"]");
    let timeout = r
        .key("erp.timeout_seconds", "time for the site to answer")
        .or(Whole::<1, 300>(60));
    let simulated = r
        .key(
            "erp.simulated",
            "with true and without a url, the built-in simulated company is used",
        )
        .env("JARVIS_SIMULATED_ERP")
        .or(false);
    let Some(url) = url else {
        return if *simulated {
            ErpWay::Simulated
        } else {
            ErpWay::None
        };
    };
    let (Some(key), Some(secret)) = (key, secret) else {
        r.refuse(&url.source, texts::KEY_MISSING);
        return ErpWay::None;
    };
    let list = |setting: Option<crate::config::Setting<Vec<String>>>| {
        setting.map_or_else(Vec::new, |setting| setting.value)
    };
    ErpWay::Site(ErpAccess {
        url: url.value,
        key: key.value,
        secret: secret.value,
        ca_file: ca_file.map(|setting| setting.value),
        fingerprints: list(fingerprints),
        companies: list(companies),
        readable: list(readable),
        timeout_seconds: timeout.0,
    })
}
