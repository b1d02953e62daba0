import { type CacheMark, CallIds, type EncodeTarget, type JsonObject } from '@tollgate/formats'
import { type ConverseTraits, converseTraits } from './model.ts'

/** What is known and learned while one request is encoded. */
export interface Encoding {
  readonly traits: ConverseTraits
  /** Names of what was left out and does not change the answer. */
  readonly dropped: Set<string>
  readonly callIds: CallIds
  /** Names that documents have in this request: each must be its own. */
  readonly documentNames: Set<string>
}

export function startEncoding({ model }: EncodeTarget): Encoding {
  return {
    traits: converseTraits(model),
    dropped: new Set(),
    callIds: new CallIds(),
    documentNames: new Set(),
  }
}

/** The block that stands behind what is to be cached; none for models that keep nothing. */
export function cachePoint(
  cache: CacheMark | undefined,
  { traits, dropped }: Encoding,
): readonly JsonObject[] {
  if (cache === undefined) return []
  if (!traits.cachePoints) {
    dropped.add('cache')
    return []
  }
  const longer = cache.ttl === '1h' && traits.family === 'claude'
  return [{ cachePoint: { type: 'default', ...(longer && { ttl: '1h' }) } }]
}
