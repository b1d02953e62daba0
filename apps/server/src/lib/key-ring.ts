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
}

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
  const keys = new Map<string, Buffer>()
  let active = accept(secrets[0])
  for (const secret of secrets) accept(secret)

  function accept(secret: string): string {
    const id = keyIdOf(secret)
    keys.set(id, derivedKey(secret, 'tollgate seal'))
    return id
  }

  function keyOf(id: string | undefined): Buffer {
    const key = keys.get(id ?? '')
    if (key === undefined) throw new Error('sealed with a key that is not known')
    return key
  }

  const sealNamed = (text: string, context: SealContext) =>
    prefixOf(active) + encrypt(text, keyOf(active), context)

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
    seal: (text, context) => (namesKeys ? sealNamed(text, context) : encrypt(text, keyOf(active))),
    sealNamed,
    get namesKeys() {
      return namesKeys
    },
    nameKeys() {
      namesKeys = true
    },
    open(sealed, context) {
      const [head, id, body] = sealed.split('.')
      if (head === form && body !== undefined) return decrypt(body, keyOf(id), context)
      return openFirstForm(sealed, [...keys.values()])
    },
    accept,
    activate(id) {
      keyOf(id)
      active = id
    },
    forgetOthers() {
      for (const id of keys.keys()) if (id !== active) keys.delete(id)
    },
  }
}

/** Returns the prefix of a key's texts. */
export function prefixOf(keyId: string): string {
  return `${form}.${keyId}.`
}

/** Names the key of a secret in the texts that it seals. */
export function keyIdOf(secret: string): string {
  return derivedKey(secret, 'tollgate key id', idBytes).toString('hex')
}

function encrypt(text: string, key: Buffer, context?: SealContext): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  if (context !== undefined) cipher.setAAD(bytesOf(context))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')
}

function decrypt(sealed: string, key: Buffer, context?: SealContext): string {
  const bytes = Buffer.from(sealed, 'base64')
  const nonce = bytes.subarray(0, nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  if (context !== undefined) decipher.setAAD(bytesOf(context))
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  return decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
}

/** Texts that name neither key nor place: of older versions, or sealed while nodes of one lived. */
function openFirstForm(sealed: string, keys: readonly Buffer[]): string {
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
