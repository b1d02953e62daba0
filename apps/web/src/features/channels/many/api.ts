import type { QueryClient } from '@tanstack/react-query'
import {
  type ChannelBatchBody,
  type ChannelBatchPreview,
  type ChannelRun,
  type ChannelTagBody,
  calls,
  channelStatuses,
  type RowOutcome,
  type TakenOut,
} from '@tollgate/api'
import { request, requestWithExtra } from '../../../lib/api/api-client.ts'
import { channelApi } from '../api.ts'

/** Changes that many channels get; an absent field stays as it is. */
export type ManyChange = Omit<ChannelBatchBody, 'ids'>

/** The same change of many channels by one call. */
async function updateMany(ids: readonly number[], change: ManyChange): Promise<readonly RowOutcome[]> {
  const { extra } = await requestWithExtra(calls.channels.updateMany, { body: { ids: [...ids], ...change } })
  return extra.outcomes
}

/** Number of channels that one call changes, so that the person sees the progress. */
const atOnce = 25

/**
 * Changes many channels, some by each call. A call that fails leaves its channels as they are, and those after it are not
 * tried.
 */
export async function updateInParts(
  ids: readonly number[],
  change: ManyChange,
  onProgress: (done: number) => void,
): Promise<readonly RowOutcome[]> {
  const outcomes: RowOutcome[] = []
  for (let start = 0; start < ids.length; start += atOnce) {
    try {
      outcomes.push(...(await updateMany(ids.slice(start, start + atOnce), change)))
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause)
      return [...outcomes, ...ids.slice(start).map((id) => ({ id, success: false, message }))]
    }
    onProgress(outcomes.length)
  }
  return outcomes
}

/** Previews a change of many channels; changes nothing. */
export function previewMany(
  ids: readonly number[],
  change: ManyChange,
): Promise<readonly ChannelBatchPreview[]> {
  return request(calls.channels.previewMany, { body: { ids: [...ids], ...change } })
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

/** Puts back into service what a run took out of it; resolves with the number of channels. */
export async function undoTakenOut(out: readonly TakenOut[]): Promise<number> {
  for (const { id, key } of out)
    await (key === null
      ? request(calls.channels.setStatus, { params: { id }, body: { status: channelStatuses.enabled } })
      : request(calls.channels.changeKey, { params: { id }, body: { ...key, act: 'enable' } }))
  return out.length
}

/** After a bulk change: rows went, came or moved. */
export async function refreshed<Answer>(client: QueryClient, work: Promise<Answer>): Promise<Answer> {
  const response = await work
  await channelApi.lists.refresh(client)
  return response
}
