import { expect, it } from "vitest";
import { newErrorId } from "../../src/logging/error-id.ts";

it("ids are short, easily read, and hardly ever the same", () => {
  const ids = Array.from({ length: 1_000 }, newErrorId);
  for (const id of ids) expect(id).toMatch(/^[a-hj-km-np-z2-9]{6}$/);
  expect(new Set(ids).size).toBeGreaterThan(990);
});
