// Reads the JSON answer of a service that the operator chose.
import { isMembers, type Members } from '../../base/members.ts';

/** The members of a whole body; null where it is no JSON object, or did not come whole. */
export function jsonResponse(body: Uint8Array | null | undefined): Members | null {
  if (body === null || body === undefined) return null;
  try {
    const response: unknown = JSON.parse(new TextDecoder().decode(body));
    return isMembers(response) ? response : null;
  } catch (error) {
    // A proxy in between may answer with anything.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
