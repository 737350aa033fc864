//! Sentences of the interface's description.

pub(crate) const SESSION_OF_A_DEVICE: &str = "`Device` and the token that the device got for its session. It \
     opens nothing but `/api/v1/device`, and no token of a program opens that.";
pub(crate) const IDEMPOTENCY_KEY: &str = "A random word of your own for this request. Sent again with the \
     same key it is the same bundle.";
pub(crate) const DIAGNOSTICS: &str = "Takes diagnostics of a site in: texts in sections, in which secrets are \
     removed and values hidden before anything is kept.";
pub(crate) const TAKEN: &str = "The bundle, and the number of hidden values by class.";
pub(crate) const ENROL: &str = "Enrols a device with its one-time token.";
pub(crate) const CHALLENGE: &str = "Begins a session: gives a number to sign.";
pub(crate) const OPEN_SESSION: &str =
    "Opens the session with the device's signature: gives its token.";
pub(crate) const HELLO: &str =
    "Takes the device's facts, abilities and journal in after a session has begun.";
pub(crate) const CLAIM: &str = "Waits for work, for 45 seconds at most, and claims it.";
pub(crate) const NO_WORK: &str = "There was no work in this time.";
pub(crate) const START: &str = "Asks whether the job may start, and starts it: approval, policy, expiry and \
     kill switch are checked again.";
pub(crate) const RENEW: &str = "Renews the claim of a job.";
pub(crate) const REFUSE: &str = "Says that the device does not run a job, and why.";
pub(crate) const END: &str = "Says how a job has ended.";
pub(crate) const LOG: &str =
    "Appends a piece to a job's output. 409 names the offset to go on from.";
pub(crate) const BUNDLE: &str = "Begins a bundle of diagnostics.";
pub(crate) const SECTION: &str =
    "Appends a piece to a section of a bundle. 409 names the offset to go on from.";
pub(crate) const ROOT: &str =
    "Reads a version of the root document, which names the keys that count.";
pub(crate) const UPDATE: &str =
    "Reads the newest release of the runner for an architecture, signed by the update keys.";
pub(crate) const ARCHITECTURE: &str = "The architecture of the device, such as `aarch64`.";
pub(crate) const PROGRAM: &str =
    "Reads a piece of the program of a release. It is empty behind the end of the program.";
pub(crate) const PROGRAM_DIGEST: &str = "The digest of the program, as the release names it.";
pub(crate) const JOB: &str = "The job, as the claim named it.";
pub(crate) const STREAM: &str = "`out`, `err` or `step`.";
pub(crate) const EPOCH: &str = "The epoch of the claim.";
pub(crate) const OFFSET: &str = "Bytes of the text before this piece.";
pub(crate) const CLAIM_SECRET: &str = "The secret of the claim.";
pub(crate) const BUNDLE_ID: &str = "The bundle, as its beginning named it.";
pub(crate) const SECTION_NAME: &str = "Its name, as the bundle's beginning announced it.";
pub(crate) const ROOT_VERSION: &str = "The version, from 1.";
pub(crate) const ANSWER: &str =
    "Done. The answer has the server's time in milliseconds in `Jarvis-Time`.";
