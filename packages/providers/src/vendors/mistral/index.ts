import { flattenContent, type JsonObject, listOf, objectOf, textOf } from '@tollgate/formats'
import { mistralMessages } from '../../families/mistral.ts'
import { openAiCompatible } from '../../openai/openai-compatible.ts'

/** Returns the response in the form of one of chat. */
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
  quirks: mistralMessages,
  paths: (mode) => (mode === 'completions' ? '/fim/completions' : undefined),
  normalizeResponse: flattenContent,
  normalizeCompletion: normalizeFimResponse,
})
