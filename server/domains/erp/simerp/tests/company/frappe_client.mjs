// Drives the company with frappe-js-sdk, the client that developers of Frappe's own apps use. BASE_URL, AGENT and
// MANAGER (KEY:SECRET) come from the environment; the package is found from the folder in JARVIS_END2END.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import path from "node:path";

const { BASE_URL: url, AGENT: agent, MANAGER: manager, JARVIS_END2END } = process.env;
const require = createRequire(path.join(path.resolve(JARVIS_END2END), "package.json"));
const { FrappeApp } = require("frappe-js-sdk");

const app = (key) => new FrappeApp(url, { useToken: true, token: () => key, type: "token" });
const db = app(agent).db();
const failed = async (promise) => {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("no error");
};

assert.equal(await app(agent).auth().getLoggedInUser(), "agent@aldergate.example");
assert.equal((await failed(app("a:b").auth().getLoggedInUser())).httpStatus, 401);

const some = await db.getDocList("Customer", { limit: 5, orderBy: { field: "name", order: "asc" } });
assert.equal(some.length, 5);
const north = await db.getDocList("Customer", {
  fields: ["name", "territory"], filters: [["territory", "=", "North"]], limit: 50,
});
assert.ok(north.length > 3 && north.every((row) => row.territory === "North"));
assert.equal(await db.getCount("Customer", [["territory", "=", "North"]]), north.length);

const missing = await failed(db.getDoc("Customer", "No such"));
assert.equal(missing.httpStatus, 404);
assert.equal(missing.exc_type, "DoesNotExistError");

const order = await db.createDoc("Sales Order", {
  customer: "Merlin Bikes", company: "Aldergate Cycles", delivery_date: "2027-12-24",
  items: [{ item_code: "PUMP", qty: 2 }],
});
assert.equal(order.docstatus, 0);
const changed = await db.updateDoc("Sales Order", order.name, { po_no: "SDK-1" });
assert.equal(changed.po_no, "SDK-1");
const value = await db.getValue("Sales Order", "po_no", [["name", "=", order.name]]);
assert.equal(value.message.po_no, "SDK-1");
const stale = await failed(db.submit({ ...order, doctype: "Sales Order" }));
assert.equal(stale.exc_type, "TimestampMismatchError");
const fresh = await db.getDoc("Sales Order", order.name);
const submitted = await db.submit({ ...fresh, doctype: "Sales Order" });
assert.equal(submitted.docstatus ?? submitted.message?.docstatus, 1);
const fixed = await failed(db.updateDoc("Sales Order", order.name, { customer: "Isar Velo" }));
assert.equal(fixed.exc_type, "UpdateAfterSubmitError");
assert.ok(JSON.parse(JSON.parse(fixed._server_messages)[0]).message.length > 0);
await db.cancel("Sales Order", order.name);
assert.equal((await db.getDoc("Sales Order", order.name)).docstatus, 2);
const kept = await failed(db.deleteDoc("Sales Order", order.name));
assert.equal(kept.httpStatus, 403);
await app(manager).db().deleteDoc("Sales Order", order.name);
assert.equal((await failed(db.getDoc("Sales Order", order.name))).httpStatus, 404);

const twin = await failed(db.createDoc("Customer", { customer_name: "Merlin Bikes" }));
assert.equal(twin.httpStatus, 409);
const lacking = await failed(db.createDoc("Sales Order", { customer: "Merlin Bikes", delivery_date: "2027-12-24" }));
assert.equal(lacking.exc_type, "MandatoryError");

const call = app(agent).call();
const found = await call.get("frappe.desk.search.search_link", { doctype: "Customer", txt: "kestrel" });
assert.equal(found.message.length, 2);
const note = await call.post("frappe.desk.form.utils.add_comment", {
  reference_doctype: "Customer", reference_name: "Merlin Bikes", content: "Call them back",
  comment_email: "agent@aldergate.example", comment_by: "Agent",
});
assert.equal(note.message.content, "Call them back");
console.log("every case passed");
