//! The site as each person reaches it: with their own key if they have one, else with the site's.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use protocol::{ErrorBody, ErrorCode, Timestamp, UserId};

use crate::{
    client::ErpMethod,
    error::{ErpError, RefusalKind},
    person_keys::{ErpAccount, PersonKey, PersonKeyChange, PersonKeys, PersonKeysError},
    site::ErpSite,
    texts::own_keys as say,
};

/// The most people whose connection is kept between calls.
const MOST_OPEN: usize = 64;

/// The site's own connection, and those of people with their own keys.
pub(crate) struct PersonalSites {
    shared: Arc<ErpSite>,
    keys: Arc<dyn PersonKeys>,
    open: Mutex<HashMap<UserId, OpenSite>>,
}

struct OpenSite {
    key: PersonKey,
    site: Arc<ErpSite>,
}

/// The site for the calls of one person.
pub(crate) struct SiteOfPerson {
    pub(crate) site: Arc<ErpSite>,
    /// The user that the ERP sees if it sees the person, as the key was entered.
    pub(crate) own_user: Option<String>,
    /// The last change of the person's key, a removal too.
    pub(crate) changed: Option<Timestamp>,
}

impl PersonalSites {
    pub(crate) fn new(shared: Arc<ErpSite>, keys: Arc<dyn PersonKeys>) -> Self {
        Self {
            shared,
            keys,
            open: Mutex::default(),
        }
    }

    /// The connection with the site's key.
    pub(crate) fn shared(&self) -> &Arc<ErpSite> {
        &self.shared
    }

    /// The site for the calls of a person. The key is looked up each time, so that one that was
    /// removed is never used again. A key that is there and does not work is an error: the site's
    /// key would act in its place, under another name and with other rights.
    pub(crate) async fn of(&self, person: UserId) -> Result<SiteOfPerson, ErrorBody> {
        let change = self.change(person).await?;
        let changed = change.as_ref().map(|it| Timestamp(it.at_ms));
        let Some(key) = change.and_then(|it| it.key) else {
            self.forget(person);
            return Ok(SiteOfPerson {
                site: Arc::clone(&self.shared),
                own_user: None,
                changed,
            });
        };
        let own_user = Some(key.account.user.clone());
        Ok(SiteOfPerson {
            site: self.opened(person, key)?,
            own_user,
            changed,
        })
    }

    /// The last change of a person's key.
    pub(crate) async fn change(
        &self,
        person: UserId,
    ) -> Result<Option<PersonKeyChange>, ErrorBody> {
        let found = self.keys.find(&person.to_string(), &self.name()).await;
        found.map_err(|error| told(&error))
    }

    /// Keeps a change of a person's key.
    pub(crate) async fn put(
        &self,
        person: UserId,
        change: &PersonKeyChange,
    ) -> Result<(), ErrorBody> {
        self.forget(person);
        let kept = self
            .keys
            .put(&person.to_string(), &self.name(), change)
            .await;
        kept.map_err(|error| told(&error))
    }

    /// Asks the site who a key is. One with System Manager, or the site's own, is refused.
    pub(crate) async fn account(
        &self,
        api_key: &str,
        api_secret: &str,
    ) -> Result<ErpAccount, ErrorBody> {
        let site = self.shared.with_key(api_key, api_secret)?;
        let who = site.identity().await.map_err(|error| entered(&error))?;
        // If the site's key cannot be asked now, its user is not known to be this one.
        if let Ok(robot) = self.shared.identity().await
            && robot.user == who.user
        {
            let refused = ErrorBody::new(ErrorCode::ToolPermission, say::is_the_sites(&who.user));
            return Err(refused.with_help(say::HELP_OWN_USER));
        }
        Ok(ErpAccount {
            full_name: full_name(&site, &who.user).await,
            user: who.user.clone(),
        })
    }

    /// The name of the site in the storage of keys. A simulated one has another port with each
    /// start.
    fn name(&self) -> String {
        let config = &self.shared.config;
        if config.is_simulated {
            "simulated".to_owned()
        } else {
            self.shared.client.address().to_owned()
        }
    }

    fn opened(&self, person: UserId, key: PersonKey) -> Result<Arc<ErpSite>, ErrorBody> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = open.get(&person)
            && known.key == key
        {
            return Ok(Arc::clone(&known.site));
        }
        let site = Arc::new(
            self.shared
                .with_key(&key.api_key, key.api_secret.expose())?,
        );
        if open.len() >= MOST_OPEN {
            open.clear();
        }
        let kept = Arc::clone(&site);
        open.insert(person, OpenSite { key, site: kept });
        Ok(site)
    }

    fn forget(&self, person: UserId) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.remove(&person);
    }
}

fn told(error: &PersonKeysError) -> ErrorBody {
    match error {
        PersonKeysError::Lost => {
            ErrorBody::new(ErrorCode::ToolPermission, say::LOST).with_help(say::HELP_LOST)
        }
        PersonKeysError::Failed(cause) => {
            tracing::error!(cause, "own keys for the ERP cannot be read or kept");
            ErrorBody::new(ErrorCode::StorageFailed, say::STORAGE_FAILED)
        }
    }
}

/// The error for the page where the key is entered: the one of calls leads to that page.
fn entered(error: &ErpError) -> ErrorBody {
    match error.kind() {
        Some(RefusalKind::OwnKey) => {
            ErrorBody::new(ErrorCode::ToolPermission, say::REFUSED).with_help(say::HELP_REFUSED)
        }
        _ => error.body(),
    }
}

/// The full name of a user, where the site lets the user read it.
async fn full_name(site: &ErpSite, user: &str) -> Option<String> {
    let parameters = [
        ("doctype", "User".to_owned()),
        ("filters", user.to_owned()),
        ("fieldname", "full_name".to_owned()),
    ];
    let answer: Result<_, ErpError> = site.method(ErpMethod::Value, &parameters).await;
    let name = answer
        .ok()?
        .data
        .get("full_name")?
        .as_str()?
        .trim()
        .to_owned();
    let is_shown = !name.is_empty() && name.chars().count() <= 140;
    is_shown.then_some(name)
}
