// The page that the service worker shows when there is no answer: it tries again.
"use strict";
(() => {
  const PAUSE_MS = 3000;
  const theme = /(?:^|; )jarvis_theme=(dark|light|system)/.exec(document.cookie)?.[1];
  if (theme) document.documentElement.dataset.theme = theme;
  const note = document.querySelector("[role=status]");
  let timer;

  // The page itself is asked for again only when the server answers, so that nothing flickers.
  const look = async () => {
    clearTimeout(timer);
    const answer = await fetch("/healthz", { cache: "no-store" }).catch(() => undefined);
    if (answer?.ok) {
      if (location.pathname === "/offline.html") location.replace("/");
      else location.reload();
      return;
    }
    clearTimeout(timer);
    timer = setTimeout(look, PAUSE_MS);
  };

  document.querySelector("button").addEventListener("click", async () => {
    note.textContent = "Trying again…";
    await look();
    note.textContent = "Still no answer.";
  });
  addEventListener("online", look);
  timer = setTimeout(look, PAUSE_MS);
})();
