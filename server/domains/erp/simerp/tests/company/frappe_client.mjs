// Drives the company with frappe-js-sdk, the client that developers of Frappe's own apps use. From the environment
// come BASE_URL, the keys (KEY:SECRET) AGENT, MANAGER, READER and NARROW, and the agent's PASSWORD; the package is
// found from the folder in JARVIS_END2END.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import path from "node:path";

const { BASE_URL: url, AGENT: agent, MANAGER: manager, READER: reader, NARROW: narrow } = process.env;
const { PASSWORD, JARVIS_END2END } = process.env;
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

// Each list and document as its reader may have it.
assert.equal((await failed(new FrappeApp(url).db().getDocList("Customer"))).httpStatus, 403);
assert.equal((await failed(db.getDoc("No such type", "x"))).httpStatus, 404);
assert.equal((await db.getDocList("GL Entry")).length, 20);
assert.ok((await db.getDocList("GL Entry", { limit: 0 })).length > 20);
const everybody = await db.getDocList("Customer", { limit: 0 });
const seen = await app(narrow).db().getDocList("Customer", { limit: 0 });
assert.ok(seen.length > 0 && seen.length < everybody.length, `${seen.length} of ${everybody.length}`);

// Drafts: links, tables, nulls, single values, and what a GET leaves behind.
const head = { company: "Aldergate Cycles", delivery_date: "2027-12-24" };
const lost = { ...head, customer: "Nobody at all", items: [{ item_code: "PUMP", qty: 1 }] };
assert.equal((await failed(db.createDoc("Sales Order", lost))).exc_type, "LinkValidationError");
const rows = [{ item_code: "PUMP", qty: 2 }, { item_code: "LOCK-U", qty: 1 }];
const draft = await db.createDoc("Sales Order", { ...head, customer: "Merlin Bikes", items: rows });
const replaced = await db.updateDoc("Sales Order", draft.name, { items: [{ item_code: "LOCK-U", qty: 3 }] });
assert.deepEqual(replaced.items.map((row) => row.item_code), ["LOCK-U"]);
assert.ok(!Object.values(await db.getDoc("Sales Order", draft.name)).includes(null));
await db.setValue("Sales Order", draft.name, "po_no", "SDK-2");
const unkept = { doctype: "Sales Order", name: draft.name, fieldname: "po_no", value: "SDK-3" };
await app(agent).call().get("frappe.client.set_value", unkept);
assert.equal((await db.getDoc("Sales Order", draft.name)).po_no, "SDK-2");

// What others hang on stays; a journal entry keeps its own submit for itself.
const [billed] = await db.getDocList("Sales Order", {
  filters: [["docstatus", "=", 1], ["per_billed", ">", 0]], limit: 1,
});
assert.equal((await failed(db.cancel("Sales Order", billed.name))).exc_type, "LinkExistsError");
assert.equal((await failed(app(manager).db().deleteDoc("Sales Order", billed.name))).httpStatus, 417);
const [journal] = await db.getDocList("Journal Entry", { filters: [["docstatus", "=", 0]], limit: 1 });
const hidden = failed(app(agent).axios.post(`/api/resource/Journal%20Entry/${journal.name}`, { run_method: "submit" }));
assert.equal((await hidden).response.status, 403);

const call = app(agent).call();
const found = await call.get("frappe.desk.search.search_link", { doctype: "Customer", txt: "kestrel" });
assert.equal(found.message.length, 2);
const note = await call.post("frappe.desk.form.utils.add_comment", {
  reference_doctype: "Customer", reference_name: "Merlin Bikes", content: "Call them back",
  comment_email: "agent@aldergate.example", comment_by: "Agent",
});
assert.equal(note.message.content, "Call them back");

const bytes = Buffer.from([0xff, 0x00, 0x0d, 0x0a, 0x2d, 0x2d, 0x61]);
const target = { isPrivate: true, doctype: "Customer", docname: "Merlin Bikes", fieldname: "image" };
const send = (key, name, content, more = {}) =>
  app(key).file().uploadFile(new File([content], name), { ...target, ...more });
const { data: { message: file } } = await send(agent, "contract.pdf", bytes);
assert.equal(file.doctype, "File");
assert.equal(file.file_url, "/private/files/contract.pdf");
assert.equal(file.file_size, bytes.length);
assert.equal(file.owner, "agent@aldergate.example");
const files = await db.getDocList("File", {
  fields: ["name", "attached_to_field"], filters: [["attached_to_name", "=", "Merlin Bikes"]],
});
assert.deepEqual(files, [{ name: file.name, attached_to_field: "image" }]);
// The same name has another address for other content, and the same one for the same content.
const other = await send(agent, "contract.pdf", "other words");
assert.match(other.data.message.file_url, /^\/private\/files\/contract\w{6}\.pdf$/);
assert.equal((await send(agent, "contract.pdf", bytes)).data.message.file_url, file.file_url);
const outside = await send(agent, "../../etc/a.txt", "x", { isPrivate: false });
assert.equal(outside.data.message.file_url, "/files/....etca.txt");
const linked = await app(agent).file().uploadFile(null, { ...target, file_url: "https://files.example/a.pdf" });
assert.equal(linked.data.message.file_url, "https://files.example/a.pdf");
assert.equal((await failed(app(agent).file().uploadFile(null, target))).httpStatus, 417);
// Who may not write the document attaches nothing to it.
assert.equal((await failed(send(reader, "note.txt", "x"))).httpStatus, 403);
assert.equal((await failed(new FrappeApp(url).file().uploadFile(new File(["x"], "x"), target))).httpStatus, 403);

// Sessions: the SDK leaves cookies to the browser, so they are handed on here.
const signIn = async (password) => {
  const guest = new FrappeApp(url);
  let headers;
  guest.axios.interceptors.response.use((response) => {
    headers = response.headers;
    return response;
  });
  const welcome = await guest.auth().loginWithUsernamePassword({ username: "agent@aldergate.example", password });
  assert.equal(welcome.message, "Logged In");
  const cookie = headers["set-cookie"].map((it) => it.split(";")[0]).join("; ");
  const own = (more) => new FrappeApp(url, undefined, undefined, { Cookie: cookie, ...more });
  return { reading: own({}), writing: own({ "X-Frappe-CSRF-Token": headers["x-simulated-csrf-token"] }) };
};
const wrong = await failed(signIn("guess"));
assert.equal(wrong.httpStatus, 401);
assert.equal(wrong.exc_type, "AuthenticationError");
const [first, second] = [await signIn(PASSWORD), await signIn(PASSWORD)];
assert.equal(await first.reading.auth().getLoggedInUser(), "agent@aldergate.example");
const forged = await failed(first.reading.db().updateDoc("Customer", "Merlin Bikes", { territory: "South" }));
assert.equal(forged.httpStatus, 400);
assert.equal(forged.exc_type, "CSRFTokenError");
// The token of another session is none.
const [cookie, token] = [first.reading, second.writing].map((it) => it.customHeaders);
const mixed = new FrappeApp(url, undefined, undefined, { ...token, ...cookie });
assert.equal((await failed(mixed.auth().logout())).exc_type, "CSRFTokenError");
const named = await first.writing.db().createDoc("Customer", { customer_name: "By a session" });
assert.equal(named.owner, "agent@aldergate.example");
await first.writing.auth().logout();
assert.equal((await failed(first.reading.auth().getLoggedInUser())).httpStatus, 403);
assert.equal(await second.reading.auth().getLoggedInUser(), "agent@aldergate.example");
console.log("every case passed");
