import { type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  type Channel,
  type ChannelDraftBody,
  type ChannelDraftTest,
  type ChannelKeyBody,
  type ChannelUpdateBody,
  calls,
  channelStatuses,
} from '@tollgate/api'
import { type ListSource, listCache, orderOf, resourceApi } from '../../components/list/index.ts'
import { ApiError, type RequestInput, request, requestWithExtra } from '../../lib/api/api-client.ts'
import { readLocalJson, writeLocal } from '../../lib/browser/local-store.ts'

const queryKey = ['channels'] as const

/** A change of a channel changes what is known of tags, problems and models too. */
const lists = listCache<Channel>(queryKey, queryKey)

export const channelApi = resourceApi<Channel>(
  queryKey,
  {
    get: (id, signal) => request(calls.channels.get, { params: { id }, signal }),
    setStatus: (id, status) => updateChannel({ id, status }),
    remove: (id) => request(calls.channels.delete, { params: { id } }),
    changeMany(action, ids) {
      if (action === 'delete') return requestWithExtra(calls.channels.deleteMany, { body: { ids } })
      const status = channelStatuses[action === 'enable' ? 'enabled' : 'disabled']
      return requestWithExtra(calls.channels.updateMany, { body: { ids, status } })
    },
  },
  lists,
)

export interface ChannelFilter {
  readonly keyword?: string | undefined
  readonly group?: string | undefined
  readonly model?: string | undefined
  readonly tag_mode?: boolean | undefined
  /** Newest first while the list is sorted by nothing else. */
  readonly id_sort: boolean
}

/** Channels; declared filters are beside these. A filter by name, group or model makes it a search. */
export function channelsSource(filter: ChannelFilter): ListSource<Channel> {
  const { keyword, group, model } = filter
  const searching = [keyword, group, model].some((word) => word !== undefined)
  const call = searching ? calls.channels.search : calls.channels.list
  return {
    queryKey,
    filter,
    async read({ page, pageSize, sort }, signal) {
      const query = { ...filter, p: page - 1, page_size: pageSize, ...orderOf(sort) } as RequestInput<
        typeof calls.channels.list
      >['query']
      const { data, extra } = await requestWithExtra(call, { ...(query && { query }), signal })
      return { rows: data, total: extra.total }
    },
  }
}

type TypeModels = Readonly<Record<string, readonly string[]>>

/** Models that channels of a type usually serve, by its id. Kept in the browser, so that a form has them at once. */
export const typeModelsQuery = queryOptions({
  queryKey: ['channels', 'type-models'],
  queryFn: async ({ signal }): Promise<TypeModels> => {
    const models = await request(calls.models.byChannelType, { signal })
    writeLocal('channel_models', JSON.stringify(models))
    return models
  },
  placeholderData: () => readLocalJson('channel_models', isTypeModels),
  staleTime: 300_000,
})

function isTypeModels(value: unknown): value is TypeModels {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every(
      (names) => Array.isArray(names) && names.every((name) => typeof name === 'string'),
    )
  )
}

/** Names of all models the product knows. */
export const knownModelsQuery = queryOptions({
  queryKey: ['channels', 'known-models'],
  queryFn: async ({ signal }) => (await request(calls.channels.models, { signal })).map(({ id }) => id),
  staleTime: 300_000,
})

/** Reads whether the gateway itself tries automatically disabled channels again. */
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

/** Sends a small real call through a channel; resolves with its duration in seconds. */
export async function testChannel(id: number, model?: string, keyId?: string): Promise<number> {
  const query = { model, key_id: keyId }
  const { extra } = await requestWithExtra(calls.channels.test, { params: { id }, query })
  return extra.time
}

/** A second channel with the same keys and settings. */
export function copyChannel(id: number): Promise<Channel> {
  return request(calls.channels.copy, { params: { id } })
}

/** The keys themselves, in their order; written down in the audit log. */
export async function revealKeys(id: number): Promise<readonly string[]> {
  return (await request(calls.channels.revealKeys, { params: { id } })).keys
}

/** Acts on one key of a channel. */
export type KeyAct = ChannelKeyBody['act']

/** Adds keys to a channel, one per line; returns the channel afterwards, and how many were new. */
export async function addKeys(
  id: number,
  key: string,
): Promise<{ readonly channel: Channel; readonly added: number }> {
  const { data, extra } = await requestWithExtra(calls.channels.addKeys, { params: { id }, body: { key } })
  return { channel: data, added: extra.added }
}

/** Switches, replaces or deletes one of a channel's keys; returns the channel afterwards. */
export function changeKey(id: number, body: ChannelKeyBody): Promise<Channel> {
  return request(calls.channels.changeKey, { params: { id }, body })
}

/** Asks the upstream's account for its balance. */
export async function updateBalance(id: number): Promise<number> {
  const { extra } = await requestWithExtra(calls.channels.updateBalance, { params: { id } })
  return extra.balance
}

/** The upstream's own list of models, by the values of a form; with the id alone, of a stored channel. */
export function fetchModels(draft: ChannelDraftBody): Promise<readonly string[]> {
  return request(calls.channels.fetchModelsForNew, { body: draft })
}

/** Sends a small real call through a channel as it stands in a form. */
export function testDraft(draft: ChannelDraftBody): Promise<ChannelDraftTest> {
  return request(calls.channels.testDraft, { body: draft })
}

/** Reads one channel again, after something that changed what the server knows about it. */
export async function refreshChannel(client: QueryClient, id: number): Promise<void> {
  try {
    lists.show(client, await request(calls.channels.get, { params: { id } }))
  } catch (cause) {
    // The list comes again by itself; only a fault of ours may not pass silently.
    if (!(cause instanceof ApiError)) throw cause
  }
}
