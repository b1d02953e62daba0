import { expect } from 'bun:test'
import { logIn, type Operator } from '../operator.ts'
import type { CommandResult } from '../server.ts'

/** A person of the gateway that was imported. */
export interface ImportedPerson {
  readonly username: string
  readonly password: string
  readonly status: number
  readonly quota: number
  readonly usedQuota: number
  readonly requestCount: number
  readonly keys: readonly string[]
}

interface Self {
  readonly quota: number
  readonly used_quota: number
  readonly request_count: number
}

/** Each person logs in with their old password, and has what they had to the unit; a banned one is refused. */
export async function expectAccounts(url: string, people: readonly ImportedPerson[]): Promise<void> {
  for (const { username, password, status, quota, usedQuota, requestCount } of people) {
    const login = logIn(url, { username, password })
    if (status !== 1) {
      const refused = await login.then(
        () => undefined,
        (error: Error) => error.message,
      )
      expect(refused).toContain('banned')
      continue
    }
    const self = await (await login).api<Self>('GET', '/api/user/self')
    expect({ username, ...pick(self) }).toEqual({
      username,
      quota,
      used_quota: usedQuota,
      request_count: requestCount,
    })
  }
}

function pick({ quota, used_quota, request_count }: Self): Self {
  return { quota, used_quota, request_count }
}

/** A call with a key as its client holds it; the status of the response. */
export async function callWith(url: string, key: string, model = 'gpt-4o-mini'): Promise<number> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] }),
  })
  await response.text()
  return response.status
}

/** Every channel of an address leads to the upstream of the test. */
export async function leadChannelsTo(operator: Operator, address: string): Promise<void> {
  const items = await operator.api<{ id: number; base_url: string }[]>(
    'GET',
    '/api/channel/?p=0&page_size=100',
  )
  for (const { id, base_url } of items)
    if (base_url !== '') await operator.api('PUT', '/api/channel/', { id, base_url: address })
}

/** The lines of a report about one table. */
export function linesOf({ output }: CommandResult, table: string): readonly string[] {
  const lines = output.split('\n')
  const start = lines.findIndex((line) => line.startsWith(`${table}: `))
  const length = lines.slice(start + 1).findIndex((line) => !line.startsWith('    '))
  return start < 0 ? [] : lines.slice(start, start + 1 + length).map((line) => line.trim())
}
