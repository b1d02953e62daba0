import {
  type ChatRequest,
  type EncodedRequest,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  provided,
  textOf,
  unsupported,
  withoutText,
} from '@tollgate/formats'
import { asTexts, conversationOf, type TextItem } from '../../chat/conversation.ts'
import { droppedOptions, type Option, planTools, type ToolPlan, within } from '../../chat/dropped-options.ts'
import type { SparkVersion } from './version.ts'

const takes: ReadonlySet<Option> = new Set<Option>(['max_tokens', 'temperature', 'top_k', 'user'])
/** Zero is refused. */
const minTemperature = 0.01
const maxTokens = { lite: 4096, others: 8192 } as const
const maxUser = 32

/**
 * The one message that is sent.
 * @param appId of the account: the message holds it, not the address
 * @throws RequestFault for what it cannot say and whose loss would change the response
 */
export function encodeRequest(request: ChatRequest, version: SparkVersion, appId: string): EncodedRequest {
  const dropped = droppedOptions(request, 'provider:xunfei', takes)
  const { system, items } = conversationOf(request.messages, { images: false })
  const text = [...instructions(system, version), ...asTexts(items)]
  const functions = encodeFunctions(planTools(request, dropped), version)
  const uid = request.options.user?.slice(0, maxUser)
  const body = {
    header: { app_id: appId, ...provided('uid', uid) },
    parameter: { chat: { domain: version.domain, ...encodeSampling(request, version) } },
    payload: {
      message: { text: text.map(({ role, text: content }) => ({ role, content })) },
      ...provided('functions', functions),
    },
  }
  return { body, dropped: [...dropped] }
}

function encodeSampling({ sampling, maxOutputTokens }: ChatRequest, { domain }: SparkVersion): JsonObject {
  const max = domain === 'lite' ? maxTokens.lite : maxTokens.others
  return {
    ...provided('temperature', within(sampling.temperature, minTemperature, 1)),
    ...provided('top_k', within(sampling.topK, 1, 6)),
    ...provided('max_tokens', within(maxOutputTokens, 1, max)),
  }
}

type Line = { readonly role: 'system' | TextItem['role']; readonly text: string }

/** Older models get instructions as a user's message, which the assistant acknowledges. */
function instructions(system: string, version: SparkVersion): readonly Line[] {
  if (system === '') return []
  if (version.system) return [{ role: 'system', text: system }]
  return [
    { role: 'user', text: system },
    { role: 'assistant', text: 'Okay.' },
  ]
}

function encodeFunctions({ tools, forced }: ToolPlan, version: SparkVersion): JsonObject | undefined {
  if (tools.length === 0) return undefined
  if (!version.functions) throw unsupported('tools', `${version.domain} calls no functions`)
  if (forced !== undefined && tools.length > 1)
    throw unsupported('tool_choice', 'the model always chooses by itself')
  return {
    text: tools.map(({ name, description = name, parameters = noParameters }) => ({
      name,
      description,
      parameters,
    })),
  }
}

const noParameters = { type: 'object', properties: {} }

/** Status of a message: 0 for the first, 1 for more, 2 for the last. */
const lastStatus = 2

/** Recognises a message that is a failure. */
export function isFailure({ header }: JsonObject): boolean {
  return withoutText(objectOf(header).code) !== 0
}

/** Recognises the last message. */
export function isLast({ header, payload }: JsonObject): boolean {
  return objectOf(objectOf(payload).choices).status === lastStatus || objectOf(header).status === lastStatus
}

/** A message as a chunk of OpenAI's. */
export function chunkOf(message: JsonObject): JsonObject {
  const { choices, usage } = objectOf(message.payload)
  const texts = listOf(objectOf(choices).text).map(objectOf)
  const sid = textOf(objectOf(message.header).sid)
  const reason = isLast(message) ? 'stop' : null
  return {
    id: sid,
    choices: [{ index: 0, delta: deltaOf(texts, sid), finish_reason: reason }],
    usage: objectOf(usage).text,
  }
}

/** Events hold pieces of text. A function call arrives complete and has no id. */
function deltaOf(texts: readonly JsonObject[], sid: string): JsonObject {
  const calls = texts.flatMap(({ function_call: call }) => (isObject(call) ? [call] : []))
  return {
    content: texts.map(({ content }) => textOf(content)).join(''),
    reasoning_content: texts.map(({ reasoning_content: reasoning }) => textOf(reasoning)).join(''),
    tool_calls: calls.map(({ name, arguments: text }, index) => ({
      index,
      id: `call_${sid}_${index}`,
      type: 'function',
      function: { name, arguments: text },
    })),
  }
}
