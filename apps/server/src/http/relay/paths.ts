import type { RelayMode } from '@tollgate/providers'

/** What a relay path asks for. */
export type RelayPath =
  | { readonly kind: 'call'; readonly mode: RelayMode; readonly modelFromPath?: string }
  | { readonly kind: 'model-list' }
  | { readonly kind: 'model'; readonly model: string }
  | { readonly kind: 'playground' }
  | { readonly kind: 'not-implemented' }
  | { readonly kind: 'unknown' }

const fixed: Readonly<Record<string, RelayPath>> = {
  'POST /v1/chat/completions': { kind: 'call', mode: 'chat' },
  'POST /v1/completions': { kind: 'call', mode: 'completions' },
  'POST /v1/embeddings': { kind: 'call', mode: 'embeddings' },
  'POST /pg/chat/completions': { kind: 'playground' },
  'GET /v1/models': { kind: 'model-list' },
}

/** Endpoints of the dialect that exist and are not served: a 501 tells a program more than a 404. */
const notImplemented = [
  /^POST \/v1\/edits$/,
  /^POST \/v1\/images\/(generations|edits|variations)$/,
  /^POST \/v1\/audio\/(speech|transcriptions|translations)$/,
  /^POST \/v1\/(moderations|rerank|responses|messages)$/,
  /^GET \/v1\/realtime$/,
  /^(GET|POST|DELETE) \/v1\/files(\/[^/]+(\/content)?)?$/,
  /^(GET|POST) \/v1\/fine-tunes(\/[^/]+(\/(cancel|events))?)?$/,
  /^DELETE \/v1\/models\/[^/]+$/,
]

const modelPath = /^GET \/v1\/models\/(.+)$/
const enginePath = /^POST \/v1\/engines\/([^/]+)\/embeddings$/

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** @param path without query; a trailing slash is tolerated */
export function relayPath(method: string, path: string): RelayPath {
  const line = `${method} ${path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path}`
  const known = fixed[line]
  if (known !== undefined) return known
  const model = modelPath.exec(line)?.[1]
  if (model !== undefined) return { kind: 'model', model: decoded(model) }
  const engine = enginePath.exec(line)?.[1]
  if (engine !== undefined) return { kind: 'call', mode: 'embeddings', modelFromPath: decoded(engine) }
  return notImplemented.some((pattern) => pattern.test(line))
    ? { kind: 'not-implemented' }
    : { kind: 'unknown' }
}
