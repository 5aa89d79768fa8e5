import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPublicAddress } from "../../src/tools/fetch-url/public-address.ts";

/**
 * From the IANA registries of special-purpose addresses: the first and last address of each IPv4
 * range.
 */
const specialIPv4 = [
  ["0.0.0.0", "0.255.255.255", "this network"],
  ["10.0.0.0", "10.255.255.255", "private"],
  ["100.64.0.0", "100.127.255.255", "shared (CGNAT)"],
  ["127.0.0.0", "127.255.255.255", "loopback"],
  ["169.254.0.0", "169.254.255.255", "link-local"],
  ["172.16.0.0", "172.31.255.255", "private"],
  ["192.0.0.0", "192.0.0.255", "protocol assignments"],
  ["192.0.2.0", "192.0.2.255", "documentation"],
  ["192.31.196.0", "192.31.196.255", "AS112"],
  ["192.52.193.0", "192.52.193.255", "AMT"],
  ["192.88.99.0", "192.88.99.255", "6to4 relays"],
  ["192.168.0.0", "192.168.255.255", "private"],
  ["192.175.48.0", "192.175.48.255", "AS112"],
  ["198.18.0.0", "198.19.255.255", "benchmarking"],
  ["198.51.100.0", "198.51.100.255", "documentation"],
  ["203.0.113.0", "203.0.113.255", "documentation"],
  ["224.0.0.0", "239.255.255.255", "multicast"],
  ["240.0.0.0", "255.255.255.255", "reserved, broadcast"],
] as const;

const metadata = [
  "169.254.169.254",
  "169.254.170.2",
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.192",
  "fd00:ec2::254",
  "fd20:ce::254",
];

const toNumber = (address: string): number =>
  address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
const toIPv4 = (number: number): string =>
  [24, 16, 8, 0].map((shift) => (number >>> shift) & 0xff).join(".");
const hexPair = (number: number): string =>
  `${(number >>> 16).toString(16)}:${(number & 0xffff).toString(16)}`;

const anyNumber = fc.integer({ min: 0, max: 0xffff_ffff });
const specialNumber = fc
  .constantFrom(...specialIPv4)
  .chain(([first, last]) => fc.integer({ min: toNumber(first), max: toNumber(last) }));
const inTable = (number: number): boolean =>
  specialIPv4.some(([first, last]) => number >= toNumber(first) && number <= toNumber(last));

/** Every way in which an IPv6 address can carry an IPv4 address that may be reached through it. */
const carriers: readonly (readonly [string, (v4: number) => string])[] = [
  ["mapped", (v4) => `::ffff:${hexPair(v4)}`],
  ["mapped, dotted", (v4) => `::ffff:${toIPv4(v4)}`],
  ["mapped, in full", (v4) => `0:0:0:0:0:FFFF:${hexPair(v4)}`],
  ["NAT64", (v4) => `64:ff9b::${hexPair(v4)}`],
  ["ISATAP", (v4) => `2600:1::5efe:${toIPv4(v4)}`],
  ["ISATAP, unique", (v4) => `2600:1:2:3:200:5efe:${hexPair(v4)}`],
];

/** Those that are never let through, whatever they carry. */
const tunnels: readonly (readonly [string, (v4: number) => string])[] = [
  ["compatible", (v4) => `::${hexPair(v4)}`],
  ["translated", (v4) => `::ffff:0:${hexPair(v4)}`],
  ["NAT64 for private use", (v4) => `64:ff9b:1::${hexPair(v4)}`],
  ["NAT64 with more before it", (v4) => `64:ff9b:0:1::${hexPair(v4)}`],
  ["6to4", (v4) => `2002:${hexPair(v4)}::1`],
  ["Teredo", (v4) => `2001:0:4136:e378:8000:63bf:${hexPair(~v4 >>> 0)}`],
];

describe("the public internet", () => {
  it.each([
    "1.1.1.1",
    "8.8.8.8",
    "93.184.215.14",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "169.253.255.255",
    "169.255.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "2606:4700:4700::1111",
    "2a00:1450:4001:82f::200e",
    "2001:4860:4860::8888",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
  ])("has %s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each(specialIPv4)("has nothing of %s to %s (%s)", (first, last) => {
    expect([first, last].filter(isPublicAddress)).toEqual([]);
  });

  it.each(metadata)("has no metadata service, %s", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each([
    ["::", "unspecified"],
    ["::1", "loopback"],
    ["fe80::1", "link-local"],
    ["febf:ffff::1", "link-local"],
    ["fe80::1%eth0", "link-local with a zone"],
    ["2606:4700::1%eth0", "a zone"],
    ["fec0::1", "site-local"],
    ["fc00::", "unique local"],
    ["fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "unique local"],
    ["ff02::1", "multicast"],
    ["ff0e::1", "global multicast"],
    ["100::1", "discard"],
    ["100:0:0:1::1", "dummy"],
    ["2001::1", "Teredo"],
    ["2001:2::1", "benchmarking"],
    ["2001:3::1", "AMT"],
    ["2001:4:112::1", "AS112"],
    ["2001:10::1", "ORCHID"],
    ["2001:20::1", "ORCHIDv2"],
    ["2001:30::1", "drone ids"],
    ["2001:db8::1", "documentation"],
    ["2002::1", "6to4"],
    ["2620:4f:8000::1", "AS112"],
    ["3fff::1", "documentation"],
    ["3fff:fff::1", "documentation"],
    ["4000::1", "not given out"],
    ["5f00::1", "segment routing"],
    ["8000::1", "not given out"],
    ["e000::1", "not given out"],
    ["", "nothing"],
    ["localhost", "a name"],
    ["127.1", "no address as connections take them"],
    ["0x7f.0.0.1", "no address as connections take them"],
    ["2130706433", "no address as connections take them"],
    ["8.8.8.8/8", "a range"],
    ["8.8.8.8 ", "a space"],
    ["[2606:4700:4700::1111]", "brackets"],
    ["::ffff:8.8.8.8%1", "a zone"],
  ])("does not have %j: %s", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it("has exactly the IPv4 addresses that are in no special range", () => {
    const inside = toNumber("168.63.129.16");
    fc.assert(
      fc.property(fc.oneof(anyNumber, specialNumber), (number) => {
        expect(isPublicAddress(toIPv4(number))).toBe(!inTable(number) && number !== inside);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(carriers)("has of %s addresses those that carry its own", (_, carry) => {
    fc.assert(
      fc.property(fc.oneof(anyNumber, specialNumber), (number) => {
        expect(isPublicAddress(carry(number))).toBe(isPublicAddress(toIPv4(number)));
      }),
      { numRuns: 500 },
    );
    for (const address of metadata.filter((each) => each.includes(".")))
      expect(isPublicAddress(carry(toNumber(address)))).toBe(false);
  });

  it.each(tunnels)("has no %s addresses", (_, carry) => {
    fc.assert(
      fc.property(fc.oneof(anyNumber, specialNumber), (number) => {
        expect(isPublicAddress(carry(number))).toBe(false);
      }),
    );
  });

  it("has of IPv6 only what begins with 2 or 3", () => {
    const part = fc.integer({ min: 0, max: 0xffff });
    fc.assert(
      fc.property(fc.array(part, { minLength: 8, maxLength: 8 }), (parts) => {
        const address = parts.map((each) => each.toString(16)).join(":");
        const first = (parts[0] ?? 0) >>> 12;
        if (first !== 2 && first !== 3) expect(isPublicAddress(address)).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it("is asked about any text and answers", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 50 }), (text) => {
        expect(isPublicAddress(text)).toBe(false);
      }),
    );
  });
});
