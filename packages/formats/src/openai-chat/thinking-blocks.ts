import { decodeRedacted, decodeThinking } from '../anthropic-messages/blocks.ts'
import type { ReasoningPart } from '../canonical/request.ts'
import { isObject, type JsonObject, listOf, objectOf } from '../json/value.ts'

/**
 * LiteLLM's member of assistant messages: Anthropic's own blocks of reasoning, with their signatures, in Chat Completions.
 * https://docs.litellm.ai/docs/reasoning_content (2026-11-28)
 */
const member = 'thinking_blocks'

/** The reasoning of a message or a delta in that form. */
export function readThinkingBlocks(message: JsonObject): readonly ReasoningPart[] {
  return listOf(message[member]).flatMap((block) => readThinkingBlock(objectOf(block)) ?? [])
}

/** One block; `undefined` for one that says nothing. */
export function readThinkingBlock(block: JsonObject): ReasoningPart | undefined {
  const all = block.type === 'redacted_thinking' ? [decodeRedacted(block)] : decodeThinking(block)
  const read = all.find((part) => part.type === 'reasoning')
  if (read === undefined) return undefined
  return read.text === '' && read.signature === undefined && read.encrypted === undefined ? undefined : read
}

/** Reasoning of Anthropic's as such a block; nothing for what another vendor signed, or nobody. */
export function encodeThinkingBlock({ text, signature, encrypted }: ReasoningPart): readonly JsonObject[] {
  if (signature?.vendor === 'anthropic')
    return [{ type: 'thinking', thinking: text, signature: signature.value }]
  return encrypted?.vendor === 'anthropic' ? [{ type: 'redacted_thinking', data: encrypted.value }] : []
}

/**
 * Recognises a caller that reads such blocks: it sends them, or asks for reasoning by Anthropic's budget, as LiteLLM's clients do
 * before they have any.
 */
export function readsThinkingBlocks({ messages, thinking }: JsonObject): boolean {
  return typeof objectOf(thinking).budget_tokens === 'number' || hasThinkingBlocks(messages)
}

/** Returns whether a message of a conversation has the member. */
export function hasThinkingBlocks(messages: unknown): boolean {
  return Array.isArray(messages) && messages.some((message) => objectOf(message)[member] !== undefined)
}

/** The conversation without the member, for upstreams that refuse what they do not know. */
export function withoutThinkingBlocks(messages: unknown): readonly unknown[] {
  return listOf(messages).map((message) => {
    if (!isObject(message) || message[member] === undefined) return message
    const { [member]: _, ...others } = message
    return others
  })
}
