import { isAtLeast } from "../core/roles.ts";
import type { GrantStore } from "../store/approvals/grants.ts";
import type { Access } from "../access/access.ts";

/**
 * The standing permissions whose givers still have the role they had when they
 * gave them; others are void.
 */
export const heldGrants = (grants: GrantStore, access: Pick<Access, "roleOf">): GrantStore => ({
  ...grants,
  async of(chat) {
    const all = await grants.of(chat);
    const held = await Promise.all(
      all.map(async ({ by, role = "stranger" }) => isAtLeast(await access.roleOf(by), role)),
    );
    return all.filter((_, index) => held[index]);
  },
});
