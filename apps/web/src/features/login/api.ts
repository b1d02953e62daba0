import { mutationOptions } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import { request } from '../../lib/api-client.ts'

export const login = mutationOptions({
  mutationFn: (body: { readonly username: string; readonly password: string }) =>
    request(calls.users.login, { query: {}, body }),
  meta: { silent: true },
})
