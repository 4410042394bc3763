// The typed HTTP client of the pages: paths, parameters, bodies and responses are checked against a table of endpoints.
import { queryText, type QueryValues } from './filters.ts';
import { type ApiResponse, download, sendRequest, type Sending } from './request.ts';

/** The types of one endpoint, each from a `*.schema.ts`. Path parameters come from the path. `lines`: the documents of a streamed response. */
export type Endpoint = {
  readonly query?: object;
  readonly body?: object;
  readonly response?: unknown;
  readonly lines?: { readonly kind: string };
};

/** By method and path: `'GET /portal/api/buyer/claims/:claimId'`. */
type Endpoints = Readonly<Record<string, Endpoint>>;

type ParamsIn<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | ParamsIn<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never;

/** Query parameters as in a URL: all optional; '' stands for no value, and a number may be text. */
type QueryOf<Query> = {
  readonly [Name in keyof Query]?:
    | Query[Name]
    | (Query[Name] extends number | undefined ? `${number}` : never)
    | ''
    | undefined;
};

type Common = Pick<Sending, 'headers' | 'idempotencyKey'> & {
  readonly signal?: AbortSignal;
  /** The user's search text. It may be personal data, so it is sent as a header: proxies log URLs. '' is not sent. */
  readonly search?: string;
};

type Options<Name extends string, Of extends Endpoint> = Common &
  ([ParamsIn<Name>] extends [never]
    ? { readonly params?: never }
    : { readonly params: Readonly<Record<ParamsIn<Name>, string>> }) &
  (Of extends { readonly query: infer Query } ? { readonly query?: QueryOf<Query> } : { readonly query?: never }) &
  (Of extends { readonly body: infer Body } ? { readonly body: Body } : { readonly body?: never });

/** The options argument is optional if none of its members is required. */
type Arguments<Name extends string, Of extends Endpoint> =
  Common extends Options<Name, Of> ? [options?: Options<Name, Of>] : [options: Options<Name, Of>];

type ResponseOf<Of extends Endpoint> = Of extends { readonly response: infer Response } ? Response : undefined;

export type Api<All extends Endpoints> = {
  /** The body of a 2xx response. Rejects with a RequestError. */
  readonly request: <Name extends keyof All & string>(
    name: Name,
    ...options: Arguments<Name, All[Name]>
  ) => Promise<ResponseOf<All[Name]>>;
  /** Like `request`, with headers and status. */
  readonly requestWithHeaders: <Name extends keyof All & string>(
    name: Name,
    ...options: Arguments<Name, All[Name]>
  ) => Promise<ApiResponse<ResponseOf<All[Name]>>>;
  /** The body of a 2xx response as a Blob. */
  readonly download: <Name extends keyof All & string>(
    name: Name,
    ...options: Arguments<Name, All[Name]>
  ) => Promise<ApiResponse<Blob>>;
};

/** `const { request } = createApi<PortalApi>()`, then `request('GET /portal/api/buyer/claims/:claimId', { params: { claimId } })`. */
export function createApi<All extends Endpoints>(): Api<All> {
  return {
    async request(name, ...[options]) {
      return (await ask<ResponseOf<All[typeof name]>>(name, options)).body;
    },
    requestWithHeaders: (name, ...[options]) => ask<ResponseOf<All[typeof name]>>(name, options),
    download: (name, ...[options]) => download(...sendingOf(name, options)),
  };
}

function ask<Body>(name: string, options: Given | undefined): Promise<ApiResponse<Body>> {
  return sendRequest<Body>(...sendingOf(name, options));
}

type Given = Common & {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: object;
  readonly body?: unknown;
};

function sendingOf(name: string, given: Given = {}): readonly [path: string, sending: Sending] {
  const { params = {}, query = {}, search = '', headers, ...sending } = given;
  const [method, template] = name.split(' ') as [Sending['method'], string];
  const path = template.replaceAll(/:(\w+)/g, (_, param: string) => encodeURIComponent(params[param] ?? ''));
  const searched = search === '' ? {} : { 'x-search': encodeURIComponent(search.toWellFormed()) };
  return [`${path}${queryText(query as QueryValues)}`, { ...sending, method, headers: { ...searched, ...headers } }];
}
