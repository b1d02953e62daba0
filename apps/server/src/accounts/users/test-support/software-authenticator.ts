import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** The origin and relying party of a request to a device. */
export interface Ceremony {
  readonly challenge: string
  readonly origin: string
  readonly rpId: string
  /** Set for one that verified its owner; true by default. */
  readonly isUserVerified?: boolean
}

const flags = { userPresent: 0x01, userVerified: 0x04, attested: 0x40 } as const

/** A device with one passkey, as WebAuthn defines it (https://www.w3.org/TR/webauthn-3/), without a browser. */
export function createSoftwareAuthenticator() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(32)
  let counter = 0

  function authenticatorData({ rpId, isUserVerified = true }: Ceremony, attested?: Buffer): Buffer {
    counter += 1
    const verified = isUserVerified ? flags.userVerified : 0
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([
      sha256(rpId),
      Buffer.from([flags.userPresent | verified | (attested ? flags.attested : 0)]),
      count,
      attested ?? Buffer.alloc(0),
    ])
  }

  /** The key as COSE: EC2, ES256, P-256, x, y. */
  function coseKey(): Buffer {
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    return map([
      [integer(1), integer(2)],
      [integer(3), integer(-7)],
      [integer(-1), integer(1)],
      [integer(-2), bytes(Buffer.from(x, 'base64url'))],
      [integer(-3), bytes(Buffer.from(y, 'base64url'))],
    ])
  }

  const credential = (response: Record<string, unknown>) => {
    const id = credentialId.toString('base64url')
    return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} }
  }

  return {
    /** Sets its signature counter. */
    setCounter(value: number): void {
      counter = value
    },
    create(ceremony: Ceremony) {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(credentialId.length)
      const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, coseKey()])
      const attestation = map([
        [text('fmt'), text('none')],
        [text('attStmt'), map([])],
        [text('authData'), bytes(authenticatorData(ceremony, attested))],
      ])
      return credential({
        clientDataJSON: clientData('webauthn.create', ceremony).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      })
    },
    get(ceremony: Ceremony) {
      const data = authenticatorData(ceremony)
      const client = clientData('webauthn.get', ceremony)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      return credential({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      })
    },
  }
}

function clientData(type: string, { challenge, origin }: Ceremony): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}

/** Encodes as much CBOR (RFC 8949) as the structures above need. */
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 0xff])
}
const integer = (value: number) => (value >= 0 ? head(0, value) : head(1, -1 - value))
const bytes = (value: Buffer) => Buffer.concat([head(2, value.length), value])
const text = (value: string) => Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
const map = (entries: readonly (readonly [Buffer, Buffer])[]) =>
  Buffer.concat([head(5, entries.length), ...entries.flat()])
