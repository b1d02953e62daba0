import { RequestFault } from '../canonical/codec.ts'
import type { ChatRequest, FormatName, MediaPart, Message, TextPart } from '../canonical/request.ts'

/** A constructor that returns its argument: a class that extends it adds its private fields to that object. */
const Identity = function identity(value: object) {
  return value
} as unknown as new (
  value: object,
) => object

/**
 * A private field of the parts of requests, which their copies do not have and nobody else sees, because a part's origin does not belong
 * to its content. Each part of each translated call has one: in a weak map they took a sixth of a translation and of its collection.
 */
class SourcePath extends Identity {
  readonly #path: string

  constructor(value: object, path: string) {
    super(value)
    this.#path = path
  }

  static of(value: object): string | undefined {
    return #path in value ? value.#path : undefined
  }
}

/** Records the path of a request's part in its caller's body, for later refusals. The first record stays. */
export function withSourcePath<Value extends object>(value: Value, path: string | undefined): Value {
  if (path !== undefined && SourcePath.of(value) === undefined) new SourcePath(value, path)
  return value
}

/** The path of a request's part in its caller's body; `undefined` when it is unknown. */
export function sourcePathOf(value: object | undefined): string | undefined {
  return value && SourcePath.of(value)
}

/** Says how encoders name a part of a message: by its place there, or in the result that holds it. @param message its own name */
export function partPath(message: string, parts: Message['parts'], part: TextPart | MediaPart): string {
  const position = parts.findIndex((each) => each === part || holds(each, part))
  const outer = position < 0 ? message : `${message}.content[${position}]`
  const holder = parts[position]
  return holder?.type === 'tool-result' ? `${outer}.content[${holder.content.indexOf(part)}]` : outer
}

function holds(outer: Message['parts'][number], part: TextPart | MediaPart): boolean {
  return outer.type === 'tool-result' && outer.content.includes(part)
}

interface CallerPosition {
  /** Path in the caller's body. */
  readonly path: string
  /** The part of a tool, as encoders name it: `.parameters`, ` (its name)`; empty for the complete tool. */
  readonly rest: string
}

/**
 * Translates a place in the canonical request, such as `messages[2].content[0]` or `tools[1]`, to the path in the caller's body.
 * `undefined` for parts that the caller did not write (the operator's instructions), and for other fields.
 */
function callerPositionOf(field: string, request: ChatRequest): CallerPosition | undefined {
  const [, tool, rest = ''] = toolNamed.exec(field) ?? []
  const [, message, part, inner] = partNamed.exec(field) ?? []
  const values = tool === undefined ? partsAt(request, message, part, inner) : [request.tools[Number(tool)]]
  const path = values.map(sourcePathOf).find((known) => known !== undefined)
  return path === undefined ? undefined : { path, rest }
}

const toolNamed = /^tools\[(\d+)\]( \(.*|\.name|\.parameters.*|)$/s
const partNamed = /^messages\[(\d+)\](?:\.content\[(\d+)\](?:\.content\[(\d+)\])?)?/

/** The named part and the parts around it, innermost first: the first with a known path counts. */
function partsAt(
  { messages }: ChatRequest,
  position: string | undefined,
  part: string | undefined,
  inner: string | undefined,
): readonly (object | undefined)[] {
  const message = messages[Number(position)]
  const outerPart = part === undefined ? undefined : message?.parts[Number(part)]
  const content =
    outerPart?.type === 'tool-result' && inner !== undefined ? outerPart.content[Number(inner)] : undefined
  return [content, outerPart, message]
}

type Names = Readonly<Record<string, string>>

/** Names that encoders give a field, in the one spelling that OpenAI's callers know. */
const chatNames: Names = {
  topP: 'top_p',
  topK: 'top_k',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  parallelToolCalls: 'parallel_tool_calls',
  promptCacheKey: 'prompt_cache_key',
  serviceTier: 'service_tier',
  cache: 'cache_control',
  reasoning: 'reasoning_effort',
  budgetTokens: 'reasoning.max_tokens',
  thinking: 'reasoning_effort',
  'thinking.type': 'reasoning_effort',
  'output_config.effort': 'reasoning_effort',
  'thinking.budget_tokens': 'reasoning.max_tokens',
  'generationConfig.thinkingConfig.thinkingLevel': 'reasoning_effort',
  'generationConfig.thinkingConfig.thinkingBudget': 'reasoning_effort',
}

/** Fields of `generationConfig` by OpenAI's names. */
const generationConfig: Names = {
  response_format: 'responseSchema',
  stop: 'stopSequences',
  n: 'candidateCount',
  modalities: 'responseModalities',
  temperature: 'temperature',
  top_p: 'topP',
  top_k: 'topK',
  seed: 'seed',
  presence_penalty: 'presencePenalty',
  frequency_penalty: 'frequencyPenalty',
  logprobs: 'responseLogprobs',
  reasoning_effort: 'thinkingConfig',
  'reasoning.max_tokens': 'thinkingConfig.thinkingBudget',
}

/** Fields by OpenAI's names, and what callers of the other formats call them. */
const names: Partial<Record<FormatName, Names>> = {
  'openai-responses': {
    response_format: 'text.format',
    verbosity: 'text.verbosity',
    logprobs: 'top_logprobs',
    reasoning_effort: 'reasoning',
  },
  'anthropic-messages': {
    response_format: 'output_config.format',
    stop: 'stop_sequences',
    parallel_tool_calls: 'tool_choice.disable_parallel_tool_use',
    user: 'metadata.user_id',
    filename: 'title',
    reasoning_effort: 'thinking',
    'reasoning.max_tokens': 'thinking.budget_tokens',
  },
  gemini: Object.fromEntries(
    Object.entries(generationConfig).map(([name, own]) => [name, `generationConfig.${own}`]),
  ),
}

/** Pattern of tools that stood nowhere in the caller's body, or at an unknown index: they have the name of the list alone, because counts are not the caller's. */
const tools = [/^tools\[\d+\](?= \(|\.name$|\.parameters|$)/, 'tools'] as const
const counted = (messages: string) => [tools, [/^messages(\[.*)?$/s, messages]] as const
const roots: Partial<Record<FormatName, readonly (readonly [RegExp, string])[]>> = {
  'openai-chat': counted('messages'),
  'openai-compaction': counted('input'),
  'openai-responses': counted('input'),
  'anthropic-messages': counted('messages'),
  gemini: counted('contents'),
}

/** Refuses a field that the upstream's format cannot express, by its name in the caller's own format. */
export function withCallerFieldName(fault: RequestFault, format: string, request: ChatRequest): RequestFault {
  const { param, message, code } = fault
  if (param === null) return fault
  const name = callerFieldName(param, format, request)
  if (name === param) return fault
  const reported = message.startsWith(param) ? name + message.slice(param.length) : `${name}: ${message}`
  return new RequestFault(reported, name, code)
}

/**
 * The name by which callers of a format know a field that an encoder names.
 * @param request what was encoded
 */
export function callerFieldName(field: string, format: string, request: ChatRequest): string {
  // What the caller's format has alone is kept, and named, as the caller wrote it.
  if (Object.hasOwn(request.vendor?.fields ?? {}, field)) return field
  const position = callerPositionOf(field, request)
  if (position !== undefined) return position.path + inTool(position, format)
  const counted = roots[format as FormatName]?.find(([pattern]) => pattern.test(field))
  if (counted !== undefined) return field.replace(...counted)
  // A keyword of a schema stands behind the field that holds the schema.
  const end = field.endsWith(')') ? field.lastIndexOf(' (') : -1
  const [bare, keyword] = end < 0 ? [field, ''] : [field.slice(0, end), field.slice(end)]
  const known = memberOf(chatNames, bare) ?? bare
  // Fields of several names may ask for reasoning: the one that did is named.
  const stated = reasoningNames.has(known) ? sourcePathOf(request.reasoning) : undefined
  if (stated !== undefined) return stated
  return (memberOf(names[format as FormatName] ?? {}, known) ?? known) + keyword
}

const reasoningNames: ReadonlySet<string> = new Set(['reasoning_effort', 'reasoning.max_tokens'])

/** Fields of a tool, where the caller's format puts or calls them otherwise than its functions of old, and Gemini's, do. */
const toolFields: Partial<Record<FormatName, readonly (readonly [RegExp, string])[]>> = {
  'openai-chat': [[/^\.(?=name|parameters)/, '.function.']],
  'anthropic-messages': [[/^\.parameters/, '.input_schema']],
}

function inTool({ path, rest }: CallerPosition, format: string): string {
  const known = path.startsWith('tools[') ? toolFields[format as FormatName] : undefined
  return (known ?? []).reduce((field, [pattern, own]) => field.replace(pattern, own), rest)
}

function memberOf(table: Names, name: string): string | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
