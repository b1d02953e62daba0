import { type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  calls,
  type RowOutcome,
  type Token,
  type TokenBatchBody,
  type TokenCreateBody,
  type TokenUpdateBody,
} from '@tollgate/api'
import { type ListSource, listCache, orderOf } from '../../components/list/index.ts'
import { request, requestWithExtra } from '../../lib/api-client.ts'
import { isMasked, shownKey, type TokenSearchTerms } from './keys.ts'

const queryKey = ['tokens'] as const

/** Every page of keys in memory. */
export const tokenLists = listCache<Token>(queryKey)

export interface TokenFilter extends TokenSearchTerms {
  readonly status?: number | undefined
}

/** The own keys, newest first unless told. */
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

/** One key: at once as the list knows it, then as the server does. */
export function tokenQuery(client: QueryClient, id: number) {
  return queryOptions({
    queryKey: [...queryKey, 'one', id],
    queryFn: ({ signal }) => request(calls.tokens.get, { params: { id }, signal }),
    placeholderData: () => tokenLists.find(client, id),
    staleTime: 0,
    gcTime: 0,
  })
}

/** Groups open to the person, with their price ratio. */
export const groupsQuery = queryOptions({
  queryKey: ['user', 'groups'],
  queryFn: ({ signal }) => request(calls.users.groups, { signal }),
})

/** Models the person can reach. */
export const modelsQuery = queryOptions({
  queryKey: ['user', 'models'],
  queryFn: ({ signal }) => request(calls.users.models, { signal }),
})

/** The account whose balance limits every key. */
export const accountQuery = queryOptions({
  queryKey: ['user', 'self'],
  queryFn: ({ signal }) => request(calls.users.self, { signal }),
})

export function createToken(body: TokenCreateBody): Promise<Token> {
  return request(calls.tokens.create, { body })
}

export function updateToken(body: TokenUpdateBody): Promise<Token> {
  return request(calls.tokens.update, { body })
}

/** Enables (1) or disables (2), and changes nothing else. */
export function setTokenStatus(id: number, status: number): Promise<Token> {
  return request(calls.tokens.update, { query: { status_only: true }, body: { id, status } })
}

export function deleteToken(id: number): Promise<undefined> {
  return request(calls.tokens.delete, { params: { id } })
}

/** The same to many keys by one call. */
export async function changeTokens(
  action: TokenBatchBody['action'],
  ids: readonly number[],
): Promise<readonly RowOutcome[]> {
  const { extra } = await requestWithExtra(calls.tokens.batch, { body: { action, ids: [...ids] } })
  return extra.outcomes
}

/** With the keys whole: those that the server masks are revealed, which it writes down. */
export async function withFullKeys<Row extends Pick<Token, 'id' | 'key'>>(
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const ids = rows.filter(isMasked).map(({ id }) => id)
  if (ids.length === 0) return rows
  const revealed = new Map(
    (await request(calls.tokens.reveal, { body: { ids } })).map((row) => [row.id, row.key]),
  )
  return rows.map((row) => ({ ...row, key: revealed.get(row.id) ?? row.key }))
}

/** The key as programs send it. */
export async function fullKey(token: Pick<Token, 'id' | 'key'>): Promise<string> {
  const [full = token] = await withFullKeys([token])
  return shownKey(full)
}

/** The same for some, where a part of the page shows them; they are forgotten with it. */
export function fullKeysQuery(tokens: readonly Token[]) {
  return queryOptions({
    queryKey: [...queryKey, 'whole', tokens.map(({ id }) => id)],
    queryFn: () => withFullKeys(tokens),
    ...(!tokens.some(isMasked) && { initialData: tokens }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}
