import { createHash, createHmac } from 'node:crypto'

/** An S3-compatible store with one account. It verifies the signature (AWS Signature Version 4) of each request. */
export interface S3Server {
  readonly url: string
  /** Objects by bucket and key; the last one that was put. */
  readonly objects: ReadonlyMap<string, Uint8Array>
  /** Numbers of puts of each. */
  readonly puts: ReadonlyMap<string, number>
  /** Status of the next responses instead of what was asked for. */
  failWith(...statuses: readonly number[]): void
  stop(): Promise<void>
}

export interface S3Account {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
}

export function startS3Server(account: S3Account): S3Server {
  const objects = new Map<string, Uint8Array>()
  const puts = new Map<string, number>()
  const failures: number[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const body = new Uint8Array(await request.arrayBuffer())
      const failure = failures.shift()
      if (failure !== undefined)
        return new Response('<Error><Code>SlowDown</Code></Error>', { status: failure })
      if (!isSigned(request, body, account))
        return new Response('<Error><Code>SignatureDoesNotMatch</Code></Error>', { status: 403 })
      if (request.method !== 'PUT') return new Response(null, { status: 405 })
      const key = decodeURIComponent(new URL(request.url).pathname.slice(1))
      objects.set(key, body)
      puts.set(key, (puts.get(key) ?? 0) + 1)
      return new Response(null, { headers: { etag: `"${createHash('md5').update(body).digest('hex')}"` } })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    objects,
    puts,
    failWith: (...statuses) => void failures.push(...statuses),
    stop: () => server.stop(true),
  }
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
function isSigned(request: Request, body: Uint8Array, account: S3Account): boolean {
  const authorization = request.headers.get('authorization') ?? ''
  const [, credential = '', names = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      authorization,
    ) ?? []
  const [id, day = '', region, service] = credential.split('/')
  if (id !== account.accessKeyId || region !== account.region || service !== 's3') return false
  const hash = request.headers.get('x-amz-content-sha256') ?? ''
  if (hash !== 'UNSIGNED-PAYLOAD' && hash !== sha256(body)) return false
  const url = new URL(request.url)
  const canonical = [
    request.method,
    url.pathname,
    [...url.searchParams]
      .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
      .sort()
      .join('&'),
    ...names.split(';').map((name) => `${name}:${request.headers.get(name)?.trim() ?? ''}`),
    '',
    names,
    hash,
  ].join('\n')
  const time = request.headers.get('x-amz-date') ?? ''
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(Buffer.from(canonical))].join('\n')
  const key = [day, account.region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${account.secretAccessKey}`,
  )
  return time.startsWith(day) && createHmac('sha256', key).update(text).digest('hex') === signature
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
