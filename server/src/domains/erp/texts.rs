//! Sentences of the ERP for people: its start and its configuration.

pub(crate) const ERP_TOOLS: &str = "ERP tools";

pub(crate) const OPTIONS_OF_ERP: &str = "options of the ERP";
pub(crate) const THE_SIMULATED_COMPANY: &str = "the simulated company";
pub(crate) const SIMULATED_COMPANY: &str = "Simulated company";
pub(crate) const THE_ERP: &str = "the ERP";
pub(crate) const MORE_COMPANIES_BY_NAME: &str = "Companies, by name";
pub(crate) const OWN_KEY_LEAD: &str = "With your own API key, the ERP's rights, its approval \
    rules and its history see you. Without one, they see the user of the site's key.";
pub(crate) const OWN_KEY_HELP: &str = "In the ERP, open your own User, then Settings, API Access, \
    Generate Keys. A key with System Manager is refused.";
pub(crate) const API_KEY: &str = "API key";
pub(crate) const API_SECRET: &str = "API secret";
pub(crate) const KEY_MISSING: &str = "erp: set api_key and api_secret beside url";

pub(crate) const NO_ERP: &str =
    "no ERP is configured: set ERPNEXT_URL, ERPNEXT_API_KEY and ERPNEXT_API_SECRET";

pub(crate) fn simulated_company_at(url: &str) -> String {
    format!("Simulated company at {url}")
}

pub(crate) fn key_of(user: &str, key: &str, secret: &str) -> String {
    format!("Key of {user}: {key}, secret {secret}")
}

pub(crate) fn t2_is_below_t1(t1: u32) -> String {
    format!("erp.t2: expected at least erp.t1, which is {t1}")
}

pub(crate) const PROTECTED_IS_NO_THING: &str =
    "erp.protected: expected things with their type, such as company/Example Holding";

pub(crate) const KEY_FIELD_IS_NO_FIELD: &str =
    "erp.key_field: expected the name of a field, such as jarvis_call";

pub(crate) fn no_such_pack(name: &str, known: &str) -> String {
    format!("erp.packs: there is no pack {name:?}; the packs are {known}")
}

pub(crate) fn company_is_simulated(url: &str) -> String {
    format!("No ERPNEXT_URL: the ERP is simulated ({url}).")
}

pub(crate) fn is_no_company(name: &str) -> String {
    format!("{name:?} is not the name of a company.")
}
