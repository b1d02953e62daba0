import { type JsonObject, listOf, objectOf, textOf } from '../../json/value.ts'

/** The type of the items by which Codex's agents give each other tasks and results. */
export const agentMessage = 'agent_message'

/**
 * Writes a message between Codex's agents as one of the user, who speaks for them: only OpenAI's own API knows the item. What a part calls
 * `encrypted_content` is text, unless OpenAI wrote it.
 * https://github.com/openai/codex (2026-11-30)
 * @returns `undefined` for a message that only OpenAI can read
 */
export function asUserMessage({ author, recipient, content }: JsonObject): JsonObject | undefined {
  const parts = typeof content === 'string' ? [{ type: 'input_text', text: content }] : listOf(content)
  const readable = parts.map((part) => readablePart(objectOf(part)))
  if (readable.includes(undefined)) return undefined
  const from = { type: 'input_text', text: `Message from ${textOf(author)} to ${textOf(recipient)}:` }
  return { type: 'message', role: 'user', content: [from, ...readable] }
}

function readablePart(part: JsonObject): JsonObject | undefined {
  if (part.type !== 'encrypted_content') return part
  const text = textOf(part.encrypted_content)
  return ciphertext.test(text) ? undefined : { type: 'input_text', text }
}

/** Begins as OpenAI's encrypted texts do: with a version and a time. https://github.com/fernet/spec/blob/master/Spec.md */
const ciphertext = /^gAAAAA[\w-]{32,}={0,2}$/
