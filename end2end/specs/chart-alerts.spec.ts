// Alerts that a person sets on the chart's page.
import { ChartPage } from "../support/chart.ts";
import { expect, expectAccessible, test } from "../support/test.ts";

test.use({ startPage: false, viewport: { width: 1440, height: 900 }, timezoneId: "UTC" });
// A chart is slow when the processor does all the rendering.
test.slow();

test("an alert is set by hand, waits, and is withdrawn", async ({ page, jarvis }) => {
  const chart = new ChartPage(page, jarvis.url);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await chart.open("/chart/EURUSD/H1");
  await chart.shown();
  // What is in the folds loads when one is opened.
  const loads = () => asked.filter((path) => path.includes("/split_chart_folds.")).length;
  expect(loads()).toBe(0);
  await page.locator(".alerts > summary").click();
  await expect.poll(loads).toBe(1);
  const form = page.getByRole("form", { name: "Set an alert" });
  await form.getByRole("button", { name: "Set", exact: true }).click();
  await expect(page.getByText("Give a price, or select a line on the chart.")).toBeVisible();

  // What is refused stays in the form, with the reason below it.
  await form.getByLabel("Price", { exact: true }).fill("-1");
  await form.getByLabel("When the price").selectOption("up");
  await form.getByLabel("Note").fill("far away");
  await form.getByRole("button", { name: "Set", exact: true }).click();
  await expect(page.locator(".alerts__refusal")).toHaveText("The level of a price is above zero.");
  await expect(page.locator(".toast")).toHaveCount(0);
  await expect(form.getByLabel("Note")).toHaveValue("far away");
  await form.getByLabel("Price", { exact: true }).fill("1.9");
  await form.getByRole("button", { name: "Set", exact: true }).click();
  const line = page.locator(".alerts__line").filter({ hasText: "far away" });
  await expect(line).toContainText("the price goes above 1.90000");
  await expect(line).toContainText("Operator · waiting");
  await expect(form.getByLabel("Note")).toHaveValue("");
  await expect(page.locator(".alerts__refusal")).toHaveText("");
  await expectAccessible(page);

  await line.getByRole("button", { name: /^Withdraw/ }).click();
  await expect(line).toContainText("withdrawn");
  await expect(line.getByRole("button")).toHaveCount(0);
});

test("an alert is set by hand at an indicator of the candles on the chart", async ({ page, jarvis }) => {
  const chart = new ChartPage(page, jarvis.url);
  await chart.open("/chart/EURUSD/H4");
  await chart.shown();
  await page.locator(".alerts > summary").click();
  const form = page.getByRole("form", { name: "Set an alert" });
  await form.getByLabel("Watch").selectOption("rsi");
  await form.getByRole("button", { name: "Set", exact: true }).click();
  await expect(page.getByText("Give the level of the indicator.")).toBeVisible();

  await form.getByLabel("Level", { exact: true }).fill("99");
  await form.getByLabel("Number of candles").fill("21");
  await form.getByLabel("When its value").selectOption("up");
  await form.getByLabel("Note").fill("overbought");
  await form.getByRole("button", { name: "Set", exact: true }).click();
  const line = page.locator(".alerts__line").filter({ hasText: "overbought" });
  await expect(line).toContainText("RSI");
  await expect(line).toContainText("21");
  await expect(line).toContainText("H4");
  await expect(line).toContainText("99");
  await expect(line).toContainText("Operator · waiting");
  await expectAccessible(page);
});

test("an alert is set by hand at an edge of the selected rectangle", async ({ page, jarvis }) => {
  const chart = new ChartPage(page, jarvis.url);
  await chart.open("/chart/EURUSD/H1");
  await chart.draw("Rectangle", [0.3, 0.5], [0.5, 0.7]);
  await chart.entry("Rectangle").locator(".drawing__name").click();
  await page.locator(".alerts > summary").click();
  const form = page.getByRole("form", { name: "Set an alert" });
  await form.getByLabel("At “Rectangle” instead").check();
  await form.getByLabel("At its").selectOption("bottom");
  await form.getByLabel("Note").fill("below the zone");
  await form.getByRole("button", { name: "Set", exact: true }).click();
  const line = page.locator(".alerts__line").filter({ hasText: "below the zone" });
  await expect(line).toContainText("the bottom of the rectangle");
  await expectAccessible(page);
});
