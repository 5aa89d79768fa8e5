import { describe, expect, it } from "vitest";
import { approverPolicies, entitles, isAsStrict, versionOf } from "../../src/core/approval.ts";
import { roles } from "../../src/core/roles.ts";

const everybody = roles.flatMap((role) =>
  [true, false].map((isRequester) => ({ role, isRequester })),
);

describe("an approval that was given still counts", () => {
  it("where everybody who may have given it may decide now, and no more of them are needed", () => {
    const sets = approverPolicies.flatMap((approvers) =>
      ([undefined, 2] as const).map((persons) => ({ approvers, persons })),
    );
    for (const asked of sets)
      for (const needed of sets) {
        const holds =
          (asked.persons ?? 1) >= (needed.persons ?? 1) &&
          everybody.every(
            (each) => !entitles(asked.approvers, each) || entitles(needed.approvers, each),
          );
        expect([asked, needed, isAsStrict(asked, needed)]).toEqual([asked, needed, holds]);
      }
  });
});

it("no one below a member is ever entitled", () => {
  for (const approvers of approverPolicies)
    for (const role of ["guest", "stranger", "banned"] as const)
      for (const isRequester of [true, false])
        expect(entitles(approvers, { role, isRequester })).toBe(false);
});

it("what earlier versions know keeps their version", () => {
  for (const approvers of ["requester-or-admins", "requester", "admins"] as const) {
    expect(versionOf({ approvers })).toBe(1);
    expect(versionOf({ approvers, persons: 2 })).toBe(2);
  }
  for (const approvers of ["owners", "members"] as const) expect(versionOf({ approvers })).toBe(2);
});
