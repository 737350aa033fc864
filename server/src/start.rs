//! Builds everything, joins it, and stops it in order.

pub(crate) mod model;

use std::{any::Any, collections::BTreeMap, net::SocketAddr, sync::Arc, time::Duration};

use agent::{
    Deps, Engine, EngineConfig, NoticeTimes,
    ports::{Env, Model},
};
use anyhow::Context;
use protocol::UserId;
use sign_in::{Auth, Passkeys};
use store::{LinkMaker, SettingsKind, Store, SystemEvent};
use tokio::{net::TcpListener, task::JoinHandle};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    backend::{Openings, ServerBackend},
    config::{Config, Setting},
    domains::{self, OwnAddress, Simulation, Started, StartedPack},
    env::SystemEnv,
    examples,
    failure_log::FailureLog,
    feed::Feed,
    http::{
        self, Allowances, Connections, Hosts, Http, HttpParts, Limits, Ready, ServerStop, Site,
        SiteFile,
    },
    mcp_servers::McpServers,
    metrics::{self, MeasuredModel},
    model_catalog::Offer,
    process,
    routes::RouteRight,
    rules::{self, Rules},
    sign_in_link,
    tasks::{Task, Tasks},
    telemetry::{Telemetry, TracedModel},
    texts,
    tuning::{self, Tuning},
    webhook_tasks::{WebhookParts, WebhookTasks},
    ws,
};

/// Open requests and websockets, and then tasks of domains, get this long to end when the server
/// stops.
const DRAIN: Duration = Duration::from_secs(5);

/// A running server.
pub struct Running {
    url: String,
    address: SocketAddr,
    metrics_address: Option<SocketAddr>,
    link: Option<String>,
    notes: Vec<String>,
    engine: Engine,
    store: Store,
    stopping: CancellationToken,
    /// Cancelled when only requests are left to wait for.
    closing: CancellationToken,
    sockets: TaskTracker,
    serving: JoinHandle<std::io::Result<()>>,
    rights: Vec<RouteRight>,
    tasks: Tasks,
    rehearsal: Option<rehearsal::Rehearsal>,
    simulations: Vec<Box<dyn Simulation>>,
}

impl Running {
    /// Address at which browsers reach it, without a slash at the end.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Address on which it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address that serves metrics alone, if there is one.
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.metrics_address
    }

    /// A link that signs an admin in once, if no admin has a password or a passkey.
    pub fn sign_in_link(&self) -> Option<&str> {
        self.link.as_deref()
    }

    /// Notes for the operator, such as which parts are simulated.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The routes that the domains have added, with the right that each needs.
    pub fn rights(&self) -> &[RouteRight] {
        &self.rights
    }

    /// The rehearsal model, for tests that script it.
    pub fn rehearsal(&self) -> Option<&rehearsal::Rehearsal> {
        self.rehearsal.as_ref()
    }

    /// A simulated system, for tests that switch faults on.
    pub fn simulation<T: 'static>(&self) -> Option<&T> {
        self.simulations.iter().find_map(|it| {
            let it: &dyn Any = &**it;
            it.downcast_ref()
        })
    }

    /// Takes no new work, lets what acts be recorded, closes everything. Unfinished turns go on at
    /// the next start.
    pub async fn stop(self) -> anyhow::Result<()> {
        tracing::info!("stopping");
        self.stopping.cancel();
        self.engine.shutdown().await;
        self.sockets.close();
        let serving = self.serving.abort_handle();
        let drained = tokio::time::timeout(DRAIN, async {
            self.sockets.wait().await;
            self.closing.cancel();
            self.serving.await
        });
        match drained.await {
            Ok(served) => served
                .context(texts::start::HTTP_SERVER_FAILED)?
                .context(texts::start::HTTP_SERVER_FAILED)?,
            Err(_) => {
                tracing::warn!("some connections did not end in time");
                // Nobody is answered any longer.
                serving.abort();
            }
        }
        self.tasks.stop(DRAIN).await;
        if let Some(rehearsal) = self.rehearsal {
            rehearsal.shutdown().await;
        }
        for simulation in self.simulations {
            simulation.stop().await;
        }
        self.store
            .close()
            .await
            .context(texts::start::DATABASE_COULD_NOT_BE_CLOSED)?;
        tracing::info!("stopped");
        Ok(())
    }
}

/// Starts a server with the files that browsers load. When it returns the server takes requests and
/// has taken up what it left.
pub async fn start(config: Config, site: &'static [SiteFile]) -> anyhow::Result<Running> {
    let env: Arc<dyn Env> = Arc::new(SystemEnv);
    let store = Store::open(&config.server.data_dir).await?;
    let now = env.now();
    store
        .record(
            now,
            &SystemEvent::Started {
                version: crate::VERSION.to_owned(),
            },
        )
        .await?;
    let user = store
        .first_user(UserId::new(now, env.random()), "Operator", now)
        .await?;

    let webhooks = WebhookTasks::prepare(config.webhooks.clone(), &store, &*env).await?;

    let mcp = McpServers::prepare(&config.mcp, config.mcp_limits, &config.notices, &store).await?;

    let mut notes = Vec::new();
    let stopping = CancellationToken::new();
    let own = OwnAddress::new(&config, stopping.clone());
    let domains = domains::start(&config, &store, &env, &own).await?;
    let areas = domains.iter().flat_map(Started::areas);
    let (client, model_status, rehearsal) =
        model::start(&config, areas.collect(), &mut notes).await?;
    let mut engine_config = EngineConfig::new(&model_status.id);
    engine_config.title_model = model::of_titles(&config, model_status.rehearsal);
    engine_config.history_tokens = model::history_tokens(&client, &model_status);
    engine_config.max_tokens = config.model.max_tokens;
    engine_config.max_steps = config.agent.max_steps;
    engine_config.run = config.run.rules.clone();
    engine_config.max_calls = config.agent.max_calls;
    engine_config.max_cards = config.agent.max_cards;
    engine_config.history_limit = config.agent.history_limit;
    engine_config.budgets = config.budgets;
    engine_config.confirmation_ttl = Duration::from_secs(config.agent.confirmation_seconds.into());
    engine_config.notices = NoticeTimes {
        hold: Duration::from_secs(config.notices.hold_seconds.into()),
        clear: Duration::from_secs(config.notices.clear_seconds.into()),
    };
    let (mut toolsets, mut systems, mut simulations) = (Vec::new(), Vec::new(), Vec::new());
    let (mut protections, mut routes, mut tasks) = (Vec::new(), Vec::new(), Vec::new());
    // Those of packs are no answer to a conversation that may not have them.
    let questions = domains
        .iter()
        .map(|domain| examples::questions(&*domain.toolset))
        .collect();
    let packs = domains.iter().flat_map(|domain| domain.packs.iter());
    let packs: Vec<StartedPack> = packs.cloned().collect();
    let usual = packs.iter().filter(|pack| pack.is_usual);
    engine_config.packs = usual.map(|pack| pack.toolset.name().to_owned()).collect();
    let (mut scripts, mut configured, mut own_keys) = (Vec::new(), Vec::new(), Vec::new());
    let (mut names, mut doors) = (BTreeMap::new(), Vec::new());
    let mut tool_doors = BTreeMap::new();
    for domain in domains {
        let of = domain.toolset.name();
        names.extend(domain.names());
        let open = domain.open_tool_door();
        tool_doors.extend(open.map(|open| (open.door.name, open)));
        routes.extend(domain.routes.into_iter().map(|route| route.of(of)));
        doors.extend(domain.door);
        tasks.extend(domain.tasks);
        scripts.extend(domain.scripts);
        toolsets.push(domain.toolset);
        own_keys.extend(domain.own_keys.map(|keys| (domain.status.clone(), keys)));
        toolsets.extend(domain.packs.into_iter().map(|pack| pack.toolset));
        configured.push((domain.status.clone(), domain.keys));
        systems.push(domain.status);
        notes.extend(domain.notes);
        simulations.extend(domain.simulation);
        protections.extend(domain.protection);
    }
    toolsets.extend(mcp.toolsets());
    names.extend(mcp.names());
    let rules = Rules::of(&config, protections);
    let (stored, version) = rules::stored(&store).await?;
    rules.put(&mut engine_config, &stored, version);
    let tuning = Tuning::of(&config, &engine_config, model_status.rehearsal);
    let (tuned, _) = tuning::stored(&store).await?;
    tuning.put(&mut engine_config, &tuned);
    engine_config.persona = store.stored_persona(SettingsKind::Persona).await?;
    let offer = Offer::new(
        client.clone(),
        config.model.offered.clone(),
        model_status.rehearsal,
    );
    let metrics = metrics::of_server(&config, &toolsets, &model_status.id);
    let measured = MeasuredModel::new(Arc::new(offer.clone()), metrics.clone());
    let mut traced_model: Arc<dyn Model> = Arc::new(measured);
    let telemetry = match config.telemetry.clone() {
        Some(receiver) => {
            let outside = metrics::outside_tools(&config).collect();
            let prepared = Telemetry::prepare(receiver, metrics.clone(), outside, now);
            let (telemetry, exporter) = prepared?;
            let host = model::host(&config, rehearsal.as_ref());
            let traced = TracedModel::new(traced_model, telemetry.clone(), host);
            traced_model = Arc::new(traced);
            let send = move |stop: CancellationToken| exporter.run(stop.cancelled_owned());
            tasks.push(Task::new("traces", send));
            Some(telemetry)
        }
        None => None,
    };
    let deps = Deps {
        journal: Arc::new(store.clone()),
        model: traced_model,
        toolsets: toolsets.clone(),
        env: env.clone(),
    };
    engine_config.pages = toolsets
        .iter()
        .filter_map(|it| examples::page_of(&**it))
        .collect();
    let engine = Engine::new(deps, engine_config)?;
    match &telemetry {
        Some(telemetry) => {
            let log = FailureLog::before(telemetry.clone(), metrics.clone());
            engine.observe(Arc::new(log));
        }
        None => {
            let log = FailureLog::before(metrics.clone(), metrics.clone());
            engine.observe(Arc::new(log));
        }
    }

    tasks.extend(mcp.tasks(&engine, &store));

    let listener = bind(&config.server.listen).await?;
    let for_metrics = match &config.metrics.listen {
        Some(listen) => Some(bind(listen).await?),
        None => None,
    };
    let metrics_address = for_metrics.as_ref().map(TcpListener::local_addr);
    let metrics_address = metrics_address.transpose()?;
    let address = listener.local_addr()?;
    // A token alone opens them at the server's own address.
    let at_server = config.metrics.token.as_ref().map(|_| address);
    let metrics_at = metrics_address.or(at_server);
    let (acceptor, certificate) = config
        .server
        .tls
        .as_ref()
        .map(|(cert, key)| http::acceptor(cert, key))
        .transpose()?
        .unzip();
    own.listens(address, acceptor.is_some());
    let url = sign_in_link::url(&config, address);
    let secure = url.starts_with("https://");
    let passkeys = Passkeys::new(&match &config.server.public_url {
        Some(_) => url.clone(),
        // Browsers have passkeys for a name, not for a number; this machine has one.
        None => format!(
            "{}://localhost:{}",
            sign_in_link::scheme(&config),
            address.port()
        ),
    });
    let auth = Auth::new(
        store.clone(),
        env.clone(),
        passkeys,
        address.port(),
        secure,
        config
            .proxy_sign_in
            .as_ref()
            .is_some_and(|proxy| !proxy.rules.groups.is_empty()),
    );
    // Later starts would leave a way in wherever their output goes.
    let link = if store.admin_can_sign_in().await? {
        None
    } else {
        let token = auth.new_link(user.id, &LinkMaker::server()).await?;
        Some(sign_in_link::address(&url, &token))
    };

    let site = Site::new(site);
    if site.is_empty() {
        notes.push(texts::start::BUILT_WITHOUT_SITE.into());
    }
    let build = site.build();
    let scripts = scripts.into_iter().map(|script| app::PanelScript {
        name: script.name,
        path: site.path_of(script.file),
    });
    let scripts = scripts.collect();
    let assets = app::Assets {
        script: site.path_of("jarvis.js"),
        wasm: site.path_of("jarvis_bg.wasm"),
        style: site.path_of("main.css"),
        pages_style: site.path_of("pages.css"),
        scripts,
        build: build.clone(),
    };
    let feed = Feed::new(store.clone(), env.clone(), config.feed_days);
    let backend = Arc::new(ServerBackend {
        store: store.clone(),
        engine: engine.clone(),
        feed: feed.clone(),
        model: model_status,
        offer,
        systems,
        questions,
        packs,
        env: Arc::clone(&env),
        openings: Openings::default(),
    });
    let webhook_parts = WebhookParts {
        store: store.clone(),
        env: Arc::clone(&env),
        metrics: metrics.clone(),
        url: url.clone(),
    };
    let sockets = TaskTracker::new();
    let limits = Limits::of(process::open_files());
    let ready = Ready::default();
    let http = Http::new(HttpParts {
        engine: engine.clone(),
        backend,
        rules,
        tuning,
        configured,
        names,
        own_keys,
        tool_doors,
        mcp,
        model: client,
        store: store.clone(),
        auth,
        site,
        assets,
        hosts: Hosts::new(
            address,
            config
                .server
                .public_url
                .as_ref()
                .map(|url| url.value.as_str()),
            certificate,
            config.server.trusted_proxies.clone(),
        ),
        secure,
        url: url.clone(),
        proxies: config.server.trusted_proxies.clone(),
        proxy_sign_in: config.proxy_sign_in.clone(),
        allowed_origins: config.server.allowed_origins.clone(),
        feed: feed.clone(),
        env,
        build,
        stopping: stopping.clone(),
        sockets: sockets.clone(),
        allowances: Allowances::new(config.limits, limits.sockets),
        ready: ready.clone(),
        metrics,
        telemetry,
        metrics_access: config.metrics,
        data_dir: config.server.data_dir.value,
    });
    if let Some(listener) = for_metrics {
        http::serve_metrics(&http, listener, acceptor.clone());
    }
    let rights = routes.iter().map(|route| route.right.clone()).collect();
    let closing = CancellationToken::new();
    let stop = ServerStop {
        begun: stopping.clone(),
        closing: closing.clone(),
        router: http::router_of_stop(http.clone()),
    };
    let router = http::router(http, ws::routes(), routes, doors);
    let connections = Connections::new(limits, config.server.trusted_proxies.clone());
    let serving = http::serve_until(listener, acceptor, router, connections, stop);
    let serving = tokio::spawn(serving);
    let continued = engine
        .recover()
        .await
        .context(texts::start::RECOVERY_FAILED)?;
    if continued > 0 {
        notes.push(texts::start::resuming_turns(continued));
    }
    feed.run(&toolsets, &stopping, &sockets);
    webhooks.run(webhook_parts, &stopping, &sockets);
    let tasks = Tasks::start(tasks);
    ready.set();
    tracing::info!(%address, metrics = metrics_at.map(tracing::field::display), "listening");
    Ok(Running {
        url,
        address,
        metrics_address,
        link,
        notes,
        engine,
        store,
        stopping,
        closing,
        sockets,
        serving,
        rights,
        tasks,
        rehearsal,
        simulations,
    })
}

async fn bind(listen: &Setting<SocketAddr>) -> anyhow::Result<TcpListener> {
    TcpListener::bind(listen.value)
        .await
        .with_context(|| texts::start::cannot_listen(&listen.value, &listen.source))
}
