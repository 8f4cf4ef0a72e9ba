// Prepares a picture before it is sent: a square that is small enough for the API, however large the photo is.

/** The largest size in which the site shows a logo, in pixels. */
const SIDE = 512;
/** The API accepts files of up to 1 MiB. */
const MAX_BYTES = 1024 * 1024;

export interface Picture {
  /** The file in Base64. */
  image: string;
  /** Shows it on this page. `URL.revokeObjectURL` releases it. */
  address: string;
}

/** The square in the middle of the picture. Undefined if the browser cannot read the file as a picture. */
export async function squareOf(file: File): Promise<Picture | undefined> {
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  if (!bitmap) return undefined;
  const side = Math.min(bitmap.width, bitmap.height);
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = Math.min(side, SIDE);
  const [left, top] = [(bitmap.width - side) / 2, (bitmap.height - side) / 2];
  canvas.getContext('2d')?.drawImage(bitmap, left, top, side, side, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  // A browser that cannot write WebP writes PNG, which may be too large.
  let blob = await blobOf(canvas, 'image/webp');
  if (!blob || blob.size > MAX_BYTES) blob = await blobOf(canvas, 'image/jpeg');
  return blob && { image: await base64Of(blob), address: URL.createObjectURL(blob) };
}

function blobOf(canvas: HTMLCanvasElement, type: string): Promise<Blob | undefined> {
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? undefined), type, 0.92));
}

async function base64Of(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
