import { readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import { isWorthCompressing } from '@tollgate/base/compressible'
import { unknownPath } from './error-response.ts'
import { pathOf } from './request-path.ts'
import { pageSecurityHeaders, scriptSources } from './security-headers.ts'

const page = '/index.html'
/** Names under it carry a hash of their content, so what they name never changes. */
const hashedAssets = '/assets/'
/** The build leaves each file worth it beside itself under this ending, compressed more thoroughly than is done here. */
const compressedEnding = '.gz'

interface StaticFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** `undefined` when that would not pay. */
  readonly gzipped: Uint8Array<ArrayBuffer> | undefined
  readonly etag: string
  readonly type: string
  readonly cacheControl: string
  /** Sources of the scripts in it, as the content security policy names them. */
  readonly scripts: readonly string[]
}

/**
 * Serves the built console: its files by name, its page for every other address, because addresses are the
 * console's own affair. Only files found in `directory` can be named, so no path leads out of it.
 * Each is read when it is first asked for, and then compressed unless the build has done so.
 */
export function createStaticFiles(directory: string): (request: Request) => Promise<Response> {
  const files = new Map<string, Promise<StaticFile>>()
  let names = listFiles(directory)

  async function fileNamed(name: string): Promise<StaticFile | undefined> {
    const reading = files.get(name) ?? readFile(directory, name)
    files.set(name, reading)
    try {
      return await reading
    } catch {
      // Rebuilt under our feet: forget the build we knew.
      files.clear()
      names = listFiles(directory)
      return undefined
    }
  }

  return async (request) => {
    const pathname = pathOf(request.url)
    if (request.method !== 'GET' && request.method !== 'HEAD') return notFound(request, pathname)
    // The console may have been built after the server started, so this looks again.
    if (!names.has(page)) names = listFiles(directory)
    if (!names.has(page)) return notBuilt()
    const name = decoded(pathname)
    if (!names.has(name) && name.startsWith(hashedAssets)) return notFound(request, pathname)
    const file = await fileNamed(names.has(name) ? name : page)
    return file === undefined ? notFound(request, pathname) : response(request, file, pathname)
  }
}

function listFiles(directory: string): ReadonlySet<string> {
  try {
    const entries = readdirSync(directory, { recursive: true, withFileTypes: true })
    const paths = entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []))
    const names = paths.map((path) => path.slice(join(directory, '.').length).split(sep).join('/'))
    return new Set(names.filter((name) => !name.endsWith(compressedEnding)))
  } catch {
    return new Set()
  }
}

async function readFile(directory: string, name: string): Promise<StaticFile> {
  const file = Bun.file(join(directory, name))
  const bytes = await file.bytes()
  const pays = isWorthCompressing(name, bytes.length)
  return {
    bytes,
    gzipped: pays ? await compressed(directory, name, bytes) : undefined,
    etag: new Bun.CryptoHasher('sha256').update(bytes).digest('hex').slice(0, 32),
    type: file.type,
    cacheControl: cacheControlOf(name),
    scripts: name === page ? scriptSources(new TextDecoder().decode(bytes)) : [],
  }
}

async function compressed(
  directory: string,
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const built = Bun.file(join(directory, name + compressedEnding))
  return (await built.exists()) ? await built.bytes() : Bun.gzipSync(bytes, { level: 9 })
}

function cacheControlOf(name: string): string {
  if (name.startsWith(hashedAssets)) return 'public, max-age=31536000, immutable'
  return name === page ? 'no-cache' : 'public, max-age=3600'
}

function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname)
  } catch {
    return pathname
  }
}

function response(request: Request, file: StaticFile, pathname: string): Response {
  const gzipped = acceptsGzip(request.headers) ? file.gzipped : undefined
  const etag = gzipped === undefined ? `"${file.etag}"` : `"${file.etag}-gzip"`
  const headers = new Headers({
    ...pageSecurityHeaders(pathname, file.scripts),
    etag,
    'cache-control': file.cacheControl,
  })
  if (file.gzipped !== undefined) headers.set('vary', 'Accept-Encoding')
  if (matchesEtag(request.headers.get('if-none-match'), etag))
    return new Response(null, { status: 304, headers })
  headers.set('content-type', file.type)
  if (gzipped !== undefined) headers.set('content-encoding', 'gzip')
  return new Response(gzipped ?? file.bytes, { headers })
}

function matchesEtag(ifNoneMatch: string | null, etag: string): boolean {
  const cachedTags = ifNoneMatch?.split(',') ?? []
  return cachedTags.some((tag) => tag.trim().replace(/^W\//, '') === etag)
}

function notFound(request: Request, pathname: string): Response {
  const { status, body } = unknownPath(request.method, pathname)
  return Response.json(body, { status })
}

function notBuilt(): Response {
  return new Response('The console is not built. Run: npm start\n', {
    status: 503,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '5' },
  })
}

/** Decides whether the caller takes gzip (`Accept-Encoding: gzip`, not `gzip;q=0`). */
export function acceptsGzip(headers: Headers): boolean {
  const accepted = headers.get('accept-encoding')
  if (accepted === null) return false
  return /(?:^|[,\s])gzip\s*(?:$|,|;(?!\s*q=0(?:\.0*)?\s*(?:$|,)))/i.test(accepted)
}
