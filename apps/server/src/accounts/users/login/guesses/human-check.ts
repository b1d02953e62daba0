import type { SettingValues } from '@tollgate/api/settings'
import { z } from 'zod'
import { outboundFetch } from '../../../../lib/outbound/outbound-fetch.ts'
import { Refusal } from '../../../../lib/refusal.ts'
import { notePassedHumanCheck } from './visitor.ts'

interface Dependencies {
  readonly settings: {
    readonly current: Pick<SettingValues, 'TurnstileCheckEnabled' | 'TurnstileSecretKey'>
  }
  /** The address of Turnstile's verification. */
  readonly origin?: string
}

/**
 * Refuses visitors who do not pass Cloudflare Turnstile, while the site requires it. A token of its widget is valid for
 * one action, because Cloudflare accepts each token once and nothing is stored here. When Cloudflare cannot be
 * reached, the check refuses every visitor.
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
    if (success) return notePassedHumanCheck()
    // A wrong token is the visitor's error; anything else (a wrong secret) goes to the operator's log.
    const isOurs = codes.some((code) => code.includes('secret'))
    throw new Refusal('human_check_failed', {}, isOurs ? { cause: new Error(codes.join(', ')) } : {})
  }
}
