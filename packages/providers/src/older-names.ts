import type { JsonEdits, RequestQuirks, RequestText } from '@tollgate/formats'
import { changedMessages, developerAsSystem, messagesEdit } from './message-quirks.ts'
import { mergedEdits, noEdits, removed, renamed } from './quirks.ts'

/**
 * What OpenAI's chat had first and most others still have alone: `max_tokens` for `max_completion_tokens`, the role
 * `system` for `developer`.
 */
export type OlderName = 'max_tokens' | 'system'

/** Edits of a chat request into these names, and the upstream's other edits of what comes of it. */
export function withOlderNames(names: readonly OlderName[], quirks: RequestQuirks = nothing): RequestQuirks {
  return (request, model) => {
    const limit = names.includes('max_tokens') ? olderLimit(request) : noEdits
    const messages = names.includes('system') ? changedMessages(request, developerAsSystem) : undefined
    if (messages === undefined) return mergedEdits(limit, quirks(request, model))
    const edited = { ...request, body: { ...request.body, messages } }
    return mergedEdits(limit, messagesEdit(messages), quirks(edited, model))
  }
}

const nothing: RequestQuirks = () => noEdits

function olderLimit(request: RequestText): JsonEdits {
  return mergedEdits(
    removed(request, ['max_completion_tokens']),
    renamed(request, 'max_completion_tokens', 'max_tokens'),
  )
}
