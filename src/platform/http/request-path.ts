// Reads the path of a request URL, without its query and decoded.

/** `/a%62c?d=1` and `http://host/abc` → `/abc`. Text that cannot be decoded stays as it is. */
export function pathOf(url: string | undefined): string {
  if (url === undefined) return '';
  const end = url.search(/[?#]/);
  let path = end === -1 ? url : url.slice(0, end);
  // The proxy form of the request line begins with scheme and host.
  if (!path.startsWith('/')) path = /^[a-z][a-z0-9+.-]*:\/\/[^/]*(\/.*)$/i.exec(path)?.[1] ?? path;
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return path;
    throw error;
  }
}
