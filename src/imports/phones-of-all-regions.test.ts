import { getCountries, getExampleNumber, parsePhoneNumberFromString, type PhoneNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { describe, expect, it } from 'vitest';

import { bindTransform } from '../deliveries/templates/transforms.rules.ts';
import { readListValue } from '../lists/list-value.rules.ts';
import { readPostedPhone, readWrittenPhone } from '../platform/contact/written-phone.rules.ts';
import { transforms } from '../suppliers/field-transforms.rules.ts';
import { readPhoneCell } from './phone-cell.rules.ts';

const numbers = getCountries()
  .map((country) => getExampleNumber(country, examples))
  .filter((number) => number !== undefined);

function formatted(format: string, text: string): unknown {
  const transform = bindTransform({ transform: 'phone', args: [{ name: null, value: format }] });
  return typeof transform === 'string' ? transform : transform(text);
}

const cell = (text: string, country: string): string | undefined =>
  readPhoneCell(
    {
      line: 2,
      cells: [text, country],
      header: new Map([
        ['phone', 0],
        ['country', 1],
      ]),
    },
    text,
  )?.number;

function listed(text: string): string | null {
  const value = readListValue('phone', text, { hashed: false });
  return value === null || value.isHash ? null : value.text;
}

/** Each way of a number through the service, by name: what comes out for what goes in. */
const WAYS: Readonly<Record<string, (number: PhoneNumber) => unknown>> = {
  posted: ({ number }) => readPostedPhone(number)?.number,
  'posted with marks': (number) => readPostedPhone(number.formatInternational())?.number,
  'posted as a link with an extension': ({ number }) => readPostedPhone(`tel:${number};ext=7`)?.number,
  'posted through us_phone': ({ number }) => transforms.us_phone(number),
  'delivered as e164': ({ number }) => formatted('e164', number),
  'delivered as digits': ({ number }) => `+${String(formatted('digits', number))}`,
  'delivered as national': ({ number }) => readWrittenPhone(String(formatted('national', number)))?.number,
  'delivered as ten digits': ({ number }) => readWrittenPhone(String(formatted('ten', number)))?.number,
  'on a list': ({ number }) => listed(number),
  'on a list with 00': ({ number }) => listed(number.replace('+', '00')),
  'on a list with 011': ({ number }) => listed(number.replace('+', '011 ')),
  'on a list as decimals': ({ number }) => listed(`${number}.0`),
  'in a row with its country': (number) => cell(number.formatNational(), number.country ?? ''),
  'in a row of another country': ({ number }) => cell(number, 'US'),
};

describe('The example number of every region', () => {
  it.each(Object.entries(WAYS))('comes out as it went in when it is %s', (_, way) => {
    expect(numbers.length).toBeGreaterThan(235);
    expect(numbers.filter((number) => way(number) !== number.number).map(({ country }) => country)).toEqual([]);
  });

  it('is not made of digits without a country code', () => {
    const made = numbers.flatMap(({ number, country }) => {
      const read = readWrittenPhone(number.slice(1))?.number ?? number;
      return read === number || parsePhoneNumberFromString(read)?.countryCallingCode === '1' ? [] : [[country, read]];
    });
    expect(made).toEqual([]);
  });
});
