import type { SettingValues } from '@tollgate/api/settings'
import { z } from 'zod'
import { outboundFetch } from '../../lib/outbound/outbound-fetch.ts'
import { Refusal } from '../../lib/refusal.ts'

interface Dependencies {
  readonly settings: {
    readonly current: Pick<SettingValues, 'TurnstileCheckEnabled' | 'TurnstileSecretKey'>
  }
  /** Where Turnstile is asked. */
  readonly origin?: string
}

/**
 * Refuses who does not show that they are a person, while the site asks for it: Cloudflare Turnstile. One answer of its
 * widget is good for one act, because Cloudflare takes each answer once and nothing is remembered here. When Cloudflare cannot be
 * asked, nobody passes.
 * https://developers.cloudflare.com/turnstile/get-started/server-side-validation/
 */
export type HumanCheck = (response: string, clientAddress: string) => Promise<void>

const verdict = z.object({ success: z.boolean(), 'error-codes': z.array(z.string()).optional() })
const limits = { timeoutMs: 5_000, maxBytes: 16_384 } as const

export function createHumanCheck({
  settings,
  origin = 'https://challenges.cloudflare.com',
}: Dependencies): HumanCheck {
  async function ask(response: string, remoteip: string): Promise<z.output<typeof verdict>> {
    const secret = settings.current.TurnstileSecretKey
    const { body } = await outboundFetch({
      url: `${origin}/turnstile/v0/siteverify`,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ secret, response, remoteip }).toString(),
      ...limits,
    })
    return verdict.parse(JSON.parse(body))
  }

  return async (response, clientAddress) => {
    if (!settings.current.TurnstileCheckEnabled) return
    if (response === '') throw new Refusal('human_check_missing')
    const { success, 'error-codes': codes = [] } = await ask(response, clientAddress).catch(
      (cause: unknown) => {
        throw new Refusal('human_check_failed', {}, { cause })
      },
    )
    if (success) return
    // A wrong answer is the visitor's; anything else (a wrong secret) is for the operator to see.
    const isOurs = codes.some((code) => code.includes('secret'))
    throw new Refusal('human_check_failed', {}, isOurs ? { cause: new Error(codes.join(', ')) } : {})
  }
}
