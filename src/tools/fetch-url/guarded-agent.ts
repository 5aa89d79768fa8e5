import { lookup, type LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { Agent, buildConnector } from "undici";
import { PermanentError } from "../../core/errors.ts";

/** Decides to which addresses a connection may go. */
export interface AddressGuard {
  isAllowedAddress(address: string): boolean;
  /** All addresses of a host name, as `dns.lookup` finds them. */
  resolve(
    hostname: string,
    callback: (error: Error | null, found: readonly LookupAddress[]) => void,
  ): void;
}

export const systemResolve: AddressGuard["resolve"] = (hostname, callback) =>
  lookup(hostname, { all: true }, (error, found) =>
    error ? callback(error, []) : callback(null, found),
  );

/**
 * Opens connections to allowed addresses only. A name is resolved here, once per connection, and
 * the connection goes to the very addresses that were checked: an answer that changes afterwards
 * (DNS rebinding) changes nothing.
 */
export function guardedAgent(guard: AddressGuard, connectTimeoutMs: number): Agent {
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    lookup: guardedLookup(guard),
  });
  return new Agent({
    headersTimeout: 0,
    bodyTimeout: 0,
    connect(options, callback) {
      // An address in place of a name is not looked up.
      const literal = options.hostname.replace(/^\[(.*)\]$/, "$1");
      if (isIP(literal) !== 0 && !guard.isAllowedAddress(literal))
        callback(notPublic(literal), null);
      else connect(options, callback);
    },
  });
}

function guardedLookup(guard: AddressGuard): LookupFunction {
  return (hostname, options, callback) => {
    guard.resolve(hostname, (error, found) => {
      if (error) return callback(error, "");
      const allowed = found.filter(({ address }) => guard.isAllowedAddress(address));
      const [first] = allowed;
      if (first === undefined) callback(notPublic(hostname), "");
      else if (options.all === true) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}

const notPublic = (host: string): Error =>
  new PermanentError(`${host.slice(0, 255)} is not on the public internet, so it is not fetched.`);
