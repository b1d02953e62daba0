import { endOfTime } from '@tollgate/api/calendar'
import fc from 'fast-check'
import type { TestStore } from '../../contract/place.ts'
import { flushOf, settlement } from '../../contract/samples.ts'
import type { Store } from '../../store.ts'
import { reasonOf } from '../index/failures.ts'
import type { LogFilter, LogRow, NewLogRow } from '../index/log-row.ts'

export const blockRows = 48
const spanBlocks = 4
/** Sizes by which the stores of these suites index their log. */
export const indexing = { logBlockRows: blockRows, logSpanBlocks: spanBlocks }
export const base = Date.UTC(2025, 5, 30, 22) / 1000

/** Returns the attempts in a call's row, the last of which has words of its upstream. */
function attempts(channels: string, said = 'no'): string {
  return `{"frt":1,"admin_info":{"use_channel":[${channels}],"attempts":[{"said":${JSON.stringify(said)},"1":"2"}]},"ended":"x"}`
}

/**
 * Rows over few values, so that filters overlap; over some hours and a month's end; not always in the order of time.
 */
const logRow = fc.record({
  createdAt: fc.integer({ min: base, max: base + 5 * 3600 }),
  type: fc.constantFrom('consumption', 'consumption', 'consumption', 'top-up', 'system', 'error'),
  userId: fc.integer({ min: 1, max: 40 }).map((user) => (user > 5 ? user : 1)),
  tokenId: fc.integer({ min: 0, max: 3 }),
  tokenName: fc.constantFrom('', 'ci', '100%', 'Ü'),
  model: fc.constantFrom('gpt-4o', 'gpt-4o-mini', 'claude_x', 'o3'),
  channelId: fc.integer({ min: 0, max: 4 }),
  group: fc.constantFrom('default', 'default', 'default', 'vip'),
  quota: fc.oneof(fc.integer({ min: 0, max: 500 }), fc.constantFrom(70_000, 5_000_000_000)),
  cost: fc.option(fc.integer({ min: 0, max: 600 })),
  promptTokens: fc.integer({ min: 0, max: 100_000 }),
  completionTokens: fc.integer({ min: 0, max: 100 }),
  other: fc.constantFrom(
    '',
    '{"error":{"reason":"upstream_error"}}',
    '{"error":{"code":"no_available_channel"}}',
    attempts('"1"'),
    attempts('"1","2"'),
    attempts('"3","3"'),
    attempts('"14","4"', '","'),
    attempts('"2","1","4"', '"3"],"attempts":'),
  ),
  requestId: fc.integer({ min: 1, max: 200 }).map((request) => `request-${request}`),
}) satisfies fc.Arbitrary<Partial<NewLogRow>>

export const filter = fc.record(
  {
    type: fc.constantFrom('consumption', 'top-up', 'management', 'error', [
      'top-up',
      'error',
      'system',
    ] as const),
    userId: fc.constantFrom(1, 1, 6, 7, 39, 1000),
    tokenId: fc.integer({ min: 0, max: 4 }),
    tokenName: fc.constantFrom('ci', '100%', 'Ü', 'unknown'),
    model: fc.constantFrom('gpt-4o', 'o3', 'gpt%', '%MINI', '%_%', '%', 'nope', 'nope%'),
    channelId: fc.integer({ min: 1, max: 5 }),
    triedChannelId: fc.integer({ min: 1, max: 5 }),
    isRescued: fc.constant(true),
    group: fc.constantFrom('default', 'vip', 'none'),
    requestId: fc.constantFrom('request-7', 'request-8', 'request', ''),
    from: fc.integer({ min: base - 10, max: base + 5 * 3600 + 10 }),
    to: fc.integer({ min: base - 10, max: base + 5 * 3600 + 10 }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<LogFilter>

export function leaves(logFilter: LogFilter, row: LogRow): boolean {
  return (
    (logFilter.type === undefined || [logFilter.type].flat().includes(row.type)) &&
    (logFilter.tokenId === undefined || row.tokenId === logFilter.tokenId) &&
    (logFilter.userId === undefined || row.userId === logFilter.userId) &&
    (logFilter.tokenName === undefined || row.tokenName === logFilter.tokenName) &&
    (logFilter.model === undefined || isLike(row.model, logFilter.model)) &&
    (logFilter.channelId === undefined || row.channelId === logFilter.channelId) &&
    (logFilter.triedChannelId === undefined || hasTried(row, logFilter.triedChannelId)) &&
    (logFilter.isRescued !== true || (row.type === 'consumption' && channelsOf(row).length > 1)) &&
    (logFilter.group === undefined || row.group === logFilter.group) &&
    (logFilter.requestId === undefined || row.requestId === logFilter.requestId) &&
    (logFilter.reason === undefined || reasonOf(row.other) === logFilter.reason) &&
    row.createdAt >= (logFilter.from ?? 0) &&
    row.createdAt <= (logFilter.to ?? Number.MAX_SAFE_INTEGER)
  )
}

function hasTried(row: LogRow, channelId: number): boolean {
  return row.channelId === channelId || (channelsOf(row).length > 1 && channelsOf(row).includes(channelId))
}

function channelsOf({ other }: LogRow): readonly number[] {
  const { admin_info } = JSON.parse(other || '{}') as { admin_info?: { use_channel: readonly string[] } }
  return admin_info?.use_channel.map(Number) ?? []
}

/** `%` stands for any text, in a pattern that has one; nothing else is a wildcard. */
function isLike(text: string, pattern: string): boolean {
  if (!pattern.includes('%')) return text === pattern
  const expression = expressions.get(pattern) ?? expressionOf(pattern)
  expressions.set(pattern, expression)
  return expression.test(text)
}

/** Expressions of the patterns: all rows are held against each. */
const expressions = new Map<string, RegExp>()

function expressionOf(pattern: string): RegExp {
  const parts = pattern.split('%').map((part) => RegExp.escape(part))
  return new RegExp(`^${parts.join('.*')}$`, 'i')
}

export const sum = <Item>(rows: readonly Item[], value: (row: Item) => number) =>
  rows.reduce((total, row) => total + value(row), 0)

/** Fills the log of an empty store with `count` rows, like flushes and events of a gateway. */
export async function fillLog(store: Store, count: number, node = 'one'): Promise<void> {
  const made = fc.sample(logRow, { numRuns: count, seed: 42 }) as Partial<LogRow>[]
  let position = 0
  for (let start = 0; start < made.length; start += 70) {
    const batch = made.slice(start, start + 70).map((row) => ({ ...settlement(1), ...row }))
    const charged = batch.filter((row) => row.type === 'consumption')
    await store.usage.append(batch.filter((row) => row.type !== 'consumption') as LogRow[])
    const settlements = charged.map((row, index) => ({
      ...row,
      cost: row.cost ?? undefined,
      seq: position + index + 1,
    }))
    await store.ledger.flush(flushOf(node, position, settlements))
    position += charged.length
  }
}

/** Takes over what is open of every quarter. */
export async function takeOverAll({ quarters: open }: Store): Promise<void> {
  for (const quarter of await open.listOpen(endOfTime)) while (!(await open.takeOver(quarter)));
}

async function sealedRows(location: TestStore): Promise<number> {
  const [found] = await location.sql('select coalesce(max(last_id), 0) as n from log_blocks')
  return Number(found?.['n'])
}

async function blocksBehindSpans(location: TestStore): Promise<number> {
  const [found] = await location.sql(
    'select count(*) as n from log_blocks where id > (select coalesce(max(last_block), 0) from log_spans)',
  )
  return Number(found?.['n'])
}

/** Waits until every complete block is sealed, and every complete span made. */
export async function waitUntilSealed(location: TestStore, rows: number): Promise<void> {
  while ((await sealedRows(location)) < rows - (rows % blockRows)) await Bun.sleep(5)
  while ((await blocksBehindSpans(location)) >= spanBlocks) await Bun.sleep(5)
}
