import { serve } from "../threads/serve.ts";
import { createEvaluator } from "./evaluate.ts";

serve(createEvaluator());
