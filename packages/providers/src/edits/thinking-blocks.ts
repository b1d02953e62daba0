import { hasThinkingBlocks, outlineOf, type RequestQuirks, withoutThinkingBlocks } from '@tollgate/formats'
import { mergeEdits, noEdits } from './json-edits.ts'
import { messagesEdit } from './message-edits.ts'

/** Removes LiteLLM's `thinking_blocks` from a chat request, and applies the upstream's other edits to what is left. */
export function withoutBlocks(edit: RequestQuirks | undefined): RequestQuirks {
  return (request, model) => {
    if (!hasThinkingBlocks(outlineOf(request).messages)) return edit?.(request, model) ?? noEdits
    const { text, scan, body } = request
    const messages = withoutThinkingBlocks(body.messages)
    const edited = { text, scan, body: { ...body, messages } }
    return mergeEdits(messagesEdit(messages), edit?.(edited, model) ?? noEdits)
  }
}
