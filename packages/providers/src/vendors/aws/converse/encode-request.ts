import {
  type ChatRequest,
  type EncodedRequest,
  type EncodeTarget,
  type FunctionTool,
  fitRequest,
  type JsonObject,
  jsonInstruction,
  lostVendorFields,
  type Message,
  outputToolDescription,
  outputToolName,
  type ReasoningOptions,
  type RequestOptions,
  type Sampling,
  type SchemaProfile,
  schemaDialects,
  schemaInstruction,
  type Tool,
  type ToolChoice,
  unsupported,
  withinMarkLimit,
} from '@tollgate/formats'
import { encodeMessages, type Turn } from './encode-messages.ts'
import { cachePoint, type Encoding, startEncoding } from './encoding.ts'

interface Tooling {
  readonly toolConfig: JsonObject | undefined
  /** Options without a field, as instructions after the other ones. */
  readonly instructions: readonly string[]
}

/** Tools, the choice among them, and the form of the response: a schema is that of a tool which the model must call. */
function encodeTooling(request: ChatRequest, encoding: Encoding): Tooling {
  const { toolChoice, outputFormat, parallelToolCalls } = request
  const own = encodeTools(request, encoding)
  if (parallelToolCalls === false && own.length > 0) encoding.dropped.add('parallelToolCalls')
  if (outputFormat?.type === 'json-schema') return withSchema(request, own, encoding)
  const form = outputFormat?.type === 'json' ? [jsonInstruction] : []
  if (toolChoice?.type === 'none' || own.length === 0) return withoutCalls(request, own, form)
  const choice = encodeChoice(toolChoice, encoding)
  return {
    toolConfig: { tools: own, ...(choice !== undefined && { toolChoice: choice }) },
    instructions: form,
  }
}

const noCallInstruction = 'Do not call any tool now: answer in words.'

/** A conversation that holds calls must declare their tools, even when the model may call none any more. */
function withoutCalls(
  { messages }: ChatRequest,
  own: readonly JsonObject[],
  form: readonly string[],
): Tooling {
  const called = calledIn(messages)
  if (called.length === 0) return { toolConfig: undefined, instructions: form }
  const tools = own.length > 0 ? own : called.map((name) => toolSpec(name, undefined, { type: 'object' }))
  return { toolConfig: { tools }, instructions: [...form, noCallInstruction] }
}

function calledIn(messages: readonly Message[]): readonly string[] {
  const calls = messages.flatMap(({ role, parts }) => (role === 'assistant' ? parts : []))
  return [...new Set(calls.flatMap((part) => (part.type === 'tool-call' ? [part.name] : [])))]
}

/** The tools that may be called. Agents offer their vendor's tools beside their own, with every call: they work without. */
function encodeTools({ tools, toolChoice }: ChatRequest, encoding: Encoding): readonly JsonObject[] {
  const dispensable = tools.some(({ type }) => type === 'function')
  return tools.flatMap((tool, index) => {
    const param = `tools[${index}]`
    if (toolChoice?.type === 'allowed' && !toolChoice.names.includes(tool.name)) return []
    if (tool.type === 'function') return encodeFunction(tool, encoding)
    if (!dispensable || isForced(tool, toolChoice))
      throw unsupported(param, `the tool ${JSON.stringify(tool.name)} is one of another provider`)
    encoding.dropped.add(`${param} (${tool.name})`)
    return []
  })
}

function isForced({ name }: Tool, choice: ToolChoice | undefined): boolean {
  return choice?.type === 'tool' && choice.name === name
}

function encodeFunction(tool: FunctionTool, encoding: Encoding): readonly JsonObject[] {
  if (tool.strict === true) encoding.dropped.add('strict')
  const spec = toolSpec(tool.name, tool.description, tool.parameters ?? { type: 'object', properties: {} })
  // Amazon's own models keep messages and instructions, but no tools.
  if (encoding.traits.family === 'claude') return [spec, ...cachePoint(tool.cache, encoding)]
  if (tool.cache !== undefined) encoding.dropped.add('cache')
  return [spec]
}

function toolSpec(name: string, description: string | undefined, schema: JsonObject): JsonObject {
  const described = description === undefined || description.trim() === '' ? {} : { description }
  return { toolSpec: { name, ...described, inputSchema: { json: schema } } }
}

/** `undefined` leaves it to the model. @throws RequestFault for a choice that the model cannot be given */
function encodeChoice(choice: ToolChoice | undefined, { traits }: Encoding): JsonObject | undefined {
  const must = choice?.type === 'required' || (choice?.type === 'allowed' && choice.required)
  const name = choice?.type === 'tool' ? choice.name : undefined
  if (!must && name === undefined) return undefined
  if (traits.toolChoice === 'none')
    throw unsupported('tool_choice', 'the model cannot be made to call a tool')
  if (name === undefined) return { any: {} }
  if (traits.toolChoice === 'any')
    throw unsupported('tool_choice', 'the model cannot be made to call one tool')
  return { tool: { name } }
}

type SchemaFormat = Extract<NonNullable<ChatRequest['outputFormat']>, { readonly type: 'json-schema' }>

function withSchema(request: ChatRequest, own: readonly JsonObject[], encoding: Encoding): Tooling {
  const { outputFormat, toolChoice } = request
  const { schema, description } = outputFormat as SchemaFormat
  if (encoding.traits.toolChoice === 'none') return inWords(request, own, schema, encoding)
  const words = description ?? outputToolDescription
  const tools = [...own, toolSpec(outputToolName, words, schema)]
  const alone = own.length === 0 || toolChoice?.type === 'none'
  // A tool of the caller's own that is forced stays so: its call is the response then.
  const retained = toolChoice?.type === 'tool' ? toolChoice : ({ type: 'required' } as const)
  const only = { type: 'tool', name: outputToolName } as const
  const forced = alone && encoding.traits.toolChoice === 'tool' ? only : retained
  return { toolConfig: { tools, toolChoice: encodeChoice(forced, encoding) }, instructions: [] }
}

/** Models that cannot be forced to call a tool get the schema as an instruction. */
function inWords(
  request: ChatRequest,
  own: readonly JsonObject[],
  schema: JsonObject,
  encoding: Encoding,
): Tooling {
  const words = schemaInstruction(schema)
  if (own.length === 0 || request.toolChoice?.type === 'none') return withoutCalls(request, own, [words])
  const choice = encodeChoice(request.toolChoice, encoding)
  return { toolConfig: { tools: own, ...(choice && { toolChoice: choice }) }, instructions: [words] }
}

const unknownHere = ['seed', 'presencePenalty', 'frequencyPenalty', 'logprobs'] as const

/** `inferenceConfig`, and the fields of one model alone. @throws RequestFault for several candidates */
function encodeInference(request: ChatRequest, encoding: Encoding): JsonObject {
  const { sampling, reasoning, maxOutputTokens } = request
  const { dropped } = encoding
  if (sampling.candidates > 1) throw unsupported('n', 'it gives one answer to a request')
  for (const name of unknownHere) if (sampling[name] !== undefined) dropped.add(name)
  const own = { ...encodeReasoning(reasoning, encoding), ...encodeTopK(sampling, encoding) }
  const config = thinksHardest(own)
    ? withoutKnobs(request, encoding)
    : { ...(maxOutputTokens !== undefined && { maxTokens: maxOutputTokens }), ...encodeKnobs(sampling) }
  const stop = sampling.stop.filter((sequence) => sequence !== '')
  const inferenceConfig = { ...config, ...(stop.length > 0 && { stopSequences: stop }) }
  return {
    ...(Object.keys(inferenceConfig).length > 0 && { inferenceConfig }),
    ...(Object.keys(own).length > 0 && { additionalModelRequestFields: own }),
  }
}

/** Writes the sampling options, up to 1; other vendors go up to 2. */
function encodeKnobs({ temperature, topP }: Sampling): JsonObject {
  return {
    ...(temperature !== undefined && { temperature: Math.min(Math.max(temperature, 0), 1) }),
    ...(topP !== undefined && { topP }),
  }
}

function encodeTopK({ topK }: Sampling, { traits, dropped }: Encoding): JsonObject {
  if (topK === undefined) return {}
  if (traits.topK === '') dropped.add('topK')
  if (traits.topK === 'inferenceConfig') return { inferenceConfig: { topK } }
  return traits.topK === '' ? {} : { [traits.topK]: topK }
}

const efforts = {
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
} as const

/**
 * The reasoning effort, for models that support one. Without one, the model uses its default.
 * https://docs.aws.amazon.com/nova/latest/nova2-userguide/extended-thinking.html
 */
function encodeReasoning(reasoning: ReasoningOptions | undefined, { traits, dropped }: Encoding): JsonObject {
  const effort = reasoning === undefined ? undefined : effortOf(reasoning)
  if (effort === undefined) return {}
  if (effort === 'none') {
    if (traits.family !== 'nova-2') dropped.add('reasoning')
    return {}
  }
  if (traits.family === 'nova-2')
    return { reasoningConfig: { type: 'enabled', maxReasoningEffort: efforts[effort] } }
  if (traits.family === 'gpt-oss') return { reasoning_effort: efforts[effort] }
  dropped.add('reasoning')
  return {}
}

/** The steps that vendors with both give their efforts. https://ai.google.dev/gemini-api/docs/openai */
function effortOf({
  effort,
  budgetTokens,
  includeThoughts,
}: ReasoningOptions): keyof typeof efforts | 'none' | undefined {
  if (effort !== undefined) return effort
  if (budgetTokens === 0) return 'none'
  if (budgetTokens === undefined || budgetTokens < 0) return includeThoughts === true ? 'medium' : undefined
  if (budgetTokens <= 1024) return 'low'
  return budgetTokens <= 8192 ? 'medium' : 'high'
}

function thinksHardest({ reasoningConfig }: JsonObject): boolean {
  return (
    (reasoningConfig as { readonly maxReasoningEffort?: unknown } | undefined)?.maxReasoningEffort === 'high'
  )
}

/** Leaves out the limit and the sampling options, neither of which Amazon's model takes at its highest effort. */
function withoutKnobs({ sampling, maxOutputTokens }: ChatRequest, { dropped }: Encoding): JsonObject {
  if (maxOutputTokens !== undefined) dropped.add('maxOutputTokens')
  for (const name of ['temperature', 'topP'] as const) if (sampling[name] !== undefined) dropped.add(name)
  return {}
}

/** The model's own vendor reads the schemas of tools; in words every schema is as good. */
function schemasOf({ traits }: Encoding): SchemaProfile {
  const tools =
    traits.family === 'claude'
      ? schemaDialects.claudeTool
      : traits.family === 'nova' || traits.family === 'nova-2'
        ? schemaDialects.novaTool
        : schemaDialects.objectTool
  return { tools, output: traits.toolChoice === 'none' ? schemaDialects.jsonSchema : tools }
}

/**
 * A body of `Converse` and `ConverseStream`: the model and whether to stream are said in the address.
 * @throws RequestFault for what this format cannot say and whose loss would change the response
 */
export function encodeRequest(original: ChatRequest, target: EncodeTarget): EncodedRequest {
  const encoding = startEncoding(target)
  for (const name of lostVendorFields(original.vendor, 'bedrock-converse')) encoding.dropped.add(name)
  const request = withinMarkLimit(
    fitRequest(original, schemasOf(encoding), encoding.dropped),
    encoding.dropped,
  )
  const { system, messages } = encodeMessages(request.messages, encoding)
  const { toolConfig, instructions } = encodeTooling(request, encoding)
  const stated = insertInstructions(system, messages, instructions, encoding)
  const body = {
    ...stated,
    ...(toolConfig !== undefined && { toolConfig }),
    ...encodeInference(request, encoding),
    ...encodeOptions(request.options, encoding),
  }
  return { body, dropped: [...encoding.dropped] }
}

function insertInstructions(
  system: readonly JsonObject[],
  messages: readonly Turn[],
  instructions: readonly string[],
  { traits }: Encoding,
): JsonObject {
  const blocks = instructions.map((text) => ({ text }))
  if (traits.system) {
    const all = [...system, ...blocks]
    return { ...(all.length > 0 && { system: all }), messages }
  }
  const [first, ...others] = messages
  if (first === undefined || blocks.length === 0) return { messages }
  return { messages: [{ ...first, content: [...blocks, ...first.content] }, ...others] }
}

const tiers: ReadonlySet<string> = new Set(['flex', 'priority'])
const defaultTiers: ReadonlySet<string> = new Set(['', 'auto', 'default', 'standard', 'standard_only'])

function encodeOptions(options: RequestOptions, { dropped }: Encoding): JsonObject {
  const { user, metadata, promptCacheKey, verbosity, serviceTier = '', modalities = [] } = options
  if (modalities.some((kind) => kind !== 'text'))
    throw unsupported('modalities', 'it answers with text alone')
  for (const [name, value] of Object.entries({ user, metadata, promptCacheKey, verbosity }))
    if (value !== undefined) dropped.add(name)
  if (tiers.has(serviceTier)) return { serviceTier: { type: serviceTier } }
  if (!defaultTiers.has(serviceTier)) dropped.add('serviceTier')
  return {}
}
