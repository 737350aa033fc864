//! The ERP as the agent sees it: tools, prompt, context, references, board, pages, events.

use std::{
    fmt,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use agent::ports::{Board, ContextPart, Happenings, Tool, Toolset};
use async_trait::async_trait;
use protocol::{ErrorBody, Name, PageQuery, Reference, UserId};
use serde_json::Value;

use crate::{
    board::ErpBoard,
    config::ErpConfig,
    context,
    error::ErpSetupError,
    happenings::ErpHappenings,
    identity::ErpIdentity,
    made_documents::MadeDocuments,
    own_keys::ErpOwnKeys,
    packs::ErpPack,
    pages::{self, approvals},
    person_keys::PersonKeys,
    personal_sites::PersonalSites,
    personal_tools::{self, ToolMaker},
    prompt, refer,
    site::ErpSite,
    site_check::{self, SiteCheckLine, SiteCheckMode},
    tools,
};

/// One ERPNext site as tools, context and prompt. Cheap to clone; clones share the connection.
#[derive(Clone)]
pub struct Erp {
    site: Arc<ErpSite>,
    /// None where all calls are made with the site's key.
    personal: Option<Arc<PersonalSites>>,
    board: Arc<ErpBoard>,
}

impl fmt::Debug for Erp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Erp")
            .field("site", &self.site.client.site())
            .finish()
    }
}

impl Erp {
    /// Checks the configuration and reads the CA file. Makes no request: a site that is down fails
    /// calls, not the start.
    ///
    /// # Errors
    /// An invalid value, or a file that cannot be read.
    pub fn connect(config: ErpConfig) -> Result<Self, ErpSetupError> {
        Self::connect_with_clock(config, system_milliseconds)
    }

    /// The same with another clock, in milliseconds since 1970, so that tests can fix days.
    ///
    /// # Errors
    /// See [`Self::connect`].
    pub fn connect_with_clock(
        config: ErpConfig,
        clock: impl Fn() -> i64 + Send + Sync + 'static,
    ) -> Result<Self, ErpSetupError> {
        let site = Arc::new(ErpSite::new(config, Arc::new(clock))?);
        let board = Arc::new(ErpBoard::new(Arc::clone(&site)));
        Ok(Self {
            site,
            board,
            personal: None,
        })
    }

    /// Lets people have keys of their own: the calls made for a person who has one are made with
    /// it. Context, references and names stay with the site's key, because everybody sees them.
    #[must_use]
    pub fn with_person_keys(self, keys: Arc<dyn PersonKeys>) -> Self {
        let personal = PersonalSites::new(Arc::clone(&self.site), keys);
        Self {
            personal: Some(Arc::new(personal)),
            ..self
        }
    }

    /// Keeps which call made a document: after a restart a draft of another call is not taken for that
    /// of a call that was cut off. A simulated company is another one with each start.
    #[must_use]
    pub fn with_made_documents(self, storage: Arc<dyn MadeDocuments>) -> Self {
        if !self.site.config.is_simulated {
            self.site.claims.keep_in(storage);
        }
        self
    }

    /// The own keys of people, if they may have some.
    pub fn own_keys(&self) -> Option<ErpOwnKeys> {
        self.personal.clone().map(ErpOwnKeys)
    }

    /// Its packs, in the order in which people see them.
    pub fn packs(&self) -> Vec<ErpPack> {
        ErpPack::all(&self.site, self.personal.as_ref())
    }

    /// Reads who the key belongs to. To be called at the start, so that the context is there from
    /// the first message; every call of a tool does it as well.
    ///
    /// # Errors
    /// The site does not answer, does not take the key, or the key has System Manager and is never
    /// used; the help says how to make a narrow one.
    pub async fn verify(&self) -> Result<Arc<ErpIdentity>, ErrorBody> {
        Ok(self.site.identity().await?)
    }

    /// Tries on the site what this toolset takes for granted, and tells each finding as it comes.
    pub async fn check_site(
        &self,
        mode: SiteCheckMode,
        mut tell: impl FnMut(SiteCheckLine) + Send,
    ) {
        Box::pin(site_check::run(&self.site, mode, &mut tell)).await;
    }
}

fn system_milliseconds() -> i64 {
    match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_millis()).unwrap_or(i64::MAX),
        // The site's clock takes over with its first answer.
        Err(_) => 0,
    }
}

#[async_trait]
impl Toolset for Erp {
    fn name(&self) -> &'static str {
        "erp"
    }

    fn subject(&self) -> Option<&'static str> {
        Some("orders, invoices, stock, ledgers and approvals in the company's ERP")
    }

    fn system_prompt(&self) -> String {
        prompt::system_prompt(&self.site.config)
    }

    fn tools(&self) -> Vec<Arc<dyn Tool>> {
        match &self.personal {
            Some(personal) => {
                let make: ToolMaker = Arc::new(tools::all);
                personal_tools::personal(personal, &make)
            }
            None => tools::all(&self.site),
        }
    }

    async fn context(&self, _about: &[Reference]) -> Vec<ContextPart> {
        vec![context::context(&self.site)]
    }

    fn refers(&self, reference: &Reference) -> bool {
        refer::refers(reference)
    }

    async fn describe(&self, reference: &Reference) -> Result<Value, String> {
        refer::describe(&self.site, reference)
    }

    async fn names(&self) -> Option<Vec<Name>> {
        refer::names(&self.site)
    }

    fn board(&self) -> Option<Arc<dyn Board>> {
        Some(self.board.clone())
    }

    fn happenings(&self) -> Option<Arc<dyn Happenings>> {
        Some(Arc::new(ErpHappenings::new(Arc::clone(&self.site))))
    }

    async fn page(&self, person: UserId, query: &PageQuery) -> Result<Value, ErrorBody> {
        if approvals::is_asked(query) {
            let sites = self.personal.as_deref();
            return Box::pin(approvals::page(sites, person, query)).await;
        }
        let acting = match &self.personal {
            Some(personal) => personal.of(person).await.ok().map(|it| it.site),
            None => Some(Arc::clone(&self.site)),
        };
        Box::pin(pages::page(&self.site, acting.as_ref(), query)).await
    }
}
