import type { Delivered, Prompt } from '@tollgate/formats'
import type { Logger } from '../../lib/logger.ts'
import { encodingOf } from './encoding.ts'
import { promptParts, roughPromptTokens } from './prompt-parts.ts'
import { createTokenizerThread } from './thread.ts'

/** Counts tokens where the upstream did not. Never rejects: what cannot be counted is estimated by its bytes. */
export interface TokenCounting {
  countText(model: string, text: string): Promise<number>
  countPrompt(model: string, prompt: Prompt): Promise<number>
  /** Everything the caller was sent: text, reasoning, tool calls. */
  countDelivered(model: string, delivered: Delivered): Promise<number>
  /** Upper estimate, at once. */
  roughPrompt(model: string, prompt: Prompt): number
  close(): Promise<void>
}

export interface TokenCountingOptions {
  readonly logger: Logger
  /** The tokenizer's thread ends after so long without work. */
  readonly idleMs?: number
  /** A count that takes longer is replaced by an estimate. */
  readonly timeoutMs?: number
}

const minute = 60_000
/** Characters that are given to the tokenizer; the rest is taken to be like them. */
const maxCounted = 256 * 1024
/** Texts that are given to it: each costs the event loop a copy. The rest is taken to be like them, too. */
const maxCountedTexts = 10_000
/** Characters that may wait for the tokenizer; past it counts are estimates. */
const maxWaiting = 32 * maxCounted
const defaultBytesPerToken = 4
const toolCallTokens = 7

export function createTokenCounting(options: TokenCountingOptions): TokenCounting {
  const { logger, idleMs = 10 * minute, timeoutMs = minute / 6 } = options
  const thread = createTokenizerThread({ idleMs, timeoutMs })
  let waiting = 0
  let failing = false

  async function count(model: string, texts: readonly string[], uncountedBytes = 0): Promise<number> {
    const { counted, restBytes } = split(texts)
    const bytes = counted.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
    const estimate = Math.ceil(bytes / defaultBytesPerToken)
    const tokens = bytes === 0 ? 0 : await tokenize(model, counted, estimate)
    const density = bytes === 0 ? 1 / defaultBytesPerToken : tokens / bytes
    return tokens + Math.ceil((restBytes + uncountedBytes) * density)
  }

  async function tokenize(model: string, texts: readonly string[], estimate: number): Promise<number> {
    const characters = texts.reduce((sum, text) => sum + text.length, 0)
    if (waiting + characters > maxWaiting) return estimate
    waiting += characters
    try {
      const tokens = await thread.count(encodingOf(model), texts)
      failing = false
      return tokens
    } catch (error) {
      if (!failing)
        logger.error(
          { err: error },
          'token counting: the tokenizer fails, so counts are estimates of the length: report it with this entry',
        )
      failing = true
      return estimate
    } finally {
      waiting -= characters
    }
  }

  return {
    countText: (model, text) => count(model, [text]),
    async countPrompt(model, prompt) {
      const { texts, fixed } = promptParts(model, prompt)
      return fixed + (await count(model, texts))
    },
    async countDelivered(model, { text, overflowBytes, toolCalls }) {
      return toolCalls * toolCallTokens + (await count(model, [text], overflowBytes))
    },
    roughPrompt: roughPromptTokens,
    close: thread.close,
  }
}

/** The first characters to be counted, and the size of what follows them. */
function split(texts: readonly string[]): {
  readonly counted: readonly string[]
  readonly restBytes: number
} {
  const counted: string[] = []
  let room = maxCounted
  let restBytes = 0
  for (const text of texts) {
    const part = counted.length < maxCountedTexts ? text.slice(0, room) : ''
    if (part !== '') counted.push(part)
    if (part.length < text.length) restBytes += Buffer.byteLength(text.slice(part.length))
    room -= part.length
  }
  return { counted, restBytes }
}
