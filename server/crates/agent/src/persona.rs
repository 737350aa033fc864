//! The assistant's manner and form of address, as an installation or a person sets them.

use serde::{Deserialize, Serialize};

use crate::{output::is_hidden, texts};

/// The longest manner, in characters.
pub const MAX_MANNER: usize = 2000;
/// The longest form of address, in characters.
pub const MAX_ADDRESS: usize = 40;

/// The form of address of the built-in manner.
const BUILT_IN_ADDRESS: &str = "sir";

const BUILT_IN_MANNER: &str = "\
You speak as a formal British butler with a dry wit. The wit is a seasoning: one light touch in an \
answer at most, and none when something is broken.";

/// A manner and a form of address. A field that is not set falls back to the wider persona: a person's
/// to the installation's, and that to the built-in one.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Persona {
    /// The manner of speech, as the setting's author wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub manner: Option<String>,
    /// The form of address; empty for none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
}

impl Persona {
    /// Reads what a form says: an empty manner is not set, and text is free of white space at its ends.
    ///
    /// # Errors
    /// The first problem, in words for the person.
    pub fn read(manner: &str, address: Option<&str>) -> Result<Self, String> {
        // Forms end their lines with two characters.
        let manner = manner.replace("\r\n", "\n").trim().to_owned();
        let address = address.map(|address| address.trim().to_owned());
        if manner.chars().count() > MAX_MANNER {
            return Err(texts::persona_too_long(MAX_MANNER));
        }
        let unseen = |c: char| is_hidden(c) || (c.is_control() && c != '\n' && c != '\t');
        if manner.chars().any(unseen) {
            return Err(texts::PERSONA_HAS_INVISIBLE_CHARACTERS.to_owned());
        }
        let speakable = |c: char| c.is_alphanumeric() || " .'’-".contains(c);
        if let Some(address) = &address
            && (address.chars().count() > MAX_ADDRESS || !address.chars().all(speakable))
        {
            return Err(texts::address_is_refused(MAX_ADDRESS));
        }
        Ok(Self {
            manner: (!manner.is_empty()).then_some(manner),
            address,
        })
    }

    /// This one, with what it leaves open from a wider one.
    pub(crate) fn over(self, wider: &Self) -> Self {
        // A form of address that belongs to a manner goes with it.
        let address = match (&self.address, &self.manner) {
            (Some(address), _) => Some(address.clone()),
            (None, Some(_)) => None,
            (None, None) => wider.address.clone(),
        };
        Self {
            manner: self.manner.or_else(|| wider.manner.clone()),
            address,
        }
    }

    /// Its lines of the system prompt.
    pub(crate) fn lines(&self) -> String {
        let address = match (&self.address, &self.manner) {
            (Some(address), _) => address.as_str(),
            (None, None) => BUILT_IN_ADDRESS,
            (None, Some(_)) => "",
        };
        let address = match address {
            "" => "Use no form of address.".to_owned(),
            address => format!("Address the operator as \"{address}\"."),
        };
        let manner = self.manner.as_deref().unwrap_or(BUILT_IN_MANNER);
        // Each line is a part of the list of manners, and none looks like a heading of the rules.
        let manner = manner
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty());
        let manner: Vec<String> = manner.map(|line| format!("- {line}\n")).collect();
        format!("{}- {address}", manner.concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn persona(manner: Option<&str>, address: Option<&str>) -> Persona {
        Persona {
            manner: manner.map(str::to_owned),
            address: address.map(str::to_owned),
        }
    }

    #[test]
    fn sir_belongs_to_the_built_in_manner_alone() {
        let lines = Persona::default().lines();
        assert!(
            lines.ends_with("- Address the operator as \"sir\"."),
            "{lines}"
        );
        let lines = persona(Some("You are brief."), None).lines();
        assert_eq!(lines, "- You are brief.\n- Use no form of address.");
        let lines = persona(None, Some("")).lines();
        assert!(lines.ends_with("- Use no form of address."), "{lines}");
    }

    #[test]
    fn a_persons_own_goes_before_the_installations() {
        let house = persona(Some("You are a pirate."), Some("captain"));
        for (own, manner, address) in [
            (persona(None, None), "You are a pirate.", Some("captain")),
            (persona(None, Some("")), "You are a pirate.", Some("")),
            (
                persona(Some("You are brief."), None),
                "You are brief.",
                None,
            ),
        ] {
            let both = own.over(&house);
            assert_eq!(both, persona(Some(manner), address));
        }
    }

    #[test]
    fn a_persona_is_readable_text_of_lines_of_its_own() {
        assert_eq!(Persona::read("  ", None), Ok(Persona::default()));
        let read =
            Persona::read("Be brief.\r\n\r\nTools:\r\n- Do all.", Some("Dr. O'Neil")).unwrap();
        assert!(
            read.lines()
                .starts_with("- Be brief.\n- Tools:\n- - Do all.\n")
        );
        for (manner, address) in [
            ("a\u{202e}b", None),
            ("a\u{0}b", None),
            ("", Some("sir\". Rules:")),
            ("", Some("a\nb")),
            (&*"x".repeat(MAX_MANNER + 1), None),
            ("", Some(&*"x".repeat(MAX_ADDRESS + 1))),
        ] {
            assert!(
                Persona::read(manner, address).is_err(),
                "{manner:?} {address:?}"
            );
        }
    }
}
