//! A tool that acts, as a person with a key and as one without.

use std::{collections::HashMap, sync::Mutex};

use agent::ports::{CallActor, CallOrigin, Recovery};
use protocol::{CallId, ConversationId, Tier};
use simerp::{SimErp, SimErpOptions, SimErpUser};

use super::*;
use crate::{
    ErpConfig, ErpOwnKeys, PersonKey, PersonKeyChange, PersonKeys, PersonKeysError,
    person_keys::ErpAccount,
};

/// Keys in memory; none if the file that opens them is lost.
struct Keys(Mutex<Option<HashMap<String, PersonKeyChange>>>);

#[async_trait]
impl PersonKeys for Keys {
    async fn find(
        &self,
        person: &str,
        _site: &str,
    ) -> Result<Option<PersonKeyChange>, PersonKeysError> {
        match &*self.0.lock().unwrap() {
            Some(keys) => Ok(keys.get(person).cloned()),
            None => Err(PersonKeysError::Lost),
        }
    }

    async fn put(
        &self,
        person: &str,
        _site: &str,
        change: &PersonKeyChange,
    ) -> Result<(), PersonKeysError> {
        if let Some(keys) = &mut *self.0.lock().unwrap() {
            keys.insert(person.to_owned(), change.clone());
        }
        Ok(())
    }
}

/// Says which user of the ERP it acts as. Whatever it did is never found.
struct Acting(Arc<ErpSite>);

#[async_trait]
impl Tool for Acting {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            tier: Tier::Red,
            recovery: Recovery::Reconcilable,
            ..ToolSpec::with_schema("act", "Acts.", json!({ "type": "object" }))
        }
    }

    fn target(&self, _input: &Value) -> Option<String> {
        None
    }

    fn objects(&self, _input: &Value) -> Vec<String> {
        Vec::new()
    }

    fn assess(&self, input: &Value) -> Assessment {
        Assessment::plain(Tier::Red, input)
    }

    async fn preview(&self, _call: &ToolCall) -> Result<Preview, ErrorBody> {
        Ok(Preview {
            state: json!({ "modified": 1 }),
            ..Preview::new("Act.", "the document")
        })
    }

    fn drift(&self, _shown: &[Fact], now: &Preview) -> Option<String> {
        Some(format!("It is {} now.", now.state["modified"]))
    }

    async fn reconcile(&self, _call: &ToolCall, _since: Timestamp) -> Reconciled {
        Reconciled::NotDone("Nothing is there.".to_owned())
    }

    async fn call(&self, _call: ToolCall, _: Progress) -> Result<ToolOutput, ToolError> {
        let who = self.0.identity().await;
        let who = who.map_err(|error| ToolError(error.body()))?;
        Ok(ToolOutput {
            summary: who.user.clone(),
            data: Value::Null,
            images: Vec::new(),
        })
    }
}

fn make(site: &Arc<ErpSite>) -> Vec<Arc<dyn Tool>> {
    vec![Arc::new(Acting(Arc::clone(site)))]
}

struct Shop {
    company: SimErp,
    own: ErpOwnKeys,
    keys: Arc<Keys>,
    tool: Arc<dyn Tool>,
}

const PERSON: u128 = 1;

fn person() -> UserId {
    UserId::new(Timestamp(1), PERSON)
}

fn call() -> ToolCall {
    ToolCall {
        id: CallId::new(Timestamp(1), 1),
        name: "act".to_owned(),
        input: json!({}),
        approval: None,
        origin: CallOrigin {
            conversation: ConversationId::new(Timestamp(1), 7),
            person: person(),
            turn: None,
            message: None,
            actor: CallActor::Model,
        },
    }
}

impl Shop {
    async fn open() -> Self {
        // Plain HTTP only, but the library wants a provider; another test may have set it.
        rustls::crypto::ring::default_provider()
            .install_default()
            .ok();
        let company = SimErp::start(SimErpOptions::default()).await.unwrap();
        let (api_key, secret) = company.key(SimErpUser::Agent);
        let config = ErpConfig {
            url: company.url(),
            api_key,
            api_secret: secret.into(),
            ..ErpConfig::default()
        };
        let site = Arc::new(ErpSite::new(config, Arc::new(|| 1_795_275_004_000)).unwrap());
        let keys = Arc::new(Keys(Mutex::new(Some(HashMap::new()))));
        let store: Arc<dyn PersonKeys> = keys.clone();
        let sites = Arc::new(PersonalSites::new(site, store));
        Self {
            tool: personal(&sites, &(Arc::new(make) as ToolMaker)).remove(0),
            own: ErpOwnKeys(sites),
            company,
            keys,
        }
    }

    async fn enter(&self, user: SimErpUser, at: i64) {
        let (key, secret) = self.company.key(user);
        let account = ErpAccount {
            user: user.email().to_owned(),
            full_name: None,
        };
        let key = PersonKey::new(&key, &secret, account);
        self.own.keep(person(), key, Timestamp(at)).await.unwrap();
    }

    async fn acts_as(&self) -> String {
        let done = self.tool.call(call(), Progress::ignored()).await;
        done.unwrap().summary
    }
}

#[tokio::test]
async fn the_card_says_whom_the_erp_will_see_and_is_bound_to_it() {
    let shop = Shop::open().await;
    let (robot, manager) = (SimErpUser::Agent.email(), SimErpUser::Manager.email());
    let shown = shop.tool.preview(&call()).await.unwrap();
    let risk = &shown.risks[0];
    assert_eq!(
        (&*risk.rule, risk.weight),
        ("erp_sees_robot", RiskWeight::Note)
    );
    assert_eq!(risk.sentence, format!("The ERP will see {robot}, not you"));
    assert_eq!(shown.state, json!({ "modified": 1, "erp_user": robot }));
    assert_eq!(shop.acts_as().await, robot);

    // The key is entered after the card was shown: another state, so another digest.
    shop.enter(SimErpUser::Manager, 1).await;
    let now = shop.tool.preview(&call()).await.unwrap();
    assert_eq!(now.risks, []);
    assert_eq!(now.state, json!({ "modified": 1, "erp_user": manager }));
    let drift = shop.tool.drift(&shown.facts, &now).unwrap();
    assert!(drift.contains(robot) && drift.contains(manager), "{drift}");
    // The tool's own words stay where the user is the same.
    assert_eq!(shop.tool.drift(&now.facts, &now).unwrap(), "It is 1 now.");
    assert_eq!(shop.acts_as().await, manager);

    shop.own.remove(person(), Timestamp(2)).await.unwrap();
    assert_eq!(shop.tool.preview(&call()).await.unwrap().state, shown.state);
    assert_eq!(shop.acts_as().await, robot);
}

/// "Not done" lets the model try again: a document that was made under another user must not be
/// made twice.
#[tokio::test]
async fn a_call_is_not_found_undone_under_another_user_than_it_ran_as() {
    let shop = Shop::open().await;
    let found = async |since| shop.tool.reconcile(&call(), Timestamp(since)).await;
    assert!(matches!(found(50).await, Reconciled::NotDone(_)));
    for (at, remove) in [(100, false), (200, true)] {
        if remove {
            shop.own.remove(person(), Timestamp(at)).await.unwrap();
        } else {
            shop.enter(SimErpUser::Clerk, at).await;
        }
        let Reconciled::Unknown(why) = found(at - 1).await else {
            panic!("it ran before the key changed");
        };
        assert!(why.contains("has changed since"), "{why}");
        assert!(matches!(found(at + 1).await, Reconciled::NotDone(_)));
    }
    // A key that cannot be read says nothing of the outcome, and lets nothing run.
    *shop.keys.0.lock().unwrap() = None;
    assert!(matches!(found(300).await, Reconciled::Unknown(_)));
    assert!(shop.tool.preview(&call()).await.is_err());
    let refused = shop.tool.call(call(), Progress::ignored()).await;
    assert!(refused.unwrap_err().0.message.contains("key file"));
}
