import { z } from 'zod'

/**
 * Responses: the facts of OpenAI's OpenAPI document, as of openai 7.57.0 (November 2026), and of Open Responses
 * (2026-04-24), which requires more of a response. A field is required where either requires it.
 * https://github.com/openai/openai-openapi, https://github.com/openresponses/openresponses
 */
const count = z.int().min(0)
const status = z.enum(['in_progress', 'completed', 'incomplete'])

const weighed = { token: z.string(), logprob: z.number(), bytes: z.array(z.int()) }
const logprobs = z.array(z.strictObject({ ...weighed, top_logprobs: z.array(z.strictObject(weighed)) }))

const annotation = z.strictObject({
  type: z.literal('url_citation'),
  url: z.string(),
  title: z.string(),
  start_index: z.int(),
  end_index: z.int(),
  /** Neither document has it: what was cited. */
  content: z.string().exactOptional(),
})

const contentPart = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('output_text'),
    text: z.string(),
    annotations: z.array(annotation),
    logprobs,
  }),
  z.strictObject({ type: z.literal('refusal'), refusal: z.string() }),
])
const summaryPart = z.strictObject({ type: z.literal('summary_text'), text: z.string() })

const called = {
  id: z.string(),
  call_id: z.string().min(1),
  name: z.string(),
  namespace: z.string().exactOptional(),
  status,
}
const item = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('message'),
    id: z.string(),
    status,
    role: z.literal('assistant'),
    content: z.array(contentPart),
  }),
  z.strictObject({
    type: z.literal('reasoning'),
    id: z.string(),
    summary: z.array(summaryPart),
    encrypted_content: z.string().exactOptional(),
    status: status.exactOptional(),
  }),
  z.strictObject({ ...called, type: z.literal('function_call'), arguments: z.string() }),
  z.strictObject({ ...called, type: z.literal('custom_tool_call'), input: z.string() }),
  z.strictObject({
    type: z.literal('image_generation_call'),
    id: z.string(),
    status: z.enum(['in_progress', 'completed', 'generating', 'failed']),
    result: z.string().nullable(),
    output_format: z.enum(['png', 'webp', 'jpeg', 'gif', 'svg']).exactOptional(),
  }),
])

const functionTool = z.looseObject({
  type: z.literal('function'),
  name: z.string(),
  description: z.string().nullable(),
  parameters: z.record(z.string(), z.unknown()).nullable(),
  strict: z.boolean().nullable(),
})
const otherTool = z.looseObject({ type: z.string().refine((type) => type !== 'function') })

const toolChoice = z.union([z.enum(['none', 'auto', 'required']), z.looseObject({ type: z.string() })])

const format = z.union([
  z.strictObject({ type: z.enum(['text', 'json_object']) }),
  z.strictObject({
    type: z.literal('json_schema'),
    name: z.string(),
    description: z.string().nullable(),
    schema: z.record(z.string(), z.unknown()),
    strict: z.boolean().nullable(),
  }),
])

const usage = z.strictObject({
  input_tokens: count,
  input_tokens_details: z.strictObject({ cached_tokens: count, cache_write_tokens: count }),
  output_tokens: count,
  output_tokens_details: z.strictObject({ reasoning_tokens: count }),
  total_tokens: count,
})

/** The document's own codes and, as OpenAI sends them and agents act on them, two more. */
const failureCode = z.enum([
  'server_error',
  'rate_limit_exceeded',
  'invalid_prompt',
  'context_length_exceeded',
  'insufficient_quota',
])

/** Members of a response in any state. */
const head = {
  id: z.string().startsWith('resp_'),
  object: z.literal('response'),
  created_at: z.int(),
  model: z.string(),
  access_programs: z.null(),
  background: z.boolean(),
  frequency_penalty: z.number(),
  instructions: z.string().nullable(),
  max_output_tokens: z.int().nullable(),
  max_tool_calls: z.int().nullable(),
  metadata: z.record(z.string(), z.string()),
  parallel_tool_calls: z.boolean(),
  presence_penalty: z.number(),
  previous_response_id: z.string().nullable(),
  prompt_cache_key: z.string().nullable(),
  reasoning: z.looseObject({ effort: z.string().nullable(), summary: z.string().nullable() }),
  safety_identifier: z.string().nullable(),
  service_tier: z.enum(['auto', 'default', 'flex', 'scale', 'priority', 'fast', 'ultrafast']),
  store: z.boolean(),
  temperature: z.number(),
  text: z.strictObject({ format, verbosity: z.enum(['low', 'medium', 'high']).exactOptional() }),
  tool_choice: toolChoice,
  tools: z.array(z.union([functionTool, otherTool])),
  top_logprobs: z.int(),
  top_p: z.number(),
  truncation: z.enum(['auto', 'disabled']),
  user: z.string().nullable(),
}

const started = z.strictObject({
  ...head,
  status: z.literal('in_progress'),
  completed_at: z.null(),
  error: z.null(),
  incomplete_details: z.null(),
  output: z.array(item).length(0),
  usage: z.null(),
})
const completed = z.strictObject({
  ...head,
  status: z.literal('completed'),
  completed_at: z.int(),
  error: z.null(),
  incomplete_details: z.null(),
  output: z.array(item),
  usage,
})
const incomplete = z.strictObject({
  ...head,
  status: z.literal('incomplete'),
  completed_at: z.null(),
  error: z.null(),
  incomplete_details: z.strictObject({ reason: z.enum(['max_output_tokens', 'content_filter']) }),
  output: z.array(item),
  usage,
})
const failed = z.strictObject({
  ...head,
  status: z.literal('failed'),
  completed_at: z.null(),
  error: z.strictObject({ code: failureCode, message: z.string() }),
  incomplete_details: z.null(),
  output: z.array(item),
  usage: usage.nullable(),
})

export const response = z.discriminatedUnion('status', [completed, incomplete])

const numbered = { sequence_number: count }
const placed = { ...numbered, output_index: count }
const ofItem = { ...placed, item_id: z.string() }
const ofContent = { ...ofItem, content_index: count }
const ofSummary = { ...ofItem, summary_index: count }

const lifecycle = <Type extends string, Response extends z.ZodType>(type: Type, of: Response) =>
  z.strictObject({ type: z.literal(type), ...numbered, response: of })

export const event = z.discriminatedUnion('type', [
  lifecycle('response.created', started),
  lifecycle('response.in_progress', started),
  lifecycle('response.completed', completed),
  lifecycle('response.incomplete', incomplete),
  lifecycle('response.failed', failed),
  z.strictObject({ type: z.literal('response.output_item.added'), ...placed, item }),
  z.strictObject({ type: z.literal('response.output_item.done'), ...placed, item }),
  z.strictObject({ type: z.literal('response.content_part.added'), ...ofContent, part: contentPart }),
  z.strictObject({ type: z.literal('response.content_part.done'), ...ofContent, part: contentPart }),
  z.strictObject({
    type: z.literal('response.output_text.delta'),
    ...ofContent,
    delta: z.string(),
    logprobs,
  }),
  z.strictObject({
    type: z.literal('response.output_text.done'),
    ...ofContent,
    text: z.string(),
    logprobs,
  }),
  z.strictObject({
    type: z.literal('response.output_text.annotation.added'),
    ...ofContent,
    annotation_index: count,
    annotation,
  }),
  z.strictObject({ type: z.literal('response.refusal.delta'), ...ofContent, delta: z.string() }),
  z.strictObject({ type: z.literal('response.refusal.done'), ...ofContent, refusal: z.string() }),
  z.strictObject({
    type: z.literal('response.reasoning_summary_part.added'),
    ...ofSummary,
    part: summaryPart,
  }),
  z.strictObject({
    type: z.literal('response.reasoning_summary_part.done'),
    ...ofSummary,
    part: summaryPart,
  }),
  z.strictObject({
    type: z.literal('response.reasoning_summary_text.delta'),
    ...ofSummary,
    delta: z.string(),
  }),
  z.strictObject({
    type: z.literal('response.reasoning_summary_text.done'),
    ...ofSummary,
    text: z.string(),
  }),
  z.strictObject({
    type: z.literal('response.function_call_arguments.delta'),
    ...ofItem,
    delta: z.string(),
  }),
  z.strictObject({
    type: z.literal('response.function_call_arguments.done'),
    ...ofItem,
    arguments: z.string(),
    /** Older releases of the document require it. */
    name: z.string(),
  }),
  z.strictObject({
    type: z.literal('response.custom_tool_call_input.delta'),
    ...ofItem,
    delta: z.string(),
  }),
  z.strictObject({ type: z.literal('response.custom_tool_call_input.done'), ...ofItem, input: z.string() }),
  z.strictObject({ type: z.literal('response.image_generation_call.in_progress'), ...ofItem }),
  z.strictObject({ type: z.literal('response.image_generation_call.completed'), ...ofItem }),
  z.strictObject({
    type: z.literal('error'),
    ...numbered,
    code: z.string().nullable(),
    message: z.string(),
    param: z.string().nullable(),
    /** Open Responses has it all in here. */
    error: z.strictObject({
      type: z.string(),
      code: z.string().nullable(),
      message: z.string(),
      param: z.string().nullable(),
    }),
  }),
])
