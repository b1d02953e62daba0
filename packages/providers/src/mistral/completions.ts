import {
  flattenContent,
  type JsonObject,
  listOf,
  objectOf,
  type RequestQuirks,
  textOf,
} from '@tollgate/formats'
import { knownCompletionFields } from '../completion-fields.ts'
import { mergedEdits, renamed } from '../quirks.ts'

const known: ReadonlySet<string> = new Set([
  'model',
  'prompt',
  'suffix',
  'temperature',
  'top_p',
  'max_tokens',
  'min_tokens',
  'stream',
  'stop',
  'random_seed',
  'metadata',
])

/** Fill in the middle: code between a prompt and a suffix. https://docs.mistral.ai/api/endpoint/fim */
export const fimFields: RequestQuirks = (request) =>
  mergedEdits(knownCompletionFields(request, known), renamed(request, 'seed', 'random_seed'))

/** The answer is said as one of chat. */
export function normalizeFimResponse(response: JsonObject): JsonObject {
  const { choices } = flattenContent(response)
  const isChat = listOf(choices).some((choice) => typeof objectOf(choice).text !== 'string')
  if (!isChat) return response
  return { ...response, object: 'text_completion', choices: listOf(choices).map(completionChoice) }
}

function completionChoice(choice: unknown): JsonObject {
  const { index, delta, message, finish_reason: finish = null } = objectOf(choice)
  const text = textOf(objectOf(delta ?? message).content)
  return { index, text, logprobs: null, finish_reason: finish }
}
