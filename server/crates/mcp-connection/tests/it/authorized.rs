//! An authorization server and an MCP server that wants its tokens, on one plain socket each, to read what is sent.

use std::{
    collections::{BTreeMap, BTreeSet},
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use base64::{
    Engine as _,
    prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD},
};
use mcp_connection::{
    ClientCredential, ClientKey, ClientSecret, HttpSettings, McpConnection, OauthSettings,
    ServerSettings, ServerTransport,
};
use reqwest::Url;
use ring::{
    rand::SystemRandom,
    signature::{
        ECDSA_P256_SHA256_FIXED, ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _,
        UnparsedPublicKey,
    },
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

pub(crate) const SECRET: &str = "hunter2-secret";
/// A stranger's words, which a fault may not repeat.
pub(crate) const ECHO: &str = "echo of hunter2-secret";

/// A request as it came in.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    /// Method and path.
    pub(crate) line: String,
    pub(crate) authorization: Option<String>,
    pub(crate) body: String,
}

/// A status and a body of JSON.
pub(crate) type Reply = (u16, Value);

type Answers = dyn Fn(&Seen) -> Reply + Send + Sync;

/// A server on a socket of this machine.
pub(crate) struct Listening {
    pub(crate) url: String,
    seen: Arc<Mutex<Vec<Seen>>>,
    answers: Arc<Mutex<Option<Arc<Answers>>>>,
}

impl Listening {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address: SocketAddr = listener.local_addr().unwrap();
        let new = Self {
            url: format!("http://{address}"),
            seen: Arc::default(),
            answers: Arc::default(),
        };
        let (seen, answers) = (Arc::clone(&new.seen), Arc::clone(&new.answers));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (seen, answers) = (Arc::clone(&seen), Arc::clone(&answers));
                tokio::spawn(async move {
                    let mut stream = stream;
                    let Some(request) = read(&mut stream).await else {
                        return;
                    };
                    seen.lock().unwrap().push(request.clone());
                    let answer = answers.lock().unwrap().clone();
                    let reply = answer.map_or((404, Value::Null), |answer| answer(&request));
                    write(&mut stream, reply).await;
                });
            }
        });
        new
    }

    pub(crate) fn answers(&self, answers: impl Fn(&Seen) -> Reply + Send + Sync + 'static) {
        *self.answers.lock().unwrap() = Some(Arc::new(answers));
    }

    /// The requests whose line begins like this.
    pub(crate) fn seen(&self, line: &str) -> Vec<Seen> {
        let seen = self.seen.lock().unwrap();
        let seen = seen.iter().filter(|it| it.line.starts_with(line));
        seen.cloned().collect()
    }
}

pub(crate) async fn read(stream: &mut TcpStream) -> Option<Seen> {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let header = |name: &str| {
                head.lines().find_map(|line| {
                    let (its, value) = line.split_once(':')?;
                    its.eq_ignore_ascii_case(name)
                        .then(|| value.trim().to_owned())
                })
            };
            let length = header("content-length").and_then(|it| it.parse().ok());
            if body.len() >= length.unwrap_or(0) {
                let line = head.lines().next()?.trim_end_matches(" HTTP/1.1");
                return Some(Seen {
                    line: line.to_owned(),
                    authorization: header("authorization"),
                    body: body.to_owned(),
                });
            }
        }
        let mut part = [0; 4096];
        match stream.read(&mut part).await {
            Ok(count @ 1..) => bytes.extend_from_slice(&part[..count]),
            _ => return None,
        }
    }
}

async fn write(stream: &mut TcpStream, (status, body): Reply) {
    let challenge = match status {
        401 => "www-authenticate: Bearer error=\"invalid_token\"\r\n".to_owned(),
        403 => "www-authenticate: Bearer error=\"insufficient_scope\", scope=\"files.write\"\r\n"
            .to_owned(),
        302 => format!("location: {}\r\n", body.as_str().unwrap_or_default()),
        _ => String::new(),
    };
    let body = match body {
        Value::Null => String::new(),
        body => body.to_string(),
    };
    let head = format!(
        "HTTP/1.1 {status} X\r\n{challenge}content-type: application/json\r\ncontent-length: {}\r\n\
         connection: close\r\n\r\n",
        body.len()
    );
    // A client that is gone needs no answer.
    let _gone = stream.write_all((head + &body).as_bytes()).await;
}

/// Both servers, with tokens `token-1`, `token-2` and so on.
pub(crate) struct Authorized {
    pub(crate) tools: Listening,
    pub(crate) issuer: Listening,
    pub(crate) rules: Arc<Mutex<TokenRules>>,
}

/// The behaviour of the two.
#[derive(Debug, Default)]
pub(crate) struct TokenRules {
    issued: usize,
    pub(crate) expires_in: Option<u64>,
    /// Tokens up to this number are refused.
    pub(crate) refused: usize,
    /// The answer to a call, in place of its result.
    pub(crate) call: Option<Reply>,
    /// Fields of the issuer's metadata in place of the right ones.
    pub(crate) metadata: BTreeMap<&'static str, Value>,
    /// Fields of the server's metadata in place of the right ones.
    pub(crate) resource: BTreeMap<&'static str, Value>,
    /// The error with which no token is given.
    pub(crate) error: Option<&'static str>,
    /// The client's public key, if only an assertion proves the client.
    pub(crate) public_key: Option<Vec<u8>>,
    /// The audience of its assertions, if it is not the issuer.
    pub(crate) audience: Option<String>,
    /// Identifiers of the assertions so far.
    assertions: BTreeSet<String>,
}

impl Authorized {
    pub(crate) async fn start() -> Self {
        let (tools, issuer) = (Listening::start().await, Listening::start().await);
        let rules = Arc::new(Mutex::new(TokenRules::default()));
        let (own, shared) = (issuer.url.clone(), Arc::clone(&rules));
        issuer.answers(move |request| {
            let mut rules = shared.lock().unwrap();
            match request.line.as_str() {
                "GET /.well-known/oauth-authorization-server" => {
                    let mut metadata = json!({
                        "issuer": own, "token_endpoint": format!("{own}/token"),
                    });
                    for (field, value) in &rules.metadata {
                        metadata[*field] = value.clone();
                    }
                    (200, metadata)
                }
                "POST /token" => {
                    if let Some(error) = rules.error {
                        let told = json!({ "error": error, "error_description": ECHO });
                        return (400, told);
                    }
                    if !rules.is_proved(&request.body, &own) {
                        return (401, json!({ "error": "invalid_client" }));
                    }
                    rules.issued += 1;
                    let mut token = json!({
                        "access_token": format!("token-{}", rules.issued),
                        "token_type": "Bearer", "scope": "files.read",
                    });
                    if let Some(seconds) = rules.expires_in {
                        token["expires_in"] = json!(seconds);
                    }
                    (200, token)
                }
                _ => (404, Value::Null),
            }
        });
        let (own, at, shared) = (tools.url.clone(), issuer.url.clone(), Arc::clone(&rules));
        tools.answers(move |request| {
            let rules = shared.lock().unwrap();
            match request.line.as_str() {
                "GET /.well-known/oauth-protected-resource/mcp" => {
                    let mut metadata = json!({
                        "resource": format!("{own}/mcp"), "authorization_servers": [at],
                    });
                    for (field, value) in &rules.resource {
                        metadata[*field] = value.clone();
                    }
                    (200, metadata)
                }
                "POST /mcp" => answer(request, &rules),
                _ => (405, Value::Null),
            }
        });
        Self {
            tools,
            issuer,
            rules,
        }
    }

    pub(crate) fn set(&self, change: impl FnOnce(&mut TokenRules)) {
        change(&mut self.rules.lock().unwrap());
    }

    pub(crate) fn settings() -> OauthSettings {
        OauthSettings {
            client_id: "jarvis".to_owned(),
            credential: ClientCredential::Secret(ClientSecret::new(SECRET)),
            scope: None,
            issuer: None,
            token_endpoint: None,
            private: false,
            ca_file: None,
        }
    }

    /// A client with this key.
    pub(crate) fn with_key(pem: &str, audience: Option<String>) -> OauthSettings {
        OauthSettings {
            credential: ClientCredential::Key {
                key: ClientKey::parse(pem, None).unwrap(),
                audience,
            },
            ..Self::settings()
        }
    }

    /// Makes the authorization server believe nothing but the signatures of a new key, and returns that key.
    pub(crate) fn wants_key(&self) -> String {
        let (pem, public) = new_key();
        self.set(|rules| {
            let methods = json!(["private_key_jwt"]);
            rules
                .metadata
                .insert("token_endpoint_auth_methods_supported", methods);
            rules.public_key = Some(public);
        });
        pem
    }

    pub(crate) fn connection(&self, oauth: OauthSettings) -> McpConnection {
        let http = HttpSettings::new(&format!("{}/mcp", self.tools.url), None, Vec::new(), None);
        let http = http.unwrap().with_sign_in(oauth).unwrap();
        McpConnection::new(ServerSettings {
            name: "tools".to_owned(),
            transport: ServerTransport::Http(http),
            start_timeout: Duration::from_secs(20),
            message_bytes: 1024 * 1024,
        })
    }

    /// The number of requests for a token.
    pub(crate) fn asked(&self) -> usize {
        self.issuer.seen("POST /token").len()
    }
}

/// A new key of a client in PEM, and its public key.
pub(crate) fn new_key() -> (String, Vec<u8>) {
    let (algorithm, random) = (&ECDSA_P256_SHA256_FIXED_SIGNING, SystemRandom::new());
    let der = EcdsaKeyPair::generate_pkcs8(algorithm, &random).unwrap();
    let pair = EcdsaKeyPair::from_pkcs8(algorithm, der.as_ref(), &random).unwrap();
    let base64 = BASE64_STANDARD.encode(der);
    let pem = format!("-----BEGIN PRIVATE KEY-----\n{base64}\n-----END PRIVATE KEY-----\n");
    (pem, pair.public_key().as_ref().to_vec())
}

impl TokenRules {
    /// True if a request for a token proves the client. An assertion does so once.
    fn is_proved(&mut self, form: &str, issuer: &str) -> bool {
        let Some(public_key) = &self.public_key else {
            return true;
        };
        let form = Url::parse(&format!("http://form/?{form}")).unwrap();
        let field = |name: &str| {
            let mut fields = form.query_pairs();
            let found = fields.find_map(|(field, value)| (field == name).then_some(value));
            found.unwrap_or_default().into_owned()
        };
        let assertion = field("client_assertion");
        let (signed, signature) = assertion.rsplit_once('.').unwrap_or_default();
        let read = |part: &str| BASE64_URL_SAFE_NO_PAD.decode(part).unwrap_or_default();
        let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, public_key);
        if key.verify(signed.as_bytes(), &read(signature)).is_err() {
            return false;
        }
        let (header, claims) = signed.split_once('.').unwrap();
        let header: Value = serde_json::from_slice(&read(header)).unwrap();
        let claims: Value = serde_json::from_slice(&read(claims)).unwrap();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        let ends = claims["exp"].as_u64().unwrap();
        let audience = self.audience.as_deref().unwrap_or(issuer);
        let number = claims["jti"].as_str().unwrap().to_owned();
        let kind = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
        field("client_assertion_type") == kind
            && field("client_id") == "jarvis"
            && header["alg"] == "ES256"
            && claims["iss"] == "jarvis"
            && claims["sub"] == "jarvis"
            && claims["aud"] == audience
            && (now.as_secs()..now.as_secs() + 300).contains(&ends)
            && self.assertions.insert(number)
    }
}

/// The answer of an MCP server of the older revision, without sessions.
fn answer(request: &Seen, rules: &TokenRules) -> Reply {
    let token = request.authorization.as_deref();
    let token = token.and_then(|it| it.strip_prefix("Bearer token-"));
    let number = token.and_then(|it| it.parse::<usize>().ok());
    if number.is_none_or(|number| number <= rules.refused || number > rules.issued) {
        return (401, Value::Null);
    }
    let message: Value = serde_json::from_str(&request.body).unwrap();
    let result = match message["method"].as_str() {
        Some("initialize") => json!({
            "protocolVersion": "2025-11-25", "capabilities": { "tools": {} },
            "serverInfo": { "name": "tools", "version": "1" },
        }),
        Some("tools/list") => json!({
            "tools": [{ "name": "act", "inputSchema": { "type": "object" } }],
        }),
        Some("tools/call") => match rules.call.clone() {
            Some(reply) => return reply,
            None => json!({ "content": [{ "type": "text", "text": "done" }] }),
        },
        Some(method) if method.starts_with("notifications/") => return (202, Value::Null),
        _ => {
            let error = json!({ "code": -32601, "message": "Method not found" });
            return (
                200,
                json!({ "jsonrpc": "2.0", "id": message["id"], "error": error }),
            );
        }
    };
    (
        200,
        json!({ "jsonrpc": "2.0", "id": message["id"], "result": result }),
    )
}
