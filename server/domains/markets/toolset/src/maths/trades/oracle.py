"""Records what two libraries of others say about histories of trades, for the tests beside it.

    python3 -m venv venv && venv/bin/pip install vectorbt==1.2.0 empyrical-reloaded==0.7.1
    venv/bin/python oracle.py

vectorbt gets two rows a trade (1,000, then 1,000 and the profit), one unit, no fees; empyrical gets
the returns of each trade on the running balance. Neither counts streaks: those are counted here.
Money is in hundredths, the start is 1,000.
"""

import json
import pathlib
import random

import empyrical
import numpy as np
import pandas as pd
import vectorbt as vbt

START = 1_000.0


def histories() -> dict[str, list[int]]:
    chance = random.Random(7)
    cases = {
        "golden": [10_000, 15_000, -6_000, -4_000, 0, 8_000, -3_000, 6_000, 0, -3_000, 4_000],
        "falls at once": [-10_000, -4_500, 20_000],
        "one win": [5_000],
        "one loss": [-5_000],
        "no loss": [100, 200, 0, 300],
        "no win": [-100, -200, -300],
    }
    for index in range(8):
        length = chance.randrange(5, 60)
        cases[f"chance {index}"] = [chance.randrange(-2_000, 2_100) for _ in range(length)]
    return cases


def streak(nets: list[float], sign: int) -> int:
    longest = run = 0
    for net in nets:
        if net * sign > 0:
            run += 1
        elif net != 0:
            run = 0
        longest = max(longest, run)
    return longest


def case(name: str, hundredths: list[int]) -> dict:
    nets = [net / 100 for net in hundredths]
    prices = [price for net in nets for price in (1_000.0, 1_000.0 + net)]
    close = pd.Series(prices, index=pd.RangeIndex(len(prices)))
    entries = pd.Series([index % 2 == 0 for index in range(len(prices))])
    portfolio = vbt.Portfolio.from_signals(
        close, entries, ~entries, size=1.0, fees=0.0, init_cash=1_000_000.0, freq="1h"
    )
    trades = portfolio.trades.closed
    assert trades.count() == len(nets)
    assert np.allclose(sorted(trades.pnl.values), sorted(nets))
    balance = np.concatenate([[START], START + np.cumsum(nets)])
    returns = pd.Series(balance[1:] / balance[:-1] - 1)
    losses = trades.losing.count()
    return {
        "name": name,
        "net": hundredths,
        "wins": int(trades.winning.count()),
        "losses": int(losses),
        "win_rate": float(trades.win_rate()),
        "profit_factor": float(trades.profit_factor()) if losses else None,
        "expectancy": float(trades.expectancy()),
        "max_drawdown_ratio": abs(float(empyrical.max_drawdown(returns))),
        "longest_wins": streak(nets, 1),
        "longest_losses": streak(nets, -1),
    }


def main() -> None:
    golden = [case(name, nets) for name, nets in histories().items()]
    text = ",\n".join(json.dumps(each) for each in golden)
    pathlib.Path(__file__).with_name("golden.json").write_text(f"[\n{text}\n]\n")


if __name__ == "__main__":
    main()
