/** A channel's key, taken apart. */
export type AwsKey =
  | { readonly kind: 'access-key'; readonly id: string; readonly secret: string; readonly region: string }
  | { readonly kind: 'api-key'; readonly token: string; readonly region: string }

const regionName = /^[a-z]{2,4}(-[a-z]+)+-\d+$/

/**
 * `AccessKeyId|SecretAccessKey|Region`, or `ApiKey|Region` for an API key of Bedrock.
 * @throws TypeError for any other text
 */
export function readAwsKey(key: string): AwsKey {
  const parts = key.split('|').map((part) => part.trim())
  const region = parts.at(-1) ?? ''
  // The region becomes a part of the host: anything else would lead elsewhere.
  if (!regionName.test(region) || parts.includes('')) throw malformed()
  const [first = '', second = ''] = parts
  if (parts.length === 3) return { kind: 'access-key', id: first, secret: second, region }
  if (parts.length === 2) return { kind: 'api-key', token: first, region }
  throw malformed()
}

function malformed(): TypeError {
  return new TypeError('the key must be AccessKeyId|SecretAccessKey|Region or ApiKey|Region')
}
