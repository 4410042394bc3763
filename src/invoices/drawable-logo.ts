// Makes of the marketplace's logo an image that can be drawn into a PDF whatever the file holds.

/** Decoded it takes four bytes each. */
const PIXELS_MAX = 4_000_000;

/**
 * The bytes of a PNG without transparency, or of a JPEG; null for a damaged or huge image, which is no reason to have no invoice. The PDF library
 * decodes transparent images later, where a damaged one would end the process.
 *
 * @param logo A data URL of a PNG or JPEG image.
 */
export async function drawableLogo(logo: string): Promise<Buffer | null> {
  if (latest?.logo !== logo) latest = { logo, image: drawable(logo) };
  return latest.image;
}

/** A month's run draws the same logo into every document. */
let latest: { readonly logo: string; readonly image: Promise<Buffer | null> } | null = null;

async function drawable(logo: string): Promise<Buffer | null> {
  const bytes = Buffer.from(logo.slice(logo.indexOf(',') + 1), 'base64');
  return logo.startsWith('data:image/png') ? await flattened(bytes) : hasJpegSize(bytes) ? bytes : null;
}

async function flattened(bytes: Buffer): Promise<Buffer | null> {
  // The size is in the header, which is always the first part.
  if (bytes.length < 24 || bytes.readUInt32BE(16) * bytes.readUInt32BE(20) > PIXELS_MAX) return null;
  const { PNG } = await import('pngjs');
  try {
    const image = PNG.sync.read(bytes);
    const white = { red: 255, green: 255, blue: 255 };
    return PNG.sync.write(image, { colorType: 2, inputHasAlpha: true, bgColor: white });
  } catch {
    return null;
  }
}

/** Whether a frame with a size and one, three or four colors follows, as the PDF library reads it. */
function hasJpegSize(bytes: Buffer): boolean {
  for (let at = 2; at + 9 < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) return false;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame)
      return bytes.readUInt16BE(at + 5) > 0 && bytes.readUInt16BE(at + 7) > 0 && [1, 3, 4].includes(bytes[at + 9] ?? 0);
  }
  return false;
}
