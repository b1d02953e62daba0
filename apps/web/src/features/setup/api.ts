import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { calls, type SessionUser, type SetupBody } from '@tollgate/api'
import { request } from '../../lib/api-client.ts'

export const setupStatusQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => request(calls.setup.read, { signal }),
})

export const runSetup = mutationOptions({
  mutationFn: (body: Partial<SetupBody>) => request(calls.setup.run, { body }),
  meta: { silent: true },
})

/** As the administrator who was just made; `undefined` where that fails, and the login page is left to them. */
export async function logInAs({ username, password }: Partial<SetupBody>): Promise<SessionUser | undefined> {
  if (!username || !password) return undefined
  const response = await request(calls.users.login, { body: { username, password } }).catch(() => undefined)
  return response && 'id' in response ? response : undefined
}
