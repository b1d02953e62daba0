import { timingSafeEqual } from 'node:crypto'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { Vault } from '../../../../lib/crypto.ts'
import { randomAlphanumerics } from '../../../../lib/random.ts'

/** A browser in which a user has logged in before. */
export interface KnownDevice {
  readonly userId: number
  /** The same at every log-in of the user in this browser. */
  readonly id: string
}

/** Seconds after its last log-in for which a browser is known. */
export const knownDeviceSeconds = 365 * 24 * 3600
const idLength = 16
const tokenForm = /^(\d{1,16})\.(\w{16})\.(\d{1,12})\.([\da-f]{64})$/

interface Dependencies {
  readonly vault: Pick<Vault, 'hash'>
  readonly clock: Clock
}

/**
 * Tokens that a browser presents to be told from strangers: one for each account, signed. They open nothing; whoever has one
 * guesses on a budget of its own.
 */
export function createKnownDevices({ vault, clock }: Dependencies) {
  const signatureOf = (facts: string) => Buffer.from(vault.hash(`known device ${facts}`), 'hex')

  function read(token: string): KnownDevice | undefined {
    const [, userId, id = '', at, signature = ''] = tokenForm.exec(token) ?? []
    const isRight =
      userId !== undefined &&
      timingSafeEqual(Buffer.from(signature, 'hex'), signatureOf(`${userId} ${id} ${at}`)) &&
      Number(at) + knownDeviceSeconds > unixSeconds(clock)
    return isRight ? { userId: Number(userId), id } : undefined
  }

  return {
    /** The devices that the tokens of a browser prove. */
    find: (tokens: readonly string[]): readonly KnownDevice[] => tokens.flatMap((token) => read(token) ?? []),
    /** A token for the browser, after a log-in of the user. @param presented the browser's tokens */
    issue(userId: number, presented: readonly string[]): string {
      const known = presented.flatMap((token) => read(token) ?? []).find((device) => device.userId === userId)
      const id = known?.id ?? randomAlphanumerics(idLength)
      const at = unixSeconds(clock)
      return `${userId}.${id}.${at}.${signatureOf(`${userId} ${id} ${at}`).toString('hex')}`
    },
  }
}

export type KnownDevices = ReturnType<typeof createKnownDevices>
