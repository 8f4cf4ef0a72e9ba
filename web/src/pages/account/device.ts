// The browser and the system of a device, from the header User-Agent. It is for people only: a client can send anything.

const BROWSERS: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Headless)?(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];

const SYSTEMS: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** "Firefox · Linux", or the first words of a client that is no known browser. Empty if it has sent nothing. */
export function deviceName(userAgent: string): string {
  const nameIn = (list: [RegExp, string][]): string[] =>
    list.filter(([pattern]) => pattern.test(userAgent)).map(([, name]) => name);
  const names = [nameIn(BROWSERS)[0], nameIn(SYSTEMS)[0]].filter((name) => name !== undefined);
  return names.length > 0 ? names.join(' · ') : userAgent.slice(0, 40);
}
