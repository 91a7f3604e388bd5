// Opens every panel in a browser, light and dark, on a desktop and on a phone, and asks axe what is wrong.
//
//   npm run accessibility -- URL [FOLDER for screenshots]
//
// URL is that of a running `w2v serve`, or of an exported page (file://…). CHROMIUM names the browser. The
// exit code is 1 if axe finds something serious or critical, or if the page reports an error.

import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [url, folder] = process.argv.slice(2);
if (!url) {
  console.error("usage: npm run accessibility -- URL [FOLDER]");
  process.exit(2);
}
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
if (folder) mkdirSync(folder, { recursive: true });

const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
let bad = 0;

/** Runs axe on what the page shows, and prints what is serious or critical. */
async function check(page, name) {
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  const serious = violations.filter((v) => v.impact === "serious" || v.impact === "critical");
  for (const violation of violations) {
    const mark = serious.includes(violation) ? "FAILED" : "minor ";
    console.log(`${mark} ${name}: ${violation.id}: ${violation.help}`);
    for (const node of violation.nodes.slice(0, 3)) console.log(`       ${node.html.slice(0, 160)}`);
  }
  bad += serious.length;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
}

try {
  for (const [size, viewport] of Object.entries(sizes)) {
    for (const colorScheme of ["light", "dark"]) {
      const context = await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce" });
      // Not a script element, which the policy of the page forbids.
      await context.addInitScript(axe);
      const page = await context.newPage();
      page.on("pageerror", (error) => {
        bad++;
        console.log(`FAILED ${size} ${colorScheme}: ${error.stack}`);
      });
      page.on("console", (message) => {
        if (message.type() !== "error") return;
        bad++;
        console.log(`FAILED ${size} ${colorScheme}: console: ${message.text()}`);
      });
      await page.goto(url);
      await page.getByRole("tab").first().waitFor();
      const tabs = await page.getByRole("tab").allTextContents();
      for (const tab of tabs) {
        await page.getByRole("tab", { name: tab, exact: true }).click();
        await page.waitForTimeout(Number(process.env.SETTLE ?? 1500));
        await check(page, `${size}-${colorScheme}-${tab}`);
      }
      await context.close();
    }
  }
} finally {
  await browser.close();
}
console.log(bad === 0 ? "nothing serious" : `${bad} serious findings`);
process.exitCode = bad === 0 ? 0 : 1;
