// Buttons that copy what is shown only once. Without them it is selected by one press.
"use strict";
for (const box of document.querySelectorAll("[data-copy]")) {
  const button = box.querySelector("button");
  const code = box.querySelector("code");
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied.";
    } catch {
      // Pages that are not served over HTTPS have no clipboard.
      window.getSelection().selectAllChildren(code);
      button.textContent = document.execCommand("copy") ? "Copied." : "Selected; press Ctrl+C.";
    }
  });
}
