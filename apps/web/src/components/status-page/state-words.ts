import type { ModelState, PublicIncidentState } from '@tollgate/api'
import type { Tone } from '../ui/tag.tsx'

/** Colours of the states of models. */
export const stateTones: Readonly<Record<ModelState, Tone>> = {
  operational: 'good',
  degraded: 'warn',
  outage: 'bad',
  unknown: 'neutral',
}

/** Colours of the states of published incidents. */
export const phaseTones: Readonly<Record<PublicIncidentState, Tone>> = {
  investigating: 'bad',
  identified: 'warn',
  monitoring: 'info',
  resolved: 'good',
}
