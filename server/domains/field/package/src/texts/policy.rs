//! Reasons of risk, and refusals of the policy and of a device.

pub(crate) const BY_POLICY: &str = "the policy of this version";
pub(crate) const BY_SETTINGS: &str = "the settings of this installation";

pub(crate) const VETO_RAW: &str = "the device refuses packet sockets";
pub(crate) const VETO_SH: &str = "the device refuses free sh";
pub(crate) const VETO_RISK: &str = "the device refuses scripts of this risk";

pub(crate) fn reason(rule: &str) -> &'static str {
    match rule {
        "free_text" => "Free sh: nobody can tell beforehand what it does.",
        "unasked_destination" => {
            "A destination came out of a tool's output: not from your words, and not within the site."
        }
        "unasked_name" => {
            "A name to look up came out of a tool's output; its DNS servers see the question."
        }
        "public_destination" => {
            "A destination on the internet that the configuration does not name."
        }
        "raw_sockets" => "Needs packet sockets, which see and forge all packets on the link.",
        "sweep_32" => "Asks up to 32 addresses of a network.",
        "sweep_254" => "Asks up to 254 addresses of a network.",
        "sweep_1022" => "Asks up to 1,022 addresses of a network.",
        "line_test" => "Fills the line while it measures.",
        "line_test_metered" => "Fills a line that is paid by volume.",
        "over_60_s" => "May take more than a minute.",
        "over_180_s" => "May take more than three minutes.",
        "over_10_steps" => "Has more than ten steps.",
        "critical_device" => "The device is tagged as critical.",
        "first_run" => "This script has not run on this device before.",
        "remedy" => "Changes the device, and undoes the change unless somebody keeps it.",
        _ => "A rule of the policy applies.",
    }
}

pub(crate) fn refusal(rule: &str) -> &'static str {
    match rule {
        "many_destination" => "The destination is multicast, broadcast or no host at all.",
        "trusting_destination" => {
            "Requests to the device itself, to its link or to a cloud's metadata are refused."
        }
        "server_itself" => "The destination is this server.",
        "forbidden_network" => "The destination is in a network that the settings forbid.",
        "foreign_sweep" => "A sweep is possible in the device's own networks only.",
        "unnamed_test" => "Tests of the line are possible to servers of the configuration only.",
        "unknown_interface" => "The device has no such interface.",
        "unknown_token" => "The name is a pseudonym that belongs to no value.",
        "capability" => "The change needs CAP_NET_ADMIN, which this version does not offer.",
        "too_long" => "The script may take longer than a job is allowed to.",
        _ => "A rule of the policy refuses it.",
    }
}

pub(crate) fn unknown_rule(id: &str) -> String {
    format!("there is no rule {id:?}")
}

pub(crate) fn weaker_weight(id: &str) -> String {
    format!("the weight of {id} cannot be lower than the built-in one")
}

pub(crate) fn weaker_threshold(name: &str, most: u8) -> String {
    format!("the threshold {name} is 1 to {most}: it cannot be higher than the built-in one")
}

pub(crate) fn veto_row(row: &str) -> String {
    format!("the device refuses {row}")
}

pub(crate) fn veto_network(to: &str, network: &str) -> String {
    format!("the device refuses {to}, which is in {network}")
}

pub(crate) fn veto_names(to: &str) -> String {
    format!("the device refuses networks, and {to} may resolve into any of them")
}

pub(crate) fn veto_seconds(seconds: u32, most: u32) -> String {
    format!("the device refuses scripts of {seconds} s, more than {most} s")
}
