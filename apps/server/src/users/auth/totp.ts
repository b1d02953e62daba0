/** Of RFC 6238, as every authenticator has them by default. */
const periodSeconds = 30
const digits = 6
/** Steps before and after the present one that count, for clocks that are off. */
const window = 1
const secretBytes = 20

// Few people use it: it is loaded when somebody does.
const library = () => import('otpauth')

/** @param issuer whose account it is, as the authenticator shows it */
export async function newTotp(
  issuer: string,
  label: string,
): Promise<{ readonly secret: string; readonly uri: string }> {
  const { Secret, TOTP } = await library()
  const secret = new Secret({ size: secretBytes })
  const uri = new TOTP({ issuer, label, secret, digits, period: periodSeconds }).toString()
  return { secret: secret.base32, uri }
}

/** Number of the time step that a code belongs to; `undefined` when it is none of about now. Compares in constant time. */
export async function stepOfCode(secret: string, code: string, nowMs: number): Promise<number | undefined> {
  const token = code.replace(/[\s-]/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const { Secret, TOTP } = await library()
  const totp = new TOTP({ secret: Secret.fromBase32(secret), digits, period: periodSeconds })
  const delta = totp.validate({ token, timestamp: nowMs, window })
  return delta === null ? undefined : Math.floor(nowMs / 1000 / periodSeconds) + delta
}
