import { serve } from "../../../../src/tools/threads/serve.ts";

/** The work of a test's thread, by its input. */
serve((input) => {
  switch (input) {
    case "loop":
      for (;;);
    case "grow": {
      const grown: object[] = [];
      for (;;) grown.push({ one: grown.length });
    }
    case "recurse": {
      const down = (depth: number): number => down(depth + 1) + 1;
      return String(down(0));
    }
    case "throw":
      throw new TypeError("thrown inside");
    case "environment":
      return JSON.stringify(process.env);
    case "wait": {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
      return "waited";
    }
    default:
      return input.toUpperCase();
  }
});
