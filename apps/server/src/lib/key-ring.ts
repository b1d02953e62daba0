import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { derivedKey } from './derived-key.ts'

/** Row and column of a sealed text. It opens there alone: copied into another row or column it does not. */
export interface SealContext {
  /** Table and column. */
  readonly column: string
  /** Identity of the row, which stays the same as long as the row exists. */
  readonly row: string
}

/** The keys that open sealed texts. One of them, the active one, seals. */
export interface KeyRing {
  /** Id of the key that seals. It tells nothing of the key. */
  readonly active: string
  readonly ids: readonly string[]
  /** AES-256-GCM under the active key, bound to the place; in the first form, which names neither, until `nameKeys`. */
  seal(text: string, context: SealContext): string
  /** Seals in the form that names key and place, whoever reads it. */
  sealNamed(text: string, context: SealContext): string
  /** Set while `seal` names key and place. */
  readonly namesKeys: boolean
  /** Makes `seal` name key and place, once every program that may run reads such texts. */
  nameKeys(): void
  /** Throws when no key of the ring sealed the text, when it was sealed for another place, or changed since. */
  open(sealed: string, context: SealContext): string
  /** Prefix of texts of the active key; every other text is due to be sealed anew. */
  readonly prefix: string
  /** Opens with this secret, too; returns the id of its key. */
  accept(secret: string): string
  /** Seals with this key from now on. */
  activate(id: string): void
  /** Opens with the active key alone from now on. */
  forgetOthers(): void
  /** Copies the keys for another thread of this process, which opens the same texts by `openerOf`. */
  openingKeys(): OpeningKeys
}

/** Keys that open, by their ids. They stay in this process. */
export type OpeningKeys = ReadonlyMap<string, Uint8Array>

const nonceBytes = 12
const tagBytes = 16
const idBytes = 6
const form = 'v2'

/**
 * @param secrets each at least 32 bytes of entropy, as text; the first is active
 * @param isNaming whether it seals in the form that names key and place from the start
 */
export function createKeyRing(secrets: readonly [string, ...string[]], isNaming = true): KeyRing {
  let namesKeys = isNaming
  const keys = new Map<string, Uint8Array>()
  let active = accept(secrets[0])
  for (const secret of secrets) accept(secret)

  function accept(secret: string): string {
    const id = keyIdOf(secret)
    keys.set(id, derivedKey(secret, 'tollgate seal'))
    return id
  }

  const sealNamed = (text: string, context: SealContext) =>
    prefixOf(active) + encrypt(text, keyIn(keys, active), context)

  return {
    get active() {
      return active
    },
    get ids() {
      return [...keys.keys()]
    },
    get prefix() {
      return prefixOf(active)
    },
    seal: (text, context) => (namesKeys ? sealNamed(text, context) : encrypt(text, keyIn(keys, active))),
    sealNamed,
    get namesKeys() {
      return namesKeys
    },
    nameKeys() {
      namesKeys = true
    },
    open: openerOf(keys),
    accept,
    activate(id) {
      keyIn(keys, id)
      active = id
    },
    forgetOthers() {
      for (const id of keys.keys()) if (id !== active) keys.delete(id)
    },
    openingKeys: () => new Map([...keys].map(([id, key]) => [id, Uint8Array.from(key)])),
  }
}

/**
 * Opens with what the keys are at that time.
 * @throws when none of them sealed a text, when it was sealed for another place, or changed since
 */
export function openerOf(keys: OpeningKeys): KeyRing['open'] {
  return (sealed, context) => {
    const [head, id, body] = sealed.split('.')
    if (head === form && body !== undefined) return decrypt(body, keyIn(keys, id), context)
    return openFirstForm(sealed, [...keys.values()])
  }
}

function keyIn(keys: OpeningKeys, id: string | undefined): Uint8Array {
  const key = keys.get(id ?? '')
  if (key === undefined) throw new Error('sealed with a key that is not known')
  return key
}

/** Returns the prefix of a key's texts. */
export function prefixOf(keyId: string): string {
  return `${form}.${keyId}.`
}

/** Names the key of a secret in the texts that it seals. */
export function keyIdOf(secret: string): string {
  return derivedKey(secret, 'tollgate key id', idBytes).toString('hex')
}

function encrypt(text: string, key: Uint8Array, context?: SealContext): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  if (context !== undefined) cipher.setAAD(bytesOf(context))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')
}

function decrypt(sealed: string, key: Uint8Array, context?: SealContext): string {
  const bytes = Buffer.from(sealed, 'base64')
  const nonce = bytes.subarray(0, nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  if (context !== undefined) decipher.setAAD(bytesOf(context))
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  return decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
}

/** Texts that name neither key nor place: of older versions, or sealed while nodes of one lived. */
function openFirstForm(sealed: string, keys: readonly Uint8Array[]): string {
  let failure: unknown
  for (const key of keys) {
    try {
      return decrypt(sealed, key)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

function bytesOf({ column, row }: SealContext): Buffer {
  return Buffer.from(JSON.stringify([column, row]))
}
