import type { Credential } from '../credential.ts'
import { readAwsKey } from './key.ts'
import { signSigV4 } from './sigv4.ts'

/** Access keys sign each request; an API key of Bedrock is sent as it is. */
export const credential: Credential = {
  kind: 'signed',
  sign(request, target, tools) {
    const key = readAwsKey(target.key)
    if (key.kind === 'api-key')
      return { ...request, headers: { ...request.headers, authorization: `Bearer ${key.token}` } }
    const { id: accessKeyId, secret: secretAccessKey, region } = key
    return signSigV4(request, { accessKeyId, secretAccessKey, region, service: 'bedrock' }, tools)
  },
}
