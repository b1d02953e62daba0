import {
  type ChatRequest,
  type EncodedRequest,
  type EncodeTarget,
  type FunctionTool,
  fitRequest,
  type JsonObject,
  lostVendorFields,
  type OutputFormat,
  type ReasoningOptions,
  type RequestOptions,
  type Sampling,
  schemaDialects,
  type ToolChoice,
  unsupported,
} from '@tollgate/formats'
import { isModel } from '../../models/model-facts.ts'
import { encodeMessages } from './encode-messages.ts'

/** `tools` and `tool_choice`. @throws RequestFault for tools that the service cannot have */
function encodeTools(request: ChatRequest, dropped: Set<string>): JsonObject {
  const { toolChoice, parallelToolCalls } = request
  const functions = functionsOf(request, dropped)
  const tools = functions.flatMap((tool) =>
    isOffered(tool, toolChoice) ? [encodeFunction(tool, dropped)] : [],
  )
  if (tools.length === 0) return {}
  if (parallelToolCalls === false) dropped.add('parallelToolCalls')
  const choice = choiceOf(toolChoice)
  const isStrict = functions.every(({ strict }) => strict === true)
  if (!isStrict && functions.some(({ strict }) => strict === true)) dropped.add('strict')
  return {
    tools,
    ...(choice !== undefined && { tool_choice: choice }),
    // For all tools or for none.
    ...(isStrict && { strict_tools: true }),
  }
}

/** Agents offer their vendor's tools beside their own, with every call: they work without. */
function functionsOf({ tools, toolChoice }: ChatRequest, dropped: Set<string>): readonly FunctionTool[] {
  const dispensable = tools.some(({ type }) => type === 'function')
  return tools.flatMap((tool, index) => {
    if (tool.type === 'function') return [tool]
    const param = `tools[${index}]`
    if (!dispensable || (toolChoice?.type === 'tool' && toolChoice.name === tool.name))
      throw unsupported(param, `the tool ${JSON.stringify(tool.name)} is one of another provider`)
    dropped.add(`${param} (${tool.name})`)
    return []
  })
}

/** Decides whether a tool is offered: one is chosen by offering no other. */
function isOffered({ name }: FunctionTool, choice: ToolChoice | undefined): boolean {
  if (choice?.type === 'tool') return choice.name === name
  return choice?.type !== 'allowed' || choice.names.includes(name)
}

function choiceOf(choice: ToolChoice | undefined): 'REQUIRED' | 'NONE' | undefined {
  switch (choice?.type) {
    case 'none':
      return 'NONE'
    case 'required':
    case 'tool':
      return 'REQUIRED'
    case 'allowed':
      return choice.required ? 'REQUIRED' : undefined
    default:
      return undefined
  }
}

function encodeFunction(tool: FunctionTool, dropped: Set<string>): JsonObject {
  if (tool.cache !== undefined) dropped.add('cache')
  const { name, description, parameters = { type: 'object', properties: {} } } = tool
  return {
    type: 'function',
    function: { name, ...(description !== undefined && { description }), parameters },
  }
}

const schemas = { tools: schemaDialects.objectTool, output: schemaDialects.objectTool }

/**
 * @param safety how strictly Cohere filters the chat; `NONE` leaves that to the model's own default
 * @throws RequestFault for what this format cannot say and whose loss would change the response
 */
export function encodeRequest(original: ChatRequest, target: EncodeTarget, safety = 'NONE'): EncodedRequest {
  const dropped = new Set<string>(lostVendorFields(original.vendor, 'cohere-chat'))
  const request = fitRequest(original, schemas, dropped)
  const { maxOutputTokens } = request
  const tools = encodeTools(request, dropped)
  const body = {
    model: target.model,
    messages: encodeMessages(request.messages, dropped),
    // Said either way: the service's own default has changed before.
    stream: request.stream,
    ...tools,
    // Refused beside tools. https://docs.cohere.com/docs/safety-modes
    ...(safety !== 'NONE' && tools.tools === undefined && { safety_mode: safety }),
    ...encodeFormat(request.outputFormat),
    ...(maxOutputTokens !== undefined && { max_tokens: maxOutputTokens }),
    ...encodeSampling(request.sampling, dropped),
    ...encodeThinking(request.reasoning, target.model, dropped),
    ...encodeOptions(request.options, dropped),
  }
  return { body, dropped: [...dropped] }
}

function encodeFormat(format: OutputFormat | undefined): JsonObject {
  switch (format?.type) {
    case 'json':
      return { response_format: { type: 'json_object' } }
    case 'json-schema':
      return { response_format: { type: 'json_object', json_schema: format.schema } }
    default:
      return {}
  }
}

const maxStops = 5

function encodeSampling(sampling: Sampling, dropped: Set<string>): JsonObject {
  const { temperature, topP, topK, seed, presencePenalty, frequencyPenalty, candidates, logprobs } = sampling
  if (candidates > 1) throw unsupported('n', 'it gives one answer to a request')
  if (logprobs !== undefined) dropped.add('logprobs')
  const stop = sampling.stop.filter((sequence) => sequence !== '')
  if (stop.length > maxStops) throw unsupported('stop', `it takes ${maxStops} stop sequences at most`)
  const stated = {
    // Other vendors go up to 2, and take negative penalties.
    temperature: within(temperature, 0, 1),
    p: within(topP, 0.01, 0.99),
    k: within(topK, 0, 500),
    seed: seed === undefined ? undefined : Math.abs(seed),
    presence_penalty: within(presencePenalty, 0, 1),
    frequency_penalty: within(frequencyPenalty, 0, 1),
    stop_sequences: stop.length > 0 ? stop : undefined,
  }
  return Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined))
}

function within(value: number | undefined, min: number, max: number): number | undefined {
  return value === undefined ? undefined : Math.min(Math.max(value, min), max)
}

const budgets = { minimal: 256, low: 1024, medium: 4096, high: 16384, xhigh: 31000, max: 31000 } as const

/** https://docs.cohere.com/docs/reasoning */
function encodeThinking(
  reasoning: ReasoningOptions | undefined,
  model: string,
  dropped: Set<string>,
): JsonObject {
  if (reasoning === undefined) return {}
  const { effort, budgetTokens = -1, includeThoughts } = reasoning
  const off = effort === 'none' || budgetTokens === 0
  if (isModel('cohere-never-reasons', model)) {
    if (!off) dropped.add('reasoning')
    return {}
  }
  if (off) return { thinking: { type: 'disabled' } }
  const budget = budgetTokens > 0 ? budgetTokens : effort === undefined ? undefined : budgets[effort]
  if (budget === undefined && includeThoughts !== true) return {}
  return { thinking: { type: 'enabled', ...(budget !== undefined && { token_budget: budget }) } }
}

function encodeOptions(options: RequestOptions, dropped: Set<string>): JsonObject {
  const { user, metadata, promptCacheKey, verbosity, serviceTier, modalities = [] } = options
  if (modalities.some((kind) => kind !== 'text'))
    throw unsupported('modalities', 'it answers with text alone')
  for (const [name, value] of Object.entries({ user, metadata, promptCacheKey, verbosity }))
    if (value !== undefined) dropped.add(name)
  if (serviceTier !== undefined && serviceTier !== 'auto' && serviceTier !== 'default')
    dropped.add('serviceTier')
  return {}
}
