// Reads a QR code in a picture, as a phone does.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

// Without this, the library would fetch its module from the internet.
const module = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'));
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(module).buffer } });

/** The text of the code, or undefined if the picture has none. */
export async function readQrCode(png: Buffer): Promise<string | undefined> {
  const [found] = await readBarcodes(new Blob([new Uint8Array(png)]), { formats: ['QRCode'] });
  return found?.text;
}
