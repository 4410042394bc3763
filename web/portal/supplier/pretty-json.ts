// Indents JSON for display, if that does not change its content.

/** Returns the text unchanged if reserializing would change it (long numbers, duplicate names) or if it is indented already. */
export function prettyJson(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text ? JSON.stringify(value, null, 2) : text;
  } catch {
    return text;
  }
}
