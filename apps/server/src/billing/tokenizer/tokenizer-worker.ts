import { parentPort } from 'node:worker_threads'
import { getOrInsert } from '@tollgate/base'
import { countableText } from './countable-text.ts'
import type { Encoding } from './encoding.ts'
import type { CountQuestion, CountResponse } from './thread.ts'

/** Entry of the tokenizer's thread: questions in, counts out, in order. */
parentPort?.on('message', async ({ id, encoding, texts }: CountQuestion) => {
  const response = await countTokens(encoding, texts).then(
    (tokens): CountResponse => ({ id, tokens }),
    (error: unknown): CountResponse => ({ id, error: String(error) }),
  )
  parentPort?.postMessage(response)
})

type Tokenizer = (text: string, options: { readonly disallowedSpecial: Set<string> }) => number

/** Tables of megabytes: loaded when the first text of that encoding is counted. */
const tokenizers = {
  o200k_base: async () => (await import('gpt-tokenizer/encoding/o200k_base')).countTokens,
  cl100k_base: async () => (await import('gpt-tokenizer/encoding/cl100k_base')).countTokens,
} satisfies Record<Encoding, () => Promise<Tokenizer>>

const loading = new Map<Encoding, Promise<Tokenizer>>()

/** Asked for once: while a module loads, this runtime reads its source again for everybody who imports it meanwhile. */
function tokenizerOf(encoding: Encoding): Promise<Tokenizer> {
  return getOrInsert(loading, encoding, () => load(encoding))
}

async function load(encoding: Encoding): Promise<Tokenizer> {
  try {
    return await tokenizers[encoding]()
  } catch (error) {
    // What could not be read now may be readable for the next text.
    loading.delete(encoding)
    throw error
  }
}

/** Marks like `<|endoftext|>` in a caller's text are text. */
const options = { disallowedSpecial: new Set<string>() }

/** Slow: for a worker thread. */
async function countTokens(encoding: Encoding, texts: readonly string[]): Promise<number> {
  const count = await tokenizerOf(encoding)
  let tokens = 0
  for (const text of texts) {
    const { pieces, estimated } = countableText(text)
    tokens += estimated
    for (const piece of pieces) tokens += count(piece, options)
  }
  return tokens
}
