import { type AuditAction, type AuditTargetKind, gatewayActorName, type PartHolder } from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { AuditRecord } from '../../store/log/audit-log.ts'
import type { Store } from '../../store/store.ts'

/** The actor and their address. */
export interface Actor extends PartHolder {
  readonly userId: number
  readonly username: string
  /** Address of the client. */
  readonly address: string
}

/** An actor of whom a use case can ask a recent proof of their identity. */
export interface ProvableActor extends Actor {
  /** Throws `Refusal` for a session without a recent proof, and for an access token. */
  readonly requireProof: () => void
}

/** Actor of what the program does by itself, without a person. */
export const gatewayActor: Actor = { userId: 0, username: gatewayActorName, role: 'root', address: '' }

/** An audited action. `before` and `after` are stored without their equal fields; neither may hold a secret. */
export interface AuditEvent {
  readonly action: AuditAction
  readonly target: {
    readonly kind: AuditTargetKind
    /** 0 where the target has none. */
    readonly id?: number
    readonly name: string
  }
  readonly before?: object | undefined
  readonly after?: object | undefined
}

/** Records every administrative action, and what the gateway decides by itself. Nothing deletes from it. */
export interface AuditLog {
  /** @param tx the transaction of the action; without it the record is written by itself, after the action */
  record(actor: Actor, act: AuditEvent, tx?: Pick<Store, 'auditLog'>): Promise<void>
  /** The same for the actions of one bulk call. */
  recordAll(actor: Actor, auditEvents: readonly AuditEvent[], tx?: Pick<Store, 'auditLog'>): Promise<void>
}

interface Dependencies {
  readonly store: Pick<Store, 'auditLog'>
  readonly clock: Clock
}

export function createAuditLog({ store, clock }: Dependencies): AuditLog {
  const recordAll: AuditLog['recordAll'] = (actor, auditEvents, tx = store) =>
    tx.auditLog.append(auditEvents.map((act) => toRecord(actor, act, unixSeconds(clock))))
  return { recordAll, record: (actor, act, tx) => recordAll(actor, [act], tx) }
}

function toRecord(actor: Actor, { action, target, ...states }: AuditEvent, createdAt: number) {
  const { before, after } = changedFields(states.before, states.after)
  return {
    createdAt,
    actorId: actor.userId,
    actorName: actor.username,
    actorRole: actor.role,
    address: actor.address,
    action,
    targetKind: target.kind,
    targetId: target.id ?? 0,
    targetName: target.name,
    before: textOf(before),
    after: textOf(after),
  } satisfies Omit<AuditRecord, 'id'>
}

function textOf(state: object | undefined): string {
  return state === undefined ? '' : JSON.stringify(state)
}

type State = Readonly<Record<string, unknown>>

/** Both states without their equal fields, compared by their JSON. */
function changedFields(
  before: object | undefined,
  after: object | undefined,
): { readonly before: State | undefined; readonly after: State | undefined } {
  const [old, new_] = [before as State | undefined, after as State | undefined]
  if (old === undefined || new_ === undefined) return { before: old, after: new_ }
  const names = new Set([...Object.keys(old), ...Object.keys(new_)])
  const changed = [...names].filter((name) => JSON.stringify(old[name]) !== JSON.stringify(new_[name]))
  return { before: pick(old, changed), after: pick(new_, changed) }
}

function pick(state: State, names: readonly string[]): State {
  return Object.fromEntries(names.filter((name) => name in state).map((name) => [name, state[name]]))
}
