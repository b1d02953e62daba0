import type { KeyNeed } from '../../gateway/relay/admission.ts'
import type { CallPathMatch, RelayPath } from './paths.ts'
import type { MidjourneyRoute, SunoRoute, VideoRoute } from './task-paths.ts'

/** Paths that take no key. */
type Open = 'image' | 'notify'
type Needs<Route extends { readonly name: string }> = Readonly<Record<Exclude<Route['name'], Open>, KeyNeed>>
type Plain = 'model-list' | 'model' | 'stored-response' | 'billing' | 'realtime'

/** Needs of the relay's paths on a key, beside those of calls. */
export const pathNeeds = {
  'model-list': 'use',
  model: 'use',
  'stored-response': 'use',
  billing: 'figures',
  realtime: 'spend',
  drawing: { submit: 'spend', seed: 'use', fetch: 'use', list: 'use' } satisfies Needs<MidjourneyRoute>,
  music: { submit: 'spend', fetch: 'use', list: 'use' } satisfies Needs<SunoRoute>,
  video: { create: 'spend', show: 'use', content: 'use' } satisfies Needs<VideoRoute>,
} as const satisfies Readonly<Record<Plain, KeyNeed>> &
  Readonly<Record<Exclude<RelayPath['kind'], Plain | 'call' | Unserved>, unknown>>

type Unserved = 'not-implemented' | 'method-not-allowed' | 'unknown'

/** Returns the need of a call to a model on its key: counting a prompt is free. */
export function callNeed({ mode }: Pick<CallPathMatch, 'mode'>): KeyNeed {
  return mode === 'count-tokens' ? 'use' : 'spend'
}
