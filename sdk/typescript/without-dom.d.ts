// For programs that are checked without TypeScript's DOM library: the names of it that client.ts uses, as browsers have them.

type HeadersInit = [string, string][] | Record<string, string> | Headers;
type BodyInit = NonNullable<RequestInit['body']>;
interface RequestInit {
  // Node allows more.
  headers?: HeadersInit | undefined;
}
/** Asked only whether it is there, to tell a browser from a server. */
declare const document: undefined;
