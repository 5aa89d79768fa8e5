import { MemoryBudget } from "../loop/compaction/memory-budget.ts";
import { budgetContract } from "./budget-contract.ts";

budgetContract("memory", () => {
  const budget = new MemoryBudget();
  return {
    budget,
    limit(limit) {
      budget.limits = [...budget.limits, limit];
      return Promise.resolve();
    },
    used: () => Promise.resolve(budget.used),
  };
});
