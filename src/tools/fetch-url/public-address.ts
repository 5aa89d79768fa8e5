import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Public by its range, and still the inside of a cloud: Azure's own services. */
const insideAddresses: ReadonlySet<string> = new Set(["168.63.129.16"]);

/**
 * Whether an IP address is one of the public internet: not private, loopback, link-local, shared
 * (CGNAT), multicast, reserved, for documentation or for a tunnel. An IPv6 address that carries an
 * IPv4 address (mapped, NAT64, ISATAP) is as public as that; 6to4, Teredo and zone ids never are. A
 * NAT64 prefix of a network's own cannot be recognised.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes("%")) return false;
  return isPublic(ipaddr.parse(address));
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address instanceof ipaddr.IPv4)
    return address.range() === "unicast" && !insideAddresses.has(address.toString());
  switch (address.range()) {
    case "ipv4Mapped":
      return isPublic(address.toIPv4Address());
    case "rfc6052":
      // Of the two prefixes, 64:ff9b:1::/48 is for private use.
      return address.parts[2] === 0 && isPublic(lastIPv4(address));
    case "unicast":
      return isGlobalUnicast(address) && (!isIsatap(address) || isPublic(lastIPv4(address)));
    default:
      return false;
  }
}

/** All allocated IPv6 addresses are in 2000::/3. */
const isGlobalUnicast = ({ parts }: ipaddr.IPv6): boolean => ((parts[0] ?? 0) & 0xe000) === 0x2000;

/** RFC 5214: an interface id 0:5efe or 200:5efe, then an IPv4 address. */
const isIsatap = ({ parts }: ipaddr.IPv6): boolean =>
  ((parts[4] ?? 0) & ~0x0200) === 0 && parts[5] === 0x5efe;

function lastIPv4(address: ipaddr.IPv6): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}
