// Load times that a person notices.
import type { Page } from "@playwright/test";

/** Runs in the page: types until the page responds, and records when it did. */
export function typeEarly(): void {
  const timer = setInterval(() => {
    const input = document.querySelector("textarea");
    const send = [...document.querySelectorAll("button")].find((button) =>
      (button.getAttribute("aria-label") ?? button.textContent ?? "").trim().startsWith("Send"),
    );
    if (!input || !send) return;
    if (!send.disabled) {
      clearInterval(timer);
      Object.assign(window, { usable: performance.now() });
      return;
    }
    input.value = "x";
    input.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }, 4);
}

/** First paint, in milliseconds after the request of the page. */
export async function firstPaint(page: Page): Promise<number> {
  return page.evaluate(
    () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
  );
}
