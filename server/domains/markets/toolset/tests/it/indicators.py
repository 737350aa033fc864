"""Answers with values of TA-Lib, the indicators that most programs have, for the same candles.

Reads one JSON object: `candles`, each a list of time, open, high, low, close and volume, and
`wanted`, a list of objects: `name` and `params` of an indicator, and `since` and `until`, which
bound the candles that it is computed from. Writes a list with the newest values of each, in
TA-Lib's order, null where there is none.
"""

import json
import math
import sys

import numpy
import talib

GIVEN = json.load(sys.stdin)
_, _, HIGH, LOW, CLOSE, _ = (
    numpy.array(column, dtype=float) for column in zip(*GIVEN["candles"], strict=True)
)


def series(name: str, params: list[int], part: slice) -> tuple:
    high, low, close = HIGH[part], LOW[part], CLOSE[part]
    match name, params:
        case "SMA", [period]:
            return (talib.SMA(close, period),)
        case "EMA", [period]:
            return (talib.EMA(close, period),)
        case "RSI", [period]:
            return (talib.RSI(close, period),)
        case "ATR", [period]:
            return (talib.ATR(high, low, close, period),)
        case "BBANDS", [period, width]:
            return talib.BBANDS(close, period, width, width)
        case "MACD", [quick, steady, smooth]:
            return talib.MACD(close, quick, steady, smooth)
    raise ValueError(f"no indicator is called {name} with {params}")


def newest(wanted: dict) -> list[float | None]:
    part = slice(wanted["since"], wanted["until"])
    lines = series(wanted["name"], wanted["params"], part)
    return [None if math.isnan(line[-1]) else line[-1] for line in lines]


json.dump([newest(wanted) for wanted in GIVEN["wanted"]], sys.stdout)
