import {
  anthropicMessages,
  type ChatCodec,
  gemini,
  type JsonObject,
  openAiChat,
  openAiResponses,
  scanTopLevel,
  spliceMembers,
} from '@tollgate/formats'
import { adapt } from '../profile/adapt.ts'
import type { Operation, Provider } from '../provider.ts'
import { targetOf } from './target.ts'

/** The dialects of callers, by the names of their formats. */
export const dialects = {
  'openai-chat': openAiChat,
  'openai-responses': openAiResponses,
  'anthropic-messages': anthropicMessages,
  gemini,
} as const satisfies Readonly<Record<string, ChatCodec>>

/** Name of a dialect. */
export type DialectName = keyof typeof dialects

/** A body as it reaches an upstream, and what the caller is told of it. */
export interface ReachedBody {
  readonly format: string
  readonly body: JsonObject
  readonly dropped: readonly string[]
  readonly toolNames: ReadonlyMap<string, string>
}

/**
 * The body of a caller's call as the upstream of a model gets it: passed with edits where the formats are the same, else translated.
 * `undefined` for a provider that does not serve the call.
 * @throws RequestFault for what the upstream would refuse
 */
export function reachedBody(
  provider: Provider,
  model: string,
  dialect: DialectName,
  body: JsonObject,
): ReachedBody | undefined {
  const other = provider.id === 'cloudflare' ? '0123456789abcdef0123456789abcdef' : ''
  const operation = provider.operation(
    'chat',
    targetOf(provider.id, { upstreamModel: model, other }),
    dialect,
  )
  if (operation?.codec === undefined) return undefined
  const isTranslated = operation.format !== dialect
  const made = isTranslated ? translated(operation, model, dialect, body) : { body, dropped: [] }
  const text = JSON.stringify(made.body)
  const scan = scanTopLevel(text, 64)
  if (!scan.ok) throw new Error(scan.reason)
  const request = { text, scan, body: made.body }
  const quirks = operation.quirks?.(request, model, {}) ?? new Map()
  const plan = operation.planFor?.(model)
  const fitted = plan && adapt(plan, request, quirks, isTranslated)
  return {
    format: operation.format,
    body: JSON.parse(spliceMembers(text, scan, fitted?.edits ?? quirks)),
    dropped: [...made.dropped, ...(fitted?.dropped ?? [])],
    toolNames: fitted?.toolNames ?? new Map(),
  }
}

function translated(
  { codec, planFor, streamOptions, hosted }: Operation,
  model: string,
  dialect: DialectName,
  body: JsonObject,
) {
  const request = dialects[dialect].decodeRequest(body, { model, stream: false })
  const target = { model, streamOptions, ...(hosted && { hosted }), ...planFor?.(model)?.encoding }
  const encoded = codec?.encodeRequest(request, target)
  if (encoded === undefined) throw new Error('no codec')
  return encoded
}
