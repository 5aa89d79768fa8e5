import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loopStateSchema, type LoopState, type Observation } from "../../../../src/core/turn.ts";
import {
  detectLoop,
  type DetectionSettings,
} from "../../../../src/loop/machine/loop-detection/detect.ts";

type Declared = NonNullable<ReturnType<DetectionSettings["toolOf"]>>;

/** `look*` reads, `act*` acts; all others are not there. */
const settings = (
  more: Partial<DetectionSettings["policy"]> & {
    readonly tools?: Readonly<Record<string, Partial<Declared>>>;
  } = {},
): DetectionSettings => {
  const { tools = {}, ...policy } = more;
  return {
    policy: { sameCall: 3, sameTool: 5, hints: 5, ...policy },
    toolOf: (name) =>
      name.startsWith("look")
        ? { effect: "read", ...tools[name] }
        : name.startsWith("act")
          ? { effect: "once", ...tools[name] }
          : undefined,
  };
};

/**
 * `look a > 1`: the tool, its arguments, the result; `!` instead of `>`: the result is an error.
 */
function call(text: string): Observation {
  const [, tool = "", given = "", sign, result = ""] =
    /^(\S+) (\S+) ([>!]) (\S+)$/.exec(text) ?? [];
  return { tool, call: `${tool}:${given}`, result, failed: sign === "!" };
}

/** One call a line; `--` ends a round. */
const roundsOf = (text: string): Observation[][] =>
  text.split("--").map((round) =>
    round
      .split(/[\n;]/)
      .map((line) => line.trim())
      .filter((line) => line !== "")
      .map(call),
  );

const each = (calls: readonly Observation[]): Observation[][] => calls.map((one) => [one]);

function run(
  rounds: readonly (readonly Observation[])[],
  how: DetectionSettings = settings(),
): LoopState[] {
  const states: LoopState[] = [];
  for (const round of rounds) states.push(detectLoop(states.at(-1), round, how));
  return states;
}

/** `.` for a round without a detection, `!` for one with. */
const shape = (states: readonly LoopState[]): string =>
  states
    .map(({ detections }, index) => (detections > (states[index - 1]?.detections ?? 0) ? "!" : "."))
    .join("");

const shapeOf = (text: string, how?: DetectionSettings): string =>
  shape(run(each(roundsOf(text).flat()), how));

const times = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join("\n");

const others = (count: number): string => times(count, (n) => `look b${n} > ${n}`);

describe("the same call with the same result", () => {
  it("is a loop from the third time on, and each time more", () => {
    expect(shapeOf(times(5, () => "look a > 1"))).toBe("..!!!");
  });

  it("is one also when others come between", () => {
    expect(shapeOf("look a > 1; look b > 1; look a > 1; look c > 1; look a > 1")).toBe("....!");
  });

  it("is none when results, arguments or tools differ", () => {
    expect(shapeOf(times(9, (n) => `look a > ${n}`))).toBe(".........");
    expect(shapeOf(times(9, (n) => `look a${n} > 1`))).toBe(".........");
    expect(shapeOf("look a > 1; look2 a > 1; look3 a > 1")).toBe("...");
  });

  it("is counted as often as the policy says", () => {
    const text = times(5, () => "look a > 1");
    expect(shapeOf(text, settings({ sameCall: 2 }))).toBe(".!!!!");
    expect(shapeOf(text, settings({ sameCall: 5 }))).toBe("....!");
    expect(shapeOf(text, settings({ sameCall: 6 }))).toBe(".....");
  });

  it("is forgotten once thirty calls lie between", () => {
    const twice = "look a > 1\nlook a > 1";
    const end = "\nlook a > 1";
    expect(shapeOf(`${twice}\n${others(27)}${end}`)).toMatch(/!$/);
    expect(shapeOf(`${twice}\n${others(29)}${end}`)).toMatch(/^\.+$/);
    // Also when all of them come in one round.
    expect(shape(run(roundsOf(`${twice}\n${others(27)}${end}`)))).toBe("!");
    expect(shape(run(roundsOf(`${twice}\n${others(29)}${end}`)))).toBe(".");
  });

  it("is remembered for as long as a number asks for", () => {
    const text = times(50, () => "look a > 1");
    expect(shapeOf(text, settings({ sameCall: 50 }))).toBe(`${".".repeat(49)}!`);
    const tools = { look: { loop: { sameCall: 40 } } };
    expect(shapeOf(text, settings({ tools }))).toBe(`${".".repeat(39)}${"!".repeat(11)}`);
  });
});

describe("the same tool in a row", () => {
  it("is a loop when it acts with the same arguments or result, from the fifth time on", () => {
    expect(shapeOf(times(7, (n) => `act a > ${n}`))).toBe("....!!!");
    expect(shapeOf(times(7, (n) => `act a${n} > 1`))).toBe("....!!!");
    expect(shapeOf(times(7, (n) => `act a${n} ! ${n}`))).toBe("....!!!");
  });

  it("is none while each success has other arguments and another result", () => {
    expect(shapeOf(times(40, (n) => `act a${n} > ${n}`))).not.toContain("!");
    // A failure that the next call cures.
    expect(shapeOf(times(20, (n) => `act a${n} ! busy\nact a${n} > ${n}`))).not.toContain("!");
  });

  it("starts again after progress", () => {
    const stuck = times(4, (n) => `act b${n} > same`);
    expect(shapeOf(`${stuck}\nact a > 1\n${times(4, (n) => `act c${n} ! ${n}`)}`)).toBe(
      ".........",
    );
    expect(shapeOf(`act a > 1\n${times(5, () => "act a > 2")}`)).toContain("!");
  });

  it("counts different calls of a round once, if they succeed", () => {
    const batch = (count: number, result: string) => (round: number) =>
      `${times(count, (n) => `act a${round}x${n} > ${result}`)} --`;
    expect(shape(run(roundsOf(times(6, batch(8, "ok")))))).toBe("....!!.");
    expect(shape(run(roundsOf(times(5, () => "act a > 1; act b > 2 --"))))).toContain("!");
    expect(shape(run(roundsOf(times(8, (n) => `act a${n} ! ${n}`))))).toBe("!");
  });

  it("is none when it reads, or says that it can be repeated", () => {
    expect(shapeOf(times(20, (n) => `look a${n} > ${n}`))).not.toContain("!");
    const how = settings({ tools: { act: { repeatable: true } } });
    expect(
      shapeOf(
        times(20, (n) => `act a${n} > ${n}`),
        how,
      ),
    ).not.toContain("!");
  });

  it("is one when it reads and says that it cannot be repeated", () => {
    const how = settings({ tools: { look: { repeatable: false } } });
    expect(
      shapeOf(
        times(5, (n) => `look a > ${n}`),
        how,
      ),
    ).toBe("....!");
  });

  it("is one with the same error, also when it reads", () => {
    expect(shapeOf(times(6, (n) => `look a${n} ! down`))).toBe("....!!");
    expect(shapeOf(times(6, (n) => `look a${n} ! down${n}`))).toBe("......");
    // The same text, but no failure.
    expect(shapeOf(times(6, (n) => `look a${n} > down`))).toBe("......");
  });

  it("is one for a tool that is not there", () => {
    expect(shapeOf(times(5, (n) => `gone a${n} ! ${n}`))).toBe("....!");
  });

  it("starts again after every other tool", () => {
    const four = times(4, (n) => `act a > ${n}`);
    expect(shapeOf(`${four}\nlook x > 1\n${four}`)).toBe(".........");
    const errors = times(4, (n) => `look a${n} ! down`);
    expect(shapeOf(`${errors}\nlook x > 1\n${errors}`)).toBe(".........");
  });

  it("is counted as often as the policy says", () => {
    const text = times(3, (n) => `act a > ${n}`);
    expect(shapeOf(text, settings({ sameTool: 2 }))).toBe(".!!");
    expect(shapeOf(text, settings({ sameTool: 3 }))).toBe("..!");
    expect(shapeOf(text, settings({ sameTool: 4 }))).toBe("...");
  });
});

describe("A-B-A-B", () => {
  it("is a loop, also with different results where one of them acts", () => {
    expect(shapeOf("act a > 1; look b > 2; act a > 3; look b > 4")).toBe("...!");
    expect(shapeOf("act a > 1; act b > 2; act a > 3; act b > 4; act a > 5")).toBe("...!!");
  });

  it("is a loop of two reading calls when a result comes again", () => {
    expect(shapeOf("look a > 1; look b > 2; look a > 1; look b > 2")).toBe("...!");
    expect(shapeOf("look a > 1; look b > 2; look a > 3; look b > 2")).toBe("...!");
  });

  it("is polling when both read and every result is new", () => {
    expect(shapeOf(times(20, (n) => `look${n % 2} x > ${n}`))).not.toContain("!");
  });

  it("needs two different calls, twice each, with nothing between", () => {
    expect(shapeOf("act a > 1; look b > 2; act a > 3")).toBe("...");
    expect(shapeOf("act a > 1; act a > 2; act a > 3; act a > 4")).toBe("....");
    expect(shapeOf("act a > 1; look b > 2; look c > 9; act a > 3; look b > 4")).toBe(".....");
    expect(shapeOf("act a > 1; look b > 2; act c > 3; look b > 4")).toBe("....");
  });
});

describe("a round", () => {
  it("of many calls is looked at call by call, and is one detection at most", () => {
    const [state] = run(roundsOf(times(8, () => "look a > 1")));
    expect(state).toMatchObject({ detections: 1 });
    expect(state?.hint).toContain("8 times");
    expect(shape(run(roundsOf(times(5, (n) => `act a > ${n}`))))).toBe("!");
    expect(shape(run(roundsOf("act a > 1; act b > 2; act a > 3; act b > 4")))).toBe("!");
    // The loop is over before the round is.
    expect(shape(run(roundsOf(`${times(3, () => "look a > 1")}; look b > 1`)))).toBe("!");
  });

  it("goes on where the one before it ended", () => {
    expect(shape(run(roundsOf("look a > 1; look a > 1 -- look b > 1; look a > 1")))).toBe(".!");
  });

  it("without calls remembers what was, and has no hint", () => {
    expect(run([[]])).toEqual([{ recent: [], detections: 0 }]);
    const [, found, quiet, again] = run(
      roundsOf("look a > 1; look a > 1 -- look a > 1 -- -- look a > 1"),
    );
    expect(found?.hint).toBeDefined();
    expect(quiet).toEqual({ recent: found?.recent, detections: 1 });
    expect(again).toMatchObject({ detections: 2 });
  });

  it("that does something else is no detection and has no hint, whatever was before", () => {
    const states = run(
      each(
        roundsOf(
          `${times(4, () => "act a > 1")}; look b > 1; act c > 1; look d > 1; act a > 2`,
        ).flat(),
      ),
    );
    expect(shape(states)).toBe("..!!....");
    const hinted = states.flatMap(({ hint }, index) => (hint === undefined ? [] : [index]));
    expect(hinted).toEqual([2, 3]);
    expect(states.at(-1)?.detections).toBe(2);
  });
});

const hintOf = (text: string, how?: DetectionSettings): string | undefined =>
  run(each(roundsOf(text).flat()), how).at(-1)?.hint;

describe("a hint", () => {
  it("says what repeats and what to do instead", () => {
    expect(hintOf(times(3, () => "look a > 1"))).toBe(
      "You seem to go in circles: look was called 3 times with the same arguments and gave the same result each time. " +
        "Repeating it will not help: try another way, or answer with what you have and say what is missing.",
    );
    expect(hintOf(times(5, (n) => `look a${n} ! down`))).toContain(
      "look failed 5 times in a row with the same error. Repeating it will not help",
    );
    expect(hintOf(times(5, (n) => `act a > ${n}`))).toContain(
      "act was called 5 times in a row. If that brings you no nearer",
    );
    expect(hintOf("act a > 1; look b > 2; act a > 3; look b > 4")).toContain(
      "the same calls of act and look alternate",
    );
    expect(hintOf("act a > 1; act b > 2; act a > 3; act b > 4")).toContain(
      "the same two calls of act alternate",
    );
  });

  it("warns before the detection that ends the turn, and only then", () => {
    const states = run(each(roundsOf(times(8, () => "look a > 1")).flat()), settings({ hints: 5 }));
    const warned = states.filter(({ hint }) =>
      hint?.endsWith("One more repetition ends this turn."),
    );
    expect(warned).toEqual([states[6]]);
    expect(states[6]?.detections).toBe(5);
  });
});

/** `act` in turn with `look`, whose results are these. */
const waiting = (result: (n: number) => number): string =>
  times(8, (n) => (n % 2 === 0 ? "act a > 0" : `look b > ${result(n)}`));

describe("a tool's own word", () => {
  it("goes before the policy's", () => {
    const tools = {
      look: { loop: { sameCall: 2 } },
      act: { loop: { sameTool: 7 } },
    };
    const how = settings({ tools });
    expect(shapeOf("look a > 1; look a > 1", how)).toBe(".!");
    expect(
      shapeOf(
        times(7, (n) => `act a > ${n}`),
        how,
      ),
    ).toBe("......!");
    // What it does not name is as the policy says.
    expect(
      shapeOf(
        times(3, () => "act a > 1"),
        how,
      ),
    ).toBe("..!");
  });

  it("takes it out altogether", () => {
    const how = settings({
      tools: { act: { loop: false }, look: { loop: false } },
    });
    expect(
      shapeOf(
        times(9, () => "act a > 1"),
        how,
      ),
    ).not.toContain("!");
    expect(
      shapeOf(
        times(9, (n) => `act a${n} ! 1`),
        how,
      ),
    ).not.toContain("!");
    expect(
      shapeOf(
        times(6, (n) => `act a${n % 2} > ${n}`),
        how,
      ),
    ).not.toContain("!");
  });

  it("takes its cycles out too, but not the other tool's repetition", () => {
    const how = settings({ tools: { act: { loop: false } } });
    expect(
      shapeOf(
        waiting((n) => n),
        how,
      ),
    ).not.toContain("!");
    expect(
      shapeOf(
        waiting(() => 1),
        how,
      ),
    ).toBe(".....!.!");
  });
});

/** A few tools, arguments and results, so that repetitions are frequent. */
const observations = fc.array(
  fc
    .record({
      tool: fc.constantFrom("look", "look2", "act", "gone"),
      given: fc.nat(2),
      result: fc.nat(2).map(String),
      failed: fc.boolean(),
    })
    .map(({ given, ...rest }): Observation => ({
      ...rest,
      call: `${rest.tool}:${given}`,
    })),
  { maxLength: 60 },
);

const someSettings = fc
  .record({
    sameCall: fc.integer({ min: 2, max: 6 }),
    sameTool: fc.integer({ min: 2, max: 40 }),
    loop: fc.constantFrom<Declared["loop"]>(false, undefined, { sameCall: 35 }, { sameTool: 2 }),
  })
  .map(({ loop, ...policy }) =>
    settings({
      ...policy,
      tools: loop === undefined ? {} : { look2: { loop } },
    }),
  );

const allRepeatable = (how: DetectionSettings): DetectionSettings => ({
  ...how,
  toolOf: (name) => ({ effect: "once", ...how.toolOf(name), repeatable: true }),
});

function inRounds(calls: readonly Observation[], sizes: readonly number[]): Observation[][] {
  const rounds: Observation[][] = [];
  let at = 0;
  for (const size of sizes) {
    rounds.push(calls.slice(at, at + size));
    at += size;
  }
  return [...rounds, calls.slice(at)];
}

describe("detection", () => {
  it("does not depend on how the state was stored", () => {
    fc.assert(
      fc.property(observations, someSettings, (calls, how) => {
        let kept: LoopState | undefined;
        let stored: LoopState | undefined;
        for (const observation of calls) {
          kept = detectLoop(kept, [observation], how);
          const text = JSON.stringify(detectLoop(stored, [observation], how));
          stored = loopStateSchema.parse(JSON.parse(text));
          expect(stored).toStrictEqual(kept);
        }
      }),
    );
  });

  it("depends on how calls are spread over rounds only for different ones of a round", () => {
    const sizes = fc.array(fc.nat(6), { maxLength: 40 });
    fc.assert(
      fc.property(observations, sizes, someSettings, fc.boolean(), (calls, lengths, some, same) => {
        const how = same ? allRepeatable(some) : some;
        const single = shape(run(each(calls), how));
        let at = 0;
        const rounds = inRounds(calls, lengths);
        const expected = rounds
          .map(({ length }) => {
            at += length;
            return single.slice(at - length, at).includes("!") ? "!" : ".";
          })
          .join("");
        const found = shape(run(rounds, how));
        if (same) expect(found).toBe(expected);
        // Together they are never more of a loop than one by one.
        else
          expect(found.split("").every((each, n) => each === "." || expected[n] === "!")).toBe(
            true,
          );
      }),
    );
  });

  it("never finds anything in successes with other arguments and another result", () => {
    const sizes = fc.array(fc.nat(9), { maxLength: 20 });
    const names = fc.array(fc.constantFrom("look", "act", "act2"), {
      minLength: 60,
      maxLength: 60,
    });
    fc.assert(
      fc.property(names, sizes, someSettings, (tools, lengths, how) => {
        const calls = tools.map((tool, n) => call(`${tool} a${n} > ${n}`));
        expect(shape(run(inRounds(calls, lengths), how))).not.toContain("!");
      }),
    );
  });

  it("finds each row of failures, of same calls and of same results as long as the policy counts", () => {
    const kinds = fc.constantFrom<(n: number) => string>(
      (n) => `act x${n} ! ${n}`,
      (n) => `act x > ${n}`,
      (n) => `act x${n} > same`,
    );
    fc.assert(
      fc.property(kinds, fc.integer({ min: 2, max: 12 }), fc.nat(12), (make, sameTool, before) => {
        const text = `${times(before, (n) => `act a${n} > new${n}`)}\n${times(sameTool, make)}`;
        const found = shapeOf(text, settings({ sameTool, sameCall: 100 }));
        expect(found).toBe(`${".".repeat(before + sameTool - 1)}!`);
      }),
    );
  });

  it("changes nothing that it was given, and gives the same again", () => {
    fc.assert(
      fc.property(observations, observations, (before, round) => {
        const state = Object.freeze({
          recent: Object.freeze([...before]) as Observation[],
          detections: 1,
        });
        const first = detectLoop(state, Object.freeze(round), settings());
        expect(detectLoop(state, round, settings())).toStrictEqual(first);
      }),
    );
  });

  it("never finds anything in different calls of reading tools", () => {
    const sizes = fc.array(fc.nat(9), { maxLength: 20 });
    fc.assert(
      fc.property(sizes, fc.boolean(), (lengths, failed) => {
        const calls = Array.from({ length: 100 }, (_, n) =>
          call(`look${n % 3} a${n} ${failed ? "!" : ">"} ${n % 2}${n % 3}`),
        );
        expect(shape(run(inRounds(calls, lengths)))).not.toContain("!");
      }),
    );
  });

  it("always finds as many same calls as the policy counts, wherever they lie in one's memory", () => {
    const name = fc.constantFrom("look", "act", "gone");
    fc.assert(
      fc.property(
        name,
        fc.integer({ min: 2, max: 6 }),
        fc.array(fc.nat(4), { minLength: 6, maxLength: 6 }),
        (tool, sameCall, gaps) => {
          const calls = gaps
            .slice(0, sameCall)
            .flatMap((gap, index) => [
              ...Array.from({ length: gap }, (_, n) => call(`look b${index}-${n} > ${index}-${n}`)),
              call(`${tool} a > 1`),
            ]);
          const states = run(each(calls), settings({ sameCall }));
          expect(shape(states)).toMatch(/!$/);
          expect(states.at(-1)?.hint).toBeDefined();
        },
      ),
    );
  });

  it("remembers little, however long a turn is", () => {
    const calls = Array.from({ length: 500 }, (_, n) => call(`act${n % 7} a${n} > ${n}`));
    const lengths = (how?: DetectionSettings) =>
      run([...each(calls), calls], how).map(({ recent }) => recent.length);
    expect(Math.max(...lengths())).toBe(30);
    expect(Math.max(...lengths(settings({ sameTool: 100 })))).toBe(100);
  });
});
