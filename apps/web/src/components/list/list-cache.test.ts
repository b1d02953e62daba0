import { describe, expect, it } from 'bun:test'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { listCache } from './list-cache.ts'
import type { ListData } from './use-list.ts'

interface Row {
  readonly id: number
  readonly status: string
}

const cache = listCache<Row>(['rows'])
const pageOf = (...rows: readonly Row[]): ListData<Row> => ({ rows, total: rows.length })

/** A page on screen whose reads the test answers, in any order. */
async function openPage(first: ListData<Row>) {
  const client = new QueryClient()
  const reads: ((response: ListData<Row>) => void)[] = []
  const page = new QueryObserver(client, {
    queryKey: ['rows', 'list', 1],
    queryFn: () => new Promise<ListData<Row>>((resolve) => reads.push(resolve)),
  })
  page.subscribe(() => undefined)
  reads[0]?.(first)
  await Bun.sleep(0)
  return { client, reads, rows: () => page.getCurrentResult().data?.rows, read: () => void page.refetch() }
}

describe('the cache of a list', () => {
  it('shows a changed row although a read from before the change ends after it', async () => {
    const before = pageOf({ id: 1, status: 'on' })
    const { client, reads, rows, read } = await openPage(before)
    read()
    cache.show(client, { id: 1, status: 'off' })
    reads[1]?.(before)
    await Bun.sleep(0)
    expect(rows()).toEqual([{ id: 1, status: 'off' }])
    reads[2]?.(pageOf({ id: 1, status: 'off' }, { id: 2, status: 'on' }))
    await Bun.sleep(0)
    expect(rows()).toHaveLength(2)
  })

  it('reads nothing again for a change while nothing is read', async () => {
    const { client, reads, rows } = await openPage(pageOf({ id: 1, status: 'on' }))
    cache.drop(client, [1])
    await Bun.sleep(0)
    expect([rows(), reads.length]).toEqual([[], 1])
  })
})
