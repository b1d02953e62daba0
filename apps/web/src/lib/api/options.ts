import { queryOptions, useQuery } from '@tanstack/react-query'
import { calls, nameOf, roles } from '@tollgate/api'
import { useUser } from '../session/session.ts'
import { request } from './api-client.ts'

/** The options of the installation that the person may read. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => request(calls.options.list, { signal }),
})

/**
 * Decides whether the person sets prices: root does, and administrators while root lets them. `undefined` until that is known.
 */
export function useMaySetPrices(): boolean | undefined {
  const user = useUser()
  const role = nameOf(roles, user?.role ?? 0)
  const { data, isError } = useQuery({ ...settingsQuery, enabled: role === 'admin' })
  if (role !== 'admin') return role === 'root'
  if (isError) return false
  return data?.some(({ key, value }) => key === 'AdminMoneyOptionsEnabled' && value === 'true')
}
