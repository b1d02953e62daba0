import {
  flattenContent,
  type JsonObject,
  listOf,
  objectOf,
  type RequestQuirks,
  textOf,
} from '@tollgate/formats'
import { mergeEdits, renameField } from '../../edits/json-edits.ts'
import { mistralFields } from '../../families/mistral.ts'
import { knownCompletionFields } from '../../modes/completions.ts'
import { openAiCompatible } from '../../openai/openai-compatible.ts'
import { wordsOf } from '../../words.ts'

const known: ReadonlySet<string> = new Set(
  wordsOf(`
    model prompt suffix temperature top_p max_tokens min_tokens stream stop random_seed metadata
  `),
)

/** Fill in the middle: code between a prompt and a suffix. https://docs.mistral.ai/api/endpoint/fim */
const fimFields: RequestQuirks = (request) =>
  mergeEdits(knownCompletionFields(request, known), renameField(request, 'seed', 'random_seed'))

/** The response is said as one of chat. */
function normalizeFimResponse(response: JsonObject): JsonObject {
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

/** Usage always comes in the last chunk. https://docs.mistral.ai/api/ */
export const mistral = openAiCompatible({
  id: 'mistral',
  serves: ['chat', 'completions', 'embeddings', 'moderations', 'speech', 'transcriptions'],
  lacks: ['stream_options'],
  quirks: mistralFields,
  modeQuirks: { completions: fimFields },
  paths: (mode) => (mode === 'completions' ? '/fim/completions' : undefined),
  normalizeResponse: flattenContent,
  normalizeCompletion: normalizeFimResponse,
})
