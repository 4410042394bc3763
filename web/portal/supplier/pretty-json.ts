// JSON as people read it, where that changes nothing about it.

/** Text that says something else when it is written anew (long numbers, names that come twice) or is laid out already stays as it is. */
export function prettyJson(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text ? JSON.stringify(value, null, 2) : text;
  } catch {
    return text;
  }
}
