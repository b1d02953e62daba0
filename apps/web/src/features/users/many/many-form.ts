import type { ManyUsersBody, ManyUsersChange } from '@tollgate/api'
import type { RateLimitValues } from '../../../components/form/index.ts'

/** Kinds of change, in the order of the choice. */
export const changeKinds = ['balance', 'group', 'limits'] as const
/** A kind of change. */
export type ChangeKind = (typeof changeKinds)[number]

/** Values that a person types about a change of many users; an empty limit stays as it is. */
export interface ManyForm extends RateLimitValues {
  readonly kind: ChangeKind
  /** Quota units; below zero it is taken. */
  readonly amount: number | undefined
  readonly below_zero: boolean
  readonly group: string
}

/** A change that nothing was typed about yet. */
export const blankChange: ManyForm = {
  kind: 'balance',
  amount: undefined,
  below_zero: false,
  group: '',
  requests_per_minute: undefined,
  tokens_per_minute: undefined,
  concurrency: undefined,
}

/** Target of a change: the chosen ones, or all that match the list's filter. */
export type ManyTarget = Pick<ManyUsersBody, 'ids' | 'filter'>

/** Returns the change; `undefined` while something of it is missing. */
export function changeOf(form: ManyForm): ManyUsersChange | undefined {
  switch (form.kind) {
    case 'balance':
      return form.amount === undefined || form.amount === 0
        ? undefined
        : { kind: 'balance', amount: form.amount, below_zero: form.below_zero }
    case 'group':
      return form.group === '' ? undefined : { kind: 'group', group: form.group }
    case 'limits': {
      const { requests_per_minute, tokens_per_minute, concurrency } = form
      const limits = { requests_per_minute, tokens_per_minute, concurrency }
      const hasAny = Object.values(limits).some((limit) => limit !== undefined)
      return hasAny ? { kind: 'limits', ...limits } : undefined
    }
  }
}
