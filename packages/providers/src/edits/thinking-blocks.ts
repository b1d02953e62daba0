import { hasThinkingBlocks, type RequestQuirks, withoutThinkingBlocks } from '@tollgate/formats'
import { mergeEdits, noEdits } from './json-edits.ts'
import { messagesEdit } from './message-edits.ts'

/** Removes LiteLLM's `thinking_blocks` from a chat request, and applies the upstream's other edits to what is left. */
export function withoutBlocks(edit: RequestQuirks | undefined): RequestQuirks {
  return (request, model) => {
    if (!hasThinkingBlocks(request.body.messages)) return edit?.(request, model) ?? noEdits
    const messages = withoutThinkingBlocks(request.body.messages)
    const edited = { ...request, body: { ...request.body, messages } }
    return mergeEdits(messagesEdit(messages), edit?.(edited, model) ?? noEdits)
  }
}
