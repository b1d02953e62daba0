import { describe, expect, it } from 'bun:test'
import { RequestFault } from './canonical/codec.ts'
import type { ChatRequest } from './canonical/request.ts'
import { chatCodecs } from './codecs.ts'
import type { JsonObject } from './json/value.ts'
import { callerFieldName, withCallerFieldName } from './requests/caller-field-names.ts'
import { messagesFeatures } from './test-support/features/anthropic-messages.ts'
import type { Feature, Format, Outcome } from './test-support/features/feature.ts'
import { geminiFeatures } from './test-support/features/gemini.ts'
import { chatFeatures } from './test-support/features/openai-chat.ts'
import { responsesFeatures } from './test-support/features/openai-responses.ts'

const formats = Object.keys(chatCodecs) as readonly Format[]

interface Caller {
  readonly format: Format
  readonly features: readonly Feature[]
  bodyWith(feature: Partial<Feature>): JsonObject
}

const model = 'house-model'

const callers: readonly Caller[] = [
  {
    format: 'openai-chat',
    features: chatFeatures,
    bodyWith: (feature) => ({ model, messages: messagesWith(feature, 'text'), ...feature.fields }),
  },
  {
    format: 'openai-responses',
    features: responsesFeatures,
    bodyWith: (feature) => ({ model, input: messagesWith(feature, 'input_text'), ...feature.fields }),
  },
  {
    format: 'anthropic-messages',
    features: messagesFeatures,
    bodyWith: (feature) => {
      return { model, max_tokens: 4096, messages: messagesWith(feature, 'text'), ...feature.fields }
    },
  },
  {
    format: 'gemini',
    features: geminiFeatures,
    bodyWith: ({ content, turns = [], fields }) => {
      const parts = [{ text: 'Hello' }, ...(content === undefined ? [] : [content])]
      return { contents: [{ role: 'user', parts }, ...turns], ...fields }
    },
  },
]

function messagesWith({ content, turns = [] }: Partial<Feature>, type: string): readonly JsonObject[] {
  const parts = [{ type, text: 'Hello' }, ...(content === undefined ? [] : [content])]
  return [{ role: 'user', content: parts }, ...turns]
}

describe.each(callers.map((caller) => [caller.format, caller] as const))('%s', (_format, caller) => {
  const rows = caller.features.flatMap((feature) =>
    formats
      .filter((to) => to !== caller.format)
      .map((to) => [feature.name, to, feature.to?.[to] ?? 'carried', feature] as const),
  )
  it.each(rows)('%s to %s is %s', (_name, to, expected, feature) => {
    expect(outcomeOf(caller, feature, to, expected)).toBe(expected)
  })
})

const models: Readonly<Record<Format, string>> = {
  'openai-chat': 'gpt-5.5',
  'openai-responses': 'gpt-5.5',
  'anthropic-messages': 'claude-sonnet-4-5',
  gemini: 'gemini-3-pro-preview',
}

/** The outcome, or what to look at for one that is none: a field that was lost without a word. */
function outcomeOf(
  { format, bodyWith }: Caller,
  feature: Feature,
  to: Format,
  expected: Outcome,
): Outcome | string {
  const { field, mark = '', base = {} } = feature
  const plain = encoded(format, bodyWith({ fields: base }), to)
  const reported = encoded(format, bodyWith(feature), to)
  if (reported.refused !== undefined) return reported.refused.startsWith(field) ? 'refused' : reported.refused
  if (reported.dropped.some((name) => name.startsWith(field))) return 'warned'
  const isCarried =
    mark === '' ? reported.text !== plain.text : !plain.text.includes(mark) && reported.text.includes(mark)
  if (isCarried) return 'carried'
  return expected === 'withheld' && !reported.text.includes(mark)
    ? 'withheld'
    : `lost: ${reported.dropped} ${reported.text}`
}

interface Encoded {
  readonly text: string
  readonly dropped: readonly string[]
  /** The field that is at fault. */
  readonly refused?: string
}

function encoded(from: Format, body: JsonObject, to: Format): Encoded {
  const request = decoded(from, body)
  if (request instanceof RequestFault) return { text: '', dropped: [], refused: String(request.param) }
  try {
    const target = { model: models[to], streamOptions: true }
    const { body: sent, dropped } = chatCodecs[to].encodeRequest(request, target)
    return {
      text: JSON.stringify(sent),
      dropped: dropped.map((name) => callerFieldName(name, from, request)),
    }
  } catch (error) {
    if (!(error instanceof RequestFault)) throw error
    return { text: '', dropped: [], refused: String(withCallerFieldName(error, from, request).param) }
  }
}

function decoded(from: Format, body: JsonObject): ChatRequest | RequestFault {
  try {
    return chatCodecs[from].decodeRequest(body, { model, stream: false })
  } catch (error) {
    if (error instanceof RequestFault) return error
    throw error
  }
}
