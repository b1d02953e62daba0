import { calls, type SessionUser } from '@tollgate/api'
import { request } from '../../lib/api/api-client.ts'

/** Logs in whoever has just opened an account; `undefined` where the log-in asks for something more. */
export async function logInToNew(username: string, password: string): Promise<SessionUser | undefined> {
  const body = { username: username.trim(), password }
  const response = await request(calls.users.login, { query: { turnstile: '' }, body }).catch(() => undefined)
  return response === undefined || 'require_2fa' in response ? undefined : response
}
