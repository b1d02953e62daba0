import type { Target } from '../provider.ts'
import { rowOf } from '../table.ts'

/** A channel of a provider as the server hands it over: with the provider's own address unless `more` has another. */
export function targetOf(id: string, more: Partial<Target> = {}): Target {
  return {
    baseUrl: rowOf(id).baseUrl,
    key: 'k',
    upstreamModel: 'm',
    openaiOrganization: '',
    other: '',
    ...more,
  }
}
