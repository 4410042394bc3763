// Takes a file that the service makes to the disk.
import type { ApiResponse } from './request.ts';

/** Under this name, or the one that the service gave it; answers which it was. */
export function saveFile({ body, headers }: ApiResponse<Blob>, name?: string): string {
  const given = /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1];
  const address = URL.createObjectURL(body);
  const link = document.createElement('a');
  link.href = address;
  link.download = name ?? given ?? 'download';
  link.click();
  // The browser has taken it up by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return link.download;
}
