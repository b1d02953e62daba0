import { isObject, type JsonObject, objectOf, type RequestQuirks } from '@tollgate/formats'
import { knownCompletionFields } from '../completion-fields.ts'
import type { CallIdentity } from '../provider.ts'

const known: ReadonlySet<string> = new Set([
  'prompt',
  'stream',
  'max_tokens',
  'temperature',
  'top_p',
  'top_k',
  'seed',
  'repetition_penalty',
  'frequency_penalty',
  'presence_penalty',
  'raw',
  'lora',
])

/** The model stands in the address. https://developers.cloudflare.com/workers-ai/models/ */
export const completionFields: RequestQuirks = (request) =>
  new Map([...knownCompletionFields(request, known), ['model', undefined], ['stream_options', undefined]])

/** A whole answer holds its text inside the envelope of every call; an event holds a piece of it, and the last one the usage. */
export function normalizeCompletion(
  completion: JsonObject,
  { responseId, createdAt, model }: CallIdentity,
): JsonObject {
  const isBuffered = isObject(completion.result)
  const { response, usage } = isBuffered ? objectOf(completion.result) : completion
  if (typeof response !== 'string') return completion
  const isLast = isBuffered || (response === '' && isObject(usage))
  return {
    id: `cmpl-${responseId}`,
    object: 'text_completion',
    created: createdAt,
    model,
    choices: [{ index: 0, text: response, logprobs: null, finish_reason: isLast ? 'stop' : null }],
    ...(isObject(usage) && { usage }),
  }
}
