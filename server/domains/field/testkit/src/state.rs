//! Everything that is kept in memory.

use std::collections::{BTreeMap, HashMap, HashSet};

use field::{
    field_package::policy::ScriptSurroundings,
    field_redaction::{PublicAddresses, SiteScope, Vault},
    ports::{
        BundleSummary, CallId, Collection, ConversationId, EnrolmentNote, FieldFault,
        FieldFaultCode, FieldSnapshot, KnownDevice, KnownSite, LookNote, ProposalHead,
        ResolutionNote, RetiredDevice, RunOrder, RunRecord, ScriptVersion, UserId,
    },
};

/// The way in which runs go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RunScenario {
    /// Every step runs and exits with 0.
    #[default]
    Ends,
    /// Its last step exits with 2.
    Fails,
    /// It stays queued until [`crate::MemoryField::finish`].
    Waits,
    /// The device never comes.
    NotDelivered,
    /// The device refuses it.
    Refused,
    /// Nobody knows whether it ran. It did.
    Unknown,
    /// Its second step had begun when the device lost it.
    Lost,
}

/// A proposal with its versions.
pub(crate) struct KeptProposal {
    pub(crate) head: ProposalHead,
    pub(crate) versions: Vec<ScriptVersion>,
}

pub(crate) struct FieldState {
    pub(crate) revision: u64,
    pub(crate) sites: Vec<KnownSite>,
    pub(crate) devices: Vec<KnownDevice>,
    pub(crate) retired: Vec<RetiredDevice>,
    pub(crate) surroundings: HashMap<String, ScriptSurroundings>,
    pub(crate) bundles: Vec<BundleSummary>,
    /// Covered texts by bundle and section.
    pub(crate) sections: HashMap<(String, String), String>,
    pub(crate) collections: Vec<Collection>,
    pub(crate) proposals: Vec<KeptProposal>,
    /// Proposal and version by the cause that made them.
    pub(crate) causes: HashMap<String, (String, u64)>,
    pub(crate) runs: Vec<RunRecord>,
    pub(crate) orders: Vec<RunOrder>,
    pub(crate) effects: HashMap<CallId, u32>,
    pub(crate) outputs: BTreeMap<String, String>,
    pub(crate) scenario: RunScenario,
    /// By site; the empty site is the installation.
    pub(crate) vaults: BTreeMap<String, Vault>,
    pub(crate) conversations: HashMap<ConversationId, String>,
    pub(crate) viewers: HashSet<UserId>,
    pub(crate) looks: Vec<LookNote>,
    /// In the order in which they were made, with the calls that made them.
    pub(crate) enrolments: Vec<(CallId, EnrolmentNote)>,
    /// By run, newest first.
    pub(crate) resolutions: HashMap<String, Vec<ResolutionNote>>,
    pub(crate) is_broken: bool,
    /// Counts identifiers.
    pub(crate) made: u32,
}

impl FieldState {
    pub(crate) fn empty() -> Self {
        Self {
            revision: 1,
            sites: Vec::new(),
            devices: Vec::new(),
            retired: Vec::new(),
            surroundings: HashMap::new(),
            bundles: Vec::new(),
            sections: HashMap::new(),
            collections: Vec::new(),
            proposals: Vec::new(),
            causes: HashMap::new(),
            runs: Vec::new(),
            orders: Vec::new(),
            effects: HashMap::new(),
            outputs: BTreeMap::new(),
            scenario: RunScenario::default(),
            vaults: BTreeMap::from([(String::new(), vault("", None))]),
            conversations: HashMap::new(),
            viewers: HashSet::new(),
            looks: Vec::new(),
            enrolments: Vec::new(),
            resolutions: HashMap::new(),
            is_broken: false,
            made: 100,
        }
    }

    pub(crate) fn add_site(&mut self, id: &str, number: u32, name: &str) {
        self.sites.push(KnownSite {
            id: id.to_owned(),
            number,
            name: name.to_owned(),
            hides_public: true,
        });
        self.vaults.insert(id.to_owned(), vault(id, Some(number)));
    }

    pub(crate) fn vault(&mut self, site: &str) -> &mut Vault {
        self.vaults.get_mut(site).expect("a site of the office")
    }

    /// An identifier with this prefix that no other thing has.
    pub(crate) fn id(&mut self, prefix: &str) -> String {
        self.made += 1;
        format!("{prefix}{:026}", self.made)
    }

    pub(crate) fn snapshot(&self) -> FieldSnapshot {
        FieldSnapshot {
            revision: self.revision,
            sites: self.sites.clone(),
            devices: self.devices.clone(),
            runs: self.runs.iter().rev().cloned().collect(),
            bundles: self.bundles.iter().rev().cloned().collect(),
            unread: self.is_broken.then(|| "The storage is down.".to_owned()),
        }
    }

    /// Fails if the storage is broken.
    pub(crate) fn storage(&self) -> Result<(), FieldFault> {
        if self.is_broken {
            // The detail must not get to a model.
            let detail = "disk 10.20.0.1 is gone";
            return Err(FieldFault::with(FieldFaultCode::Storage, detail));
        }
        Ok(())
    }
}

fn vault(id: &str, number: Option<u32>) -> Vault {
    let scope = SiteScope {
        id: id.to_owned(),
        number,
    };
    Vault::new(scope, PublicAddresses::Cover)
}
