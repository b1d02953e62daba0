import { type Checks, decimal, flag, integer, list, object, text, textOrObject } from '../field-checks.ts'

/** Fields that their vendor documents, for what no upstream takes. https://platform.openai.com/docs/api-reference/responses/create */
export const responsesChecks: Checks = {
  instructions: text,
  temperature: decimal(0, 2),
  top_p: decimal(0, 1),
  top_logprobs: integer(0, 1000),
  tools: list,
  tool_choice: textOrObject,
  parallel_tool_calls: flag,
  max_tool_calls: integer(0, Number.MAX_SAFE_INTEGER),
  text: object,
  reasoning: object,
  include: list,
  metadata: object,
  user: text,
  safety_identifier: text,
  prompt_cache_key: text,
  service_tier: text,
  store: flag,
  stream_options: object,
  truncation: text,
}
