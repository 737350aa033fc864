"""Adds up the books of the company from its lists alone, without its engine: each voucher and each company has as
much debit as credit, and the stock is worth what the accounts of stock say. From the environment come BASE_URL and
KEY (KEY:SECRET) of a user who reads everything. Prints what was read; fails with the first sum that is not right."""

import json
import os
import urllib.parse
import urllib.request
from collections import defaultdict
from decimal import Decimal

OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def number(value):
    """Zero for nothing; without the noise of binary fractions in what was sent."""
    return round(value or Decimal(0), 8)


def rows(kind, *fields):
    query = urllib.parse.urlencode({"fields": json.dumps(["name", *fields]), "limit_page_length": 0})
    url = f"{os.environ['BASE_URL']}/api/resource/{urllib.parse.quote(kind)}?{query}"
    headers = {"Authorization": f"token {os.environ['KEY']}", "Accept": "application/json"}
    with OPENER.open(urllib.request.Request(url, headers=headers)) as answer:
        return json.load(answer, parse_float=Decimal, parse_int=Decimal)["data"]


companies = {it["name"]: it for it in rows("Company", "default_inventory_account")}
accounts = {it["name"]: it for it in rows("Account", "account_type", "company")}
warehouses = {it["name"]: it for it in rows("Warehouse", "company", "account")}
entries = rows("GL Entry", "company", "account", "debit", "credit", "voucher_type", "voucher_no", "is_cancelled")
moves = rows("Stock Ledger Entry", "item_code", "warehouse", "actual_qty", "stock_value_difference")

by_company, by_voucher, by_account = defaultdict(Decimal), defaultdict(Decimal), defaultdict(Decimal)
for it in entries:
    change = number(it["debit"]) - number(it["credit"])
    by_company[it["company"]] += change
    by_voucher[it["voucher_type"], it["voucher_no"]] += change
    by_account[it["account"]] += change
    assert accounts[it["account"]]["company"] == it["company"], it
for of, balance in [*by_company.items(), *by_voucher.items()]:
    assert round(balance, 4) == 0, f"{of} is out of balance by {balance}"
assert set(by_company) == set(companies), by_company


def account_of(warehouse):
    place = warehouses[warehouse]
    return place["account"] or companies[place["company"]]["default_inventory_account"]


worth, there = defaultdict(Decimal), defaultdict(Decimal)
for it in moves:
    worth[account_of(it["warehouse"])] += number(it["stock_value_difference"])
    there[it["item_code"], it["warehouse"]] += number(it["actual_qty"])
stock = [name for name, it in accounts.items() if it["account_type"] == "Stock"]
for name in stock:
    assert round(worth[name] - by_account[name], 4) == 0, f"{name}: {by_account[name]} booked, {worth[name]} in stock"
assert set(worth) <= set(stock), worth
for it in rows("Bin", "item_code", "warehouse", "actual_qty"):
    qty = there[it["item_code"], it["warehouse"]]
    assert round(number(it["actual_qty"]) - qty, 4) == 0, f"{it}: the moves give {qty}"

print(json.dumps({
    "lines": len(entries),
    "vouchers": len(by_voucher),
    "moves": len(moves),
    "accounts": sorted(name for name in stock if worth[name]),
}))
