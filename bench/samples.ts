/** Name of the model that the benches call. */
export const model = 'gpt-4o-mini'
const sentence = 'The quick brown fox jumps over the lazy dog. '
const textOf = (bytes: number) => sentence.repeat(Math.ceil(bytes / sentence.length)).slice(0, bytes)

/** A request of one message with so many bytes of text. */
export const oneMessage = (bytes: number) =>
  JSON.stringify({ model, max_tokens: 64, messages: [{ role: 'user', content: textOf(bytes) }] })

/** A request whose response may be long: the caller sets no bound to it. */
export const openEnded = JSON.stringify({ model, messages: [{ role: 'user', content: textOf(700) }] })

/** A request of `count` messages with so many bytes of text in all. */
export const manyMessages = (bytes: number, count: number) =>
  JSON.stringify({
    model,
    max_tokens: 64,
    messages: Array.from({ length: count }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: textOf(Math.round(bytes / count) - 45),
    })),
  })

/**
 * Returns a completion: as long as the model writes, and then probabilities of its tokens: a longer text would be cut where it passes
 * the model's limit.
 */
export function completionOf(bytes: number): string {
  const content = textOf(Math.min(bytes, 64_000))
  const entry = { token: ' quick', logprob: -0.000123, bytes: [32, 113, 117, 105, 99, 107], top_logprobs: [] }
  const entries = Math.max(0, Math.round((bytes - content.length) / JSON.stringify(entry).length))
  const tokens = Math.round(content.length / 5)
  return JSON.stringify({
    id: 'chatcmpl-bench',
    object: 'chat.completion',
    created: 1760000000,
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content },
        logprobs: { content: Array.from({ length: entries }, () => entry) },
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 180, completion_tokens: tokens, total_tokens: 180 + tokens },
  })
}
