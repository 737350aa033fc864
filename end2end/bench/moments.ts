// The moments that a person waits for when a page loads.
import type { Page } from "@playwright/test";

/** For the page itself: types until the page answers; notes when it did. */
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

/** In milliseconds after the page was asked for. */
export async function firstPaint(page: Page): Promise<number> {
  return page.evaluate(
    () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
  );
}
