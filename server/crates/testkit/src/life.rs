//! Engines on lasting parts, and lives of a server that is killed.

use std::{sync::Arc, time::Duration};

use agent::{
    Deps, Engine, EngineConfig,
    ports::{Journal, Model},
};

use crate::{FixedEnv, Ledger, MemoryJournal, ScriptedTools};

/// A life that is not over by then never ends. Time passes only when nothing else can happen, so
/// that a server whose journal is frozen comes here at once.
const LIMIT: Duration = Duration::from_secs(3600);

/// An engine with one toolset.
pub fn engine(
    journal: Arc<dyn Journal>,
    env: Arc<FixedEnv>,
    model: Arc<dyn Model>,
    tools: ScriptedTools,
    configure: impl FnOnce(&mut EngineConfig),
) -> Engine {
    let mut config = EngineConfig::new("scripted-model");
    configure(&mut config);
    let deps = Deps {
        journal,
        model,
        toolsets: vec![Arc::new(tools)],
        env,
    };
    Engine::new(deps, config).unwrap()
}

/// The parts that outlive a server: its journal, the world in which its calls take effect, and the
/// clock.
#[derive(Debug, Default)]
pub struct Lasting {
    pub journal: Arc<MemoryJournal>,
    pub env: Arc<FixedEnv>,
    pub ledger: Ledger,
}

impl Lasting {
    /// One life of a server and its client: `life` up to its end, or up to the point where the
    /// journal is frozen and nothing moves any longer. Returns true if it came to its end.
    pub fn live(&self, life: impl Future<Output = ()>) -> bool {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        let done = runtime.block_on(async { tokio::time::timeout(LIMIT, life).await.is_ok() });
        // The tasks of the killed server go with its runtime.
        drop(runtime);
        self.journal.thaw();
        done
    }
}
