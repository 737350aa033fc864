//! Lifetimes of sessions, by a clock that only moves when told to.

use std::{sync::Arc, time::Duration};

use agent::ports::Env;
use protocol::{Role, UserId};
use store::{LinkMaker, Setter, Store, User};
use tempfile::TempDir;
use testkit::FixedEnv;

use crate::{
    Auth, Client, Found, NewToken, Passkeys, Presented, Tried,
    lifetimes::{IDLE, LINK_LIFE},
};

const MINUTE: Duration = Duration::from_secs(60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

const CLIENT: Client = Client {
    address: None,
    browser: None,
};

struct World {
    _folder: TempDir,
    env: Arc<FixedEnv>,
    auth: Auth,
    owner: User,
}

impl World {
    async fn new() -> Self {
        Self::with_proxy_groups(false).await
    }

    async fn with_proxy_groups(groups: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).await.unwrap();
        let env = Arc::new(FixedEnv::default());
        let now = env.now();
        let owner = store.first_user(UserId::new(now, 1), "Ada", now).await;
        let passkeys = Passkeys::new("http://localhost:7340");
        let auth = Auth::new(store, env.clone(), passkeys, 7340, false, groups);
        Self {
            _folder: folder,
            env,
            auth,
            owner: owner.unwrap(),
        }
    }

    fn pass(&self, time: Duration) {
        self.env.advance(i64::try_from(time.as_millis()).unwrap());
    }

    /// Signs in with a link, in a browser with these headers. Returns the headers that it sends
    /// from then on.
    async fn sign_in(&self, browser: &Headers) -> Headers {
        let link = self
            .auth
            .new_link(self.owner.id, &LinkMaker::server())
            .await
            .unwrap();
        let cookie = self.auth.sign_in(&link, CLIENT, &browser.presented()).await;
        let cookie = cookie.unwrap().unwrap();
        assert!(cookie.contains("Max-Age=7776000"), "{cookie:?}");
        Headers::cookie_of(&cookie)
    }

    async fn holds(&self, headers: &Headers) -> bool {
        let found = self.auth.signed_in(&headers.presented()).await;
        found.unwrap().is_some()
    }
}

/// The headers of a browser or a program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Headers {
    cookie: Option<String>,
    authorization: Option<String>,
}

impl Headers {
    /// Those of a browser that stores the cookie of a `Set-Cookie` header.
    fn cookie_of(set: &str) -> Self {
        let (cookie, _) = set.split_once(';').unwrap();
        Self::cookie(cookie.to_owned())
    }

    fn cookie(cookie: String) -> Self {
        Self {
            cookie: Some(cookie),
            ..Self::default()
        }
    }

    /// Those of a program with a token.
    fn bearer(token: &str) -> Self {
        Self {
            authorization: Some(format!("Bearer {token}")),
            ..Self::default()
        }
    }

    fn presented(&self) -> Presented<'_> {
        Presented {
            cookies: self.cookie.as_deref().into_iter().collect(),
            authorization: self.authorization.as_deref(),
        }
    }
}

#[tokio::test]
async fn a_session_that_is_not_used_ends() {
    let world = World::new().await;
    let tab = world.sign_in(&Headers::default()).await;
    for _ in 0..3 {
        world.pass(IDLE.saturating_sub(MINUTE));
        assert!(world.holds(&tab).await, "each use is a new beginning");
    }
    world.pass(IDLE);
    assert!(!world.holds(&tab).await);
    // A lookup does not revive it.
    assert!(!world.holds(&tab).await);
}

#[tokio::test]
async fn a_session_ends_however_much_it_is_used() {
    let world = World::new().await;
    let tab = world.sign_in(&Headers::default()).await;
    for _ in 0..89 {
        world.pass(DAY);
        assert!(world.holds(&tab).await);
    }
    world.pass(DAY.saturating_sub(MINUTE));
    assert!(world.holds(&tab).await);
    world.pass(MINUTE);
    assert!(!world.holds(&tab).await);
}

#[tokio::test]
async fn every_sign_in_is_another_session_and_ends_the_one_before() {
    let world = World::new().await;
    let planted = Headers::cookie(format!("jarvis-7340={}", "0".repeat(64)));
    assert!(!world.holds(&planted).await);
    let first = world.sign_in(&planted).await;
    assert_ne!(first, planted);
    assert!(!world.holds(&planted).await);
    let elsewhere = world.sign_in(&Headers::default()).await;
    let second = world.sign_in(&first).await;
    assert_ne!(first, second);
    assert!(!world.holds(&first).await);
    assert!(world.holds(&second).await && world.holds(&elsewhere).await);
}

#[tokio::test]
async fn a_link_is_good_for_an_hour_and_to_reset_for_a_quarter() {
    let world = World::new().await;
    let link = world
        .auth
        .new_link(world.owner.id, &LinkMaker::server())
        .await
        .unwrap();
    world.pass(LINK_LIFE);
    let nothing = Presented::default();
    let late = world.auth.sign_in(&link, CLIENT, &nothing).await;
    assert!(late.unwrap().is_none());

    let tab = world.sign_in(&Headers::default()).await;
    let now = world.env.now();
    let owner = &world.owner;
    let by = Setter::default();
    let set = world
        .auth
        .store
        .set_password(owner.id, "hash", None, false, &by, now);
    set.await.unwrap();
    // The new password ended this session with the others.
    assert!(!world.holds(&tab).await);
    let tab = world.sign_in(&Headers::default()).await;
    let signed_in = world
        .auth
        .signed_in(&tab.presented())
        .await
        .unwrap()
        .unwrap();
    assert!(world.auth.may_reset(&signed_in).await.unwrap());
    assert!(world.auth.is_fresh(&signed_in).await.unwrap());
    world.pass(15 * MINUTE);
    assert!(!world.auth.may_reset(&signed_in).await.unwrap());
    assert!(!world.auth.is_fresh(&signed_in).await.unwrap());
}

#[tokio::test]
async fn a_token_ends_on_its_day_and_when_it_is_revoked() {
    let world = World::new().await;
    let tab = world.sign_in(&Headers::default()).await;
    let signed_in = world
        .auth
        .signed_in(&tab.presented())
        .await
        .unwrap()
        .unwrap();
    let mut programs = Vec::new();
    for days in [1, 2] {
        let new = NewToken {
            name: "A program".to_owned(),
            role: Role::Viewer,
            toolsets: None,
            decides: false,
            days,
        };
        let token = world.auth.add_token(&signed_in, &CLIENT, new);
        programs.push(Headers::bearer(&token.await.unwrap()));
    }
    let [one, two] = &programs[..] else {
        unreachable!("two tokens");
    };
    world.pass(DAY.saturating_sub(MINUTE));
    assert!(world.holds(one).await && world.holds(two).await);
    world.pass(MINUTE);
    assert!(!world.holds(one).await && world.holds(two).await);
    let tokens = world.auth.store.tokens(world.owner.id).await.unwrap();
    let longer = tokens.iter().max_by_key(|token| token.expires).unwrap();
    let revoked = world.auth.revoke_token(&signed_in, &longer.id).await;
    revoked.unwrap();
    assert!(!world.holds(two).await);
}

#[tokio::test]
async fn what_a_user_of_the_proxy_has_open_ends_a_day_after_its_last_word() {
    let world = World::with_proxy_groups(true).await;
    let (auth, owner) = (&world.auth, &world.owner);
    let none = Headers::default();
    let nothing = none.presented();
    let password = "correct horse battery";
    let kept = auth.passwords.hash(password.to_owned()).await.unwrap();
    let by = Setter::default();
    let set = auth
        .store
        .set_password(owner.id, &kept, None, false, &by, world.env.now());
    set.await.unwrap();
    let try_password = async || {
        auth.try_password(&owner.name, password.to_owned(), CLIENT, &nothing)
            .await
            .unwrap()
    };
    let signed_in = async || match try_password().await {
        Tried::In(cookie) => Headers::cookie_of(&cookie),
        _ => panic!("the password is right"),
    };

    // A user who is not linked is independent of the proxy.
    let own = signed_in().await;
    world.pass(2 * DAY);
    assert!(world.holds(&own).await);

    let by = LinkMaker::server();
    let link = auth
        .store
        .link_to_proxy(owner.id, true, &by, world.env.now());
    link.await.unwrap();
    let by_link = world.sign_in(&none).await;
    let new = NewToken {
        name: "A program".to_owned(),
        role: Role::Viewer,
        toolsets: None,
        decides: false,
        days: 30,
    };
    let person = auth.signed_in(&own.presented()).await.unwrap().unwrap();
    let token = auth.add_token(&person, &CLIENT, new).await.unwrap();
    let program = Headers::bearer(&token);
    world.pass(DAY.saturating_sub(MINUTE));
    assert!(world.holds(&own).await && world.holds(&program).await);
    let touch = auth.store.touch_proxy(owner.id, world.env.now());
    touch.await.unwrap();
    world.pass(DAY.saturating_sub(MINUTE));
    assert!(world.holds(&own).await && world.holds(&program).await);
    world.pass(MINUTE);
    for headers in [&own, &program, &by_link] {
        assert!(!world.holds(headers).await, "{headers:?}");
    }
    assert!(matches!(try_password().await, Tried::ShutOut(_)));

    // A link works for a day while the proxy is away.
    let rescue = world.sign_in(&none).await;
    world.pass(DAY.saturating_sub(MINUTE));
    assert!(world.holds(&rescue).await);
    world.pass(MINUTE);
    assert!(!world.holds(&rescue).await);

    // Once the proxy has vouched again, everything ends at once, and the password is refused too.
    let touch = auth.store.touch_proxy(owner.id, world.env.now());
    touch.await.unwrap();
    let tab = signed_in().await;
    assert!(world.holds(&tab).await && world.holds(&program).await);
    let link = async || {
        let made = auth.new_link(owner.id, &LinkMaker::server()).await;
        made.unwrap()
    };
    let use_link = async |link: &str| auth.sign_in(link, CLIENT, &nothing).await.unwrap();
    let before = link().await;
    assert!(matches!(
        auth.not_let_in("ada").await.unwrap(),
        Found::Refused(_)
    ));
    assert!(!world.holds(&tab).await && !world.holds(&program).await);
    assert!(matches!(try_password().await, Tried::ShutOut(_)));
    // So is an earlier link; one created afterwards works for a day.
    assert!(use_link(&before).await.is_none());
    let after = link().await;
    let rescue = Headers::cookie_of(&use_link(&after).await.unwrap());
    world.pass(DAY.saturating_sub(MINUTE));
    assert!(world.holds(&rescue).await);
    world.pass(MINUTE);
    assert!(!world.holds(&rescue).await);
}
