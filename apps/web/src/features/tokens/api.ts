import { queryOptions } from '@tanstack/react-query'
import { calls, type Token, type TokenCreateBody, type TokenUpdateBody } from '@tollgate/api'
import { type ListSource, orderOf, resourceApi } from '../../components/list/index.ts'
import { request, requestWithExtra } from '../../lib/api/api-client.ts'
import { clockHere } from '../../lib/format/reader-clock.ts'
import { isMasked, type TokenSearchTerms, visibleKey } from './keys.ts'

const queryKey = ['tokens'] as const

export const tokenApi = resourceApi<Token>(queryKey, {
  get: (id, signal) => request(calls.tokens.get, { params: { id }, signal }),
  setStatus: (id, status) =>
    request(calls.tokens.update, { query: { status_only: true }, body: { id, status } }),
  remove: (id) => request(calls.tokens.delete, { params: { id } }),
  changeMany: (action, ids) => requestWithExtra(calls.tokens.batch, { body: { action, ids } }),
})

/** How calls with one key ended, by whose fault they failed. */
export function endedCallsQuery(id: number) {
  return queryOptions({
    queryKey: [...queryKey, 'calls', id],
    queryFn: ({ signal }) =>
      request(calls.tokens.calls, {
        params: { id },
        query: clockHere(),
        signal,
      }),
    staleTime: 0,
  })
}

export const createToken = (body: TokenCreateBody) => request(calls.tokens.create, { body })
export const updateToken = (body: TokenUpdateBody) => request(calls.tokens.update, { body })

export interface TokenFilter extends TokenSearchTerms {
  readonly status?: number | undefined
}

/** The own keys; by default the newest come first. */
export function tokensSource(filter: TokenFilter): ListSource<Token> {
  return {
    queryKey,
    filter,
    async read({ page, pageSize, sort }, signal) {
      const searching = filter.keyword !== undefined || filter.token !== undefined
      const query = { ...filter, p: page - 1, size: pageSize, ...orderOf(sort) }
      const call = searching ? calls.tokens.search : calls.tokens.list
      const { data, extra } = await requestWithExtra(call, { query, signal })
      return { rows: data, total: extra.total }
    },
  }
}

/** The same rows with full keys: reveals those that the server masks, which the server records. */
export async function withFullKeys<Row extends Pick<Token, 'id' | 'key'>>(
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const ids = rows.filter(isMasked).map(({ id }) => id)
  if (ids.length === 0) return rows
  const revealed = await request(calls.tokens.reveal, { body: { ids } })
  const keys = new Map(revealed.map((row) => [row.id, row.key]))
  return rows.map((row) => ({ ...row, key: keys.get(row.id) ?? row.key }))
}

/** The key as programs send it. */
export async function fullKey(token: Pick<Token, 'id' | 'key'>): Promise<string> {
  const [full = token] = await withFullKeys([token])
  return visibleKey(full)
}

/** The same for some while a part of the page shows them; the cache forgets them with it. */
export function fullKeysQuery(tokens: readonly Token[]) {
  return queryOptions({
    queryKey: [...queryKey, 'full', tokens.map(({ id }) => id)],
    queryFn: () => withFullKeys(tokens),
    ...(!tokens.some(isMasked) && { initialData: tokens }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}
