import { mutationOptions } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import { request } from '../../lib/api-client.ts'
import { readLocal } from '../../lib/local-store.ts'
import type { RegisterForm } from './form.ts'

export interface Registration {
  readonly form: RegisterForm
  readonly turnstile: string
}

export function register({ form, turnstile }: Registration): Promise<unknown> {
  const body = { ...form, username: form.username.trim(), aff_code: readLocal('aff') ?? '' }
  return request(calls.accounts.register, { query: { turnstile }, body })
}

export const sendCode = mutationOptions({
  mutationFn: (query: { readonly email: string; readonly turnstile: string }) =>
    request(calls.accounts.sendVerificationCode, { query }),
  meta: { silent: true },
})
