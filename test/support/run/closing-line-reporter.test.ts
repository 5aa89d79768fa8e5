import { describe, expect, it } from "vitest";
import { slowestFiles, type TimedModule } from "./closing-line-reporter.ts";

const file = (name: string, duration: number): TimedModule => ({
  relativeModuleId: `test/${name}.test.ts`,
  diagnostic: () => ({ setupDuration: 40, collectDuration: 60, duration }),
});

describe("the slowest files of a run", () => {
  it("are named with their seconds, setup and imports included, slowest first", () => {
    expect(slowestFiles([file("a", 900), file("b", 12_300), file("c", 0)])).toEqual([
      "  12.4 s test/b.test.ts",
      "   1.0 s test/a.test.ts",
      "   0.1 s test/c.test.ts",
    ]);
  });

  it("are ten at most", () => {
    const modules = Array.from({ length: 30 }, (_, index) => file(`${index}`, index * 1_000));
    const lines = slowestFiles(modules);
    expect(lines).toHaveLength(10);
    expect(lines[0]).toContain("test/29.test.ts");
    expect(lines[9]).toContain("test/20.test.ts");
  });
});
