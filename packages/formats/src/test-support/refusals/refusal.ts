import type { TokenCounts } from '../../errors/token-counts.ts'
import type { UpstreamErrorKind } from '../../errors/upstream-error.ts'

/** A refusal as an upstream sends it. */
export interface Refusal {
  readonly of: string
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly kind: UpstreamErrorKind
  readonly tokens?: TokenCounts
}

/** Facts of the operator's account: none of them may reach a caller. */
export const accountMarkers = [
  'org-7f3e9a1c5d2b4e68',
  'org_01jab3c4d5e6f7g8h9',
  '99c74652-6e33-4dbd-93f3-5b545da15ade',
  'ak-f8tyo15zao8111h11q4i',
  'sk-live-9f8e7d6c5b4a39281706',
  'vip-resale',
  '0.230000',
  '0.290000',
  '26.075',
  '444455556666',
  'acme-prod-4711',
  'owner@acme.example',
  '77431',
] as const

/** The same by what they are. */
export const [
  org,
  groqOrg,
  team,
  moonshotKey,
  leakedKey,
  group,
  left,
  needed,
  spent,
  awsAccount,
  project,
  mail,
  tpm,
] = accountMarkers

/** A body of OpenAI and of those that speak as it does. */
export const openAi = (
  message: string,
  code: string | null,
  type = 'invalid_request_error',
  param: string | null = null,
) => ({
  error: { message, type, param, code },
})
/** A body of Anthropic. */
export const anthropic = (type: string, message: string) => ({ type: 'error', error: { type, message } })
/** A body of Google. */
export const google = (code: number, status: string, message: string, reason?: string) => ({
  error: {
    code,
    message,
    status,
    ...(reason && { details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason }] }),
  },
})
/** The header by which AWS names an exception. */
export const aws = (name: string) => ({ 'x-amzn-errortype': `${name}:http://internal.amazon.com/` })
