import { queryOptions } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import { request } from '../../lib/api/api-client.ts'
import type { SettingChange } from './model/save-changes.ts'

export { settingsQuery } from '../../lib/api/options.ts'

export const saveSetting = ({ key, value }: SettingChange) =>
  request(calls.options.set, { body: { key, value } })

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
