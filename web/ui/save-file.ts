// Saves a response of the service as a file on the user's device.
import type { ApiResponse } from './request.ts';

/** Uses this name, else the one in Content-Disposition; returns the name used. */
export function saveFile({ body, headers }: ApiResponse<Blob>, name?: string): string {
  const given = /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1];
  const address = URL.createObjectURL(body);
  const link = document.createElement('a');
  link.href = address;
  link.download = name ?? given ?? 'download';
  link.click();
  // The browser has started to read the URL by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return link.download;
}
