//! Sentences of the ERP for people: its start and its configuration.

pub(crate) const OPTIONS_OF_ERP: &str = "options of the ERP";
pub(crate) const THE_SIMULATED_COMPANY: &str = "the simulated company";
pub(crate) const SIMULATED_COMPANY: &str = "Simulated company";
pub(crate) const THE_ERP: &str = "the ERP";
pub(crate) const MORE_COMPANIES_BY_NAME: &str = "Companies, by name";
pub(crate) const KEY_MISSING: &str = "erp: set api_key and api_secret beside url";

pub(crate) fn company_is_simulated(url: &str) -> String {
    format!("No ERPNEXT_URL: the ERP is simulated ({url}).")
}

pub(crate) fn is_no_company(name: &str) -> String {
    format!("{name:?} is not the name of a company.")
}
