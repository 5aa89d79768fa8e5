import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codeIn } from "../../../src/loop/model/looks-like-code.ts";

describe("a message about code", () => {
  it.each<[string, string]>([
    ["fenced code", "Why is this empty?\n```py\nprint(x)\n```"],
    ["fenced code", "```\nnpm run build\n```"],
    ["fenced code", "~~~json\n{}\n~~~"],
    ["fenced code", "```text\nhello\n```\n```rust\nfn main() {}\n```"],
    ["a diff", "diff --git a/x b/x\nindex 1..2"],
    ["a diff", "What does this do?\n@@ -1,4 +1,5 @@ main"],
    ["a diff", "--- a/x.txt\n+++ b/x.txt\n"],
    ["a stack trace", 'Traceback (most recent call last):\n  File "a.py", line 3'],
    ["a stack trace", '  File "/srv/app/main.py", line 31, in run'],
    ["a stack trace", "Oops\n    at run (file:///srv/app/main.ts:12:7)"],
    ["a stack trace", "    at node:internal/process/task_queues:95:5"],
    ["a stack trace", "\tat com.example.App.main(App.java:14)"],
    ["a stack trace", "   at App.Run() in C:\\src\\App.cs:line 12"],
    ["a stack trace", "goroutine 1 [running]:\nmain.main()"],
    ["a stack trace", "thread 'main' panicked at src/main.rs:2:5"],
    ["a stack trace", "app.rb:12:in `run'"],
    ["a stack trace", "#0 /srv/index.php(12): run()"],
    ["an error of a compiler or a program", "main.c:4:5: error: expected ';' before '}' token"],
    ["an error of a compiler or a program", "Main.java:3: error: ';' expected"],
    ["an error of a compiler or a program", "src/a.ts(3,5): error TS2304: Cannot find name 'x'."],
    ["an error of a compiler or a program", "error[E0382]: borrow of moved"],
    ["an error of a compiler or a program", "I get TypeError: x is not a function"],
    ["an error of a compiler or a program", "¿Qué es un NullPointerException?"],
    ["SQL", "SELECT name\nFROM people WHERE age > 3 is slow"],
    ["SQL", "CREATE TABLE people (id int)"],
    ["a request about code", "Refactor this function, please"],
    ["a request about code", "can you debug my script?"],
    ["a request about code", "Write a Python function that sorts a list"],
    ["a request about code", "Please write unit tests for it"],
    ["a request about code", "Write me a regex for postal codes"],
    ["a request about code", "Implement a parser in C++"],
    ["a request about code", "add a C# class for orders"],
    ["a request about code", "Optimize this slow SQL query"],
    ["lines of code", "why?\nfunction add(a, b) {\n  const sum = a + b;\n  return sum;\n}"],
    ["lines of code", "from os import path\nx = path.join('a')\nprint(x)"],
  ])("has %s: %s", (what, message) => {
    expect(codeIn(message)).toBe(what);
  });
});

describe("a message about something else", () => {
  it.each([
    "",
    "Hello!",
    "What is the dress code for the party?",
    "Can you review the code of conduct?",
    "Write a class schedule for Monday",
    "Write a script for a short play",
    "Implement a method for teaching children",
    "Fix my program for the gym",
    "Write a poem about a python in a ruby dress",
    "Write a program to go with the concert",
    "Write an essay on tourism in Java",
    "Tell me about Rust, the film",
    "Let's debug our relationship",
    "Select a gift from the list",
    "Drop the table at the door",
    "Meet me\nat the station at 10:30:15",
    "Agenda:\n10:30 - error analysis: who?\n11:00 - lunch",
    "Buy:\neggs;\nmilk;\nbread;\nbutter;",
    "(a) the tenant shall pay the rent;\n(b) the tenant (or guest) shall leave;\n(c) the owner shall pay;",
    "import taxes are high\nreturn the book\nif you agree:",
    "let us go\nreturn home\nfor ever (and ever)",
    "| day | what |\n| --- | --- |\n| Mon | swim |",
    "```text\nRoses are red\n```\nWhat comes next?",
    "```markdown\n# Title\n```",
    "```",
    "``` ```",
    "Use ```wow``` like this\nand go on",
    "--- Forwarded message ---\nFrom: Ann",
    "- one\n- two\n+ three",
    "x = 3, y = 4; what is x + y?",
    "My error was to trust him. An exception proves the rule.",
    "panic: I need help with my taxes",
  ])("%s", (message) => {
    expect(codeIn(message)).toBeUndefined();
  });
});

it("any text is read, and a long one in no time", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      codeIn(text);
    }),
  );
  for (const piece of ["SELECT ", "write ", "at a.", "x(", "(", "a.b:1", "`"])
    expect(() => codeIn(piece.repeat(20_000))).not.toThrow();
  expect(codeIn(" ".repeat(20_000) + "\n```\nx\n```")).toBeUndefined();
});
