// Takes a file that the service makes to the disk, with the name that the service gave it.
import { download, type Sending } from './request.ts';

/** Answers the name under which it was saved. Rejects with a RequestError. */
export async function saveFile(
  path: string,
  { name, ...sending }: Sending & { readonly name?: string },
): Promise<string> {
  const { body, headers } = await download(path, sending);
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
