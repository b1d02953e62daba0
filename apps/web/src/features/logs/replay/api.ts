import { queryOptions } from '@tanstack/react-query'
import { calls, channelStatuses, type LogEntry, replayPath } from '@tollgate/api'
import { request, requestHeaders } from '../../../lib/api/api-client.ts'
import { fieldsOf, parseJson } from '../../../lib/format/json.ts'

/** Until when the request of a failed call is kept, in Unix seconds; 0 where it is not. */
export const storedQuery = (requestId: string) =>
  queryOptions({
    queryKey: ['logs', 'kept', requestId],
    queryFn: ({ signal }) => request(calls.logs.retained, { query: { request_id: requestId }, signal }),
    retry: false,
  })

const maxChannels = 100

/** The channels in service that have the model. */
export const replayChannelsQuery = ({ model_name: model }: Pick<LogEntry, 'model_name'>) =>
  queryOptions({
    queryKey: ['logs', 'replay-channels', model],
    queryFn: async ({ signal }) => {
      const query = { p: 0, page_size: maxChannels, model, status: channelStatuses.enabled } as const
      const rows = await request(calls.channels.list, { query, signal })
      return rows.filter(({ models }) => models.split(',').includes(model))
    },
  })

/** Outcome of a replayed call. */
export interface ReplayResult {
  readonly requestId: string
  readonly status: number
  /** Until the whole response was here. */
  readonly tookMs: number
  /** The error of the gateway; empty when it succeeded. */
  readonly message: string
}

/** Sends a kept call again to one channel, and reads the whole response. */
export async function replay(requestId: string, channel: number): Promise<ReplayResult> {
  const began = performance.now()
  const response = await fetch(replayPath, {
    method: 'POST',
    credentials: 'same-origin',
    headers: requestHeaders(true),
    body: JSON.stringify({ request_id: requestId, channel }),
  })
  const text = await response.text()
  const error = fieldsOf(fieldsOf(parseJson(text))['error'])
  return {
    requestId: response.headers.get('x-request-id') ?? '',
    status: response.status,
    tookMs: performance.now() - began,
    message: response.ok ? '' : String(error['message'] ?? response.statusText),
  }
}
