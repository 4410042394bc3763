import { expect, test } from 'vitest';

import { scriptFault } from './script-response.rules.ts';

const faultOf = (text: string) => scriptFault({ body: Buffer.from(text), start: text.slice(0, 1024) });

test.each([
  '',
  'done',
  'added <b>1</b> row',
  '{"ok":true}',
  '{"ok":true,"error":null}',
  '{"result":"success"}',
  '{"error":""}',
  '{"error":false}',
  '{"ok":0}',
  '[{"ok":false}]',
  '"<html>"',
  '{"ok":false',
  'null',
])('the answer %j is no fault', (text) => {
  expect(faultOf(text)).toBeNull();
});

test.each([
  ['<!DOCTYPE html><html><head><title>Error</title></head><body>TypeError…</body></html>', 'Error'],
  ['<html><head>\n<TITLE lang="en">\n Google Drive  &amp; more </TITLE>', 'Google Drive & more'],
  ['\uFEFF \n<!-- x --><!doctype HTML><title>Sign in</title>', 'Sign in'],
  ['<?xml version="1.0"?><html><title>&lt;b&gt;</title>', '<b>'],
  ['<html><body>nothing</body></html>', 'The script answered with a web page.'],
  ['<html><title> </title>', 'The script answered with a web page.'],
  [`<html><title>${'x'.repeat(5000)}</title>`, 'x'.repeat(200)],
])('the page %j is a fault of unknown receipt, with its title', (text, error) => {
  expect(faultOf(text)).toEqual({ error, receipt: 'unknown' });
});

test.each([
  ['{"ok":false}', 'The script answered that something is wrong.'],
  ['{"ok":false,"error":"Sheet is full"}', 'Sheet is full'],
  [' {"ok":true,"error":"Sheet\\nis full"} ', 'Sheet is full'],
  ['{"error":{"code":7}}', 'The script answered that something is wrong.'],
  ['{"error":true}', 'The script answered that something is wrong.'],
])('the JSON %j is a fault that excludes receipt', (text, error) => {
  expect(faultOf(text)).toEqual({ error, receipt: 'no' });
});

test('a body of nothing but comments is judged at once', () => {
  expect(faultOf('<!-- a -->'.repeat(6000))).toBeNull();
});

test('a page that did not come whole is known by its start, and JSON is not', () => {
  expect(scriptFault({ body: null, start: '<html><title>Error</title>' })).toMatchObject({ error: 'Error' });
  expect(scriptFault({ body: null, start: '{"ok":false}' })).toBeNull();
  expect(scriptFault({ body: null, start: null })).toBeNull();
});
