// Buttons that copy what is shown only once. Without them it is selected by one press.
"use strict";
for (const box of document.querySelectorAll("[data-copy]")) {
  const button = box.querySelector("button");
  const code = box.querySelector("code");
  const label = button.textContent;
  const say = (text) => {
    button.textContent = text;
    setTimeout(() => (button.textContent = label), 2000);
  };
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      say(box.dataset.copied);
    } catch {
      // Pages that are not served over HTTPS have no clipboard.
      window.getSelection().selectAllChildren(code);
      say(document.execCommand("copy") ? box.dataset.copied : box.dataset.selected);
    }
  });
}
