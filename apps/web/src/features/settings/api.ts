import { queryOptions } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import { request } from '../../lib/api/api-client.ts'
import type { SettingChange } from './model/save-changes.ts'

export { settingsQuery } from '../../lib/api/options.ts'

/** Bytes of a call's body, a little below what the server reads. */
const maxBodyBytes = 1_000_000

/** Sends what the change was made on where both fit into one call; the longest lists of words do not. */
export function saveSetting({ key, value, base }: SettingChange) {
  const body = { key, value, ...(base !== undefined && { base }) }
  const size = new TextEncoder().encode(JSON.stringify(body)).length
  return request(calls.options.set, { body: size > maxBodyBytes ? { key, value } : body })
}

export const enabledModelsQuery = queryOptions({
  queryKey: ['settings', 'enabled-models'],
  queryFn: ({ signal }) => request(calls.channels.enabledModels, { signal }),
})

export const clearingQuery = queryOptions({
  queryKey: ['settings', 'log-clearing'],
  queryFn: ({ signal }) => request(calls.logs.clearProgress, { signal }),
})

export const mailStateQuery = queryOptions({
  queryKey: ['settings', 'mail'],
  queryFn: ({ signal }) => request(calls.options.mailState, { signal }),
})
