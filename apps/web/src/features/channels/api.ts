import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Channel, type ChannelUpdateBody, calls } from '@tollgate/api'
import { ApiError, type RequestInput, request, requestWithExtra } from '../../lib/api-client.ts'

/** Which channels the list shows. A filter makes it a search. */
export interface ChannelListView {
  /** One-based. */
  readonly page: number
  readonly pageSize: number
  readonly byId: boolean
  readonly keyword?: string | undefined
  readonly group?: string | undefined
  readonly model?: string | undefined
}

export function isSearch({
  keyword,
  group,
  model,
}: Omit<ChannelListView, 'page' | 'pageSize' | 'byId'>): boolean {
  return keyword !== undefined || group !== undefined || model !== undefined
}

const listsKey = ['channels', 'list'] as const

interface ChannelPage {
  readonly rows: readonly Channel[]
  /** Of all pages. */
  readonly total: number
}

/** A page of the list, or of what a search found. */
export function channelsQuery(view: ChannelListView) {
  const { page, pageSize, byId, keyword, group, model } = view
  const call = isSearch(view) ? calls.channels.search : calls.channels.list
  const query = { p: page - 1, page_size: pageSize, id_sort: byId, keyword, group, model }
  return queryOptions({
    queryKey: [...listsKey, query],
    queryFn: async ({ signal }): Promise<ChannelPage> => {
      const { data, extra } = await requestWithExtra(call, { query, signal })
      return { rows: data, total: extra.total }
    },
    placeholderData: keepPreviousData,
  })
}

export function channelQuery(id: number) {
  return queryOptions({
    queryKey: ['channels', 'one', id],
    queryFn: ({ signal }) => request(calls.channels.get, { params: { id }, signal }),
    // A form must start from what is stored now, not from what was stored when it was last open.
    staleTime: 0,
    gcTime: 0,
  })
}

export const groupsQuery = queryOptions({
  queryKey: ['groups'],
  queryFn: ({ signal }) => request(calls.groups.list, { signal }),
})

/** Names of all models the product knows. */
export const knownModelsQuery = queryOptions({
  queryKey: ['channels', 'known-models'],
  queryFn: async ({ signal }) => (await request(calls.channels.models, { signal })).map(({ id }) => id),
  staleTime: 300_000,
})

/** Names of the models that some enabled channel serves. */
export const servedModelsQuery = queryOptions({
  queryKey: ['channels', 'served-models'],
  queryFn: ({ signal }) => request(calls.channels.enabledModels, { signal }),
})

/** Whether the gateway itself tries automatically disabled channels again. */
export const automaticEnablingQuery = queryOptions({
  queryKey: ['channels', 'automatic-enabling'],
  queryFn: async ({ signal }) => {
    const options = await request(calls.options.list, { signal })
    return options.find(({ key }) => key === 'AutomaticEnableChannelEnabled')?.value === 'true'
  },
  staleTime: 60_000,
})

export function createChannel(body: RequestInput<typeof calls.channels.create>['body']): Promise<Channel> {
  return request(calls.channels.create, { body })
}

export function updateChannel(body: ChannelUpdateBody): Promise<Channel> {
  return request(calls.channels.update, { body })
}

export function deleteChannel(id: number): Promise<undefined> {
  return request(calls.channels.delete, { params: { id } })
}

/** Sends a small real call through a channel; answers how many seconds it took. */
export async function testChannel(id: number, model?: string): Promise<number> {
  const { extra } = await requestWithExtra(calls.channels.test, { params: { id }, query: { model } })
  return extra.time
}

export function testAllChannels(): Promise<undefined> {
  return request(calls.channels.testAll)
}

/** The upstream's own list of models: of a stored channel, or of one that is being typed in. */
export function fetchModels(
  source:
    | { readonly id: number }
    | { readonly type: number; readonly key: string; readonly base_url: string },
): Promise<readonly string[]> {
  return 'id' in source
    ? request(calls.channels.fetchModels, { params: { id: source.id } })
    : request(calls.channels.fetchModelsForNew, { body: source })
}

/** Shows what a call answered wherever the channel is on screen, without moving its row. */
export function showChannel(client: QueryClient, channel: Channel): void {
  const { queryKey } = channelQuery(channel.id)
  if (client.getQueryData(queryKey)) client.setQueryData(queryKey, channel)
  changeRows(client, (rows) => rows.map((row) => (row.id === channel.id ? channel : row)))
}

/** A channel as some list on screen shows it. */
export function listedChannel(client: QueryClient, id: number): Channel | undefined {
  const lists = client.getQueriesData<ChannelPage>({ queryKey: listsKey })
  return lists.flatMap(([, page]) => page?.rows ?? []).find((row) => row.id === id)
}

/** Takes a deleted channel off every list on screen. */
export function dropChannel(client: QueryClient, id: number): void {
  changeRows(client, (rows) => rows.filter((row) => row.id !== id))
}

function changeRows(client: QueryClient, change: (rows: readonly Channel[]) => readonly Channel[]): void {
  client.setQueriesData<ChannelPage>(
    { queryKey: listsKey },
    (page) => page && { ...page, rows: change(page.rows) },
  )
}

/** Reads one channel again, after something that changed what the server knows about it. */
export async function refreshChannel(client: QueryClient, id: number): Promise<void> {
  try {
    showChannel(client, await request(calls.channels.get, { params: { id } }))
  } catch (cause) {
    // The list comes again by itself; only a fault of ours may not pass silently.
    if (!(cause instanceof ApiError)) throw cause
  }
}

export function refreshChannels(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: ['channels'] })
}
