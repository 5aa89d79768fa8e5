import { serve } from "../processes/serve.ts";
import { createEvaluator } from "./evaluate.ts";

const evaluate = createEvaluator();

serve((expression) => evaluate(expression.toString()));
