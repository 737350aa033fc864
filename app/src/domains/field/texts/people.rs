//! Acts of people on devices and runs, and the page of the keys.

pub(crate) const ADD_DEVICE: &str = "Add a device";
pub(crate) const SITE: &str = "Site";
pub(crate) const NAME: &str = "Name";
pub(crate) const MAKE_TOKEN: &str = "Create the token";
pub(crate) const NEW_SITE_NOTE: &str = "A site name that isn't known yet creates a new site.";

pub(crate) const TOKEN: &str = "Enrolment token";

pub(crate) fn token_for(name: &str, site: &str) -> String {
    format!("The token for {name} at {site}.")
}

/// `until`: a date and time.
pub(crate) fn shown_once(until: &str) -> String {
    format!(
        "It is shown this once and works for one device: copy it now. It expires on {until}. If it is lost, \
         withdraw it on the page of the keys and create another one."
    )
}

pub(crate) const ON_THE_DEVICE: &str =
    "Install the package jarvis-runner on the device, then type there:";

pub(crate) fn enrol_command(server: &str, token: &str) -> String {
    format!("sudo jarvis-runner enrol --server {server} {token}")
}

/// Above a command with an address of the machine itself.
pub(crate) const NOT_REACHABLE: &str =
    "No device can reach this page's address: put the server's own in its place.";
pub(crate) const START_COMMAND: &str =
    "sudo systemctl restart jarvis-launcher.service jarvis-runner.service";
pub(crate) const COPY_COMMAND: &str = "Copy the command";
pub(crate) const THEN_ADOPT: &str = "The device prints the fingerprint of its key. It then waits on this page: compare the fingerprints, and \
     adopt it.";
pub(crate) const DONE: &str = "Done";

pub(crate) const PENDING: &str = "Waiting to be adopted";
pub(crate) const PENDING_NOTE: &str = "compare the fingerprint with the one on the device";
pub(crate) const ADOPT: &str = "Adopt";

pub(crate) const PUBLIC_HIDDEN: &str = "Public addresses are hidden.";
pub(crate) const PUBLIC_SHOWN: &str = "Public addresses are shown.";
pub(crate) const SHOW_PUBLIC: &str = "Show public addresses";
pub(crate) const HIDE_PUBLIC: &str = "Hide public addresses";

pub(crate) const RESOLVE: &str = "Resolve";
pub(crate) const ADD_FINDING: &str = "Add a finding";
pub(crate) const RESOLVE_NOTE: &str = "recorded with your name; nothing is repeated";
pub(crate) const FINDING: &str = "What was the case";
pub(crate) const REASON: &str = "How you know";
pub(crate) const RAN: &str = "It ran";
pub(crate) const DID_NOT_RUN: &str = "It did not run";
pub(crate) const CANNOT_TELL: &str = "Nobody can tell";

pub(crate) fn reason(text: &str) -> String {
    format!("“{text}”")
}

pub(crate) const KEYS: &str = "Keys";
pub(crate) const ROOT_KEY: &str = "Root key";
pub(crate) const ROOT_NOTE: &str = "devices trust what it signs";
pub(crate) const FINGERPRINT: &str = "Fingerprint";
pub(crate) const ROOT_VERSION: &str = "Root document version";
pub(crate) const EXPIRES: &str = "Expires";
pub(crate) const ROOT_IS_HERE: &str =
    "The root key is on this server. It is only needed to replace other keys: keep it elsewhere.";
pub(crate) const ROOT_IS_AWAY: &str = "The root key is kept away from this server.";
pub(crate) const OPEN_TOKENS: &str = "Open enrolment tokens";
pub(crate) const OPEN_TOKENS_NOTE: &str = "only their hashes are stored";
pub(crate) const NO_OPEN_TOKENS: &str = "No token is open.";
/// A time follows.
pub(crate) const EXPIRES_AT: &str = "expires ";
/// The age follows.
pub(crate) const MADE: &str = "created ";
pub(crate) const SIGNING_KEYS: &str = "Signing keys";
pub(crate) const DEVICE_KEYS: &str = "Device keys";
pub(crate) const NO_KEYS: &str = "None.";
pub(crate) const IN_USE: &str = "in use";
pub(crate) const REVOKED: &str = "revoked";

/// The role of a key that signs.
pub(crate) fn role(word: &str) -> &'static str {
    match word {
        "root" => "Root documents",
        "job" => "Packages of runs",
        "update" => "Versions of the runner",
        _ => "Unknown role",
    }
}
