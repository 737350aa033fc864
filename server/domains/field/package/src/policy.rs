//! Policy: facts of a script, computed by code, and the risk that they make up.
//!
//! Nothing that a model says about a script counts. Settings make the policy stricter only, and the
//! device's own veto narrows what is left.

mod contacts;
mod facts;
mod refusals;
mod risk;
mod rules;
mod settings;
mod surroundings;
mod veto;

pub use self::{
    contacts::{ContactFact, ContactPlace, ValueOrigin},
    facts::{ScriptFacts, ScriptForm},
    refusals::{PolicyRefusal, RefusalRule},
    risk::{RiskFinding, RiskLevel, RiskReport},
    rules::{RiskRule, RuleWeight},
    settings::{FieldPolicy, POLICY_VERSION, PolicySettings, SettingsError},
    surroundings::{DeviceFacts, NamedDestinations, ScriptSurroundings},
    veto::{DeviceVeto, VetoRefusal},
};

#[cfg(test)]
mod tests;
