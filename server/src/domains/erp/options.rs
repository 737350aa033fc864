//! `[erp]`: the connection to an ERPNext site, and the ERP's share of `[notices]`.

use std::{path::PathBuf, sync::Arc};

use erp::ErpPack;

use super::texts;
use crate::config::{AskOrAct, Options, Reader, RestApi, Secret, Whole};

/// The ERP's configuration.
#[derive(Debug, Clone)]
pub(super) struct ErpOptions {
    pub(super) way: ErpWay,
    pub(super) writing: ErpWriting,
    /// The packs of conversations that begin without a choice, by their words.
    pub(super) packs: Vec<String>,
    /// Hours after which a document that waits for approval raises a notice.
    pub(super) approval_hours: u32,
    /// Sum of overdue invoices, in each currency, above which a notice is raised.
    pub(super) overdue_amount: u32,
}

/// Limits of what may be written without a person looking closely. They hold for the simulated
/// company as well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ErpWriting {
    /// Things that nothing is written to, such as `company/Aldergate Holding`.
    pub(super) protected: Vec<String>,
    /// Types that are never written, beside those that the toolset has built in.
    pub(super) black_types: Vec<String>,
    /// Consent for making and changing drafts.
    pub(super) drafts: AskOrAct,
    /// Totals in company currency: above the first a draft is asked for in any case, above the
    /// second the amount has to be typed.
    pub(super) t1: u32,
    pub(super) t2: u32,
    /// Discount in percent above which a person is asked.
    pub(super) discount: u32,
    /// Rows changed in one call above which a person is asked.
    pub(super) bulk: u32,
    /// Types that post nothing and whose drafts may be submitted unasked.
    pub(super) light_submit: Vec<String>,
    /// A unique custom field that holds the id of the call which made a document.
    pub(super) key_field: Option<String>,
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
    pub(super) api: RestApi,
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
            ErpWay::Site(site) => {
                format!("{:?}", (&site.companies, &site.readable, &self.writing))
            }
            ErpWay::Simulated => format!("{:?}", self.writing),
            ErpWay::None => String::new(),
        }
    }
}

pub(super) fn read(r: &mut Reader<'_>) -> Arc<dyn Options> {
    let way = read_way(r);
    let packs = read_packs(r);
    let writing = read_writing(r);
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
        packs,
        writing,
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
    let api = r
        .key(
            "erp.api",
            "REST API of the site: v1 or v2 for that one alone; auto for the one that all supported \
             versions answer alike, which is v1",
        )
        .env("ERPNEXT_API")
        .or(RestApi::Auto);
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
        api: *api,
        timeout_seconds: timeout.0,
    })
}

fn read_packs(r: &mut Reader<'_>) -> Vec<String> {
    let packs = r
        .key::<Vec<String>>(
            "erp.packs",
            "packs of conversations that begin without a choice; others are chosen at their start",
        )
        .env("JARVIS_ERP_PACKS")
        .optional("[\"manufacturing\"]");
    let unknown = packs.as_ref().and_then(|packs| {
        let mut names = packs.value.iter();
        names.find(|name| !ErpPack::words().any(|word| word == name.as_str()))
    });
    if let (Some(packs), Some(name)) = (&packs, unknown) {
        let words: Vec<_> = ErpPack::words().collect();
        r.refuse(&packs.source, texts::no_such_pack(name, &words.join(", ")));
    }
    packs.map_or_else(Vec::new, |packs| packs.value)
}

fn read_writing(r: &mut Reader<'_>) -> ErpWriting {
    let protected = r
        .key::<Vec<String>>(
            "erp.protected",
            "things that are never written to or linked, whoever confirms it",
        )
        .optional("[\"company/Example Holding\", \"doctype/Payment Entry\"]");
    let black = r
        .key::<Vec<String>>(
            "erp.black_types",
            "types that are never written, beside the built-in ones",
        )
        .optional("[\"Pricing Rule\"]");
    let drafts = r
        .key(
            "erp.drafts",
            "ask: a card for each draft; act: drafts that a person asks for are made without one",
        )
        .under(
            "Drafts post nothing. Submitting, cancelling and approving are always asked for. Of the \
             drafts of packs, act makes those of plan_work_order and prepare_delivery without a card; \
             of the others only the ERP knows what a rule would judge, or they are no plain drafts: a \
             person is always asked.",
        )
        .or(AskOrAct::Ask);
    let t1 = r
        .key(
            "erp.t1",
            "total in company currency above which a draft is asked for in any case …",
        )
        .or(Whole::<0, 1_000_000_000>(1_000));
    let t2 = r
        .key(
            "erp.t2",
            "… and above which the amount has to be typed to submit",
        )
        .or(Whole::<0, 1_000_000_000>(10_000));
    let discount = r
        .key(
            "erp.discount",
            "discount in percent above which a draft is asked for in any case",
        )
        .or(Whole::<0, 100>(15));
    let bulk = r
        .key(
            "erp.bulk",
            "rows of one call above which a draft is asked for in any case",
        )
        .or(Whole::<1, 100>(20));
    let light = r
        .key::<Vec<String>>(
            "erp.light_submit",
            "types that post to no ledger and whose drafts may be submitted without a card",
        )
        .optional("[\"Material Request\"]");
    let key_field = r
        .key::<String>(
            "erp.key_field",
            "unique custom field, if an administrator made one: it finds a draft whose answer was lost",
        )
        .optional("\"jarvis_call\"");
    if t2.0 < t1.0 {
        r.refuse(&t2.source, texts::t2_is_below_t1(t1.0));
    }
    if let Some(field) = &key_field
        && !is_field(field)
    {
        r.refuse(&field.source, texts::KEY_FIELD_IS_NO_FIELD);
    }
    if let Some(named) = &protected
        && !named.iter().all(|it| is_object(it))
    {
        r.refuse(&named.source, texts::PROTECTED_IS_NO_THING);
    }
    ErpWriting {
        protected: protected.map_or_else(Vec::new, |setting| setting.value),
        black_types: black.map_or_else(Vec::new, |setting| setting.value),
        drafts: *drafts,
        t1: t1.0,
        t2: t2.0,
        discount: discount.0,
        bulk: bulk.0,
        light_submit: light.map_or_else(Vec::new, |setting| setting.value),
        key_field: key_field.map(|setting| setting.value),
    }
}

/// True for a type and a name, such as `company/Example Ltd`.
fn is_object(text: &str) -> bool {
    let parts = text.split_once('/');
    parts.is_some_and(|(kind, name)| !kind.trim().is_empty() && !name.trim().is_empty())
}

/// True for the name of a field as Frappe has them.
fn is_field(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    text.len() <= 140
        && text.chars().all(fits)
        && text.starts_with(|c: char| c.is_ascii_lowercase())
}
