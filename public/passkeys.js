// Passkeys on the sign-in page and in the settings. Everything else on these pages works without.
"use strict";
(() => {
  const box = document.querySelector("[data-passkey]");
  if (!box) return;
  const button = box.querySelector("button");
  const note = box.querySelector("[role=status]");
  const say = (text, link) => {
    note.textContent = text;
    if (!link) return;
    const anchor = document.createElement("a");
    anchor.href = link;
    anchor.textContent = link;
    note.append(" ", anchor);
  };
  const { origin, passkey: what } = box.dataset;
  if (location.origin !== origin) {
    say("Passkeys work at one address of Jarvis only:", origin + location.pathname);
    return;
  }
  if (!window.isSecureContext || !window.PublicKeyCredential || !navigator.credentials) {
    say("This browser has no passkeys. Use a password, or another browser.");
    return;
  }
  button.hidden = false;
  note.textContent = "";

  const bytes = (text) =>
    Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  const text = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer)))
      .replaceAll("+", "-")
      .replaceAll("/", "_")
      .replaceAll("=", "");
  const ids = (list) => (list ?? []).map((it) => ({ ...it, id: bytes(it.id) }));

  const ask = async (path, body) => {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify(body),
    });
    const said = await answer.json();
    if (!answer.ok) throw new Error(said.message);
    return said;
  };

  const add = async () => {
    const { publicKey } = await ask("/settings/passkeys/begin", {});
    publicKey.challenge = bytes(publicKey.challenge);
    publicKey.user.id = bytes(publicKey.user.id);
    publicKey.excludeCredentials = ids(publicKey.excludeCredentials);
    const made = await navigator.credentials.create({ publicKey });
    const credential = {
      id: made.id,
      rawId: text(made.rawId),
      type: made.type,
      response: {
        attestationObject: text(made.response.attestationObject),
        clientDataJSON: text(made.response.clientDataJSON),
      },
    };
    return ask("/settings/passkeys/add", { name: box.querySelector("input").value, credential });
  };

  const signIn = async () => {
    const { publicKey } = await ask("/sign-in/passkey/begin", {});
    publicKey.challenge = bytes(publicKey.challenge);
    publicKey.allowCredentials = ids(publicKey.allowCredentials);
    const shown = await navigator.credentials.get({ publicKey });
    const { authenticatorData, clientDataJSON, signature, userHandle } = shown.response;
    return ask("/sign-in/passkey", {
      id: shown.id,
      rawId: text(shown.rawId),
      type: shown.type,
      response: {
        authenticatorData: text(authenticatorData),
        clientDataJSON: text(clientDataJSON),
        signature: text(signature),
        userHandle: userHandle && text(userHandle),
      },
    });
  };

  const run = async () => {
    const field = box.querySelector("input");
    if (field && !field.reportValidity()) return;
    button.disabled = true;
    say("Your browser asks for the passkey.");
    try {
      const { to } = await (what === "add" ? add() : signIn());
      location.assign(to);
    } catch (error) {
      // What the browser says of a person who cancels is a page long.
      const given = error.name === "NotAllowedError" || error.name === "AbortError";
      const twice = error.name === "InvalidStateError";
      if (given) say("No passkey was given.");
      else if (twice) say("This passkey is in the list already.");
      else say(error.message);
      button.disabled = false;
    }
  };
  button.addEventListener("click", run);
  box.querySelector("input")?.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    run();
  });
})();
