// The switch of this browser's notifications. What it keeps here the page reads before each one.
"use strict";
const KEPT = "jarvis.notify";
const box = document.querySelector("[data-notify]");
const button = box.querySelector("button");
const said = box.querySelector("[role=status]");
const state = () => {
  if (!("Notification" in window) || !window.isSecureContext) return "impossible";
  if (Notification.permission === "denied") return "blocked";
  return Notification.permission === "granted" && localStorage.getItem(KEPT) !== "off" ? "on" : "off";
};
const show = () => {
  const now = state();
  said.textContent = box.dataset[now];
  button.textContent = now === "on" ? box.dataset.turnOff : box.dataset.turnOn;
  button.hidden = now === "impossible" || now === "blocked";
};
button.addEventListener("click", async () => {
  if (state() === "on") {
    localStorage.setItem(KEPT, "off");
  } else {
    localStorage.removeItem(KEPT);
    await Notification.requestPermission();
  }
  show();
});
show();
