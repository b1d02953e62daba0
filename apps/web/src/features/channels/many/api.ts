import type { QueryClient } from '@tanstack/react-query'
import { type ChannelRun, type ChannelTagBody, calls, type RowOutcome } from '@tollgate/api'
import { request, requestWithExtra } from '../../../lib/api/api-client.ts'
import { channelApi } from '../api.ts'

/** The same priority or weight on many channels by one call. */
export async function updateMany(
  ids: readonly number[],
  fields: { readonly [Field in 'priority' | 'weight']?: number },
): Promise<readonly RowOutcome[]> {
  const { extra } = await requestWithExtra(calls.channels.updateMany, { body: { ids: [...ids], ...fields } })
  return extra.outcomes
}

/** `null` takes the tag off. */
export async function tagMany(ids: readonly number[], tag: string | null): Promise<readonly RowOutcome[]> {
  const { extra } = await requestWithExtra(calls.channels.tagMany, { body: { ids: [...ids], tag } })
  return extra.outcomes
}

/** Resolves with the number of deleted channels. */
export function deleteDisabled(): Promise<number> {
  return request(calls.channels.deleteDisabled)
}

/** Resolves with the number of repairs. */
export function fixChannels(): Promise<number> {
  return request(calls.channels.fix)
}

export function updateTag(body: ChannelTagBody): Promise<number> {
  return request(calls.channels.updateTag, { body })
}

/** Switches all channels of a tag on or off. */
export function switchTag(tag: string, on: boolean): Promise<number> {
  return request(on ? calls.channels.enableTag : calls.channels.disableTag, { body: { tag } })
}

/** Work on every enabled channel, done by the server one after the other. */
export const runs = {
  test: {
    start: () => request(calls.channels.testAll),
    progress: (signal: AbortSignal) => request(calls.channels.testProgress, { signal }),
    cancel: () => request(calls.channels.cancelTest),
  },
  balances: {
    start: () => request(calls.channels.updateAllBalances),
    progress: (signal: AbortSignal) => request(calls.channels.balanceProgress, { signal }),
    cancel: () => request(calls.channels.cancelBalances),
  },
} as const satisfies Record<
  string,
  {
    readonly start: () => Promise<undefined>
    readonly progress: (signal: AbortSignal) => Promise<ChannelRun>
    readonly cancel: () => Promise<ChannelRun>
  }
>
export type RunKind = keyof typeof runs

/** After a bulk change: rows went, came or moved. */
export async function refreshed<Answer>(client: QueryClient, work: Promise<Answer>): Promise<Answer> {
  const response = await work
  await channelApi.lists.refresh(client)
  return response
}
