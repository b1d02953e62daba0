import { createPublicKey, verify } from 'node:crypto'
import type { SettingValues } from '@tollgate/api/settings'
import { z } from 'zod'
import { sha256, sha256Base64, signedBy } from '../../lib/crypto.ts'
import { Refusal } from '../../lib/refusal.ts'
import { gatewayActor } from '../../records/audit-log/audit-log.ts'
import type { FindKey } from './find-key.ts'
import type { FreezeKey } from './freeze-key.ts'

interface Dependencies {
  readonly settings: {
    readonly current: Pick<SettingValues, 'SecretScanningSecret' | 'SecretScanningPublicKeys'>
  }
  readonly findKey: Pick<FindKey, 'reported'>
  readonly freezeKey: Pick<FreezeKey, 'freeze'>
}

/** Fields of a request by which it says who signed its body. */
export interface ReportSignature {
  /** Identifier of the signing key, and the signature in base64, as GitHub and similar hosts send them. */
  readonly keyIdentifier: string | null
  readonly keySignature: string | null
  /** `sha256=` and the HMAC in hexadecimal, as scanners with the shared secret send it. */
  readonly hmac: string | null
}

const noteMaxLength = 500

/**
 * A report of a text, of any length: a body has as many as it has room for.
 * https://docs.github.com/code-security/secret-scanning/secret-scanning-partnership-program/secret-scanning-partner-program
 */
const report = z.object({
  token: z.string(),
  type: z.string().catch(''),
  url: z.string().nullish().catch(undefined),
  source: z.string().nullish().catch(undefined),
})
type Report = z.output<typeof report>

/** Response to one reported text: its SHA-256 in place of the text itself. */
export interface LeakVerdict {
  readonly token_hash: string
  readonly token_type: string
  readonly label: 'true_positive' | 'false_positive'
}

/** Takes keys that scanners found in public, and freezes them. */
export function createLeakReports({ settings, findKey, freezeKey }: Dependencies) {
  async function judge({ token, type, url, source }: Report, body: string): Promise<LeakVerdict> {
    const found = await findKey.reported(token)
    // Whoever rotated a leaked key has done what a freeze is for: its next text was not found.
    if (found?.hasEnded === false)
      await freezeLeaked(found.id, (url || source || type).slice(0, noteMaxLength), body)
    const label = found === undefined ? 'false_positive' : 'true_positive'
    return { token_hash: sha256Base64(token), token_type: type, label }
  }

  async function freezeLeaked(id: number, note: string, report: string): Promise<void> {
    try {
      await freezeKey.freeze(gatewayActor, id, { cause: 'leak', note, report })
    } catch (error) {
      // A key that is deleted is refused already.
      if (!(error instanceof Refusal) || error.code !== 'key_not_found') throw error
    }
  }

  return {
    /** Verifies the signature over the bytes that were sent; without a setting no signature is right. */
    isSigned(body: Uint8Array, { keyIdentifier, keySignature, hmac }: ReportSignature): boolean {
      const { SecretScanningSecret: secret, SecretScanningPublicKeys: keys } = settings.current
      if (hmac !== null) return secret !== '' && signedBy(secret, body, hmac.replace(/^sha256=/, ''))
      if (keyIdentifier === null || keySignature === null || !Object.hasOwn(keys, keyIdentifier)) return false
      return isSignedByKey(keys[keyIdentifier] ?? '', body, keySignature)
    },
    /**
     * Freezes the reported keys, one after the other, and returns a verdict for each text. A body that is sent again has the same
     * verdicts, and freezes no key that it has frozen: a recorded body can be sent again at any time.
     */
    async take(body: Uint8Array): Promise<readonly LeakVerdict[]> {
      const verdicts: LeakVerdict[] = []
      // By the body, because ECDSA has many right signatures of one.
      const hash = sha256(body)
      for (const each of reportsIn(body)) verdicts.push(await judge(each, hash))
      return verdicts
    },
  }
}

export type LeakReports = ReturnType<typeof createLeakReports>

/** ECDSA with SHA-256, the signature in DER. */
function isSignedByKey(pem: string, body: Uint8Array, signature: string): boolean {
  try {
    const key = createPublicKey(pem)
    return key.asymmetricKeyType === 'ec' && verify('sha256', body, key, Buffer.from(signature, 'base64'))
  } catch {
    // A setting that is no key verifies nothing.
    return false
  }
}

function reportsIn(body: Uint8Array): readonly Report[] {
  let sent: unknown
  try {
    sent = JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    throw new Refusal('invalid_parameter', { detail: 'the body is not JSON' })
  }
  if (!Array.isArray(sent))
    throw new Refusal('invalid_parameter', { detail: 'a list of {token, type, url, source}' })
  // One that is no report must not hide the others.
  return sent.flatMap((each) => report.safeParse(each).data ?? [])
}
