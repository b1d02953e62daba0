import { describe, expect, it } from 'bun:test'
import type { Pieces } from '../../lib/async/pieces.ts'
import { createLogExport } from './export-log.ts'
import { logRow, usageInMemory } from './test-support/usage-in-memory.ts'

const visible = { language: 'en', utc_offset: 480, quotaPerUnit: 500_000 } as const

async function exported(lines: Pieces): Promise<string[]> {
  let text = ''
  for await (const piece of lines) text += piece
  return text.split('\r\n').slice(0, -1)
}

async function createTestExport(rows: Parameters<typeof logRow>[0][]) {
  const usage = usageInMemory()
  await usage.append(rows.map(logRow))
  const reads: number[] = []
  const counted = {
    batch: (...args: Parameters<typeof usage.batch>) => {
      reads.push(args[2])
      return usage.batch(...args)
    },
  }
  const users = { idsByUsername: async (name: string) => (name === 'bob' ? [2, 5] : []) }
  const settings = { current: { DisplayInCurrencyEnabled: true, QuotaPerUnit: 500_000 } }
  return { reads, ...createLogExport({ usage: counted, users, channelName: () => 'main', settings }) }
}

describe('an export of the log', () => {
  it('has a header in the reader’s language, then a line per row, newest first, in the reader’s time', async () => {
    const other = '{"frt":321,"admin_info":{"use_channel":["3","7"]}}'
    const { all } = await createTestExport([
      { createdAt: 1_700_000_000, other, content: '=cmd', tokenName: '-key', cost: 4 },
      { createdAt: 1_700_000_060, type: 'error' },
    ])
    const [header, newest, oldest] = await exported(all({}, visible))
    expect(header?.startsWith('\uFEFFID,Time,Type,Channel ID,Channel,User ID,User,')).toBe(true)
    expect(newest?.split(',').slice(0, 3)).toEqual(['2', '2023-11-15T06:14:20+08:00', 'Error'])
    expect(oldest).toBe(
      "1,2023-11-15T06:13:20+08:00,Consumption,7,main,1,ann,'-key,default,gpt-4o,1,321,true,3,4,0.00002,10,0.000008,4,0.000012,6,3 → 7,'=cmd,r-1",
    )
    const [chinese] = await exported(all({}, { ...visible, language: 'zh', utc_offset: -210 }))
    expect(chinese).toContain('时间')
  })

  it('shows users their own rows, and nothing of channels and costs', async () => {
    const other = '{"frt":321,"admin_info":{"use_channel":["3","7"]}}'
    const { own } = await createTestExport([{ userId: 1, other, quota: 10, cost: 7777 }, { userId: 2 }])
    const lines = await exported(own(1, {}, visible))
    expect(lines).toHaveLength(2)
    expect(lines.join()).not.toMatch(/Channel|main|→|[Cc]ost|Margin|7777|7767/)
  })

  it('applies the filter, and finds every user who has or had a name', async () => {
    const { all } = await createTestExport([
      { userId: 2 },
      { userId: 3 },
      { userId: 5 },
      { userId: 5, model: 'o3' },
    ])
    expect(await exported(all({ username: 'bob' }, visible))).toHaveLength(4)
    expect(await exported(all({ username: 'bob', model_name: 'o3' }, visible))).toHaveLength(2)
    expect(await exported(all({ username: 'eve' }, visible))).toHaveLength(1)
    expect(await exported(all({ type: 99 }, visible))).toHaveLength(1)
  })

  it('reads the next rows only when the reader asks for more', async () => {
    const { all, reads } = await createTestExport(Array.from({ length: 2000 }, () => ({})))
    const lines = all({}, visible)[Symbol.asyncIterator]()
    await lines.next()
    expect(reads).toHaveLength(0)
    await lines.next()
    expect(reads).toHaveLength(1)
    await lines.return?.()
    expect(reads).toHaveLength(1)
  })

  it('accepts rows with malformed JSON', async () => {
    const { all } = await createTestExport([{ other: 'null' }, { other: '{"broken' }, { other: '' }])
    expect(await exported(all({}, visible))).toHaveLength(4)
  })
})
