import { test } from 'vitest';
import { betaMarketYaml } from '../contract/beta-market.ts';
import { startChromium, visit } from '../support/browser/chromium.ts';
import { activate } from '../support/browser/keyboard.ts';
import { signInToPortal } from '../support/browser/people.ts';
import { startTestMarketplace } from '../support/marketplace.ts';
test('x', async () => {
  const market = await startTestMarketplace({ yaml: betaMarketYaml({ origin: 'http://127.0.0.1:9' }), allowTargets: ['http://127.0.0.1:9'] });
  const browser = await startChromium();
  const v = await visit(browser, market.url);
  await signInToPortal(v.page, await market.buyerToken('summit'));
  const { page } = v;
  await page.goto('/portal/settings');
  await page.locator('form').first().waitFor();
  console.log(await page.locator('form').first().innerHTML());
  await page.goto('/portal');
  await page.locator('main h1').waitFor();
  await activate(page, page.getByRole('button', { name: /account and colours/ }));
  for (let i = 0; i < 5; i++) {
    await new Promise((r) => setTimeout(r, 300));
    console.log(await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 300)), await page.getByRole('menu').count());
    console.log(await page.getByRole('menu').ariaSnapshot().catch(String));
  }
  console.log(v.faults());
  await browser.close(); await market.close();
});
