import { createHash, timingSafeEqual } from 'node:crypto'

export type EpayFields = Readonly<Record<string, string>>

/**
 * Signature of the epay protocol: the fields but `sign`, `sign_type` and empty ones, by name, joined as `k=v` with `&`
 * (not URL-encoded), the merchant's key at the end, MD5 in lower-case hexadecimal.
 */
export function epaySignature(fields: EpayFields, key: string): string {
  const signed = Object.keys(fields)
    .filter((name) => name !== 'sign' && name !== 'sign_type' && fields[name] !== '')
    .toSorted()
    .map((name) => `${name}=${fields[name]}`)
    .join('&')
  return createHash('md5')
    .update(signed + key)
    .digest('hex')
}

/**
 * Whether fields were signed with the key, compared in constant time. An empty key signs nothing. A value with `&` in it is
 * refused: joined without encoding, it could pass for other fields than those that were signed.
 */
export function isSignedByEpay(fields: EpayFields, key: string): boolean {
  const given = Buffer.from(fields['sign']?.toLowerCase() ?? '')
  if (key === '' || Object.entries(fields).some((field) => field.join('').includes('&'))) return false
  const right = Buffer.from(epaySignature(fields, key))
  return given.length === right.length && timingSafeEqual(given, right)
}
