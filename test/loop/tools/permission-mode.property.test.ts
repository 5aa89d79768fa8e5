import * as fc from "fast-check";
import { expect, it } from "vitest";
import { toolPolicy, type ToolRule } from "../../../src/approvals/tool-policy.ts";
import { approverPolicies, type ApproverPolicy } from "../../../src/core/approval.ts";
import type { AutoGrant } from "../../../src/core/grants.ts";
import { chatKey } from "../../../src/core/chat.ts";
import { roles, type Role } from "../../../src/core/roles.ts";
import { personaSchema } from "../../../src/core/persona.ts";
import { narrowingOf } from "../../../src/loop/narrowing.ts";
import { grantOf } from "../../../src/loop/tools/granted.ts";
import { prepareCall, rulingFor } from "../../../src/loop/tools/prepare-call.ts";
import { createToolbox } from "../../../src/loop/tools/toolbox.ts";
import { whyNotAsked } from "../../../src/loop/tools/why-not-asked.ts";
import type { TurnContext } from "../../../src/loop/turn-context.ts";
import { wildcards } from "../../../src/text/wildcards.ts";
import { testTools } from "../test-tools.ts";

const toolbox = createToolbox(testTools({ runs: [], gates: new Map() }));
const people = ["telegram:1", "telegram:2"] as const;
const spanMs = fc.integer({ min: 1, max: 10_000 });

const rule: fc.Arbitrary<ToolRule> = fc.oneof(
  fc.constant({ match: "*", verdict: "deny" as const }),
  fc.record(
    {
      match: fc.constantFrom("*", "buy", "pay"),
      verdict: fc.constant("allow" as const),
      confirm: fc.constantFrom("never", "always", undefined),
      approvers: fc.constantFrom(...approverPolicies, undefined),
      persons: fc.constantFrom(1 as const, 2 as const),
      autoMs: spanMs,
      quietHours: fc.constantFrom("silent", "deny", "off"),
    },
    { requiredKeys: ["match", "verdict", "confirm", "approvers"] },
  ),
) as fc.Arbitrary<ToolRule>;

/** Written without the code that it checks. */
function mayApproveAlone(approvers: ApproverPolicy, role: Role, isRequester: boolean): boolean {
  const rank = roles.indexOf(role);
  const isAdmin = role === "admin" || role === "owner";
  if (!isAdmin && role !== "member") return false;
  expect(rank).toBeGreaterThanOrEqual(0);
  switch (approvers) {
    case "requester":
      return isRequester;
    case "requester-or-admins":
      return isRequester || isAdmin;
    case "admins":
      return isAdmin;
    case "owners":
      return role === "owner";
    case "members":
      return true;
    default:
      return approvers satisfies never;
  }
}

it("a call runs without a card in auto only if its rule, the time and its setter allow it", () => {
  const outcomes = new Set<string>();
  fc.assert(
    fc.property(
      fc.record({
        rules: fc.array(rule, { maxLength: 3 }),
        defaults: fc.record({
          approvers: fc.constantFrom(...approverPolicies),
          persons: fc.constantFrom(1 as const, 2 as const),
        }),
        quietNow: fc.boolean(),
        setter: fc.constantFrom(...people),
        setterRole: fc.constantFrom(...roles),
        requesterRole: fc.constantFrom(...roles, undefined),
        group: fc.boolean(),
        isUserInstall: fc.boolean(),
        span: spanMs,
        sinceMs: fc.integer({ min: 0, max: 12_000 }),
        tool: fc.constantFrom("buy", "pay"),
        personaTools: fc.constantFrom(undefined, [], ["buy"], ["*"], ["look", "pa*"]),
      }),
      (given) => {
        const { rules, setter, setterRole, span, sinceMs, group, isUserInstall } = given;
        const fromMs = 1_700_000_000_000;
        const nowMs = fromMs + sinceMs;
        const minute = Math.floor((fromMs % 86_400_000) / 60_000);
        const quietHours = {
          fromMinute: given.quietNow ? (minute + 1_430) % 1_440 : (minute + 600) % 1_440,
          toMinute: (minute + (given.quietNow ? 10 : 610)) % 1_440,
          timezone: "UTC",
          mode: "silent" as const,
        };
        const policy = toolPolicy(rules, { ...given.defaults, quietHours });
        const state = {
          requester: { id: people[0], name: "Ann" },
          role: given.requesterRole,
          group,
        };
        const context = {
          deps: { clock: { wall: () => nowMs } },
          session: {
            state,
            chat: chatKey(
              isUserInstall
                ? { platform: "discord", bot: "b", chat: "visit-1-2" }
                : { platform: "telegram", bot: "b", chat: "9" },
            ),
          },
        } as unknown as TurnContext;
        const mode: AutoGrant = {
          v: 1,
          mode: "auto",
          id: "auto:m",
          by: { id: setter, name: "Setter" },
          role: setterRole,
          wordsOf: [],
          fromMs,
          untilMs: fromMs + span,
        };
        const request = { index: 0, wireId: "c", name: given.tool, arguments: "{}" };
        const prepared = prepareCall(request, toolbox, rulingFor(policy, { state }));
        const without = grantOf(context, [], prepared);
        const grant = grantOf(context, [mode], prepared);
        expect(without).toBeUndefined();

        const first = rules.find(({ match }) => match === "*" || match === given.tool);
        const verdict = prepared.type === "ready" ? prepared.verdict : undefined;
        const asks = verdict?.type === "confirm" ? verdict : undefined;
        const allowedMs = first?.verdict === "allow" ? (first.autoMs ?? 0) : 0;
        const who = first?.verdict === "allow" && first.approvers !== undefined ? first : undefined;
        const isTwo = (who ?? given.defaults).persons === 2;
        const couldAsk =
          asks !== undefined &&
          !isUserInstall &&
          whyNotAsked(asks, state, { atMs: nowMs, isReachable: false }) === undefined;
        const allowed =
          couldAsk &&
          first?.verdict !== "deny" &&
          !isTwo &&
          sinceMs < Math.min(span, allowedMs) &&
          mayApproveAlone(asks.approvers, setterRole, setter === people[0]);
        expect(grant !== undefined).toBe(allowed);

        // A persona takes calls away, and never a question.
        const tools = given.personaTools;
        const persona = personaSchema.parse({ name: "chef", prompt: "You cook.", tools });
        const narrowing = narrowingOf(persona);
        const narrowed = prepareCall(request, toolbox, rulingFor(policy, { state, narrowing }));
        const permitted = tools === undefined || tools.some((each) => wildcards(each)(given.tool));
        expect(narrowed.type === "ready").toBe(verdict !== undefined && permitted);
        if (narrowed.type === "ready") expect(narrowed.verdict).toEqual(verdict);
        expect(grantOf(context, [mode], narrowed) !== undefined).toBe(allowed && permitted);
        outcomes.add(`${verdict?.type ?? "failed"} ${allowed}`);
      },
    ),
    { numRuns: 3_000 },
  );
  // Something of each kind was tried.
  expect([...outcomes].toSorted()).toEqual([
    "confirm false",
    "confirm true",
    "failed false",
    "run false",
  ]);
});
