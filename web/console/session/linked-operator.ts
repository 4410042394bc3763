// The name and password in a printed link, `/console#name=…&password=…`.
import { takeFragment } from '../../ui/session.ts';

export type LinkedOperator = { readonly name: string; readonly password: string };

const fragment = takeFragment();
const [name, password] = [fragment.get('name'), fragment.get('password')];

/** As the page was opened with it; null without one. */
export const linkedOperator: LinkedOperator | null = name === null || password === null ? null : { name, password };
