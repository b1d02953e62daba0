import { randomBytes, timingSafeEqual } from 'node:crypto'
import { unixSeconds } from '@tollgate/base'
import { sha256 } from '../../../lib/crypto.ts'
import type { Services } from '../../../services.ts'

const lifetimeSeconds = 300
const purpose = 'passkey-challenge'
const randomBytesOf = 16
const timeBytes = 6
const sealBytes = 32

/**
 * Challenges that devices sign, each valid once and for the holder it was issued to. A challenge carries its own proof,
 * so that issuing one stores nothing; only used challenges are stored, until they expire.
 */
export function createPasskeyChallenges({
  store,
  vault,
  clock,
}: Pick<Services, 'store' | 'vault' | 'clock'>) {
  const sealOf = (body: Buffer, holder: string) =>
    Buffer.from(vault.hash(`${purpose} ${body.toString('hex')} ${holder}`), 'hex')

  return {
    /** @param holder who must return it: a user, or a secret of the browser */
    issue(holder: string): Uint8Array<ArrayBuffer> {
      const body = Buffer.concat([randomBytes(randomBytesOf), Buffer.alloc(timeBytes)])
      body.writeUIntBE(unixSeconds(clock), randomBytesOf, timeBytes)
      return Uint8Array.from([...body, ...sealOf(body, holder)])
    },
    /** Uses a challenge up; true when it was issued to this holder and was still valid. */
    async take(challenge: string, holder: string): Promise<boolean> {
      const bytes = Buffer.from(challenge, 'base64url')
      if (bytes.length !== randomBytesOf + timeBytes + sealBytes) return false
      const body = bytes.subarray(0, randomBytesOf + timeBytes)
      if (!timingSafeEqual(sealOf(body, holder), bytes.subarray(body.length))) return false
      const createdAt = body.readUIntBE(randomBytesOf, timeBytes)
      const expiresAt = createdAt + lifetimeSeconds
      if (unixSeconds(clock) >= expiresAt) return false
      // The subject is the compared value: other spellings of the same bytes are the same challenge.
      const subject = sha256(bytes.toString('base64url'))
      return store.oneTimeSecrets.putNew({ purpose, subject, secretHash: '', data: '', createdAt, expiresAt })
    },
  }
}

export type PasskeyChallenges = ReturnType<typeof createPasskeyChallenges>
