import type { Seconds } from './entities.ts'

/** A credential that a device keeps for a person (WebAuthn). */
export interface Passkey {
  readonly id: number
  readonly userId: number
  /** As the device names it, base64url. */
  readonly credentialId: string
  /** COSE key, base64url. */
  readonly publicKey: string
  /** How often the device signed, as it says; 0 where it does not count. */
  readonly counter: number
  /** Ways to reach the device (`internal`, `usb`, …). */
  readonly transports: readonly string[]
  readonly name: string
  readonly createdAt: Seconds
  /** 0 when it was never used. */
  readonly lastUsedAt: Seconds
}

export interface PasskeyRepository {
  /** Throws `DuplicateError` for a credential that is there, whoever's. */
  create(passkey: Omit<Passkey, 'id'>): Promise<Passkey>
  findByCredentialId(credentialId: string): Promise<Passkey | undefined>
  /** Oldest first. */
  listOwn(userId: number): Promise<Passkey[]>
  renameOwn(userId: number, id: number, name: string): Promise<Passkey | undefined>
  deleteOwn(userId: number, id: number): Promise<boolean>
  /** Notes a use; false when the counter has not moved on since `before`, so that one of two at once is refused. */
  markUsed(
    id: number,
    counter: { readonly before: number; readonly now: number },
    at: Seconds,
  ): Promise<boolean>
}
