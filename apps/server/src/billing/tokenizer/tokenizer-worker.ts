import { parentPort } from 'node:worker_threads'
import { countTokens } from './count-tokens.ts'
import type { CountQuestion, CountResponse } from './thread.ts'

/** Entry of the tokenizer's thread: questions in, counts out, in order. */
parentPort?.on('message', async ({ id, encoding, texts }: CountQuestion) => {
  const response = await countTokens(encoding, texts).then(
    (tokens): CountResponse => ({ id, tokens }),
    (error: unknown): CountResponse => ({ id, error: String(error) }),
  )
  parentPort?.postMessage(response)
})
