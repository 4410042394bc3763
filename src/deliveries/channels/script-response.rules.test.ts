import { expect, it, describe } from 'vitest';

import { googleHosts, type Redirect, scriptFault, scriptOutput } from './script-response.rules.ts';

const faultOf = (text: string) => scriptFault({ body: Buffer.from(text), start: text.slice(0, 1024) });

describe('The response of a script', () => {
  it.each([
    '',
    'done',
    'added <b>1</b> row',
    '{"ok":true}',
    '{"ok":true,"error":null}',
    '{"result":"success"}',
    '{"error":""}',
    '{"error":false}',
    '{"result":"row 7"}',
    '{"status":"inserted","code":200}',
    '{"status":200,"error":null,"errors":[]}',
    '{"success":"true","error":"false"}',
    'Errorless, really',
    'no errors',
    '{"result":422}',
    '{"result":"No errors"}',
    '[{"ok":false}]',
    '"<html>"',
    'null',
  ])('accepts the response %j', (text) => {
    expect(faultOf(text)).toBeNull();
  });

  it.each([
    ['<!DOCTYPE html><html><head><title>Error</title></head><body>TypeError…</body></html>', 'Error'],
    ['<html><head>\n<TITLE lang="en">\n Google Drive  &amp; more </TITLE>', 'Google Drive & more'],
    ['\uFEFF \n<!-- x --><!doctype HTML><title>Sign in</title>', 'Sign in'],
    ['<?xml version="1.0"?><html><title>&lt;b&gt;</title>', '<b>'],
    ['<html><body>nothing</body></html>', 'The script responded with a web page.'],
    ['<html><title> </title>', 'The script responded with a web page.'],
    [`<html><title>${'x'.repeat(5000)}</title>`, 'x'.repeat(200)],
  ])('reports the page %j as an error of unknown receipt, with its title', (text, error) => {
    expect(faultOf(text)).toEqual({ error, receipt: 'unknown' });
  });

  it.each([
    ['{"ok":false}', 'The script reported an error.'],
    ['{"ok":false,"error":"Sheet is full"}', 'Sheet is full'],
    [' {"ok":true,"error":"Sheet\\nis full"} ', 'Sheet is full'],
    ['{"error":{"code":7}}', 'The script reported an error.'],
    ['{"error":true}', 'The script reported an error.'],
    ['{"ok":0}', 'The script reported an error.'],
    ['{"result":"error","message":"Sheet not found"}', 'Sheet not found'],
    ['{"result":"error","error":{"message":"No sheet","name":"Exception"}}', 'No sheet'],
    ['{"status":"error","msg":"Row is full"}', 'Row is full'],
    ['{"Status":"FAILED"}', 'The script reported an error.'],
    ['{"success":false}', 'The script reported an error.'],
    ['{"success":"false","errors":["Bad column"]}', 'Bad column'],
    ['{"errors":[{"message":"Bad column"}]}', 'Bad column'],
    ['{"status":500,"details":"quota"}', 'quota'],
    ['{"statusCode":404}', 'The script reported an error.'],
    ['{"result":false}', 'The script reported an error.'],
    ['{"state":"Error: no access"}', 'The script reported an error.'],
    ['Error: Sheet not found', 'Error: Sheet not found'],
    [
      '"TypeError: Cannot read properties of null (reading \'getRange\')"',
      '"TypeError: Cannot read properties of null (reading \'getRange\')"',
    ],
    [' Exception: You do not have\n permission', 'Exception: You do not have permission'],
    ['FAILED', 'FAILED'],
  ])('reports the JSON %j as an error without receipt', (text, error) => {
    expect(faultOf(text)).toEqual({ error, receipt: 'no' });
  });

  it.each(['{"ok":false', '[1,', '{result: "success"}'])('is unsure about the broken JSON %j', (text) => {
    expect(faultOf(text)).toEqual({ error: 'The script’s response was broken JSON.', receipt: 'unknown' });
  });

  it('reads a body of comments in linear time', () => {
    expect(faultOf('<!-- a -->'.repeat(6000))).toBeNull();
  });

  it('recognizes an incomplete page by its start, and no incomplete JSON', () => {
    expect(scriptFault({ body: null, start: '<html><title>Error</title>' })).toMatchObject({ error: 'Error' });
    expect(scriptFault({ body: null, start: '{"ok":false}' })).toBeNull();
    expect(scriptFault({ body: null, start: null })).toBeNull();
  });
});

const isScriptOutput = (redirect: Redirect): boolean => scriptOutput(redirect, googleHosts) !== null;

const url = 'https://script.google.com/macros/s/AKfycb-x/exec';

const location = 'https://script.googleusercontent.com/macros/echo?user_content_key=abc&lib=def';

describe('The redirect of a script', () => {
  it.each([
    [url, location],
    ['https://script.google.com/a/macros/summit.example/s/AKfycb-x/exec?k=1', 'https://script.googleusercontent.com/'],
    ['https://SCRIPT.google.com/macros/s/x/exec', 'https://Script.GoogleUserContent.com/x'],
    ['https://script.google.com:443/macros/s/x/exec', 'https://script.googleusercontent.com:443/x'],
  ])('means success from %s to %s', (from, to) => {
    expect(isScriptOutput({ url: from, status: 302, location: to })).toBe(true);
  });

  it.each([200, 300, 301, 303, 304, 305, 307, 308, 399, 400, 500])('means no success with status %d', (status) => {
    expect(isScriptOutput({ url, status, location })).toBe(false);
  });

  it.each([
    null,
    '',
    '/macros/echo',
    '//script.googleusercontent.com/x',
    'http://script.googleusercontent.com/x',
    'https:script.googleusercontent.com/x',
    'https:\\\\script.googleusercontent.com\\x',
    'https://script.googleusercontent.com:8443/x',
    'https://script.googleusercontent.com./x',
    'https://script.googleusercontent.com.evil.example/x',
    'https://evil.script.googleusercontent.com/x',
    'https://googleusercontent.com/x',
    'https://scriptXgoogleusercontent.com/x',
    'https://evil-script.googleusercontent.com/x',
    'https://script.googleusercontent.com@evil.example/x',
    'https://evil.example@script.googleusercontent.com/x',
    'https://@script.googleusercontent.com/x',
    'https://evil.example/?https://script.googleusercontent.com/',
    'https://evil.example/#script.googleusercontent.com',
    'https://evil.example\\.script.googleusercontent.com/x',
    ' https://script.googleusercontent.com/x',
    'https://script.googleusercontent.com/a b',
    'https://script.googleusercontent.com/\n',
    'https://accounts.google.com/ServiceLogin',
    'https://script.google.com/macros/s/x/exec',
    'https://127.0.0.1/x',
    'javascript:alert(1)',
  ])('means no success to %j', (to) => {
    expect(isScriptOutput({ url, status: 302, location: to })).toBe(false);
  });

  it.each([
    'http://script.google.com/macros/s/x/exec',
    'https://script.google.com:8443/macros/s/x/exec',
    'https://script.google.com./macros/s/x/exec',
    'https://script.google.com.evil.example/macros/s/x/exec',
    'https://evil.script.google.com/macros/s/x/exec',
    'https://google.com/macros/s/x/exec',
    'https://user@script.google.com/macros/s/x/exec',
    'https://script.google.com@evil.example/macros/s/x/exec',
    'https://evil.example/script.google.com',
    'https://script.googleusercontent.com/macros/echo',
    'https://sheets.summit.example/exec',
    'http://127.0.0.1:9911/exec',
  ])('means no success from %s', (from) => {
    expect(isScriptOutput({ url: from, status: 302, location })).toBe(false);
  });
});
