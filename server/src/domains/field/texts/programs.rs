//! Sentences for programs: errors, and the description of their routes.

pub(crate) const HELP_VALUES: &str =
    "Name a device, a bundle, a proposal or a run, and tokens of what was read of it.";
pub(crate) const NO_SUCH_PHASE: &str = "There is no such phase of a run.";

pub(crate) const LIST_DEVICES: &str =
    "Lists the field devices. Reads give tokens in place of values.";
pub(crate) const READ_DEVICE: &str = "Reads a device with its own report.";
pub(crate) const READ_VALUES: &str = "Gives the values of tokens on a thing, 500 at most. The token of this \
     request has to be one that may act; each look is recorded, with the person and the thing.";
pub(crate) const LIST_BUNDLES: &str = "Lists bundles of diagnostics, newest first.";
pub(crate) const READ_BUNDLE: &str = "Reads a bundle: its sections, and what its tokens mean.";
pub(crate) const READ_SECTION: &str =
    "Reads the text of a section, with tokens in place of values.";
pub(crate) const EXPORT_BUNDLE: &str = "Reads a bundle in the form for others: addresses are replaced by others \
     that share prefixes as the real ones do, and no site or device is named. Each export has a random key \
     of its own, and is recorded like a look at values. The token of this request has to be one that may act.";
pub(crate) const LIST_PROPOSALS: &str = "Lists proposals of scripts, newest first.";
pub(crate) const READ_PROPOSAL: &str = "Reads a version of a proposal.";
pub(crate) const PROPOSE: &str = "Begins a call that judges a script of typed steps by the policy and keeps it as a \
     proposal, or as a new version of one. It runs nothing: beginFieldRun asks for a run, and a person decides. \
     The state of the call is at the address in `Location`, with `proposal`, `version` and the risk as its result.";
pub(crate) const CHECK_PROPOSAL: &str = "Begins a call that judges a version by the policy as things are now, \
     and keeps nothing. Its state and result are at the address in `Location`.";
pub(crate) const LIST_RUNS: &str = "Lists runs, newest first.";
pub(crate) const BEGIN_RUN: &str = "Begins the call of a run, like startRun: a person decides on its card, and \
     nothing is queued before. `Location` is the address of the call; with its `call` listFieldRuns finds the \
     run.";
pub(crate) const READ_RUN: &str = "Reads a run: its state, the results of its steps, its package.";
pub(crate) const CANCEL_RUN: &str = "Begins a call that cancels a run, or asks its device to end it. The state \
     of the call is at the address in `Location`.";
pub(crate) const FOLLOW_RUN: &str = "Streams the output of a run with tokens in place of values, in whole \
     lines, to its end.";

pub(crate) const FOLLOW_FIELD: &str = "Streams what happens to devices, bundles, proposals and runs: identifiers \
     and words, without any text that is hidden from somebody.";

pub(crate) const DEVICE: &str = "The device, as listFieldDevices names it.";
pub(crate) const BUNDLE: &str = "The bundle, as listFieldBundles names it.";
pub(crate) const SECTION: &str = "The name of the section.";
pub(crate) const PROPOSAL: &str = "The proposal, as listFieldProposals names it.";
pub(crate) const RUN: &str = "The run, as listFieldRuns names it.";
pub(crate) const OF_SITE: &str = "Those of this site alone.";
pub(crate) const OF_DEVICE: &str = "Those of this device alone.";
pub(crate) const KIND: &str = "`device`, `bundle`, `proposal` or `run`.";
pub(crate) const THING: &str = "The identifier of the thing.";
pub(crate) const TOKENS: &str = "Tokens, separated by commas.";
pub(crate) const VENDORS: &str = "`shown` keeps the part of a hardware address that names its vendor; \
     `hidden`, as without it, replaces all of it.";
pub(crate) const VERSION: &str = "The version, from 1; the newest one without it.";
pub(crate) const PHASES: &str = "Phases, separated by commas.";
pub(crate) const OF_CALL: &str =
    "The run of this call, if it has one yet; the rest is then left out.";
pub(crate) const LAST_PLACE: &str =
    "The `id` of the last event that arrived; the stream goes on after it.";
pub(crate) const AFTER: &str = "The same, for a client that cannot set headers.";

pub(crate) const A_PAGE: &str = "A page of the list.";
pub(crate) const THE_DEVICE: &str = "The device.";
pub(crate) const THE_VALUES: &str = "The values.";
pub(crate) const THE_BUNDLE: &str = "The bundle.";
pub(crate) const THE_SECTION: &str = "The text.";
pub(crate) const THE_EXPORT: &str = "The bundle for others.";
pub(crate) const THE_VERSION: &str = "The version.";
pub(crate) const THE_RUN: &str = "The run.";
pub(crate) const BEGUN: &str = "The call has begun; `Location` is the address of its state.";
pub(crate) const EVENTS: &str = "Server-sent events. `output`: lines of a `stream` (`out` or `err`), with a \
     place as `id`; `left_out` counts the bytes of a line that is too long to be shown. `run`: the run, when \
     its state has changed. `gap`: the place in Last-Event-ID is none of this run; forget what you have, all \
     of it follows. `end`: the stream ends because of `reason`: `done`, `run_gone`, `failed`, `restart` \
     (connect again), `signed_out`, `role_lowered`. Each 15 quiet seconds there is a comment.";
pub(crate) const FIELD_EVENTS: &str = "Server-sent events. `device`, `bundle`, `proposal`, `run`: what happened to \
     one, with a number as `id`. `begin`: the first event of a stream that names no place; what happened before is \
     in the lists, and what comes after is in the stream. `gap`: events behind the place in Last-Event-ID are no \
     longer kept, or it is none of this server; read the lists again, the stream goes on with what comes now. The \
     newest 20,000 are kept. `end`: the stream ends because of `reason`: `failed`, `restart` (connect again), \
     `signed_out`, `role_lowered`. Each 15 quiet seconds there is a comment.";
