import { type Fault, operatorFaults } from '@tollgate/api'
import type { FailureGroup } from '../../store/log/index/log-row.ts'
import type { Concerned } from '../../store/work/incidents.ts'
import type { Cause } from './causes.ts'

interface Facts {
  /** Models of a channel, served or not. */
  readonly modelsOf: (channelId: number) => ReadonlySet<string> | undefined
  readonly faultOf: (reason: string) => Fault | undefined
}

/** Failed calls by one cause. */
export interface Loss extends Concerned {
  readonly calls: number
  /** Charges that the calls would have brought. */
  readonly quota: number
  /** Time of the first of the calls; infinite without any. */
  readonly since: number
}

export const noLoss: Loss = { calls: 0, quota: 0, since: Number.POSITIVE_INFINITY, models: [], users: [] }

/** Failed calls by their cause; those under `undefined` are the operator's to mend, and no cause explains them. */
export type Losses = ReadonlyMap<Cause | undefined, Loss>

/**
 * Assigns each failed call to one cause at most. What a caller did wrong is no loss.
 * @param chargeOf mean charge of a call of a model, in quota
 */
export function lossesOf(
  groups: readonly FailureGroup[],
  causes: readonly Cause[],
  facts: Facts,
  chargeOf: (model: string) => number,
): Losses {
  const ownerOf = createOwners(causes, facts)
  const losses = new Map<Cause | undefined, Loss>()
  for (const group of groups) {
    const owner = ownerOf(group)
    if (owner === undefined && !isOperators(facts.faultOf(group.reason))) continue
    losses.set(owner, withGroup(losses.get(owner) ?? noLoss, group, chargeOf(group.model)))
  }
  return losses
}

function isOperators(fault: Fault | undefined): boolean {
  return fault === undefined || (operatorFaults as readonly Fault[]).includes(fault)
}

/** Most models and users that are stored of one cause. */
const maxConcerned = 200

/** Joins two lists of the concerned; both stay bounded. */
export function joinConcerned(one: Concerned, other: Concerned): Concerned {
  return {
    models: [...new Set([...one.models, ...other.models])].slice(0, maxConcerned),
    users: [...new Set([...one.users, ...other.users])].slice(0, maxConcerned),
  }
}

function withGroup(loss: Loss, { model, userId, count, firstAt }: FailureGroup, charge: number): Loss {
  return {
    calls: loss.calls + count,
    quota: loss.quota + Math.round(count * charge),
    since: Math.min(loss.since, firstAt),
    ...joinConcerned(loss, {
      models: model === '' ? [] : [model],
      users: userId === 0 ? [] : [userId],
    }),
  }
}

const channelKinds: ReadonlySet<Cause['kind']> = new Set(['provider', 'account', 'channel'])

function createOwners(causes: readonly Cause[], { modelsOf, faultOf }: Facts) {
  const byMember = new Map(
    causes
      .filter(({ kind }) => channelKinds.has(kind))
      .flatMap((cause) => cause.members.map((member) => [Number(member), cause] as const)),
  )
  const unpriced = causes.find(({ kind }) => kind === 'unpriced')
  const balanceOf = new Map(
    causes
      .filter(({ kind }) => kind === 'balance')
      .flatMap((cause) => cause.members.map((member) => [Number(member), cause] as const)),
  )
  /** The cause that took out a channel with this model. */
  const lacking = (model: string) => [...byMember].find(([id]) => modelsOf(id)?.has(model))?.[1]

  return ({ reason, model, userId, channelId }: FailureGroup): Cause | undefined => {
    if (reason === 'model_price_error') return unpriced?.members.includes(model) ? unpriced : undefined
    const fault = faultOf(reason)
    if (fault === 'balance') return balanceOf.get(userId)
    if (fault === 'upstream') return byMember.get(channelId)
    return fault === 'no_channel' ? (byMember.get(channelId) ?? lacking(model)) : undefined
  }
}
