import { mutationOptions } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import { request } from '../../lib/api-client.ts'

interface Credentials {
  readonly username: string
  readonly password: string
  readonly turnstile: string
}

export const login = mutationOptions({
  mutationFn: ({ turnstile, ...body }: Credentials) =>
    request(calls.users.login, { query: { turnstile }, body }),
  meta: { silent: true },
})
