import { expect, it } from 'bun:test'
import { logRow, usageInMemory } from '../test-support/usage-in-memory.ts'
import { createRefusedModels } from './refused-models.ts'

const now = 1_700_000_600
const clock = { now: () => now * 1000 }

it('counts by model what was refused in the last day for a price that is still missing', async () => {
  const usage = usageInMemory()
  const refused = (model: string, ago: number, reason = 'model_price_error') =>
    logRow({ type: 'error', createdAt: now - ago, model, other: JSON.stringify({ error: { reason } }) })
  await usage.append([
    refused('rare', 50),
    refused('wanted', 300),
    refused('wanted', 60),
    refused('wanted', 90_000),
    refused('priced-since', 60),
    refused('wanted', 60, 'upstream_error'),
  ])
  const unpriced = new Set(['wanted', 'rare', 'not-called'])
  expect(await createRefusedModels({ usage, unpriced: () => unpriced, clock })()).toEqual([
    { model_name: 'wanted', count: 2, last_at: now - 60 },
    { model_name: 'rare', count: 1, last_at: now - 50 },
  ])
})
