//! `[[markets.symbols]]`: what is traded beside the pairs that are built in, or otherwise than these are.

use markets::{
    Instrument,
    symbols::{SymbolEntry, instruments},
};
use toml::Spanned;

use super::texts;
use crate::config::Reader;

/// Reads the declared symbols; none of them if one is wrong, and everything that is wrong is reported.
pub(super) fn read(r: &mut Reader<'_>) -> Vec<Instrument> {
    let entries: Vec<Spanned<SymbolEntry>> = r.table(
        "markets.symbols",
        "Beside EURUSD, GBPUSD and USDJPY you can declare metals, coins, indices and shares. `kind` is \
         forex, metal, crypto, index or stock; `pip` is a size, and the last digit if left out; `base` \
         is the currency that is traded, if it is one, and `contract` that of the CFTC's reports. \
         Without a session it is always traded, with days in UTC. A session that closes no later than \
         it opens began on the evening before; its `days` are those on which it closes. What was \
         declared once keeps its digits. One of the three pairs that is declared replaces the built-in \
         one, whose digits it keeps.",
        "[[markets.symbols]]\n\
         name = \"ACME\"\n\
         label = \"Acme\"\n\
         kind = \"stock\"\n\
         digits = 2\n\
         pip = 0.01\n\
         quote = \"USD\"\n\
         session = { zone = \"America/New_York\", opens = \"09:30\", closes = \"16:00\" }\n\
         timeframes = [\"M5\", \"H1\", \"D1\"]",
    );
    let parts = entries
        .into_iter()
        .map(|entry| (entry.span().start, entry.into_inner()));
    let (offsets, entries): (Vec<usize>, Vec<SymbolEntry>) = parts.unzip();
    match instruments(entries) {
        Ok(found) => found,
        Err(faults) => {
            for (place, fault) in faults {
                let source = r.source_at(offsets.get(place).copied().unwrap_or_default());
                r.refuse(&source, texts::symbol_is_wrong(&fault, fault.code()));
            }
            Vec::new()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::{Markets, MarketsOptions};
    use crate::{
        config::{Config, Flags},
        domains::Domain,
    };

    fn read(text: &str) -> Result<Vec<String>, Vec<String>> {
        let flags = Flags {
            data_dir: Some("/data".into()),
            ..Flags::default()
        };
        let sections = [Markets.section()];
        let config = Config::read(&flags, Path::new("jarvis.toml"), text, [], &sections);
        let config =
            config.map_err(|all| all.iter().map(ToString::to_string).collect::<Vec<_>>())?;
        let options = config.domain::<MarketsOptions>().unwrap();
        Ok(options.symbols.iter().map(|it| it.name.clone()).collect())
    }

    #[test]
    fn symbols_are_declared_and_each_mistake_has_its_line_and_code() {
        let gold = "[[markets.symbols]]\nname = \"XAUUSD\"\nkind = \"metal\"\n\
                    digits = 2\nquote = \"USD\"\n";
        let coin = gold.replace("XAUUSD", "BTCUSD").replace("metal", "crypto");
        assert_eq!(read("").unwrap(), [""; 0]);
        assert_eq!(
            read(&format!("{gold}{coin}")).unwrap(),
            ["XAUUSD", "BTCUSD"]
        );
        for (text, expect) in [
            (gold.replace("digits = 2", "digits = 0"), "(symbol_digits)"),
            (format!("{gold}pip = 0\n"), "(symbol_pip)"),
            (
                format!("{gold}{gold}"),
                "markets.symbols: XAUUSD is declared already",
            ),
            (format!("{gold}{gold}"), "(symbol_duplicate)"),
            (format!("{gold}pips = 1\n"), "unknown field `pips`"),
            (gold.replace("metal", "tulips"), "unknown variant `tulips`"),
            (
                gold.repeat(10_000).replacen("XAU", "XAG", 1),
                "(symbols_too_many)",
            ),
        ] {
            let problems = read(&text).unwrap_err();
            assert!(problems.len() < 100, "{}", problems.len());
            let found = problems.iter().any(|problem| problem.contains(expect));
            assert!(found, "{expect}: {problems:?}");
        }
    }
}
