const browsers: readonly (readonly [name: string, shape: RegExp])[] = [
  // Others name Chrome and Safari, too.
  ["Edge", /\bEdg(?:A|iOS)?\//],
  ["Opera", /\bOPR\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(?:Firefox|FxiOS)\//],
  ["Chrome", /\b(?:Chrome|HeadlessChrome|CriOS)\//],
  ["Safari", /\bVersion\/[\d.]+ .*Safari\//],
];
const systems: readonly (readonly [name: string, shape: RegExp])[] = [
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Android", /\bAndroid\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMacintosh\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Linux", /\bLinux\b/],
];

/** A browser as its person knows it: `Firefox (Linux)`. Undefined: unknown. Pure. */
export function browserName(userAgent = ""): string | undefined {
  const [browser, system] = [browsers, systems].map(
    (known) => known.find(([, shape]) => shape.test(userAgent.slice(0, 500)))?.[0],
  );
  if (browser === undefined) return system;
  return system === undefined ? browser : `${browser} (${system})`;
}
