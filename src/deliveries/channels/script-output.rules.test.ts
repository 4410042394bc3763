import { describe, expect, test } from 'vitest';

import { isScriptOutput } from './script-output.rules.ts';

const url = 'https://script.google.com/macros/s/AKfycb-x/exec';
const location = 'https://script.googleusercontent.com/macros/echo?user_content_key=abc&lib=def';

describe('The redirect of a script', () => {
  test.each([
    [url, location],
    ['https://script.google.com/a/macros/summit.example/s/AKfycb-x/exec?k=1', 'https://script.googleusercontent.com/'],
    ['https://SCRIPT.google.com/macros/s/x/exec', 'https://Script.GoogleUserContent.com/x'],
    ['https://script.google.com:443/macros/s/x/exec', 'https://script.googleusercontent.com:443/x'],
  ])('from %s to %s is its "done"', (from, to) => {
    expect(isScriptOutput({ url: from, status: 302, location: to })).toBe(true);
  });

  test.each([200, 300, 301, 303, 304, 305, 307, 308, 399, 400, 500])('is none with status %d', (status) => {
    expect(isScriptOutput({ url, status, location })).toBe(false);
  });

  test.each([
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
  ])('to %j is none', (to) => {
    expect(isScriptOutput({ url, status: 302, location: to })).toBe(false);
  });

  test.each([
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
  ])('from %s is none', (from) => {
    expect(isScriptOutput({ url: from, status: 302, location })).toBe(false);
  });
});
