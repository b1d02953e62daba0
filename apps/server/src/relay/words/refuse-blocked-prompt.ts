import type { WordAutomaton } from '@tollgate/formats'
import type { ModelRequest, RelayCall } from '../call.ts'
import { RelayError } from '../relay-error.ts'

/**
 * Refuses a prompt that holds one of the operator's words. Which one is not told: whoever tries would learn the list.
 * @throws RelayError 400
 */
export function refuseBlockedPrompt(
  { request }: Pick<RelayCall<ModelRequest>, 'request'>,
  words: WordAutomaton,
): void {
  const { messages, texts } = request.prompt()
  const holds = (text: string) => words.find(text) >= 0
  if (!texts.some(holds) && !messages.some((message) => message.texts.some(holds))) return
  throw new RelayError('sensitive_words_detected', 'sensitive words detected: change your prompt')
}
