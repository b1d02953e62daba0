import { mutationOptions } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import { request } from '../../lib/api-client.ts'

export const requestReset = mutationOptions({
  mutationFn: (query: { readonly email: string; readonly turnstile: string }) =>
    request(calls.accounts.requestPasswordReset, { query }),
  meta: { silent: true },
})

export const resetPassword = mutationOptions({
  mutationFn: async (body: { readonly email: string; readonly token: string }) =>
    (await request(calls.accounts.resetPassword, { body: { ...body, password: '' } })) ?? '',
  meta: { silent: true },
})
