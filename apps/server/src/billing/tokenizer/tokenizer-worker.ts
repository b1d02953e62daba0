import { parentPort } from 'node:worker_threads'
import { countTokens } from './count-tokens.ts'
import type { CountAnswer, CountQuestion } from './thread.ts'

/** Entry of the tokenizer's thread: questions in, counts out, in order. */
parentPort?.on('message', async ({ id, encoding, texts }: CountQuestion) => {
  const answer = await countTokens(encoding, texts).then(
    (tokens): CountAnswer => ({ id, tokens }),
    (error: unknown): CountAnswer => ({ id, error: String(error) }),
  )
  parentPort?.postMessage(answer)
})
