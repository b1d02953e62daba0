import {
  type ChatRequest,
  type EncodedRequest,
  type EncodeTarget,
  isObject,
  type JsonObject,
  numberOf,
  objectOf,
  parseJson,
  provided,
  textOf,
  unsupported,
  withoutText,
} from '@tollgate/formats'
import {
  alternateRoles,
  type ConversationItem,
  conversationOf,
  type ResultItem,
  type TextItem,
} from '../../chat/conversation.ts'
import { droppedOptions, type Option, planTools, type ToolPlan, within } from '../../chat/dropped-options.ts'

const takes: ReadonlySet<Option> = new Set<Option>([
  'max_tokens',
  'temperature',
  'top_p',
  'frequency_penalty',
  'stop',
  'user',
  'json_object',
])
const maxStops = 4
/** Zero is refused. */
const minTemperature = 0.01

/**
 * The request in the vendor's format; the address holds the model.
 * https://cloud.baidu.com/doc/WENXINWORKSHOP/s/clntwmv7t
 * @throws RequestFault for what it cannot say and whose loss would change the response
 */
export function encodeRequest(request: ChatRequest, { model }: EncodeTarget): EncodedRequest {
  const dropped = droppedOptions(request, 'provider:baidu', takes)
  const { system, items } = conversationOf(request.messages, { images: false })
  const body = {
    messages: alternateRoles(turnsOf(items)).map(encodeTurn),
    ...(system !== '' && { system }),
    ...(request.stream && { stream: true }),
    ...encodeSampling(request, dropped),
    ...encodeFunctions(planTools(request, dropped), model),
    ...(request.outputFormat?.type === 'json' && { response_format: 'json_object' }),
    ...provided('user_id', request.options.user),
  }
  return { body, dropped: [...dropped] }
}

function encodeSampling({ sampling, maxOutputTokens }: ChatRequest, dropped: Set<string>): JsonObject {
  const { temperature, topP, stop, frequencyPenalty: penalty } = sampling
  if (stop.length > maxStops) throw unsupported('stop', `the upstream takes ${maxStops} sequences at most`)
  const isPenalty = penalty !== undefined && penalty >= 1 && penalty <= 2
  if (penalty !== undefined && !isPenalty) dropped.add('frequency_penalty')
  if (temperature !== undefined && temperature > 1) dropped.add('temperature')
  return {
    ...provided(
      'max_output_tokens',
      maxOutputTokens === undefined ? undefined : Math.max(2, maxOutputTokens),
    ),
    ...provided('temperature', within(temperature, minTemperature, 1)),
    ...provided('top_p', within(topP, 0, 1)),
    ...(isPenalty && { penalty_score: penalty }),
    ...(stop.length > 0 && { stop }),
  }
}

function encodeFunctions({ tools, forced }: ToolPlan, model: string): JsonObject {
  if (tools.length === 0) return {}
  if (!callsFunctions(model)) throw unsupported('tools', `${model} calls no functions`)
  return {
    functions: tools.map(({ name, description = name, parameters = noParameters }) => ({
      name,
      description,
      parameters,
    })),
    ...(forced !== undefined && { tool_choice: { type: 'function', function: { name: forced } } }),
  }
}

const noParameters = { type: 'object', properties: {} }

/** A message in the vendor's format: a call holds the text before it. */
type Turn = TextItem | ResultItem | Call

interface Call {
  readonly type: 'call'
  readonly role: 'assistant'
  readonly text: string
  readonly name: string
  readonly arguments: string
}

/** One call at a time, each with its result behind it. */
function turnsOf(items: readonly ConversationItem[]): readonly Turn[] {
  const turns: Turn[] = []
  const provided = new Set<ResultItem>()
  for (const each of items) {
    if (each.type === 'text') turns.push(each)
    else if (each.type === 'result' && !provided.has(each)) turns.push(each)
    else if (each.type === 'call') {
      const { role, name, arguments: text } = each
      turns.push({ type: 'call', role, name, arguments: text, text: takeText(turns) })
      const result = items.find((other) => other.type === 'result' && other.id === each.id)
      if (result?.type !== 'result') continue
      provided.add(result)
      turns.push(result)
    }
  }
  return turns
}

function takeText(turns: Turn[]): string {
  const last = turns.at(-1)
  if (last?.type !== 'text' || last.role !== 'assistant') return ''
  turns.pop()
  return last.text
}

function encodeTurn(turn: Turn): JsonObject {
  switch (turn.type) {
    case 'text':
      return { role: turn.role, content: turn.text }
    case 'call': {
      const { name, arguments: text } = turn
      return { role: 'assistant', content: turn.text, function_call: { name, arguments: text } }
    }
    case 'result':
      return { role: 'function', name: turn.name, content: asJson(turn.text) }
  }
}

/** Writes a result as JSON, which it must be there. */
function asJson(text: string): string {
  return parseJson(text) === undefined ? JSON.stringify({ result: text }) : text
}

const finishReasons: Readonly<Record<string, string>> = {
  length: 'length',
  content_filter: 'content_filter',
  function_call: 'tool_calls',
}

/** Any code but zero, and an exchange of keys that gave no token. */
export function isFailure({ error_code: code, error }: JsonObject): boolean {
  return (code !== undefined && withoutText(code) !== 0) || typeof error === 'string'
}

/** Recognises the last event; a buffered response has no `is_end`. */
export function isLast({ is_end: isEnd }: JsonObject): boolean {
  return isEnd !== false
}

/** Events hold pieces of text, not the text so far. A function call arrives complete, with its reasoning. */
export function chunkOf(event: JsonObject): JsonObject {
  const { id, created, result, function_call: call } = event
  const thoughts = textOf(objectOf(call).thoughts)
  const delta = {
    content: textOf(result),
    ...(thoughts !== '' && { reasoning_content: thoughts }),
    ...(isObject(call) && { tool_calls: [callOf(call, textOf(id))] }),
  }
  const finish = isLast(event) ? finishOf(event) : null
  return { id, created, choices: [{ index: 0, delta, finish_reason: finish }], usage: usageOf(event.usage) }
}

/** Returns a call with an id, as calls have none there. */
function callOf({ name, arguments: text }: JsonObject, responseId: string): JsonObject {
  return { index: 0, id: `call_${responseId}`, type: 'function', function: { name, arguments: text } }
}

function finishOf(event: JsonObject): string {
  if (event.is_truncated === true) return 'length'
  // The vendor's sign that what was said so far was found unsafe.
  if (event.need_clear_history === true) return 'content_filter'
  return finishReasons[textOf(event.finish_reason)] ?? 'stop'
}

/** Some responses report the total and no output. */
function usageOf(usage: unknown): JsonObject {
  const counts = objectOf(usage)
  const [prompt, completion, total] = [
    counts.prompt_tokens,
    counts.completion_tokens,
    counts.total_tokens,
  ].map(numberOf)
  const known = completion !== undefined && completion !== 0
  const output = known || total === undefined || prompt === undefined ? completion : total - prompt
  return { prompt_tokens: prompt, completion_tokens: output }
}

/** Small models ignore functions. */
function callsFunctions(model: string): boolean {
  return !/^(ernie-(speed|lite|tiny)|ernie-bot-turbo|eb-instant|bloomz)/i.test(model)
}
