// The service worker. It keeps the files of the site whose names have a hash, and the page that says
// that Jarvis cannot be reached. It never keeps a page or an answer: what the screen says is so.
"use strict";

// `BUILD` and the name of the style sheet are filled in when the site is packed, so that another build
// is another worker with a cache of its own.
const CACHE = "jarvis-BUILD";
const OFFLINE = "/offline.html";
const SHELL = [OFFLINE, "/offline.js", "/favicon.svg", "/main.css", "/pages.css"];

self.addEventListener("install", (event) => {
  const keep = async () => {
    const cache = await caches.open(CACHE);
    // Past the browser's own cache: what is kept is of this build.
    await cache.addAll(SHELL.map((path) => new Request(path, { cache: "reload" })));
    await self.skipWaiting();
  };
  event.waitUntil(keep());
});

self.addEventListener("activate", (event) => {
  const take = async () => {
    for (const name of await caches.keys()) {
      if (name !== CACHE) await caches.delete(name);
    }
    // A page does not wait for this worker to wake up.
    await self.registration.navigationPreload?.enable();
    await self.clients.claim();
  };
  event.waitUntil(take());
});

// Always from the server; the offline page only if there is no answer at all.
const page = async (event) => {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return (await caches.match(OFFLINE, { cacheName: CACHE })) ?? Response.error();
  }
};

// What has a hash in its name never changes.
const file = async (event) => {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(event.request, { ignoreVary: true });
  if (kept) return kept;
  const answer = await fetch(event.request);
  if (answer.ok) event.waitUntil(cache.put(event.request, answer.clone()).catch(() => {}));
  return answer;
};

// The other files of the offline page: as the server has them, if it can be reached.
const part = async (event) => {
  try {
    return await fetch(event.request);
  } catch {
    return (await caches.match(event.request, { cacheName: CACHE, ignoreVary: true })) ?? Response.error();
  }
};

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(event));
  else if (pathname.startsWith("/assets/")) event.respondWith(file(event));
  else if (SHELL.includes(pathname)) event.respondWith(part(event));
});
