//! API keys, and sessions of a browser with their form token.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use super::{SignInHeaders, SimSite};
use crate::faults::SimErpFault;
use crate::refusal::SimRefusal;
use crate::wire::{self, ErpAnswer, ErpRequest};

impl SimSite {
    /// Sets the user of a request, or says why there is none.
    pub(super) fn user_of(
        &mut self,
        request: &ErpRequest,
        from: &SignInHeaders,
        faults: &[SimErpFault],
    ) -> Option<SimRefusal> {
        let wrong = || {
            Some(SimRefusal::new(
                401,
                "AuthenticationError",
                "Authentication failed",
            ))
        };
        if faults.contains(&SimErpFault::KeyRotated) {
            return wrong();
        }
        if from.authorization.is_empty() {
            return self.user_of_session(request, from);
        }
        let Some((scheme, value)) = from.authorization.trim().split_once(' ') else {
            // A header of one part is none.
            return None;
        };
        let key = match scheme.to_ascii_lowercase().as_str() {
            "token" => value.trim().to_owned(),
            "basic" => {
                let bytes = STANDARD.decode(value.trim()).unwrap_or_default();
                String::from_utf8(bytes).unwrap_or_default()
            }
            _ => return wrong(),
        };
        let Some(user) = self.keys.get(&key).cloned() else {
            return wrong();
        };
        let is_enabled = self
            .books
            .find("User", &user)
            .is_some_and(|it| it.flag("enabled"));
        if !is_enabled {
            return wrong();
        }
        self.books.user = user;
        None
    }

    fn user_of_session(
        &mut self,
        request: &ErpRequest,
        from: &SignInHeaders,
    ) -> Option<SimRefusal> {
        let (user, token) = self.sessions.get(session_id(from)?)?.clone();
        if request.method != "GET" && from.csrf != token {
            return Some(SimRefusal::new(400, "CSRFTokenError", "Invalid Request"));
        }
        self.books.user = user;
        None
    }

    /// Login and logout, which are no part of a transaction.
    pub(super) fn session_call(
        &mut self,
        request: &ErpRequest,
        from: &SignInHeaders,
        headers: &mut Vec<(&'static str, String)>,
    ) -> Option<ErpAnswer> {
        let [what, method] = request.segments.as_slice() else {
            return None;
        };
        match (what.as_str(), method.as_str()) {
            ("method", "login") => {
                let user = request.args.text("usr");
                let fits = self.passwords.get(&user) == Some(&request.args.text("pwd"));
                if user.is_empty() || !fits {
                    let refusal =
                        SimRefusal::new(401, "AuthenticationError", "Invalid login credentials");
                    let profile = self.books.profile;
                    return Some(wire::failure(request.version, &refusal, profile, false));
                }
                let is_16 = self.books.profile.is_16();
                let sid = format!("{}{}", self.books.hash_name(), self.books.hash_name());
                let token = self.books.hash_name();
                headers.push(("Set-Cookie", format!("sid={sid}; HttpOnly; Path=/")));
                headers.push(("X-Simulated-Csrf-Token", token.clone()));
                self.sessions.insert(sid, (user.clone(), token));
                let name = self.books.value_text("User", &user, "full_name");
                let mut body = serde_json::Map::new();
                body.insert("message".to_owned(), json!("Logged In"));
                let home = if is_16 { "/desk" } else { "/app" };
                body.insert("home_page".to_owned(), json!(home));
                body.insert("full_name".to_owned(), json!(name));
                Some(wire::root(request.version, body, &[]))
            }
            ("method", "logout") => {
                // Other sessions of the user go on.
                if let Some(sid) = session_id(from) {
                    self.sessions.remove(sid);
                }
                Some(wire::root(request.version, serde_json::Map::new(), &[]))
            }
            _ => None,
        }
    }
}

fn session_id(from: &SignInHeaders) -> Option<&str> {
    let mut cookies = from.cookie.split(';');
    cookies.find_map(|it| it.trim().strip_prefix("sid="))
}
