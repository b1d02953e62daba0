import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { calls, type GroupSettings } from '@tollgate/api'
import { request, requestWithExtra } from '../../lib/api/api-client.ts'

/** The groups, and the fields of them that the person may write. */
export const groupRowsQuery = queryOptions({
  queryKey: ['groups', 'overview'],
  queryFn: async ({ signal }) => {
    const { data, extra } = await requestWithExtra(calls.groups.overview, { signal })
    return { rows: data, writable: extra.writable }
  },
})

/** Charged calls of the last 30 days by group. */
export const groupUsageQuery = queryOptions({
  queryKey: ['groups', 'usage'],
  queryFn: ({ signal }) => request(calls.groups.usage, { signal }),
  staleTime: 60_000,
})

/** The models with their prices before the ratio of a group, and the groups that reach them. */
export const groupPricesQuery = queryOptions({
  queryKey: ['pricing', 'groups'],
  queryFn: ({ signal }) => request(calls.pricing.list, { signal }),
  staleTime: 60_000,
})

/** Adds a group. */
export async function createGroup(client: QueryClient, name: string, settings: Partial<GroupSettings>) {
  await request(calls.groups.create, { body: { name, ...settings } })
  await client.invalidateQueries()
}

/** @param base the fields as the person found them */
export async function updateGroup(
  client: QueryClient,
  name: string,
  settings: Partial<GroupSettings>,
  base: Partial<GroupSettings>,
) {
  await request(calls.groups.update, { body: { name, ...settings, base } })
  await client.invalidateQueries()
}

/** Renames a group; its users, keys and channels follow. */
export async function renameGroup(client: QueryClient, name: string, newName: string) {
  await request(calls.groups.rename, { body: { name, new_name: newName } })
  await client.invalidateQueries()
}

/** Removes a group; the dialog of consequences asks where its members go. */
export async function removeGroup(client: QueryClient, name: string) {
  await request(calls.groups.remove, { body: { name } })
  await client.invalidateQueries()
}
