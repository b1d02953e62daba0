import { describe, expect, it } from 'bun:test'
import type { SecureResult } from '../../../billing/ledger-types.ts'
import type { RelayError } from '../relay-error.ts'
import { secureCandidate } from './secure-candidate.ts'

type Arguments = Parameters<typeof secureCandidate>

const short = (isUncovered: boolean): SecureResult => ({
  ok: false,
  refusal: 'user-quota',
  balance: 36,
  needed: 40,
  isUncovered,
})

/** A call whose balance answers these, one after the other, and the last one again and again. */
function securing(answers: readonly (SecureResult | undefined)[]) {
  const connection = { isDisconnected: false }
  let nowMs = 0
  let attempts = 0
  let opened: { end(): void } | undefined
  const charge = {
    secure: () => answers[Math.min(attempts++, answers.length - 1)],
    nextEnd: () => new Promise<void>(() => undefined),
  }
  const deadlines = {
    start: (limitMs: number, onExpired: () => void) => {
      queueMicrotask(() => {
        nowMs += limitMs
        onExpired()
      })
      return { clear: () => undefined }
    },
  }
  const settings = { current: { DisplayInCurrencyEnabled: true, QuotaPerUnit: 500_000 } }
  const result = secureCandidate(
    { connection } as unknown as Arguments[0],
    charge,
    {} as Arguments[2],
    { deadlines, settings, clock: { now: () => nowMs } } as unknown as Arguments[3],
    { opened: (exchange: { end(): void }) => (opened = exchange) } as unknown as Arguments[4],
  )
  return { result, connection, attempts: () => attempts, nowMs: () => nowMs, end: () => opened?.end() }
}

describe('secureCandidate', () => {
  it('passes a covered call at once', () => {
    expect(securing([undefined]).result).toBeUndefined()
    expect(securing([{ ok: true }]).result).toBeUndefined()
  })

  it('refuses what is known to be short without a wait, and says the smaller amount as the smaller one', async () => {
    const { result, attempts } = securing([short(false)])
    const error = (await result) as RelayError
    expect(error.code).toBe('insufficient_user_quota')
    expect(error.message).toContain('the balance of $0.000072 is too low: this call may cost $0.000080')
    expect(attempts()).toBe(1)
  })

  it('waits for another call of the account, and is served after it', async () => {
    const { result, attempts } = securing([short(true), short(true), { ok: true }])
    expect(await result).toBeUndefined()
    expect(attempts()).toBe(3)
  })

  it('waits half a minute and no longer', async () => {
    const { result, nowMs } = securing([short(true)])
    expect(((await result) as RelayError).code).toBe('insufficient_user_quota')
    expect(nowMs()).toBeGreaterThan(30_000)
    expect(nowMs()).toBeLessThanOrEqual(31_000)
  })

  it('ends with its caller, and with the gateway', async () => {
    const gone = securing([short(true)])
    gone.connection.isDisconnected = true
    await expect(gone.result).rejects.toMatchObject({ code: 'client_gone' })
    const stopping = securing([short(true)])
    stopping.end()
    await expect(stopping.result).rejects.toMatchObject({ code: 'shutting_down' })
  })
})
