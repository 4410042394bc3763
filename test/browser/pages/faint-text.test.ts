// Texts that are too faint to read are found by our own check, in the dark as in the light, wherever axe finds one.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { show, violationsOf } from '../../support/browser/axe.ts';
import { closeWindows, hasNoChromium, startChromium, visit } from '../../support/browser/chromium.ts';
import { faintTexts } from '../../support/browser/contrast.ts';

const PLANTED = `<!doctype html><html lang="en"><title>Faint</title><style>
  body { background: #fff; color: #111 }
  .ground { background: #fff } .ground[data-part] { background: rgb(255 255 255 / 60%) }
  @media (prefers-color-scheme: dark) {
    body { background: #1a1b1e; color: #eee }
    .faint { color: #555 } .pale { opacity: 0.35 } .clear { color: rgb(238 238 238 / 30%) }
    .ground { background: #25262b; color: #666 } .ground[data-part] { background: rgb(60 60 60 / 60%); color: #777 }
    button.faint { background: #333; color: #777 }
  }</style><main><h1>Heading</h1>
  <p class="faint">Faint in the dark</p><p class="pale">Pale in the dark</p><p class="clear">Transparent in the dark</p>
  <div class="ground"><p>On a panel</p><div class="ground" data-part><b>On a half transparent panel</b></div></div>
  <p>Readable with a <a class="faint" href="#a">faint link</a></p><button class="faint">Faint button</button>
  <table><tr><th class="faint" scope="col">Faint head</th></tr><tr><td class="pale">Pale cell</td></tr></table></main></html>`;

describe.skipIf(hasNoChromium())('faint texts', () => {
  let page: Page;

  beforeAll(async () => {
    ({ page } = await visit(await startChromium(), 'http://127.0.0.1'));
  });
  afterAll(closeWindows);

  it('are measured on grounds of any ancestor', async () => {
    await page.setContent(`<body style="background: #fff; color: #000"><p>Black</p><p style="color: #999">Gray</p>
      <div style="background: rgb(0 0 0 / 80%); color: #333"><p>Dark</p></div><p style="opacity: 0.4">Pale</p>
      <p hidden style="color: #fff">Hidden</p><button disabled style="color: #ddd">Disabled</button></body>`);
    expect(await faintTexts(page)).toEqual([
      'contrast 2.85 of “Gray”',
      'contrast 1.00 of “Dark”',
      'contrast 2.85 of “Pale”',
    ]);
  });

  it.each([
    ['light', 'dark'],
    ['dark', 'light'],
  ] as const)('are those that axe finds, in the %s scheme only', async (planted, other) => {
    await page.setContent(PLANTED.replace('prefers-color-scheme: dark', `prefers-color-scheme: ${planted}`));
    await show(page, other);
    expect([await faintTexts(page), await violationsOf(page, 'colours')]).toEqual([[], []]);
    await show(page, planted);
    const found = (await faintTexts(page)).map((line) => /“(.*)”/.exec(line)?.[1] ?? line);
    const byAxe = await Promise.all(
      (await violationsOf(page, 'colours')).map(async (line) => {
        const [, target = ''] = /^color-contrast at (.*?): /.exec(line) ?? [];
        return (await page.locator(target).textContent())?.trim() ?? line;
      }),
    );
    expect(byAxe.toSorted()).toEqual(found.toSorted());
    expect(found).toHaveLength(9);
  });
});
