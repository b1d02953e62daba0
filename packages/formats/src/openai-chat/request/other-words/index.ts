import { type JsonObject, listOf } from '../../../json/value.ts'
import { hasOtherParts, ownMessages } from './messages.ts'
import { fromResponses, isResponsesBody } from './responses-body.ts'
import { hasOtherTools, ownTools } from './tools.ts'

/**
 * A body of Chat Completions in this format's own words; `undefined` for one that is, as nearly all are. Cursor sends what it writes for
 * Responses to this address, and for models that it takes for Claude the tools and blocks of Anthropic's Messages; it reads chunks of
 * this format in return. https://forum.cursor.com/t/153019 · https://forum.cursor.com/t/159298 (2026-11-30)
 * See `ChatCodec.inOwnWords`.
 */
export function inOwnWords(outline: JsonObject, complete: () => JsonObject): JsonObject | undefined {
  const isResponses = isResponsesBody(outline)
  if (!isResponses && !hasOtherTools(outline) && !listOf(outline.messages).some(hasOtherParts))
    return undefined
  const body = isResponses ? fromResponses(complete()) : complete()
  return { ...body, messages: listOf(body.messages).flatMap(ownMessages), ...ownTools(body) }
}
