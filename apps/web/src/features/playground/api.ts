import { calls, logTypes } from '@tollgate/api'
import { request } from '../../lib/api/api-client.ts'
import type { ResponseCharge } from './chat/thread.ts'

/** A row is written a moment after its call ended; one that is not there after all these waits will not come. */
const waitsMs = [200, 400, 800, 1600, 3000, 5000] as const

/** Reads the charge of a call from the usage log. A call that failed has a row too, and cost nothing. */
export async function findCharge(requestId: string): Promise<ResponseCharge | undefined> {
  for (const waitMs of waitsMs) {
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    const query = { request_id: requestId, p: 1, page_size: 10 }
    const { items } = await request(calls.logs.listSelf, { query })
    const row =
      items.find(({ type }) => type === logTypes.consumption) ??
      items.find(({ type }) => type === logTypes.error)
    if (row) {
      return { quota: row.quota, promptTokens: row.prompt_tokens, completionTokens: row.completion_tokens }
    }
  }
  return undefined
}
