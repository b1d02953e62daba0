import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { calls, type SetupBody } from '@tollgate/api'
import { request } from '../../lib/api-client.ts'

export const setupStatusQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => request(calls.setup.read, { signal }),
})

export const runSetup = mutationOptions({
  mutationFn: (body: Partial<SetupBody>) => request(calls.setup.run, { body }),
  meta: { silent: true },
})
