import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { calls, type Token, type TokenCreateBody, type TokenUpdateBody } from '@tollgate/api'
import { request } from '../../lib/api-client.ts'
import type { TokenSearchTerms } from './keys.ts'

const listsKey = ['tokens', 'list'] as const

export interface TokenListView extends TokenSearchTerms {
  /** One-based. */
  readonly page: number
  readonly pageSize: number
}

export function isSearch({ keyword, token }: TokenSearchTerms): boolean {
  return keyword !== undefined || token !== undefined
}

/** A page of the own keys, newest first; or every match of a search, whose pages are cut here and not by the server. */
export function tokensQuery(view: TokenListView) {
  const { page, pageSize, keyword, token } = view
  const searching = isSearch(view)
  return queryOptions({
    queryKey: [...listsKey, searching ? { keyword, token } : { page, pageSize }],
    queryFn: ({ signal }): Promise<readonly Token[]> =>
      searching
        ? request(calls.tokens.search, { query: { keyword, token }, signal })
        : request(calls.tokens.list, { query: { p: page - 1, size: pageSize }, signal }),
    placeholderData: keepPreviousData,
  })
}

/** One key: at once as the list knows it, then as the server does. */
export function tokenQuery(client: QueryClient, id: number) {
  return queryOptions({
    queryKey: ['tokens', 'one', id],
    queryFn: ({ signal }) => request(calls.tokens.get, { params: { id }, signal }),
    placeholderData: () => listedToken(client, id),
    staleTime: 0,
    gcTime: 0,
  })
}

function listedToken(client: QueryClient, id: number): Token | undefined {
  return client
    .getQueriesData<readonly Token[]>({ queryKey: listsKey })
    .flatMap(([, rows]) => rows ?? [])
    .find((row) => row.id === id)
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

/** Shows what a call answered in every list on screen, without moving the row. */
export function showToken(client: QueryClient, token: Token): void {
  client.setQueriesData<readonly Token[]>({ queryKey: listsKey }, (rows) =>
    rows?.map((row) => (row.id === token.id ? token : row)),
  )
}

/** Takes a deleted key off every list on screen. */
export function dropToken(client: QueryClient, id: number): void {
  client.setQueriesData<readonly Token[]>({ queryKey: listsKey }, (rows) =>
    rows?.filter((row) => row.id !== id),
  )
}

/** Reads every list again: rows came, went or moved. */
export function refreshTokens(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: listsKey })
}
