import { createHash, createHmac } from 'node:crypto'
import type { ReceivedCall } from './protocol.ts'

export interface AwsKey {
  readonly accessKeyId: string
  readonly secret: string
  readonly region: string
}

const form =
  /^AWS4-HMAC-SHA256 Credential=([^/, ]+)\/(\d{8})\/([^/, ]+)\/bedrock\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/

/** Finds the fault in the signature of a call over the wire; `undefined` when it is right. */
export function signatureFault(call: ReceivedCall, key: AwsKey): string | undefined {
  const match = form.exec(call.headers.authorization ?? '')
  if (match === null) return 'the Authorization header has another form'
  const [, accessKeyId, date = '', region, names = '', signature] = match
  const time = call.headers['x-amz-date'] ?? ''
  if (accessKeyId !== key.accessKeyId) return 'the access key is unknown'
  if (region !== key.region) return `the region ${region} is not ours`
  if (!/^\d{8}T\d{6}Z$/.test(time) || !time.startsWith(date)) return 'x-amz-date does not fit'
  const signed = names.split(';')
  if (!signed.includes('host') || !signed.includes('x-amz-date')) return 'host and x-amz-date must be signed'
  const scope = `${date}/${region}/bedrock/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonicalRequest(call, signed))].join('\n')
  const signing = [date, key.region, 'bedrock', 'aws4_request'].reduce<Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    Buffer.from(`AWS4${key.secret}`),
  )
  const expected = createHmac('sha256', signing).update(text).digest('hex')
  return signature === expected ? undefined : 'the signature does not match'
}

function canonicalRequest({ method, path, query, headers, body }: ReceivedCall, signed: readonly string[]) {
  const lines = signed.map((name) => `${name}:${(headers[name] ?? '').trim().replace(/ +/g, ' ')}`)
  // Every service but S3 has the path encoded a second time.
  const canonicalPath = path.split('/').map(encodeURIComponent).join('/')
  return [method, canonicalPath, query.slice(1), ...lines, '', signed.join(';'), sha256(body)].join('\n')
}

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}
